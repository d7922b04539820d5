/* The kernels of reduction_rows for one VALUE_TYPE and OPERATION, in the namespace SPACE.
 * SPDX-License-Identifier: MIT */
namespace SPACE
{
#include "element.h"
#include "rows.hip"

static void reduce(struct reduction *r, const void *x)
{
    struct planned p = {};

    r->planned = &p;
    plan(r);
    if (r->workspace_bytes > MATRIX_BYTES(r->compute_units)) {
        HIP_CHECK(hipErrorOutOfMemory);
        return;
    }
    /* Calls of other shapes have left their partials where these tickets are. */
    if (p.tickets > 0 || p.partials > 0 || r->workspace_bytes > 0) {
        hipError_t error = hipMemsetAsync((char *)r->workspace + p.tickets, 0,
                                          r->workspace_bytes - p.tickets, r->stream);
        HIP_CHECK(error);
        if (error != hipSuccess)
            return;
    }
    launch(r, (const value_t *)x);
}
} // namespace SPACE
#undef LOADS
#undef LANES
