/* For variants that compute more than one value, or a value other than the reduction by --op: how they
 * state the right results. Computed on the host, from the elements themselves.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_EXTRAS_H
#define REDUCTION_EXTRAS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "extra.h"
#include "precise.h"
#include "values/scalar.h"
#include "verify.h"

/* What the elements first ... first + n - 1 of the input should reduce to under OP_*. */
struct reference reference_of_input(const struct input_view *in, int op, size_t first, size_t n);
/* The same with a progress line, see reference.h. */
struct reference reference_shown(const struct input_view *in, int op, size_t first, size_t n, const char *label);

/* Judges value: right if |value - reference| <= bound. Equal infinities and two NaN are right. An infinite
 * bound proves nothing. */
struct extra extra_check(const char *name, double value, double reference, double bound);

/* The same for what verify_check() or verify_within() has judged. */
struct extra extra_judged(const char *name, double value, double reference, struct verdict verdict);

/* gamma(k) = k u / (1 - k u) with u = 2^-53: the relative error bound of k operations in double.
 * Infinite for k u >= 1. N. J. Higham: Accuracy and Stability of Numerical Algorithms, 2nd edition, SIAM
 * 2002, section 3.1. */
double extra_gamma(double k);

/* Calls work(context, part) for part = 0 ... parts - 1, on all cores and in any order. The compiler of
 * the kernels need not know OpenMP. */
void extra_parallel(size_t parts, void (*work)(void *context, size_t part), void *context);

/* Judges `count` results of the same kind on all cores: verdict_of(context, k) of each. Three extras, names[0] ...
 * names[2]: how many there are, how many are wrong, and the largest error divided by its bound. Returns 3. */
size_t extra_many(const char *const names[3], size_t count, struct verdict (*verdict_of)(void *context, size_t k),
                  void *context, struct extra out[EXTRAS_MAX]);

/* Cuts count elements into parts of nearly the same size; part EXTRA_PARTS begins at count. */
#define EXTRA_PARTS 1024
size_t extra_begin(size_t count, size_t part);

/* A sum over 0 ... count - 1 on all cores. terms() adds those of begin ... end - 1 to *sum; the sums of all
 * parts are put together in order. */
struct precise extra_sum(size_t count, void (*terms)(void *context, size_t begin, size_t end, struct precise *sum),
                         void *context);

#ifdef __cplusplus
}
#endif

#endif
