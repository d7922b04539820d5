/* The sum of magnitudes; of complex numbers, as in the BLAS, those of both parts.
 * SPDX-License-Identifier: MIT */
#ifndef IN_NAMESPACE
#define FUNCTION      asum
#define FUNCTION_FILE "functions/asum.hip"
#define LOADS         8
#define TYPES_WHOLE   0
#define TYPES_COMPLEX 1
#include "kernels/function.h"
#else
typedef double state_t;
enum { SUMS = LANES < 8 ? LANES : 8 };

static __device__ __forceinline__ state_t state_nothing(void) { return 0; }

static __device__ __forceinline__ state_t state_merge(state_t a, state_t b) { return a + b; }

static __device__ __forceinline__ void state_add(state_t *state, operand_t x, operand_t)
{
#ifdef COMPLEX
    *state += fabs((double)x.re) + fabs((double)x.im);
#else
    *state += fabs((double)x);
#endif
}

#include "kernels/sums.h"

static __device__ void state_store(state_t state, size_t, result_t *result, int64_t *, int)
{
    *result = canonical((value_t)state);
}
#endif
