/* What one (type, operation) means in a variant: value_t, combine() and IDENTITY, from the rows of types.h.
 *
 * Included once for each pair by instantiate.hip, each time inside a namespace of its own, with VALUE_TYPE
 * and OPERATION set; therefore it has no include guard.
 * SPDX-License-Identifier: MIT */
#undef LARGEST
#undef LOWEST
#undef IDENTITY

typedef TYPE_COLUMN(VALUE_TYPE, TYPE_VALUE) value_t;
typedef TYPE_COLUMN(VALUE_TYPE, TYPE_BITS) bits_t; /* an unsigned integer as wide as value_t */

/* No value is above LARGEST or below LOWEST. */
#define LARGEST  ((value_t)TYPE_COLUMN(VALUE_TYPE, TYPE_LARGEST))
#define LOWEST   ((value_t)TYPE_COLUMN(VALUE_TYPE, TYPE_LOWEST))
#define IDENTITY ((value_t)OPERATION_COLUMN(OPERATION, OPERATION_IDENTITY))

/* The smaller or the larger one; `min` is a constant wherever this is used. */
__host__ __device__ static inline value_t value_extreme(value_t a, value_t b, bool min)
{
#if VALUE_TYPE == TYPE_FLOAT && defined(FLOAT_EXTREME)
    return float_extreme(a, b, min);
#elif IS_FLOATING(VALUE_TYPE) && defined(FLOATING_EXTREME)
    return FLOATING_EXTREME(a, b, min);
#elif IS_FLOATING(VALUE_TYPE)
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

#define LESSER(a, b)  value_extreme((value_t)(a), (value_t)(b), true)
#define GREATER(a, b) value_extreme((value_t)(a), (value_t)(b), false)

/* A function for each operation, value_NAME(). Whole numbers are unsigned there, because signed overflow is undefined. */
#define VALUE_FUNCTION(x, number, name, combined, ...)                                                                 \
    __host__ __device__ static inline value_t value_##name(value_t first, value_t second)                              \
    {                                                                                                                  \
        const number_t a = (number_t)first, b = (number_t)second;                                                      \
        return (value_t)(combined);                                                                                    \
    }
#if IS_FLOATING(VALUE_TYPE)
typedef value_t number_t;
COMMON_OPERATIONS(VALUE_FUNCTION, )
#else
typedef bits_t number_t;
OPERATIONS(VALUE_FUNCTION, )
#endif
#undef VALUE_FUNCTION
#undef LESSER
#undef GREATER

__host__ __device__ static inline value_t combine(value_t a, value_t b)
{
    return OPERATION_COLUMN(OPERATION, OPERATION_FUNCTION)(a, b);
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
