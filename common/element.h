/* What one (type, operation) means in a variant: value_t, combine() and IDENTITY.
 *
 * Included once for each pair by instantiate.hip, each time inside a namespace of its own, with VALUE_TYPE
 * and OPERATION set; therefore it has no include guard.
 *
 * combine() is commutative, and associative up to rounding; IDENTITY is its identity element:
 *   sum   a + b; integers wrap
 *   min   the smaller; NaN if either is NaN; -0 is below +0, so that the order makes no difference
 *   max   likewise
 *   and, or, xor   of integers, bit by bit
 * SPDX-License-Identifier: MIT */
#undef LARGEST
#undef LOWEST
#undef IDENTITY

#if VALUE_TYPE == TYPE_FLOAT
typedef float value_t;
typedef uint32_t bits_t; /* an unsigned integer as wide as value_t */
#elif VALUE_TYPE == TYPE_DOUBLE
typedef double value_t;
typedef unsigned long long bits_t;
#elif VALUE_TYPE == TYPE_INT
typedef int32_t value_t;
typedef uint32_t bits_t;
#else
typedef int64_t value_t;
typedef unsigned long long bits_t;
#endif

/* No value is above LARGEST or below LOWEST. */
#if VALUE_TYPE == TYPE_FLOAT || VALUE_TYPE == TYPE_DOUBLE
#define LARGEST ((value_t)INFINITY)
#define LOWEST  ((value_t)-INFINITY)
#elif VALUE_TYPE == TYPE_INT
#define LARGEST ((value_t)INT32_MAX)
#define LOWEST  ((value_t)INT32_MIN)
#else
#define LARGEST ((value_t)INT64_MAX)
#define LOWEST  ((value_t)INT64_MIN)
#endif
#if OPERATION < OP_COUNT
#define IDENTITY (OPERATION == OP_SUM ? (value_t)0 : OPERATION == OP_MIN ? LARGEST : LOWEST)
#else
#define IDENTITY ((value_t)(OPERATION == OP_AND ? -1 : 0))
#endif

__host__ __device__ static inline value_t value_sum(value_t a, value_t b)
{
#if VALUE_TYPE == TYPE_FLOAT || VALUE_TYPE == TYPE_DOUBLE
    return a + b;
#else
    return (value_t)((bits_t)a + (bits_t)b); /* unsigned, because signed overflow is undefined */
#endif
}

/* The smaller or the larger one; `min` is a constant wherever this is used. */
__host__ __device__ static inline value_t value_extreme(value_t a, value_t b, bool min)
{
#if VALUE_TYPE == TYPE_FLOAT && defined(FLOAT_EXTREME)
    return float_extreme(a, b, min);
#elif (VALUE_TYPE == TYPE_FLOAT || VALUE_TYPE == TYPE_DOUBLE) && defined(FLOATING_EXTREME)
    return FLOATING_EXTREME(a, b, min);
#elif VALUE_TYPE == TYPE_FLOAT || VALUE_TYPE == TYPE_DOUBLE
    /* If neither is below the other, they are equal, and then only the sign of a zero can differ, or
     * one is NaN: combining the bits keeps a NaN. Without a branch, so that later loads can be issued
     * early. */
    const bits_t sign = (bits_t)1 << (8 * sizeof(value_t) - 1);
    union {
        value_t value;
        bits_t bits;
    } x, y, both;
    x.value = a;
    y.value = b;
    both.bits = x.bits | y.bits;
    if (!min)
        both.bits &= ~sign | (x.bits & y.bits);
    return a < b ? (min ? a : b) : b < a ? (min ? b : a) : both.value;
#else
    return (a < b) == min ? a : b;
#endif
}

__host__ __device__ static inline value_t combine(value_t a, value_t b)
{
#if OPERATION < OP_COUNT
    return OPERATION == OP_SUM ? value_sum(a, b) : value_extreme(a, b, OPERATION == OP_MIN);
#else
    return OPERATION == OP_AND ? a & b : OPERATION == OP_OR ? a | b : a ^ b;
#endif
}

/* What a kernel leaves as its result: of all NaNs the same one, so that results have the same bits on every device. */
__host__ __device__ static inline value_t canonical(value_t value)
{
#if VALUE_TYPE == TYPE_FLOAT || VALUE_TYPE == TYPE_DOUBLE
    const bits_t infinity = sizeof value == 8 ? (bits_t)0x7ff0000000000000 : (bits_t)0x7f800000;
    union {
        bits_t bits;
        value_t value;
    } nan = {infinity | infinity >> 1};
    return value == value ? value : nan.value;
#else
    return value;
#endif
}

#if defined(HAS_WAVE_REDUCE)
#include "wave_reduce.h" /* the platform's way to combine the lanes of a warp */
#endif

#include "on_host.h"
