/* Sums of doubles without any rounding, and what is known about their terms.
 *
 * The sum is a fixed-point number that holds every double and the sum of 2^50 of them: digits of 32 bits in
 * words of 64, so that carries are rare (a small superaccumulator; R. M. Neal: Fast exact summation using small
 * and large superaccumulators, arXiv:1505.05571, 2015). Only the digits from first to last are set.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_EXACT_SUM_H
#define REDUCTION_EXACT_SUM_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define EXACT_DIGITS 70
#define EXACT_LEAST  (-1074) /* the exponent of the lowest bit of digit 0 */

struct exact_sum {
    int64_t digit[EXACT_DIGITS];
    int first, last;        /* first > last: the sum is 0 */
    double magnitude;       /* sum of |x|, by double addition: of terms below EXACT_HUGE, */
    double huge;            /* and of the others, divided by 2^EXACT_SCALE */
    double unit;            /* all terms are multiples of this power of two; 0: no useful one */
    bool nan, above, below; /* seen: NaN, +infinity, -infinity */
};

#define EXACT_HUGE  0x1p900
#define EXACT_SCALE 80

/* Sets it to the sum of nothing. */
static inline void exact_clear(struct exact_sum *s)
{
    s->first = EXACT_DIGITS;
    s->last = -1;
    s->magnitude = s->huge = 0;
    s->unit = INFINITY;
    s->nan = s->above = s->below = false;
}

/* Adds the finite number x 2^exponent to the digits alone; 0 <= exponent <= EXACT_SCALE. At most 2^28 calls for one
 * sum, which is then merged into another. */
void exact_add(struct exact_sum *s, double x, int exponent);

/* Adds the other sum, and what is known about its terms. */
void exact_merge(struct exact_sum *s, const struct exact_sum *other);

/* Is the sum, or that of |x|, too large for a double? */
bool exact_overflows(const struct exact_sum *s);

/* *high is the sum divided by 2^exponent, rounded to nearest, and *low what is missing, rounded likewise; 0 if
 * *high is infinite. exponent: 0 or EXACT_SCALE. */
void exact_value(const struct exact_sum *s, int exponent, double *high, double *low);

#endif
