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
    (void)workspace_take(r, KEPT_BYTES(r->compute_units));
    plan(r);
    size_t tickets = p.tickets > 0 ? r->workspace_bytes - p.tickets : 0; /* they come last */
    p.tickets = 0;
    if (tickets > TICKETS_BYTES(r->compute_units) || r->workspace_bytes > MATRIX_BYTES(r->compute_units)) {
        HIP_CHECK(hipErrorOutOfMemory);
        return;
    }
    launch(r, (const element_t *)x);
}
} // namespace SPACE
#undef LOADS
#undef LANES
