/* The sum of x[i] y[i]. Products of floats are exact in double, and are added there; integers wrap.
 * SPDX-License-Identifier: MIT */
#define USES_Y true
#define LOADS  4 /* of each array */

#if VALUE_TYPE == TYPE_FLOAT || VALUE_TYPE == TYPE_DOUBLE
typedef double state_t;
#else
typedef bits_t state_t;
#endif
typedef state_t lane_t;

static __device__ __forceinline__ lane_t lane_nothing(void)
{
    return 0;
}

static __device__ __forceinline__ void lane_add(lane_t *sum, value_t x, value_t y, unsigned)
{
#if VALUE_TYPE == TYPE_FLOAT || VALUE_TYPE == TYPE_DOUBLE
    *sum = fma((double)x, (double)y, *sum);
#else
    *sum += (bits_t)x * (bits_t)y;
#endif
}

static __device__ __forceinline__ unsigned lane_turn(lane_t)
{
    return 0;
}

static __device__ __forceinline__ state_t state_nothing(void)
{
    return 0;
}

static __device__ __forceinline__ state_t state_of_lane(lane_t sum, size_t)
{
    return sum;
}

static __device__ __forceinline__ state_t state_merge(state_t a, state_t b)
{
    return a + b;
}

static __device__ void state_store(state_t sum, const element_t *, size_t, void *result, int64_t *)
{
    *(value_t *)result = (value_t)sum;
}
