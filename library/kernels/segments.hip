/* Segments of an array.
 * SPDX-License-Identifier: MIT */
#include "library/checks.h"
#include <string.h>
#define REDUCTION_INSTANTIATE
#define WITHOUT_LIBRARY /* CUB or rocPRIM */
#undef LIBRARY          /* a method of the variant */
#include "library/handle.h"
#include "library/rows.h"
#include "reduction.h"
#include "reduction_segmented/prelude.h"

#define INSTANCES "kernels/segments_instance.h"
#include "kernels/instances_of_all.h"

extern "C" void lr_reduce_segments(struct reduction *r, int type, int op, const void *x, const int64_t *offsets,
                                   size_t count)
{
    static void (*const table[TYPE_ALL][OP_COMMON])(struct reduction *, const void *, struct segments) = TABLE(reduce);
    struct segments s = {(const size_t *)offsets, 0, count, r->n};
    table[type][op](r, x, s);
}
