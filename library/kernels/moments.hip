/* Count, mean, variance, minimum and maximum in one pass.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include <string.h>
#define REDUCTION_INSTANTIATE
#include "library/moments.h"
#include "reduction.h"
#include "reduction_statistics/prelude.h"

#define VALUE_TYPE TYPE_FLOAT
#define SPACE      moments_float
#include "kernels/moments_of_type.h"
#define VALUE_TYPE TYPE_DOUBLE
#define SPACE      moments_double
#include "kernels/moments_of_type.h"
#define VALUE_TYPE TYPE_INT
#define SPACE      moments_int
#include "kernels/moments_of_type.h"
#define VALUE_TYPE TYPE_LONG
#define SPACE      moments_long
#include "kernels/moments_of_type.h"

extern "C" void lr_reduce_moments(struct reduction *r, int type, const void *x)
{
    switch (type) {
    case TYPE_FLOAT:
        moments_float::reduce(r, x);
        break;
    case TYPE_DOUBLE:
        moments_double::reduce(r, x);
        break;
    case TYPE_INT:
        moments_int::reduce(r, x);
        break;
    default:
        moments_long::reduce(r, x);
    }
}
