/* The square root of the sum of x[i]^2, in which no square overflows and none that matters underflows. Squares of floats
 * fit a double. Doubles go to one of three sums by their magnitude: large ones are scaled down before they are squared,
 * small ones up. (J. L. Blue: A Portable Fortran Program to Find the Euclidean Norm of a Vector, ACM TOMS 4, 1978;
 * E. Anderson: Algorithm 978, ACM TOMS 44, 2017, has the constants.)
 * SPDX-License-Identifier: MIT */
#ifndef IN_NAMESPACE
#define FUNCTION      nrm2
#define FUNCTION_FILE "functions/nrm2.hip"
#define LOADS         8
#define TYPES_WHOLE   0
#define TYPES_COMPLEX 1
#define LARGE         0x1p486  /* from here on x is multiplied by TO_SMALLER */
#define SMALL         0x1p-511 /* below, by TO_LARGER */
#define TO_SMALLER    0x1p-538
#define TO_LARGER     0x1p537
#include "kernels/function.h"
#else
#if VALUE_TYPE == TYPE_FLOAT
typedef double state_t;
#else
typedef struct {
    double middle, large, small;
} state_t;
#endif
enum { SUMS = LANES < 8 ? LANES : 8 };

static __device__ __forceinline__ state_t state_nothing(void)
{
#if VALUE_TYPE == TYPE_FLOAT
    return 0;
#else
    state_t s = {0, 0, 0};
    return s;
#endif
}

static __device__ __forceinline__ void add_square(state_t *sum, value_t x)
{
#if VALUE_TYPE == TYPE_FLOAT
    *sum = fma((double)x, (double)x, *sum);
#else
    bool large = fabs(x) > LARGE, small = fabs(x) < SMALL; /* NaN is neither */
    double scaled = x * (large ? TO_SMALLER : small ? TO_LARGER : 1.0);

    if (!large && !small)
        sum->middle = fma(scaled, scaled, sum->middle);
    if (large)
        sum->large = fma(scaled, scaled, sum->large);
    if (small)
        sum->small = fma(scaled, scaled, sum->small);
#endif
}

static __device__ __forceinline__ void state_add(state_t *sum, operand_t x, operand_t)
{
#ifdef COMPLEX
    add_square(sum, x.re);
    add_square(sum, x.im);
#else
    add_square(sum, x);
#endif
}

static __device__ __forceinline__ state_t state_merge(state_t a, state_t b)
{
#if VALUE_TYPE == TYPE_FLOAT
    return a + b;
#else
    a.middle += b.middle;
    a.large += b.large;
    a.small += b.small;
    return a;
#endif
}

#include "kernels/sums.h"

static __device__ void state_store(state_t s, size_t, result_t *result, int64_t *, int)
{
#if VALUE_TYPE == TYPE_FLOAT
    *result = canonical((float)sqrt(s));
#else
    double norm;

    if (s.large > 0 || s.large != s.large) { /* small ones no longer matter */
        norm = sqrt(s.large + s.middle * TO_SMALLER * TO_SMALLER) / TO_SMALLER;
    } else if (s.middle > 0 || s.middle != s.middle) { /* here they only matter near 2^-511 */
        double a = sqrt(s.middle), b = sqrt(s.small) / TO_LARGER;
        double ratio = a > b ? b / a : a / b;
        norm = s.small > 0 ? (a > b ? a : b) * sqrt(1 + ratio * ratio) : a;
    } else {
        norm = sqrt(s.small) / TO_LARGER;
    }
    *result = canonical(norm);
#endif
}
#endif
