/* Sums of floating-point numbers are exact. A piece of the array is cut at the bits that its sum of |x| determines: what
 * lies above is added without rounding, what lies below is cut again, and so on until nothing is left. This is the
 * extraction of S. M. Rump, T. Ogita, S. Oishi: Accurate floating-point summation, part I, SIAM J. Sci. Comput. 31, 2008.
 * The few sums of a piece go into a fixed-point number that holds them all.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "floating.h"
#include "precise.h"

#define LANES 8 /* independent sums, so that no addition waits for the previous one */

static double sum_of_lanes(const double *lane)
{
    return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
}

/* A number that x is added to and subtracted from in order to cut it, if the sum of |x| is `magnitude`: the cut
 * part of x is a multiple of 2^-52 of its power of two, and so is every partial sum of such parts, which are
 * below 2^53 such multiples. Below the normal numbers nothing needs to be cut. */
static double knife(double magnitude)
{
    int exponent = ilogb(magnitude) + 2;

    return ldexp(1.5, exponent > -1022 ? exponent : -1022);
}

/* Whatever they are. */
static void add_one_by_one(struct exact_sum *s, const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double size = fabs(x[i]);
        s->nan |= isnan(x[i]) != 0;
        s->above |= x[i] == INFINITY;
        s->below |= x[i] == -INFINITY;
        if (!isfinite(x[i]))
            continue;
        exact_add(s, x[i], 0);
        if (size < EXACT_HUGE)
            s->magnitude += size;
        else
            s->huge += ldexp(size, -EXACT_SCALE);
    }
}

/* Two cuts are enough for most data. Up to 2^11 elements: the rests of the first cut, each below 2^-53 of the
 * knife's power of two, add up to less than 2^-42 of it. */
#define DEFINE_FLOATING_SUM(NAME, T, TYPE)                                                                             \
    static void NAME(struct partial *p, const T *x, size_t n)                                                          \
    {                                                                                                                  \
        struct exact_sum *s = &p->sum;                                                                                 \
        double magnitude[LANES] = {0}, one[LANES] = {0}, two[LANES] = {0}, left[LANES] = {0}, all;                     \
        size_t whole = n - n % LANES;                                                                                  \
        for (size_t i = 0; i < whole; i += LANES)                                                                      \
            for (size_t k = 0; k < LANES; k++)                                                                         \
                magnitude[k] += fabs((double)x[i + k]);                                                                \
        for (size_t i = whole; i < n; i++)                                                                             \
            magnitude[i - whole] += fabs((double)x[i]);                                                                \
        all = sum_of_lanes(magnitude);                                                                                 \
        if (all > 0 && all < EXACT_HUGE) {                                                                             \
            double cut = knife(all), fine = cut * 0x1p-41 > 0x1.8p-1022 ? cut * 0x1p-41 : 0x1.8p-1022;                 \
            for (size_t i = 0; i < whole; i += LANES)                                                                  \
                for (size_t k = 0; k < LANES; k++) {                                                                   \
                    double part = ((double)x[i + k] + cut) - cut, rest = (double)x[i + k] - part;                      \
                    double next = (rest + fine) - fine;                                                                \
                    one[k] += part;                                                                                    \
                    two[k] += next;                                                                                    \
                    left[k] += fabs(rest - next);                                                                      \
                }                                                                                                      \
            for (size_t i = whole; i < n; i++) {                                                                       \
                double part = ((double)x[i] + cut) - cut, rest = (double)x[i] - part;                                  \
                double next = (rest + fine) - fine;                                                                    \
                one[i - whole] += part;                                                                                \
                two[i - whole] += next;                                                                                \
                left[i - whole] += fabs(rest - next);                                                                  \
            }                                                                                                          \
        }                                                                                                              \
        if (all < EXACT_HUGE && sum_of_lanes(left) == 0) {                                                             \
            exact_add(s, sum_of_lanes(one), 0);                                                                        \
            exact_add(s, sum_of_lanes(two), 0);                                                                        \
            s->magnitude += all;                                                                                       \
        } else {                                                                                                       \
            double wide[PIECE];                                                                                        \
            for (size_t i = 0; i < n; i++)                                                                             \
                wide[i] = (double)x[i];                                                                                \
            add_one_by_one(s, wide, n);                                                                                \
        }                                                                                                              \
        /* Most data have too many digits, which the first few elements show. */                                       \
        for (size_t i = 0; s->unit > 0 && i < n; i++)                                                                  \
            s->unit = fmin(s->unit, lowest_bit((double)x[i]));                                                         \
        if (!(s->magnitude <= exact_units(TYPE) * s->unit))                                                            \
            s->unit = 0;                                                                                               \
    }
