/* The table of `make run`: at most 80 columns for the shipped variants, 100 if it is wide; each row can be printed as soon
 * as it is measured.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_COMPARISON_H
#define REDUCTION_COMPARISON_H

#include <stdbool.h>

#include "counts.h"
#include "harness/report/csv.h"

/* What makes a measured time doubtful. */
#define NOISE_KERNEL 1 /* the kernels take longer than the total, of which they are a part */
#define NOISE_SPREAD 2 /* the slowest runs are far from the median */
#define NOISE_LOAD   4 /* other programs kept the processors busy */

#define NOISE_SPREAD_MOST 1.2  /* 95th percentile over median */
#define NOISE_LOAD_MOST   0.75 /* share of the processors, which only launch */

/* A program and its outcome. */
struct compared {
    const char *name;
    bool exercise;
    bool done;          /* has been run */
    bool built;         /* has been named on standard input */
    bool refused;       /* it does not know an option that others do, or: */
    bool foreign;       /* it does not measure a reduction */
    int status;         /* exit code */
    struct csv_row row; /* count 0: none, and `reason` says why */
    char reason[400];
    unsigned noise;       /* NOISE_* */
    struct counts counts; /* on the CPU */
};

/* NOISE_KERNEL and NOISE_SPREAD from the row, NOISE_LOAD from `others`, their share of the processors. Only for GPUs: times
 * of the CPU are not compared. */
unsigned comparison_noise(const struct csv_row *row, double others);

struct comparison {
    int name_width, bar_width; /* bar_width 0: no bars */
    /* the baselines of the speed-ups; NULL or without a row: "-" */
    const struct compared *slow, *library;
    double whole; /* GB/s of the longest bar */
    bool wide;    /* all columns */
    const struct counting *counting;
};

/* Prints the lines above the rows, from the first available row; NULL: no program has one. */
void comparison_begin(struct comparison *t, const struct csv_row *first, bool size_given);
/* A wrong exercise has no row, but a line below the table. */
void comparison_row(const struct comparison *t, const struct compared *e);
/* Prints the lines below the rows: what the marks mean, what failed, what an exercise is about. */
void comparison_end(const struct comparison *t, const struct compared *programs, size_t count);

#endif
