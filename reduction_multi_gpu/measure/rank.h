/* What a rank does: its device, its share of the input, and the measurement.
 * SPDX-License-Identifier: MIT */
#ifndef MULTI_GPU_RANK_H
#define MULTI_GPU_RANK_H

#include "input/input.h"
#include "harness/options/options.h"
#include "../ranks/ranks.h"
#include "../report/report_ranks.h"

/* What all threads of the process have in common. */
struct program {
    struct options *o;
    struct input file;           /* for --input */
    struct rank_report *report;  /* rank 0 writes it */
    const struct variant *plain; /* reduction_single_pass */
    const struct variant *fixed; /* reduction_reproducible */
    const struct variant *own;   /* multi_gpu.hip */
    const struct variant *peer;  /* reduction_prim; NULL: the library did not compile */
};

/* One rank, from its device to its part of the report. Returns the exit code, the same on all ranks. */
int rank_run(struct ranks *ranks, void *program);

#endif
