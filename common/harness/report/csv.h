/* Lines of comma-separated values (RFC 4180): what programs and bench write, run and bench read.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_CSV_H
#define REDUCTION_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Writes text as one field, in quotes if necessary. */
void csv_put(FILE *out, const char *text);

/* Splits one line into fields, in place: removes quotes and the end of the line, and makes doubled
 * quotes single. Returns how many fields there are; only the first `most` are stored. A line break
 * inside a quoted field is not supported. */
size_t csv_split(char *line, char **fields, size_t most);

/* Ends the line, in place, after the first `count` fields, without the end of the line. */
void csv_cut(char *line, size_t count);

/* One row with fields that are looked up by the names of their columns. */
#define CSV_COLUMNS_MAX 128

struct csv_row {
    char *name_line, *value_line; /* the other members point into these */
    char *names[CSV_COLUMNS_MAX], *values[CSV_COLUMNS_MAX];
    size_t count;
};

/* Copies both lines. False, with nothing to free, if they differ in the number of fields, have more than
 * CSV_COLUMNS_MAX, or there is no memory. */
bool csv_row_read(struct csv_row *row, const char *names, const char *values);
void csv_row_free(struct csv_row *row);

/* The field of that column; "" if there is none. */
const char *csv_field(const struct csv_row *row, const char *name);
/* The same as a number; 0 if it is not one. */
double csv_number(const struct csv_row *row, const char *name);

#endif
