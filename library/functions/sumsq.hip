/* The sum of squares. Those of floats are exact as doubles, and are added there; integers wrap.
 * SPDX-License-Identifier: MIT */
#ifndef IN_NAMESPACE
#define FUNCTION      sumsq
#define FUNCTION_FILE "functions/sumsq.hip"
#define LOADS         8
#define TYPES_WHOLE   1
#include "kernels/function.h"
#else
#if FLOATING
typedef double state_t;
#else
typedef bits_t state_t;
#endif
enum { SUMS = LANES < 8 ? LANES : 8 };

static __device__ __forceinline__ state_t state_nothing(void) { return 0; }

static __device__ __forceinline__ state_t state_merge(state_t a, state_t b) { return a + b; }

static __device__ __forceinline__ void state_add(state_t *state, value_t x, value_t)
{
#if FLOATING
    *state = fma((double)x, (double)x, *state);
#else
    *state += (bits_t)x * (bits_t)x;
#endif
}

#include "kernels/sums.h"

static __device__ void state_store(state_t state, size_t, result_t *result, int64_t *, int)
{
    *result = canonical((value_t)state);
}
#endif
