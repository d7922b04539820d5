/* The sum of x[i] y[i]. Products of floats are exact in double, and are added there; products of two halves or bfloat16 are
 * exact in float, which is cheaper to convert. Integers wrap. Of complex numbers x[i] is conjugated.
 * SPDX-License-Identifier: MIT */
#ifndef IN_NAMESPACE
#define FUNCTION      dot
#define FUNCTION_FILE "functions/dot.hip"
#define USES_Y        true
#define LOADS         4
#define TYPES_WHOLE   1
#define TYPES_COMPLEX 1
#define RESULT_T      operand_t
#include "kernels/function.h"
#elif defined(COMPLEX)
#include "kernels/complex.h"

static __device__ __forceinline__ void state_add(state_t *sum, operand_t x, operand_t y)
{
    sum->re = fma((double)x.im, (double)y.im, fma((double)x.re, (double)y.re, sum->re));
    sum->im = fma(-(double)x.im, (double)y.re, fma((double)x.re, (double)y.im, sum->im));
}

#include "kernels/sums.h"
#else
#if FLOATING
typedef double state_t;
#else
typedef bits_t state_t;
#endif
enum { SUMS = LANES < 4 ? LANES : 4 }; /* per thread; more would not fit its registers */

static __device__ __forceinline__ state_t state_nothing(void) { return 0; }

static __device__ __forceinline__ state_t state_merge(state_t a, state_t b) { return a + b; }

static __device__ __forceinline__ void state_add(state_t *sum, value_t x, value_t y)
{
#if TWO_BYTES
    *sum += (double)(x * y);
#elif FLOATING
    *sum = fma((double)x, (double)y, *sum);
#else
    *sum += (bits_t)x * (bits_t)y;
#endif
}

#include "kernels/sums.h"

static __device__ void state_store(state_t sum, size_t, result_t *result, int64_t *, int)
{
    *result = canonical((value_t)sum);
}
#endif
