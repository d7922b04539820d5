/* How functions whose result is more than a sum or an element start their kernels.
 * SPDX-License-Identifier: MIT */
#ifndef LIBRARY_STATES_H
#define LIBRARY_STATES_H

#include "checks.h"
#include "reduction.h"

/* The last four are only for LR_HALF and LR_BFLOAT16: single_pass has the other types. */
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

#define STATES_BLOCK 512 /* at most */
/* At most 4 blocks per compute unit, or 64, with 10 words each. */

struct states {
    struct reduction r; /* from the handle, with a workspace and a result */
    const void *x, *y;  /* y: only for dot */
    int64_t *index;     /* only for argmin and argmax */
};

#ifdef __cplusplus
extern "C" {
#endif
typedef void states_launch(const struct states *s);
states_launch *lr_states(int function, int type);

/* A whole call, from its checks to its result. y: only for STATES_DOT; index: only for argmin and argmax, which allow a
 * NULL result. */
struct lr_handle;
int lr_states_reduce(struct lr_handle *h, int function, int type, int place, const void *x,
                     const void *y, size_t n, void *result, int64_t *index, void *stream);
#ifdef __cplusplus
}
#endif

#endif
