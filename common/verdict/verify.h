/* The verdict on a result.
 *
 * Integers, min and max must be equal to the reference. So must a floating-point sum where no order of
 * additions has to round; else it must lie within a bound, and the bound must be narrow enough to mean
 * something.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_VERIFY_H
#define REDUCTION_VERIFY_H

#include <stddef.h>

#include "reference.h"
#include "values/scalar.h"

/* In order of severity. */
enum { VERDICT_OK, VERDICT_UNPROVEN, VERDICT_FAIL };

struct verdict {
    int outcome;      /* VERDICT_* */
    double error;     /* |value - exact sum|; infinite if only one of them is finite */
    double ulps;      /* error in units of the last place of the rounded reference; 1 for integers */
    double bound;     /* the largest error that a right result may have */
    const char *rule; /* of the bound: "exact", "a-priori", "probabilistic"; or "overflow": an
                         intermediate sum was beyond the range of the type */
};

/* Judges a result of the reference's type. chain is the largest number of additions that any element
 * takes part in. For what is right, and when UNPROVEN is the answer, see docs/verification.md.
 * All NaN are equal; +0 and -0 are equal in sums and differ in min and max. */
struct verdict verify_check(struct scalar value, const struct reference *reference, size_t chain);

/* Judges a floating-point result whose bound is known, in units of 2^exponent as the reference's
 * magnitude, against which the bound has to be small. Intermediate values of a right computation may
 * reach from lowest to highest, in the same units; what leaves the type's range there is an overflow. */
struct verdict verify_within(struct scalar value, const struct reference *reference, double bound, double lowest,
                             double highest);

/* "OK", "UNPROVEN", "FAIL" */
const char *verdict_name(int outcome);

#endif
