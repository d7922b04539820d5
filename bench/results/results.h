/* Measurements of a benchmark: the rows of its CSV, combined over the rounds.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_RESULTS_H
#define REDUCTION_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define CLOCK_TOTAL  0 /* the host's, around the whole reduction */
#define CLOCK_KERNEL 1 /* the device's, around the launches */
#define CLOCK_COUNT  2

/* One program's median for one size in one round. */
struct sample {
    unsigned round;
    double time[CLOCK_COUNT]; /* us */
};

/* One variant at one size: a row of samples. */
struct cell {
    char *variant, *type, *op;
    size_t n;
    char *rest; /* everything else that must be equal for two measurements to be comparable */
    struct sample *samples;
    size_t count;
    size_t wrong, unproven; /* rows with such a result, which are not samples */
};

struct results {
    struct cell *cells; /* in the order of their first row */
    size_t count;
    size_t rows;
    unsigned round; /* the last one */
    /* of the first row */
    char device[128], arch[64], date[32], revision[64], compiler[256], given[1024];
    double ceiling; /* GB/s; 0: unknown */
};

#define RESULTS_MESSAGE_MAX 256

/* Adds one row; names is the header line of its CSV. False, with one line in message, if a column is
 * missing or not a number. */
bool results_add(struct results *r, const char *names, const char *values,
                 char message[RESULTS_MESSAGE_MAX]);

/* Adds all rows of a file. False, with one line in message, if it cannot be read or is not such a CSV. A
 * last line without a newline is ignored: the writer was interrupted. */
bool results_read(struct results *r, const char *path, char message[RESULTS_MESSAGE_MAX]);

void results_free(struct results *r);

/* Rows whose result is wrong or unproven, of all that were added. */
size_t results_wrong(const struct results *r);
size_t results_unproven(const struct results *r);

/* The median of the samples with a confidence interval that assumes nothing about their distribution: the
 * k-th sample from either end, with the largest k that leaves at least 95 %.
 * David, Nagaraja: Order Statistics, 3rd edition, section 7.1. */
struct estimate {
    double median, low, high; /* us; all 0 without samples */
    bool sure; /* fewer than ESTIMATE_MIN samples cannot give 95 %: low and high are the extremes */
};

#define ESTIMATE_MIN 6

struct estimate results_estimate(const struct cell *c, int clock);

/* Half of the interval's width as a part of the median; infinity unless it is sure. */
double results_spread(const struct cell *c, int clock);

/* The cell of an equal measurement: as `like` in all but its samples; or NULL. */
struct cell *results_like(const struct results *r, const struct cell *like);

/* Time of `base` over time of c, computed within each round, so that drift between rounds does not
 * count; 0 if they share no round. */
double results_speed_up(const struct cell *c, const struct cell *base, int clock);

/* The cell of a variant, or NULL. */
const struct cell *results_find(const struct results *r, const char *variant, const char *type,
                                const char *op, size_t n);

/* Tables of times, and of the speed-up over the library, for each type and operation; at most `width`
 * characters wide. A spread above `spread` is marked. */
void results_print(FILE *out, const struct results *r, int clock, double spread, int width);

/* What became faster or slower: intervals that do not overlap, and medians that differ by more than
 * `change` (0.03 is 3 %). Returns how many became slower. Fewer than COMPARE_MIN samples are not judged. */
#define COMPARE_MIN 5

size_t results_compare(FILE *out, const struct results *old, const struct results *new_, int clock,
                       double change);

/* n as "64K" if it is a multiple of a power of 1024, else in digits. Returns text. */
#define SIZE_TEXT_MAX 24
const char *size_text(char text[SIZE_TEXT_MAX], size_t n);

#endif
