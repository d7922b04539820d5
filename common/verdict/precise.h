/* Sums with twice the digits of double, with properties of their terms: for computing references. Host
 * only.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_PRECISE_H
#define REDUCTION_PRECISE_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "values/scalar.h"

struct precise {
    double high, low;       /* high + low: the sum */
    double magnitude;       /* sum of |x|, by double addition */
    double unit;            /* all terms are multiples of this power of two; 0: no useful one */
    bool nan, above, below; /* seen: NaN, +infinity, -infinity */
    uint64_t total;         /* of integers instead: their sum modulo 2^64 */
};

static const struct precise precise_nothing = {0, 0, 0, INFINITY, false, false, false, 0};

/* s + *e is exactly a + b (D. E. Knuth). */
static inline double two_sum(double a, double b, double *e)
{
    double s = a + b;
    double t = s - a;
    *e = (a - (s - t)) + (b - t);
    return s;
}

/* The value of the lowest bit of x that is set; infinite for 0. */
static inline double lowest_bit(double x)
{
    uint64_t bits, fraction;
    double rest;

    memcpy(&bits, &x, sizeof bits);
    fraction = bits & ((UINT64_C(1) << 52) - 1);
    if (fraction == 0)
        return x == 0 ? INFINITY : fabs(x);
    bits ^= fraction & (~fraction + 1);
    memcpy(&rest, &bits, sizeof rest);
    return fabs(x - rest);
}

/* A sum of more than this many units may have to be rounded to the type. All partial sums of a double
 * magnitude below 2^53 units are exact, so the magnitude itself can be trusted. */
static inline double exact_units(int type) { return fmin(ldexp(1, (int)type_digits(type)), 0x1p53 - 1); }

/* Adds one term; the caller keeps track of its unit and of whether it is finite. */
static inline void precise_add(struct precise *p, double x)
{
    double error;

    p->high = two_sum(p->high, x, &error);
    p->low += error;
    p->magnitude += fabs(x);
}

static inline void precise_unit(struct precise *p, double unit) { p->unit = unit < p->unit ? unit : p->unit; }

static inline void precise_see(struct precise *p, double x)
{
    p->nan |= isnan(x) != 0;
    p->above |= x == INFINITY;
    p->below |= x == -INFINITY;
}

/* Adds the sum of another one, in double-double arithmetic. */
static inline void precise_merge(struct precise *p, const struct precise *q)
{
    double error, high = two_sum(p->high, q->high, &error);

    error += p->low + q->low;
    p->high = high + error;
    p->low = error - (p->high - high);
    p->magnitude += q->magnitude;
    precise_unit(p, q->unit);
    p->nan |= q->nan;
    p->above |= q->above;
    p->below |= q->below;
    p->total += q->total;
}

/* Finite terms were too many or too large: to be computed again of x / 2^HUGE_SCALE. */
#define HUGE_SCALE 80
static inline bool precise_overflowed(const struct precise *p)
{
    return !p->nan && !p->above && !p->below && !(p->magnitude * (1 + 0x1p-30) <= DBL_MAX);
}

#endif
