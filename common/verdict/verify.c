/* SPDX-License-Identifier: MIT */
#include "verify.h"

#include <math.h>

#include "floating.h"

/* A bound that is wider than this share of the sum of |x| could not reject a result that misses as much. */
#define WIDEST 0.01

static const char overflow_rule[] = "overflow";

struct verdict verify_within(struct scalar value, const struct reference *r, double bound, double lowest,
                             double highest)
{
    double x = scalar_to_double(value), truth = scalar_to_double(r->value);
    double largest = ldexp(type_largest(r->type), -r->exponent);
    bool above = highest > largest, below = lowest < -largest; /* may an overflow happen? */
    bool overflow = isnan(x) ? above && below : isinf(x) && (x > 0 ? above : below);
    struct verdict v = {.outcome = VERDICT_FAIL, .rule = "a-priori"};
    double error = INFINITY;

    if (x == truth && isinf(x))
        error = 0;
    else if (isfinite(x) && isfinite(r->high))
        error = fabs((ldexp(x, -r->exponent) - r->high) - r->low);
    else if (isnan(r->high) && isnan(x))
        error = 0;

    if (error <= bound)
        v.outcome = bound <= WIDEST * r->magnitude || (r->lost > 0 && x == truth) ? VERDICT_OK : VERDICT_UNPROVEN;
    else if (overflow && isfinite(r->high)) {
        v.outcome = VERDICT_UNPROVEN;
        v.rule = overflow_rule;
    }
    v.error = ldexp(error, r->exponent);
    v.bound = ldexp(bound, r->exponent);
    v.ulps = isfinite(truth) && isfinite(v.error) ? v.error / scalar_ulp(r->value) : v.error;
    return v;
}

/* Equal, or wrong. */
static struct verdict check_exactly(double error, double ulps, bool equal)
{
    return (struct verdict){equal ? VERDICT_OK : VERDICT_FAIL, error, ulps, 0, "exact"};
}

static struct verdict check_integer(struct scalar value, const struct reference *r)
{
    int64_t a = scalar_to_long(value), b = scalar_to_long(r->value);
    double distance = (double)(a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a);
    return check_exactly(distance, distance, a == b);
}

static struct verdict check_same(struct scalar value, const struct reference *r)
{
    double x = scalar_to_double(value), truth = scalar_to_double(r->value);
    bool same = x == truth || (isnan(x) && isnan(truth));
    double error = same ? 0 : isfinite(x) && isfinite(truth) ? fabs(x - truth) : INFINITY;
    double ulps = isfinite(error) && error > 0 ? error / scalar_ulp(r->value) : error;
    return check_exactly(error, ulps, same && (isnan(x) || signbit(x) == signbit(truth)));
}

struct verdict verify_check(struct scalar value, const struct reference *r, size_t chain)
{
    if (!type_is_floating(r->type))
        return check_integer(value, r);
    const struct floating *of = floating_of(r->op);
    if (of->bound == NULL)
        return check_same(value, r);
    struct bound b = of->bound(r, chain);
    struct verdict v = verify_within(value, r, b.error, b.lowest, b.highest);
    if (v.rule != overflow_rule)
        v.rule = b.rule;
    return v;
}

const char *verdict_name(int outcome)
{
    static const char *const names[] = {"OK", "UNPROVEN", "FAIL"};
    return names[outcome];
}