DEFINE_FLOATING_SUM(take_float, float, TYPE_FLOAT)
DEFINE_FLOATING_SUM(take_double, double, TYPE_DOUBLE)

static void take(struct partial *p, const void *x, size_t n)
{
    switch (p->type) {
#define TAKE_FLOATING(name) take_##name(p, x, n);
#define TAKE_WHOLE(name)    abort();
#define TAKE(none, number, name, element, result, value, kind, ...)                                                    \
    case number:                                                                                                       \
        TAKE_##kind(name) break;
        COMMON_TYPES(TAKE, )
    }
}

static void merge(struct partial *p, const struct partial *q) { exact_merge(&p->sum, &q->sum); }

/* high + low rounded once to the type. A double whose last bit is 1 is never halfway between two floats or subnormal
 * numbers, so rounding it again gives the same as rounding the sum. */
static struct scalar rounded(int type, double high, double low, int exponent)
{
    uint64_t bits;

    memcpy(&bits, &high, sizeof bits);
    if ((type == TYPE_FLOAT || exponent < 0) && low != 0 && bits % 2 == 0)
        high = nextafter(high, low > 0 ? INFINITY : -INFINITY);
    return scalar_from_double(type, ldexp(high, exponent));
}

/* Sets the members of a floating-point sum, whose high and low are right if it is finite. unit: see struct
 * exact_sum. */
static void set_floating_sum(struct reference *r, double magnitude, double unit, const bool special[3])
{
    bool nan = special[0], above = special[1], below = special[2];

    if (nan || above || below) {
        r->high = nan || (above && below) ? NAN : above ? INFINITY : -INFINITY;
        r->low = 0;
        r->value = scalar_from_double(r->type, r->high);
        return;
    }
    r->magnitude = magnitude * (1 + 0x1p-30); /* its own rounding, and that of high + low */
    /* A multiple of less than the smallest number of the type is none of the type. */
    r->exact = r->exponent == 0 && unit >= type_smallest(r->type) && magnitude <= exact_units(r->type) * unit &&
               magnitude <= type_largest(r->type);
    r->value = rounded(r->type, r->high, r->low, r->exponent);
}

struct reference reference_of_sum(int type, size_t n, const struct precise *sum, int exponent)
{
    struct reference r = {.type = type, .op = OP_SUM, .n = n, .kind = -1, .exponent = exponent};

    exact_clear(&r.from.sum);
    if (!type_is_floating(type)) {
        r.value = scalar_from_long(type, (int64_t)sum->total);
        return r;
    }
    r.high = sum->high + sum->low;
    r.low = sum->high - r.high + sum->low;
    set_floating_sum(&r, sum->magnitude, sum->unit, (bool[]){sum->nan, sum->above, sum->below});
    return r;
}

static void set(struct reference *r)
{
    const struct exact_sum *s = &r->from.sum;
    double high, low;

    r->exponent = exact_overflows(s) ? EXACT_SCALE : 0;
    exact_value(s, r->exponent, &r->high, &r->low);
    set_floating_sum(r, ldexp(s->magnitude, -r->exponent) + ldexp(s->huge, EXACT_SCALE - r->exponent), s->unit,
                     (bool[]){s->nan, s->above, s->below});
    if (r->exponent != 0 && isfinite(r->high)) { /* scaled, a small sum of large terms is not exact */
        exact_value(s, 0, &high, &low);
        r->value = rounded(r->type, high, low, 0);
    }
}

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

static struct bound bound(const struct reference *r, size_t chain)
{
    /* Adding 0 is exact, so that no element is in more than n - 1 additions that round. */
    double k = chain < r->n ? (double)chain : r->n > 0 ? (double)(r->n - 1) : 0;
    double growth = r->exact ? 1 : exp(k * unit_roundoff(r->type));
    /* What is positive, added up on its own, and what is negative. */
    double most = r->magnitude / 2 + r->high / 2, least = r->high / 2 - r->magnitude / 2;
    struct bound b = {.lowest = growth * least, .highest = growth * most};

    b.error = sum_bound(r, k, &b.rule) + r->lost;
    return b;
}

const struct floating floating_sum = {take, merge, set, bound};
