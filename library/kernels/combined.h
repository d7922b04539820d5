/* Sum, minimum or maximum by OPERATION; with MAGNITUDES, of |x|.
 * SPDX-License-Identifier: MIT */
#define USES_Y false
#define LOADS  8
#define SUMS   LANES

typedef value_t state_t;

static __device__ __forceinline__ state_t state_nothing(void)
{
    return IDENTITY;
}

static __device__ __forceinline__ state_t state_merge(state_t a, state_t b)
{
    return combine(a, b);
}

static __device__ __forceinline__ void state_add(state_t *state, value_t x, value_t)
{
    *state = combine(*state, MAGNITUDES ? fabsf(x) : x);
}

#include "kernels/sums.h"

static __device__ void state_store(state_t value, const element_t *, size_t, void *result,
                                   int64_t *)
{
    *(value_t *)result = canonical(value);
}
