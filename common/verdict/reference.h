/* References: what a result should be, computed on the host.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_REFERENCE_H
#define REDUCTION_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "partial.h"
#include "pattern.h"
#include "precise.h"
#include "values/scalar.h"

struct reference {
    int type, op; /* type: of the result */
    size_t n;
    struct scalar value; /* the exact result, rounded once to its type */

    /* Of a floating-point sum; high, low, magnitude and lost count in units of 2^exponent, so that sums
     * beyond the range of the type have them, too. */
    double high, low; /* high + low is the sum before it is rounded */
    double magnitude; /* sum of |x|, never too small */
    double lost;      /* what elements may lose in all before they are added; 0 except in some variants */
    /* Above 0: a bound of the variant's own, in place of that of its chain: of_sum |sum| + of_magnitude sum |x|. */
    double of_sum, of_magnitude;
    int exponent;
    bool exact;          /* all partial sums fit into the type: no order of additions can round */
    int kind;            /* PATTERN_* that the elements follow; -1: unknown */
    struct partial from; /* what the above comes from; nothing after reference_of_sum() */
};

/* Reference for elements first ... first + n - 1 of a pattern, or for an array of n elements of type
 * TYPE_*, half and bfloat16 of two bytes each. Uses all OpenMP threads; the result does not depend on how many there
 * are.
 * label: NULL, or what to call the work in a progress line that is shown on stderr when that is a
 * terminal and the work takes longer than 2 s; the line is erased at the end. */
struct reference reference_of_pattern(int type, int op, const struct pattern *p, uint64_t first, size_t n,
                                      const char *label);
struct reference reference_of_array(int type, int op, const void *data, size_t n, const char *label);

/* The same for n terms, or fewer, that were added up elsewhere; exponent: what is in *sum is the sum divided by
 * 2^exponent. */
struct reference reference_of_sum(int type, size_t n, const struct precise *sum, int exponent);

/* The reference for arrays of one type and operation that are parts of one array. */
struct reference reference_join(const struct reference *parts, size_t count);

#endif
