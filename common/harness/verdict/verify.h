/* The truth: a reference computed on the host, and the verdict on a result.
 *
 * Integers, min and max are exact, and so is their comparison. A floating-point sum is computed with
 * twice the digits of double. Where no order of additions has to round, the result must be equal to it;
 * else it must lie within a bound, and the bound must be narrow enough to mean something.
 */
#ifndef REDUCTION_VERIFY_H
#define REDUCTION_VERIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pattern.h"
#include "precise.h"
#include "harness/scalar.h"

struct reference {
    int type, op;
    size_t n;
    struct scalar value; /* the exact result, rounded once to its type */

    /* Of a floating-point sum; high, low, magnitude and lost count in units of 2^exponent, so that sums
     * beyond the range of the type have them, too. */
    double high, low; /* high + low is the sum before it is rounded */
    double magnitude; /* sum of |x|, never too small */
    double lost; /* what elements may lose in all before they are added; 0 but for some variants */
    int exponent;
    bool exact;         /* all partial sums fit into the type: no order of additions can round */
    int kind;           /* PATTERN_* that the elements follow; -1: unknown */
    struct precise sum; /* what the above comes from, divided by 2^exponent */
};

/* In order of severity. */
enum { VERDICT_OK, VERDICT_UNPROVEN, VERDICT_FAIL };

struct verdict {
    int outcome;  /* VERDICT_* */
    double error; /* |value - exact sum|; infinite if only one of them is finite */
    double ulps;  /* error in units of the last place of the rounded reference; 1 for integers */
    double bound; /* the largest error that a right result may have */
    const char *rule; /* of the bound: "exact", "a-priori", "probabilistic"; or "overflow": an
                         intermediate sum was beyond the range of the type */
};

/* Reference for elements first ... first + n - 1 of a pattern, or for an array of n elements of type
 * TYPE_*. Uses all OpenMP threads; the result does not depend on how many there are.
 * label: NULL, or what to call the work in a progress line that is shown on stderr when that is a
 * terminal and the work takes longer than 2 s; the line is erased at the end. */
struct reference verify_pattern(int type, int op, const struct pattern *p, uint64_t first, size_t n,
                                const char *label);
struct reference verify_array(int type, int op, const void *data, size_t n, const char *label);

/* The same for n terms, or fewer, that were added up elsewhere; exponent: what is in *sum is the sum divided by
 * 2^exponent. */
struct reference verify_sum(int type, size_t n, const struct precise *sum, int exponent);

/* The reference for arrays of one type and operation that are parts of one array. */
struct reference verify_join(const struct reference *parts, size_t count);

/* Judges a result of the reference's type. chain is the largest number of additions that any element
 * takes part in. For what is right, and when UNPROVEN is the answer, see docs/verification.md.
 * All NaN are equal; +0 and -0 are equal in sums and differ in min and max. */
struct verdict verify_check(struct scalar value, const struct reference *reference, size_t chain);

/* Judges a floating-point result whose bound is known, in units of 2^exponent as the reference's
 * magnitude, against which the bound has to be small. Intermediate values of a right computation may
 * reach from lowest to highest, in the same units; what leaves the type's range there is an overflow. */
struct verdict verify_within(struct scalar value, const struct reference *reference, double bound,
                             double lowest, double highest);

/* "OK", "UNPROVEN", "FAIL" */
const char *verdict_name(int outcome);

#endif
