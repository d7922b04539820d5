/* Replaces element.h: combine() adds magnitudes. A partial sum is not negative, so it is its own magnitude; and single_pass
 * combines every element at least once, with IDENTITY.
 * SPDX-License-Identifier: MIT */
#define combine combine_signed /* for the sums of a warp, whose lanes already have magnitudes */
#include "element.h"
#undef combine

__host__ __device__ static inline value_t combine(value_t a, value_t b)
{
    return value_sum((value_t)fabs(a), (value_t)fabs(b));
}
