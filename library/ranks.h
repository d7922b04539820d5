/* What ranks exchange by NCCL.
 * SPDX-License-Identifier: MIT */
#ifndef LIBRARY_RANKS_H
#define LIBRARY_RANKS_H

#include "handle.h"

/* What is done with a value between two calls of ncclAllReduce(). */
enum rank_step {
    VALUE_TO_SUM, /* the value becomes words to be added: doubles or int64_t */
    SUM_TO_VALUE,
    VALUE_TO_MIN, /* a word whose order as int64_t is that of the values, and of which the largest is wanted */
    MIN_TO_VALUE,
    VALUE_TO_MAX,
    MAX_TO_VALUE,
    NORM_TO_SQUARE, /* the largest norm is there: the square of this one's share of it */
    SQUARES_TO_NORM,
};

/* In device memory. */
struct rank_words {
    union {
        float f[2];
        double d[2];
        int32_t i;
        int64_t l;
    } value; /* what this rank has */
    union {
        double d[2];
        int64_t l;
    } word;         /* what goes through NCCL */
    double largest; /* norm */
};

#ifdef __cplusplus
extern "C" {
#endif
void lr_rank_step(hipStream_t stream, enum rank_step step, int type, struct rank_words *w, void *result);
#ifdef __cplusplus
}
#endif

#endif
