/* What the parts of the program bench share: a sweep over sizes, types, operations and programs.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_SWEEP_H
#define REDUCTION_SWEEP_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/programs/arguments.h"
#include "harness/options/options.h"
#include "scalar.h"
#include "bench/programs/program.h"
#include "bench/results/results.h"

#define COMBOS_MAX (TYPE_ALL * OP_COUNT)

/* A type and operation, and its sizes. */
struct combo {
    const char *type, *op;
    size_t sizes[SIZES_MAX], size_count;
    bool settled[SIZES_MAX]; /* all medians are known well enough */
    bool chosen[SIZES_MAX];  /* for the round in progress */
    double cost
        [SIZES_MAX]; /* seconds that all programs took for it in its last round; 0: not measured yet */
    bool *failed;    /* for each program: not run again */
};

struct sweep {
    struct arguments arguments;
    struct combo combos[COMBOS_MAX];
    size_t combo_count;

    /* From the command line. */
    const char *sizes, *types, *ops;
    char iterations[32]; /* option for the programs; "": they choose */
    bool cold, probe;
    int clock;
    double seconds, spread, change;
    unsigned rounds;
    const char *output, *baseline, *from;

    const char *revision, *compiler; /* facts from the build */
    char arch[64];                   /* of the device */
    char *given;                     /* the part of the command line that all rows share */
    char ceiling[64];                /* option for the programs; "": they measure it */
    struct program_call call;
    struct results results;

    int file;        /* the CSV */
    bool created;    /* by this run */
    int file_error;  /* errno of a row that could not be written; 0: all are there */
    bool other;      /* a row came from another device than the first */
    size_t failures; /* of programs, in this run */
    unsigned round;  /* from 1 */
    double start;    /* of the first round, on the clock of timing_now() */
    bool terminal;   /* progress is shown */
};

/* plan.c: types, operations and sizes from the command line, or from the device. */
void plan_make(struct sweep *s);
/* Describes the device in one line of CSV, for plan_make() in another process. Returns the exit code. */
int plan_probe(int device);

/* record.c: opens the CSV, a new one or one to be continued. */
void record_open(struct sweep *s);
/* Adds a row of a program. False: measuring has to end, see file_error and other. */
bool record_row(struct sweep *s, const struct program *p, const char *values);
/* Closes the CSV; removes it if this run created it and it is empty. */
void record_close(struct sweep *s);

/* rounds.c: measures until all medians are known, the time is up, or a signal arrives. */
void rounds_run(struct sweep *s);

#endif
