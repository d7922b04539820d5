/* How keys.c and softmax.c start their kernels.
 * SPDX-License-Identifier: MIT */
#ifndef LIBRARY_KEYS_H
#define LIBRARY_KEYS_H

#include "handle.h"

#ifdef __cplusplus
extern "C" {
#endif
/* The number of keys below k, for each k below `offsets`. wide: they are int64_t. */
void lr_find_segments(hipStream_t stream, const void *keys, bool wide, size_t n, size_t offsets, int64_t *to);
/* The kernels of reduction_softmax for any floating-point type; the outputs go to r->result. */
void lr_reduce_softmax(struct reduction *r, int type, const void *x);
#ifdef __cplusplus
}
#endif

#endif
