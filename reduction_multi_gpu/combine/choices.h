/* What the options of multi_gpu.hip can be, for the kernels and for the program around them.
 * SPDX-License-Identifier: MIT */
#ifndef MULTI_GPU_CHOICES_H
#define MULTI_GPU_CHOICES_H

#include <hip/hip_runtime_api.h>

#include "types.h"

struct reduction;

/* Indices into option[]. */
enum { METHOD, FOLDS, COMBINE, RANKS, GPUS, SHARE, PEER };

enum { METHOD_PLAIN, METHOD_TREE, METHOD_BINNED };
enum { COMBINE_AUTO, COMBINE_MPI, COMBINE_RCCL, COMBINE_DIRECT };
enum { RANKS_AUTO, RANKS_MPI, RANKS_THREADS };

/* What a rank has for the others: its value, the values of its units of the tree, or the bins of a binned sum. The last
 * two travel in words with marks. */
enum { PAYLOAD_VALUE, PAYLOAD_UNITS, PAYLOAD_BINS };

/* What multi_gpu.hip has beside the table of a variant. */
struct combination {
    /* For plan(), of a tree: this rank has so many units from the first one on. */
    void (*plan_units)(struct reduction *r, unsigned first, unsigned units);
    /* What came together of all ranks becomes one value. count: ranks, or all units. */
    void (*on_device)(int payload, const void *from, void *to, unsigned count, unsigned folds,
                      hipStream_t stream);
    void (*on_host)(int payload, const void *values, void *to, unsigned count); /* not of bins */
};
#ifdef __cplusplus
extern "C"
#else
extern
#endif
    struct combination combinations[TYPE_COMMON][OP_COMMON];

#endif
