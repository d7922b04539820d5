/* Host: the value of a binned sum, rounded once. */
#ifndef REDUCTION_BINNED_VALUE_H
#define REDUCTION_BINNED_VALUE_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "binned.h"

#define LIMBS                                                                                      \
    10 /* of 32 bits, the least first, in two's complement: room for 3 bins of 46 bits and 2^113 grids */

/* number += value x 2^shift */
static inline void limbs_add(uint32_t *number, int64_t value, unsigned shift)
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

/* The sum as a number of the type with `digits` significant bits (53 or 24) and the smallest exponent `least`,
 * rounded to nearest, ties to even; as a double, which holds both types. */
static inline double binned_value(const struct binned *t, unsigned folds, int least)
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
    for (int i = 32 * LIMBS - 1; i >= 0 && highest < 0; i--)
        if (number[i / 32] >> i % 32 & 1)
            highest = i;
    if (highest < 0)
        return 0;

    /* unit: the exponent of bit 0; last: the bit that becomes the last place */
    int unit = least + BIN_WIDTH * (t->top - ((int)folds - 1));
    int last = highest - (digits - 1);
    if (unit + last < least)
        last = least - unit;
    if (last < 0)
        last = 0;
    uint64_t kept = 0;
    for (int i = highest; i >= last; i--)
        kept = kept << 1 | (number[i / 32] >> i % 32 & 1);
    if (last > 0) {
        bool half = number[(last - 1) / 32] >> (last - 1) % 32 & 1, rest = false;
        for (int i = 0; i < last - 1; i++)
            rest |= number[i / 32] >> i % 32 & 1;
        kept += half && (rest || (kept & 1));
    }
    double value = ldexp((double)kept, unit + last);
    if (least == LEAST_FLOAT && value > (double)FLT_MAX)
        value = INFINITY;
    return negative ? -value : value;
}

#endif
