/* Rows of named fields as CSV or JSON. One function of the caller writes a row, and the order of its calls is that of
 * the columns. nan, inf and -inf are strings in JSON; what is unknown is null there, and empty in CSV.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_FIELDS_H
#define REDUCTION_FIELDS_H

#include <stdbool.h>
#include <stdio.h>

#include "values/scalar.h"

struct fields; /* the row that is being written */

/* One field; text NULL: unknown. quote: it is text, not a number. */
void fields_put(struct fields *f, const char *name, const char *text, bool quote);
void fields_text(struct fields *f, const char *name, const char *text);
void fields_whole(struct fields *f, const char *name, uint64_t value);
void fields_double(struct fields *f, const char *name, double value);
void fields_scalar(struct fields *f, const char *name, struct scalar value);

/* Puts the fields of one row; for the names of the columns, those of any row. */
typedef void fields_write(struct fields *f, const void *row);

/* A row in this format, FORMAT_CSV or FORMAT_JSON. The first one of CSV has the names of the columns before it. JSON
 * is an array of objects: the caller writes its brackets. */
void fields_row(FILE *out, int format, bool first, fields_write *write, const void *row);

#endif
