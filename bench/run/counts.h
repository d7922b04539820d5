/* What a GPU would do in one reduction of a program, counted by make explain's tool in a run on the CPU.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_COUNTS_H
#define REDUCTION_COUNTS_H

#include <stdbool.h>

#include "bench/programs/program.h"

struct counting {
    const char *folder;  /* of the traced programs, FOLDER/reduction_shfl; NULL: do not count */
    const char *warp;    /* lanes: "32" */
    const char *machine; /* "gfx942"; NULL: the first with this warp */
};

/* Totals of one reduction. A warp's instruction counts once, however many lanes take part. */
struct counts {
    bool known;
    char machine[32];
    double n, launches, blocks;
    double barriers;          /* at which a block waits, for all blocks */
    double instructions;      /* of warps: memory, atomics, shuffles and other warp operations */
    double memory, lanes;     /* memory instructions; lanes that take part in them */
    double asked, moved;      /* bytes of global memory */
    double passes, conflicts; /* of shared memory */
};

/* The size that is counted; counts per element hardly depend on it. */
#define COUNTED_SIZE "256K"

/* Runs the traced build of p once. Not known: it launches no kernel, or the run failed. */
struct counts counts_run(const struct counting *c, const struct program *p,
                         const struct program_call *call);

#endif
