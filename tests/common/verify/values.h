/* Shared by the parts of test_verify.c: values of each type, and wider arithmetic.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_VERIFY_VALUES_H
#define TEST_VERIFY_VALUES_H

#include <float.h>
#include <math.h>

#include "elements.h"
#include "suite.h"

#include "values/narrow.h"
#include "verdict/verify.h"

/* 113 bits of significand: exact for the sums below. */
#if defined(__x86_64__) || defined(__powerpc64__)
__extension__ typedef __float128 wide;
#else
typedef long double wide;
#endif

static inline wide wide_abs(wide x) { return x < 0 ? -x : x; }

#define FLOATING(R, TYPE) (type_of_result(TYPE) == TYPE_FLOAT ? (double)(R).value.as.f : (R).value.as.d)

static inline struct scalar of(int type, double x) { return scalar_from_double(type, x); }

static inline int outcome(struct scalar value, const struct reference *r, size_t chain)
{
    return verify_check(value, r, chain).outcome;
}

/* For numbers that are first rounded to the type. */
static inline struct reference sum_of(int type, const double *x, size_t n)
{
    float f[8];

    for (size_t i = 0; i < n && i < 8; i++)
        f[i] = (float)x[i];
    return reference_of_array(type, OP_SUM, type == TYPE_FLOAT ? (const void *)f : x, n, NULL);
}

#endif
