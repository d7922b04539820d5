/* The product. Floats are multiplied as doubles; integers wrap.
 * SPDX-License-Identifier: MIT */
#ifndef IN_NAMESPACE
#define FUNCTION      prod
#define FUNCTION_FILE "functions/prod.hip"
#define LOADS         8
#define TYPES_WHOLE   1
#include "kernels/function.h"
#else
/* Floats are multiplied as doubles. */
#if FLOATING
typedef double state_t;
#else
typedef bits_t state_t; /* unsigned: products wrap */
#endif
enum { SUMS = LANES < 8 ? LANES : 8 };

static __device__ __forceinline__ state_t state_nothing(void) { return 1; }

static __device__ __forceinline__ state_t state_merge(state_t a, state_t b) { return a * b; }

static __device__ __forceinline__ void state_add(state_t *state, value_t x, value_t) { *state *= (state_t)x; }

#include "kernels/sums.h"

static __device__ void state_store(state_t state, size_t, result_t *result, int64_t *, int)
{
    *result = canonical((value_t)state);
}
#endif
