/* The kernels of reduction_softmax for one VALUE_TYPE and ELEMENT_TYPE, in the namespace SPACE.
 * SPDX-License-Identifier: MIT */
namespace SPACE
{
#include "element.h"
#include "reduction_softmax/softmax.hip"

static void reduce(struct reduction *r, const void *x)
{
    struct planned p = {};

    r->planned = &p;
    plan(r);
    p.states = 0; /* in place of the outputs, which are r->result */
    launch(r, (const element_t *)x);
}
} // namespace SPACE
#undef VALUE_TYPE
#undef SPACE
