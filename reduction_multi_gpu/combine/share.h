/* Which elements of the array belong to a rank.
 * SPDX-License-Identifier: MIT */
#ifndef MULTI_GPU_SHARE_H
#define MULTI_GPU_SHARE_H

#include <stddef.h>

#include "../../reduction_reproducible/tree_order.h"

struct share {
    size_t n;         /* elements, in an array of the rank's own: its runs, without gaps */
    size_t run_count; /* at least 1, perhaps of no elements */
    struct {
        size_t first, n; /* in the whole array */
    } runs[SIDE_BY_SIDE];
    unsigned first_unit, units; /* of the canonical tree */
    unsigned all_units;
};

/* The share of one of `size` ranks: a run of equal length, or, where method is METHOD_TREE, the elements of its units,
 * which are as many as for any other rank, or one more. */
struct share share_of(size_t n, int type, int method, int rank, int size);

#endif
