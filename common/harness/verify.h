/* The truth: a reference computed on the host, and the verdict on a result.
 *
 * Integers, min and max are exact, and so is their comparison. A floating-point sum is computed with
 * twice the digits of double and compared within the a-priori bound of the reduction that made it.
 */
#ifndef REDUCTION_VERIFY_H
#define REDUCTION_VERIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pattern.h"
#include "scalar.h"

struct reference {
    int type, op;
    size_t n;
    struct scalar value; /* the result, rounded to its type */
    double high, low;    /* floating-point sum: high + low is the sum before that rounding */
    double magnitude;    /* floating-point sum: sum of |x|, never too small */
};

struct verdict {
    bool ok;
    double
        error; /* |value - reference|; before the reference is rounded; infinite if only one is finite */
    double
        ulps; /* error in units of the last place of the rounded reference; in ones for integers */
    double bound; /* the largest error that counts as right: 0 for all but floating-point sums */
};

/* Reference for elements first ... first + n - 1 of a pattern, or for an array of n elements of type
 * TYPE_*. Uses all OpenMP threads; the result does not depend on how many there are.
 * label: NULL, or what to call the work in a progress line that is shown on stderr when that is a
 * terminal and the work takes longer than 2 s; the line is erased at the end. */
struct reference verify_pattern(int type, int op, const struct pattern *p, uint64_t first, size_t n,
                                const char *label);
struct reference verify_array(int type, int op, const void *data, size_t n, const char *label);

/* Judges a result of the reference's type. chain is the largest number of additions that any element
 * takes part in; for floating-point sums |error| <= gamma(chain) * sum of |x| is right, where
 * gamma(k) = k u / (1 - k u), infinite for k u >= 1, and u = 2^-24 (float) or 2^-53 (double).
 * N. J. Higham: Accuracy and Stability of Numerical Algorithms, 2nd edition, SIAM 2002, section 4.2.
 * The bound is infinite, too, where sum of |x| exceeds the type's range: a right order may overflow.
 * All NaN are equal; +0 and -0 are equal in sums and differ in min and max. */
struct verdict verify_check(struct scalar value, const struct reference *reference, size_t chain);

#endif
