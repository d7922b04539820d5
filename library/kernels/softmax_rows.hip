/* Softmax of rows.
 * SPDX-License-Identifier: MIT */
#include "library/checks.h"
#include <string.h>
#define REDUCTION_INSTANTIATE
#include "library/handle.h"
#include "library/rows.h"
#include "reduction.h"
#include "reduction_softmax/prelude.h"

#define OPERATION  OP_MAX
#define VALUE_TYPE TYPE_FLOAT
#define SPACE      softmax_float
#include "kernels/softmax_instance.h"
#define VALUE_TYPE TYPE_DOUBLE
#define SPACE      softmax_double
#include "kernels/softmax_instance.h"
#undef ELEMENT_TYPE
#define ELEMENT_TYPE TYPE_HALF
#define VALUE_TYPE   TYPE_FLOAT
#define SPACE        softmax_half
#include "kernels/softmax_instance.h"
#undef ELEMENT_TYPE
#define ELEMENT_TYPE TYPE_BFLOAT16
#define VALUE_TYPE   TYPE_FLOAT
#define SPACE        softmax_bfloat16
#include "kernels/softmax_instance.h"

extern "C" void lr_reduce_softmax(struct reduction *r, int type, const void *x)
{
    /* In the order of enum lr_type. */
    static void (*const reduce[])(struct reduction *, const void *) = {
        softmax_float::reduce, softmax_double::reduce, NULL, NULL, softmax_half::reduce, softmax_bfloat16::reduce};
    reduce[type](r, x);
}
