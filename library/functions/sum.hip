/* The sum.
 * SPDX-License-Identifier: MIT */
#ifndef IN_NAMESPACE
#define FUNCTION      sum
#define FUNCTION_FILE "functions/sum.hip"
#define LOADS         8
#define TYPES_WHOLE   1
#define TYPES_COMPLEX 1
#define RESULT_T      operand_t
#include "kernels/function.h"
#elif defined(COMPLEX)
#include "kernels/complex.h"

static __device__ __forceinline__ void state_add(state_t *sum, operand_t x, operand_t)
{
    sum->re += (double)x.re;
    sum->im += (double)x.im;
}

#include "kernels/sums.h"
#else
/* Floats are added as doubles. */
#if FLOATING && !TWO_BYTES
typedef double state_t;
#elif FLOATING
typedef value_t state_t;
#else
typedef bits_t state_t; /* unsigned: sums wrap */
#endif
enum { SUMS = LANES < 8 ? LANES : 8 };

static __device__ __forceinline__ state_t state_nothing(void) { return 0; }

static __device__ __forceinline__ state_t state_merge(state_t a, state_t b) { return a + b; }

static __device__ __forceinline__ void state_add(state_t *state, value_t x, value_t) { *state += (state_t)x; }

#include "kernels/sums.h"

static __device__ void state_store(state_t state, size_t, result_t *result, int64_t *, int)
{
    *result = canonical((value_t)state);
}
#endif
