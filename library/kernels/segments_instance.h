/* The kernels of reduction_segmented for one VALUE_TYPE and OPERATION, in the namespace SPACE.
 * SPDX-License-Identifier: MIT */
namespace SPACE
{
#include "element.h"
#include "segmented.hip"

/* s.offsets is on the device, so the host does not know the longest segment. */
static void reduce(struct reduction *r, const void *x, struct segments s)
{
    struct planned p = {};

    r->planned = &p;
    p.host = s;
    plan_segments(r, &p, r->n);
    (void)workspace_take(r, TICKETS_BYTES(r->compute_units));
    p.queue = workspace_take(r, LR_QUEUE_BYTES);
    static_assert(QUEUE_BYTES <= LR_QUEUE_BYTES, "the queue's memory");
    p.partials = workspace_take(r, p.pieces * sizeof(value_t));
    if (r->workspace_bytes > MATRIX_BYTES(r->compute_units)) {
        HIP_CHECK(hipErrorOutOfMemory);
        return;
    }
    launch_segments(r, (const element_t *)x, s, (value_t *)r->result);
}
} // namespace SPACE
#undef VECTOR
#undef UNROLL
#undef BATCH
#undef EDGES
#undef LOADS
#undef MORE_LOADS
#undef RESULTS_BLOCK
#undef QUEUE_MAX
#undef QUEUE_COUNTS
#undef QUEUE_BYTES
