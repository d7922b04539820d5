/* Numbers of two bytes as their bits: half (IEEE 754 binary16) and bfloat16, to and from float.
 *
 * For what a program does around a kernel: input, references. A kernel has its device's own conversions.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_NARROW_H
#define REDUCTION_NARROW_H

#include <math.h>
#include <stdint.h>

#include "types.h"

#ifdef __cplusplus
#define NARROW_FUNCTION __host__ __device__ static inline
#else
#define NARROW_FUNCTION static inline
#endif

NARROW_FUNCTION uint32_t narrow_bits_of(float x)
{
    union {
        float value;
        uint32_t bits;
    } both;
    both.value = x;
    return both.bits;
}

NARROW_FUNCTION float narrow_float_of(uint32_t bits)
{
    union {
        uint32_t bits;
        float value;
    } both;
    both.bits = bits;
    return both.value;
}

/* Its value; every half is a float. */
NARROW_FUNCTION float half_widen(uint16_t half)
{
    uint32_t sign = (uint32_t)(half >> 15) << 31, exponent = half >> 10 & 31, digits = half & 1023;

    if (exponent == 0) /* no leading 1 */
        return narrow_float_of(sign | narrow_bits_of((float)digits * 0x1p-24f));
    return narrow_float_of(sign | (exponent == 31 ? 255 : exponent + 112) << 23 | digits << 13);
}

/* Rounded to the nearest half, ties to even; from 65520 on infinite. */
NARROW_FUNCTION uint16_t half_narrow(float x)
{
    uint32_t bits = narrow_bits_of(x), sign = bits >> 16 & 0x8000, size = bits & 0x7fffffff;

    if (size > 0x7f800000) /* NaN */
        return (uint16_t)(sign | 0x7e00);
    if (size >= 0x47800000) /* 2^16 */
        return (uint16_t)(sign | 0x7c00);
    if (size >= 0x38800000) /* 2^-14 */
        return (uint16_t)(sign | (size + 0xfff + (size >> 13 & 1) - 0x38000000) >> 13);

    uint32_t lost = 126 - (size >> 23), digits = (size & 0x7fffff) | 0x800000;
    if (lost > 24) /* less than half of the smallest */
        return (uint16_t)sign;
    uint32_t kept = digits >> lost, rest = digits & ((1u << lost) - 1), tie = 1u << (lost - 1);
    return (uint16_t)(sign | (kept + (rest > tie || (rest == tie && (kept & 1)))));
}

NARROW_FUNCTION float bfloat16_widen(uint16_t brain) { return narrow_float_of((uint32_t)brain << 16); }

/* Rounded to nearest, ties to even. */
NARROW_FUNCTION uint16_t bfloat16_narrow(float x)
{
    uint32_t bits = narrow_bits_of(x);

    if ((bits & 0x7fffffff) > 0x7f800000) /* NaN */
        return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/* The same by the number of the type. */
NARROW_FUNCTION float narrow_widen(int type, uint16_t bits)
{
    switch (type) {
#define NARROW_WIDEN(x, number, name, ...)                                                                             \
    case number:                                                                                                       \
        return name##_widen(x);
        NARROW_TYPES(NARROW_WIDEN, bits)
    default: /* has four bytes or more */
        return NAN;
    }
}

NARROW_FUNCTION uint16_t narrow_of(int type, float x)
{
    switch (type) {
#define NARROW_OF(x, number, name, ...)                                                                                \
    case number:                                                                                                       \
        return name##_narrow(x);
        NARROW_TYPES(NARROW_OF, x)
    default:
        return 0;
    }
}

#endif
