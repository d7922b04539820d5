/* Softmax of rows.
 * SPDX-License-Identifier: MIT */
#include "library/checks.h"
#include <string.h>
#define REDUCTION_INSTANTIATE
#include "library/handle.h"
#include "library/rows.h"
#include "reduction.h"
#include "reduction_softmax/prelude.h"

#define REDUCE                                                                                     \
    static void reduce(struct reduction *r, const void *x)                                         \
    {                                                                                              \
        struct planned p = {};                                                                     \
        r->planned = &p;                                                                           \
        plan(r);                                                                                   \
        p.states = 0; /* in place of the outputs, which are r->result */                           \
        launch(r, (const value_t *)x);                                                             \
    }

#define OPERATION  OP_MAX
#define VALUE_TYPE TYPE_FLOAT
namespace softmax_float
{
#include "element.h"
#include "reduction_softmax/softmax.hip"
REDUCE
} // namespace softmax_float
#undef VALUE_TYPE
#define VALUE_TYPE TYPE_DOUBLE
namespace softmax_double
{
#include "element.h"
#include "reduction_softmax/softmax.hip"
REDUCE
} // namespace softmax_double

extern "C" void lr_reduce_softmax(struct reduction *r, int type, const void *x)
{
    (type == LR_FLOAT ? softmax_float::reduce : softmax_double::reduce)(r, x);
}
