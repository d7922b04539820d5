/* Reductions whose result is more than a sum or an element: how the functions start their kernels.
 * SPDX-License-Identifier: MIT */
#ifndef LIBRARY_STATES_H
#define LIBRARY_STATES_H

#include "reduction.h"

enum { STATES_DOT, STATES_NRM2, STATES_ARGMIN, STATES_ARGMAX, STATES_COUNT };

#define STATES_BLOCK 512 /* threads of a block at most */
/* At most 2 blocks for each compute unit, and 6 words for each of them. */

struct states {
    const void *x, *y; /* y: of dot alone */
    size_t n;
    void *result;
    int64_t *index; /* of argmin and argmax alone */
    void *workspace;
    hipStream_t stream;
    unsigned warp_size, compute_units;
    bool overlap, input_ready;
};

#ifdef __cplusplus
extern "C" {
#endif
/* NULL: not for this type. */
typedef void states_launch(const struct states *r);
states_launch *lr_states(int function, int type);
#ifdef __cplusplus
}
#endif

#endif
