/* SPDX-License-Identifier: MIT */
#include "verify.h"

#include <math.h>
#include <stdlib.h>

/* A bound that is wider than this share of the sum of |x| could not reject a result that misses as much. */
#define WIDEST 0.01

static const char overflow_rule[] = "overflow";

/* How often the probabilistic bound may call a right sum wrong. */
#define FALSE_ALARM 1e-10

static double unit_roundoff(int type) { return ldexp(1, -(int)type_digits(type)); }

/* The mean of the rounding errors at most, in units of the largest possible one: 0 if they are as often
 * positive as negative, 1 if nothing is known.
 *
 * Mixed: 0, since every element has either sign with the same probability.
 * Random: 0 as long as the last place of a sum is 1 at most, since the elements are uniform in [0, 1).
 * Beyond that, what is added has to differ by more than the last place of the sum: 50 +- 3 added to a sum
 * with a last place of 64 always becomes 64. With n elements in parts of m, added one after the other, the
 * spread of a part is sqrt(m / 12), and the last place of the sum is at most u n with n <= chain m. The
 * mean is then below the characteristic function of a part, exp(-pi^2 / (6 t^2)), t = u sqrt(chain n). */
static double error_mean(const struct reference *r, double chain)
{
    const double pi = 3.14159265358979;
    double u = unit_roundoff(r->type), t = u * sqrt(chain * (double)r->n);

    if (r->kind == PATTERN_MIXED || (r->kind == PATTERN_RANDOM && u * r->magnitude <= 1))
        return 0;
    return r->kind == PATTERN_RANDOM ? exp(-pi * pi / (6 * t * t)) : 1;
}

/* The bound for a sum with this chain, and where it comes from.
 *
 * A-priori: the error is at most ((1 + u)^chain - 1) sum |x|. N. J. Higham: Accuracy and Stability of
 * Numerical Algorithms, 2nd edition, SIAM 2002, section 4.2, where it is simplified to gamma(chain).
 * Probabilistic: theorem 2.4 of N. J. Higham, T. Mary: A new approach to probabilistic rounding error
 * analysis, SIAM J. Sci. Comput. 41, 2019, for each of the n elements, with FALSE_ALARM for all of them
 * together, and with the mean of the errors added where it is not 0. Mixed: since the signs are independent,
 * too, no sum of some of the elements is likely to exceed lambda sqrt(sum x^2), and sum x^2 is at most the
 * largest |x|, which is below 1 / u, times sum |x|. (The errors are then a martingale with differences of
 * at most u times a partial sum, whose squares add up to chain lambda^2 sum x^2: Azuma's inequality.) */
static double sum_bound(const struct reference *r, double chain, const char **rule)
{
    double u = unit_roundoff(r->type), worst = expm1(chain * u);

    if (r->exact) {
        *rule = "exact";
        return 0;
    }
    if (r->of_sum > 0) {
        *rule = "a-priori";
        double sum = isfinite(r->high) ? fabs(r->high) : 0;
        return r->of_sum * sum + r->of_magnitude * r->magnitude;
    }
    double lambda = sqrt(2 * log(2 * (double)r->n / FALSE_ALARM)) / (1 - u);
    double likely = expm1(lambda * sqrt(chain) * u + chain * u * (error_mean(r, chain) + u / (1 - u)));
    double reach = r->kind == PATTERN_MIXED ? fmin(1, lambda / sqrt(u * r->magnitude)) : 1;
    *rule = likely * reach < worst ? "probabilistic" : "a-priori";
    return fmin(likely * reach, worst) * r->magnitude;
}

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

static struct verdict check_sum(struct scalar value, const struct reference *r, size_t chain)
{
    /* Adding 0 is exact, so that no element is in more than n - 1 additions that round. */
    double k = chain < r->n ? (double)chain : r->n > 0 ? (double)(r->n - 1) : 0;
    double growth = r->exact ? 1 : exp(k * unit_roundoff(r->type));
    const char *rule;
    double bound = sum_bound(r, k, &rule) + r->lost;
    /* What is positive, added up on its own, and what is negative. */
    double most = r->magnitude / 2 + r->high / 2, least = r->high / 2 - r->magnitude / 2;
    struct verdict v = verify_within(value, r, bound, growth * least, growth * most);

    if (v.rule != overflow_rule)
        v.rule = rule;
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

static struct verdict check_extreme(struct scalar value, const struct reference *r)
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
    switch ((enum operation_row)r->op) {
    case OP_SUM:
        return check_sum(value, r, chain);
    case OP_MIN:
    case OP_MAX:
        return check_extreme(value, r);
#define WHOLE(x, number, ...) case number:
        BITWISE_OPERATIONS(WHOLE, )
        break;
    }
    abort();
}

const char *verdict_name(int outcome)
{
    static const char *const names[] = {"OK", "UNPROVEN", "FAIL"};
    return names[outcome];
}
