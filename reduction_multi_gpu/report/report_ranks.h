/* Results of many ranks, for people (a table) and for programs (CSV, JSON). Written by rank 0.
 * SPDX-License-Identifier: MIT */
#ifndef MULTI_GPU_REPORT_RANKS_H
#define MULTI_GPU_REPORT_RANKS_H

#include <stdbool.h>
#include <stdio.h>

#include "harness/device/device.h"
#include "harness/options/options.h"
#include "../ranks/ranks.h"
#include "values/scalar.h"
#include "harness/timing/timing.h"
#include "verdict/verify.h"

struct rank_report {
    FILE *out;
    const struct options *o;
    const struct ranks *ranks;
    const struct device *device; /* of rank 0 */
    const char *how;             /* "mpi", "rccl", "direct" */
    const char *note;            /* of the input; or "" */
    size_t rows, wrong, unproven;
};

/* Devices that work alone, one after another: the median of each. 0: not measured. */
struct spread {
    double mean, fastest, slowest;
};

/* One number of elements. Times in seconds; a count of 0 samples: not measured. */
struct rank_result {
    size_t n, share; /* elements in all, and of rank 0 */
    unsigned warmup;
    struct stats total; /* of the slowest rank, from a barrier to the value on its host */
    /* the fastest and the slowest rank, to its own value; RCCL: like total */
    struct stats first, last;
    struct stats combination; /* alone: the slowest rank, from a barrier */
    struct stats peer;        /* the vendor's library, RCCL or NCCL, a copy */
    struct spread whole;      /* all elements on one device */
    struct spread part;       /* a share on its device, while the other ranks of the host rest */
    struct scalar value;
    const struct reference *reference;
    struct verdict verdict;
    size_t wrong_runs, peer_wrong_runs;
    size_t unequal_runs; /* in which not all ranks had the same bits */
};

void rank_report_begin(struct rank_report *p);
void rank_report_row(struct rank_report *p, const struct rank_result *result);
void rank_report_end(struct rank_report *p);

#endif
