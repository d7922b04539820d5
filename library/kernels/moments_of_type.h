/* The kernels of reduction_statistics for one VALUE_TYPE, in the namespace SPACE, and one that stores what the library
 * returns.
 * SPDX-License-Identifier: MIT */
#define OPERATION OP_SUM
namespace SPACE
{
#include "element.h"
#include "statistics.hip"

__global__ void store(const struct statistics *s, struct lr_moments *to)
{
    bool known = s->count > 0 && isfinite(s->mean);

    to->count = (int64_t)s->count;
    to->mean = known ? s->mean : (double)NAN;
    to->variance = known ? s->variance : (double)NAN;
    to->min = (double)s->min;
    to->max = (double)s->max;
}

static void reduce(struct reduction *r, const void *x)
{
    plan(r);
    launch(r, (const value_t *)x);
    hipLaunchKernelGGL(store, dim3(1), dim3(1), 0, r->stream, device_statistics(r),
                       (struct lr_moments *)r->result);
    HIP_CHECK_LAUNCH();
}
} // namespace SPACE
#undef TILE
#undef OPERATION
#undef VALUE_TYPE
#undef SPACE
