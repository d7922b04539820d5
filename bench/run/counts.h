/* What a GPU would do in one reduction of a program, counted by make explain's tool in a run on the CPU.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_COUNTS_H
#define REDUCTION_COUNTS_H

#include <stdbool.h>

#include "harness/report/csv.h"

struct counting {
    bool wanted;         /* the programs are traced: count, and do not show times */
    const char *warp;    /* lanes: "32"; NULL: as the programs' own */
    const char *machine; /* "gfx942"; NULL: the first with this warp */
};

/* Totals of one reduction. A warp's instruction counts once, however many lanes take part. */
struct counts {
    char *names;              /* of the columns; from the first line */
    double blocks;            /* 0: it launches no kernel */
    double barriers;          /* at which a block waits, for all blocks */
    double instructions;      /* of warps: memory, atomics, shuffles and other warp operations */
    double memory, lanes;     /* memory instructions; lanes that take part in them */
    double asked, moved;      /* bytes of global memory */
    double passes, conflicts; /* of shared memory */
};

/* The size that is counted, if none is given. */
#define COUNTED_SIZE "256K"

/* From now on traced programs count: after its CSV a program prints more, of its kernels. */
void counts_begin(const struct counting *c);

/* Adds a line of that, the names at first. row: the program's CSV. */
void counts_add(struct counts *c, const struct csv_row *row, const char *line);

#endif
