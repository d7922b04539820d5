/* The value of a binned sum, rounded once.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_BINNED_VALUE_H
#define REDUCTION_BINNED_VALUE_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "binned.h"

/* of 32 bits, the least first, in two's complement: room for 3 bins of 46 bits and 2^113 grids */
#define LIMBS 10

/* number += value x 2^shift */
BINNED_FUNCTION void limbs_add(uint32_t *number, int64_t value, unsigned shift)
{
    uint64_t carry = 0;

    for (int i = 0; i < LIMBS; i++) {
        int from = 32 * i - (int)shift; /* this limb takes the bits of value from here on */
        uint32_t piece = 0;
        if (from >= 0)
            piece = (uint32_t)(value >> (from < 63 ? from : 63));
        else if (from > -32)
            piece = (uint32_t)((uint64_t)value << -from);
        carry += (uint64_t)number[i] + piece;
        number[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

/* The bits of the number from bit `first` on, as many as fit. No index depends on data: see binned_raise(). */
BINNED_FUNCTION uint64_t limbs_from(const uint32_t *number, int first)
{
    uint64_t bits = 0;

    for (int i = 0; i < LIMBS; i++) {
        int to = 32 * i - first;
        if (to >= 0 && to < 64)
            bits |= (uint64_t)number[i] << to;
        else if (to < 0 && to > -32)
            bits |= number[i] >> -to;
    }
    return bits;
}

/* Whether one of the bits below bit `end` is set. */
BINNED_FUNCTION bool limbs_any(const uint32_t *number, int end)
{
    uint32_t any = 0;

    for (int i = 0; i < LIMBS; i++) {
        int bits = end - 32 * i;
        if (bits > 0)
            any |= number[i] << (bits < 32 ? 32 - bits : 0);
    }
    return any != 0;
}

/* The sum as a number of the type with `digits` significant bits (53 or 24) and the smallest exponent `least`,
 * rounded to nearest, ties to even; as a double, which holds both types. */
BINNED_FUNCTION double binned_value(const struct binned *t, unsigned folds, int least)
{
    int digits = least == LEAST_DOUBLE ? 53 : 24;
    uint32_t number[LIMBS] = {0};
    bool negative;
    int highest = -1;

    if (t->special != 0) {
        if (t->special == SPECIAL_ABOVE)
            return INFINITY;
        return t->special == SPECIAL_BELOW ? -INFINITY : NAN;
    }
    for (unsigned k = 0; k < folds; k++) {
        unsigned shift = BIN_WIDTH * (folds - 1 - k);
        limbs_add(number, t->low[k], shift);
        limbs_add(number, t->high[k], shift + 50);
    }
    negative = number[LIMBS - 1] >> 31;
    if (negative) {
        uint64_t carry = 1;
        for (unsigned i = 0; i < LIMBS; i++) {
            carry += (uint32_t)~number[i];
            number[i] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    for (int i = 0; i < LIMBS; i++)
        for (uint32_t left = number[i], bit = 0; left != 0; left >>= 1, bit++)
            highest = 32 * i + (int)bit;
    if (highest < 0)
        return 0;

    /* unit: the exponent of bit 0; last: the bit that becomes the last place */
    int unit = least + BIN_WIDTH * (t->top - ((int)folds - 1));
    int last = highest - (digits - 1);
    if (unit + last < least)
        last = least - unit;
    if (last < 0)
        last = 0;
    uint64_t kept = limbs_from(number, last);
    if (last > 0) {
        bool half = limbs_from(number, last - 1) & 1, rest = limbs_any(number, last - 1);
        kept += half && (rest || (kept & 1));
    }
    double value = ldexp((double)kept, unit + last);
    if (least == LEAST_FLOAT && value > (double)FLT_MAX)
        value = INFINITY;
    return negative ? -value : value;
}

#endif
