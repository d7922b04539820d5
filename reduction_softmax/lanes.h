/* The largest value and the sum of 2^k lanes of a warp, for all of them: a part of softmax.hip, inside its namespace, and
 * therefore without an include guard.
 * SPDX-License-Identifier: MIT */
#if defined(HAS_WAVE_REDUCE)
typedef value_t largest_t;
namespace lane_largest
{
typedef largest_t value_t;
static __device__ __forceinline__ value_t combine(value_t a, value_t b)
{
    return value_extreme(a, b, false);
}
#include "wave_reduce.h"
} // namespace lane_largest
namespace lane_sum
{
typedef real_t value_t;
static __device__ __forceinline__ value_t combine(value_t a, value_t b)
{
    return a + b;
}
#include "wave_reduce.h"
} // namespace lane_sum

static __device__ __forceinline__ value_t largest_of_lanes(value_t value, unsigned lanes)
{
    return lane_largest::wave_reduce(value, lanes);
}

static __device__ __forceinline__ real_t sum_of_lanes(real_t value, unsigned lanes)
{
    return lane_sum::wave_reduce(value, lanes);
}
#else
static __device__ __forceinline__ value_t largest_of_lanes(value_t value, unsigned lanes)
{
    for (unsigned distance = lanes / 2; distance > 0; distance /= 2)
        value = value_extreme(value, __shfl_xor(value, (int)distance), false);
    return value;
}

static __device__ __forceinline__ real_t sum_of_lanes(real_t value, unsigned lanes)
{
    for (unsigned distance = lanes / 2; distance > 0; distance /= 2)
        value += __shfl_xor(value, (int)distance);
    return value;
}
#endif
