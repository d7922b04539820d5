/* What a GPU would do for one reduction by a program: counted by `make explain`'s tool in a run on the CPU.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_COUNTS_H
#define REDUCTION_COUNTS_H

#include <stdbool.h>

#include "bench/programs/program.h"

struct counting {
    const char
        *folder; /* of programs that are traced: FOLDER/reduction_shfl; NULL: nothing is counted */
    const char *warp;    /* lanes: "32" */
    const char *machine; /* "gfx942"; NULL: the first with this warp */
};

/* All of one reduction. A place of a warp's instruction counts once, whatever its lanes do. */
struct counts {
    bool known;
    char machine[32];
    double n, launches, blocks;
    double barriers;          /* that a block waits at, of all blocks */
    double instructions;      /* of warps: memory, atomics, shuffles and other warp operations */
    double memory, lanes;     /* those of memory; lanes that take part in them */
    double asked, moved;      /* bytes of global memory */
    double passes, conflicts; /* of shared memory */
};

/* Elements that are counted; the numbers for an element hardly depend on them. */
#define COUNTED_SIZE "256K"

/* Runs the traced twin of p once. Not known: it launches no kernel, or the run failed. */
struct counts counts_run(const struct counting *c, const struct program *p,
                         const struct program_call *call);

#endif
