/* SPDX-License-Identifier: MIT */
#include "exact_sum.h"

#include <float.h>
#include <string.h>

#define DIGIT_MASK INT64_C(0xffffffff)

/* Makes digits from ... to some of those that are set. */
static void reach(struct exact_sum *s, int from, int to)
{
    if (s->first > s->last) {
        s->first = from;
        s->last = from - 1;
    }
    while (s->first > from)
        s->digit[--s->first] = 0;
    while (s->last < to)
        s->digit[++s->last] = 0;
}

void exact_add(struct exact_sum *s, double x, int exponent)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    int field = (int)(bits >> 52 & 2047);
    uint64_t significand = bits & ((UINT64_C(1) << 52) - 1);
    if (field != 0)
        significand |= UINT64_C(1) << 52;
    if (significand == 0)
        return;
    int place = (field > 0 ? field - 1 : 0) + exponent, k = place / 32, shift = place % 32;
    uint64_t low = (significand & 0xffffffff) << shift, high = (significand >> 32) << shift;
    int64_t part[3] = {(int64_t)(low & 0xffffffff), (int64_t)((low >> 32) + (high & 0xffffffff)),
                       (int64_t)(high >> 32)};
    reach(s, k, k + 2);
    for (int i = 0; i < 3; i++)
        s->digit[k + i] += bits >> 63 ? -part[i] : part[i];
}

/* Brings all digits but the last into the range of 32 bits. */
static void exact_carry(struct exact_sum *s)
{
    for (int k = s->first; k < s->last || (k == s->last && k + 1 < EXACT_DIGITS &&
                                           (s->digit[k] > DIGIT_MASK || s->digit[k] < -DIGIT_MASK));
         k++) {
        int64_t rest = s->digit[k] & DIGIT_MASK, carry = (s->digit[k] - rest) / (DIGIT_MASK + 1);
        if (carry != 0 && k == s->last)
            reach(s, s->first, k + 1);
        s->digit[k] = rest;
        if (carry != 0)
            s->digit[k + 1] += carry;
    }
}

void exact_merge(struct exact_sum *s, const struct exact_sum *other)
{
    if (other->first <= other->last) {
        reach(s, other->first, other->last);
        for (int k = other->first; k <= other->last; k++)
            s->digit[k] += other->digit[k];
        exact_carry(s);
    }
    s->magnitude += other->magnitude;
    s->huge += other->huge;
    s->unit = other->unit < s->unit ? other->unit : s->unit;
    s->nan |= other->nan;
    s->above |= other->above;
    s->below |= other->below;
}

/* Rounds the digits, all of which are carried, to 53 bits; the rest of the sum is below digit `first`. */
static double rounded(const struct exact_sum *s, int exponent)
{
    int top = s->last;

    while (top >= s->first && s->digit[top] == 0)
        top--;
    if (top < s->first)
        return 0;
    uint64_t digit[3] = {0};
    for (int i = 0; i < 3 && top - i >= s->first; i++)
        digit[i] = (uint64_t)s->digit[top - i];
    int zeros = 0;
    while ((digit[0] << zeros & UINT64_C(0x80000000)) == 0)
        zeros++;
    uint64_t word = (digit[0] << 32 | digit[1]) << zeros | digit[2] << zeros >> 32;
    bool more = (digit[2] << zeros & 0xffffffff) != 0;
    for (int k = top - 3; k >= s->first && !more; k--)
        more = s->digit[k] != 0;
    uint64_t kept = word >> 11, rest = word & 0x7ff;
    kept += rest > 0x400 || (rest == 0x400 && (more || kept % 2 == 1));
    return ldexp((double)kept, 32 * (top - 1) - zeros + 11 + EXACT_LEAST - exponent);
}

/* Of digits that are not carried yet. */
static double value(struct exact_sum *s, int exponent)
{
    bool negative;

    exact_carry(s);
    negative = s->first <= s->last && s->digit[s->last] < 0;
    if (negative) {
        for (int k = s->first; k <= s->last; k++)
            s->digit[k] = -s->digit[k];
        exact_carry(s);
    }
    return negative ? -rounded(s, exponent) : rounded(s, exponent);
}

bool exact_overflows(const struct exact_sum *s)
{
    double all = ldexp(s->magnitude, -EXACT_SCALE) + s->huge;

    return !(all * (1 + 0x1p-30) <= ldexp(DBL_MAX, -EXACT_SCALE)); /* it has rounding errors */
}

static void copy(struct exact_sum *to, const struct exact_sum *from)
{
    to->first = from->first;
    to->last = from->last;
    if (from->first <= from->last)
        memcpy(to->digit + from->first, from->digit + from->first,
               (size_t)(from->last - from->first + 1) * sizeof *from->digit);
}

void exact_value(const struct exact_sum *s, int exponent, double *high, double *low)
{
    struct exact_sum rest;

    copy(&rest, s);
    *high = value(&rest, exponent);
    *low = 0;
    if (isinf(*high))
        return;
    copy(&rest, s);
    exact_carry(&rest);
    exact_add(&rest, -*high, exponent);
    *low = value(&rest, exponent);
}
