/* The sum of x[i] y[i]. Products of floats are exact in double, and are added there; products of two halves or bfloat16 are
 * exact in float, which is cheaper to convert. Integers wrap.
 * SPDX-License-Identifier: MIT */
#define USES_Y true
#define LOADS  4                       /* per array */
#define SUMS   (LANES < 4 ? LANES : 4) /* per thread; more would not fit its registers */

#if VALUE_TYPE == TYPE_FLOAT || VALUE_TYPE == TYPE_DOUBLE
typedef double state_t;
#else
typedef bits_t state_t;
#endif

static __device__ __forceinline__ state_t state_nothing(void)
{
    return 0;
}

static __device__ __forceinline__ state_t state_merge(state_t a, state_t b)
{
    return a + b;
}

static __device__ __forceinline__ void state_add(state_t *sum, value_t x, value_t y)
{
#if ELEMENT_TYPE != VALUE_TYPE
    *sum += (double)(x * y);
#elif VALUE_TYPE == TYPE_FLOAT || VALUE_TYPE == TYPE_DOUBLE
    *sum = fma((double)x, (double)y, *sum);
#else
    *sum += (bits_t)x * (bits_t)y;
#endif
}

#include "kernels/sums.h"

static __device__ void state_store(state_t sum, const element_t *, size_t, void *result, int64_t *)
{
    *(value_t *)result = canonical((value_t)sum);
}
