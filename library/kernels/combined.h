/* Sum, minimum or maximum by OPERATION; with MAGNITUDES of |x|.
 * SPDX-License-Identifier: MIT */
#define USES_Y false
#define LOADS  8

typedef value_t state_t;
typedef value_t lane_t;

static __device__ __forceinline__ state_t state_nothing(void)
{
    return IDENTITY;
}

static __device__ __forceinline__ lane_t lane_nothing(void)
{
    return IDENTITY;
}

static __device__ __forceinline__ void lane_add(lane_t *value, value_t x, value_t, unsigned)
{
    *value = combine(*value, MAGNITUDES ? fabsf(x) : x);
}

static __device__ __forceinline__ unsigned lane_turn(lane_t)
{
    return 0;
}

static __device__ __forceinline__ state_t state_of_lane(lane_t value, size_t)
{
    return value;
}

static __device__ __forceinline__ state_t state_merge(state_t a, state_t b)
{
    return combine(a, b);
}

static __device__ void state_store(state_t value, const element_t *, size_t, void *result,
                                   int64_t *)
{
    *(value_t *)result = value;
}
#undef MAGNITUDES
