/* Results for people (a table) and for programs (CSV, JSON).
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_REPORT_H
#define REDUCTION_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "harness/device/device.h"
#include "harness/options/options.h"
#include "reduction.h"
#include "values/scalar.h"
#include "harness/timing/timing.h"
#include "verdict/verify.h"

/* What all rows of a run have in common. */
struct report {
    FILE *out;
    const struct variant *variant;
    const struct device *device;
    const struct options *options; /* with type filled in */
    double ceiling;                /* GB/s that a plain read kernel reaches */
    size_t default_n;              /* not 0: there was no --size, and this is the default that was used */
    const char *notes[4];          /* further lines at the top of a table; NULL: no more */
    size_t rows, wrong, unproven;  /* counted by report_row() */
};

/* One measurement. */
struct report_result {
    const struct reduction *r;  /* after plan() */
    unsigned warmup;            /* runs before the timed ones */
    struct stats total, kernel; /* seconds */
    struct scalar value;        /* the result: the last one, or the first of the worst ones */
    /* all runs, each of which is verified; and those with a wrong result */
    size_t runs, wrong_runs;
    const struct reference *reference;
    struct verdict verdict;         /* of value */
    struct extra extra[EXTRAS_MAX]; /* further results of the variant */
    size_t extra_count;
};

/* report_begin() once, report_row() for each size, report_end() once.
 *
 *   table  lines that start with # are explanations, the others are rows
 *   CSV    a header line, then one line for each size; readers should look up columns by name
 *   JSON   an array of one flat object for each size, with the columns' names as keys. nan, inf and -inf are
 *          strings, unknown values are null
 *
 * Floating-point numbers have as many digits as are needed to read the same number back. Times are in
 * microseconds, bandwidths in GB/s (10^9 bytes per second) with each input element counted once. */
void report_begin(struct report *p);
void report_row(struct report *p, const struct report_result *result);
void report_end(struct report *p);

/* The columns that are alike in all reports: what is reduced, n elements of it; and what came out. */
struct fields;
void report_put_input(struct fields *f, const struct options *o, size_t n);
void report_put_verdict(struct fields *f, struct scalar value, const struct reference *reference,
                        const struct verdict *v, size_t wrong_runs);

/* And their lines of a table: what is reduced, without its end; what came out, without it, too. */
void report_print_input(FILE *out, const char *program, const struct options *o);
void report_print_value(FILE *out, struct scalar value, const struct reference *reference, const struct verdict *v,
                        size_t wrong_runs, size_t runs);

/* The last line of a table, and all of --quiet: the verdict on all rows. */
void report_verdict(FILE *out, bool quiet, const char *program, size_t rows, size_t wrong, size_t unproven);
/* GB/s of reading n elements of a type once; 0 if no time passed. */
double report_bandwidth(int type, size_t n, double seconds);
/* A bandwidth in a unit that suits its magnitude. */
const char *speed_text(char text[SCALAR_TEXT_MAX], double speed);

#endif
