/* Reductions whose result is more than a sum or an element: how the functions start their kernels.
 * SPDX-License-Identifier: MIT */
#ifndef LIBRARY_STATES_H
#define LIBRARY_STATES_H

#include "reduction.h"

/* The last four are for LR_HALF and LR_BFLOAT16 alone: single_pass has the other types. */
enum {
    STATES_DOT,
    STATES_NRM2,
    STATES_ARGMIN,
    STATES_ARGMAX,
    STATES_MOMENTS,
    STATES_SUM,
    STATES_MIN,
    STATES_MAX,
    STATES_ASUM,
    STATES_COUNT
};

#define STATES_BLOCK 512 /* threads of a block at most */
/* At most 4 blocks for each compute unit, or 64, and 10 words for each of them. */

struct states {
    struct reduction r; /* as the handle knows it, with a workspace and a result */
    const void *x, *y;  /* y: of dot alone */
    int64_t *index;     /* of argmin and argmax alone */
};

#ifdef __cplusplus
extern "C" {
#endif
typedef void states_launch(const struct states *s);
states_launch *lr_states(int function, int type);

/* A call, from its checks to its result: y is of STATES_DOT alone; index of argmin and argmax, where result may be NULL. */
struct lr_handle;
int lr_states_reduce(struct lr_handle *h, int function, int type, int place, const void *x,
                     const void *y, size_t n, void *result, int64_t *index, void *stream);
#ifdef __cplusplus
}
#endif

#endif
