/* The right mean and variance, and their error bounds: the host side of statistics.hip, inside its
 * namespace, and therefore without an include guard.
 * SPDX-License-Identifier: MIT */

/* All in units of 2^exponent, in which no element is above 1: nothing overflows, and no square is lost. */
struct moments {
    const struct input_view *in;
    int exponent;
    double largest, range; /* |x|; from the smallest element to the largest one */
    double mean, mean_low; /* mean + mean_low is the mean with twice the digits; NaN for n = 0 */
    double variance;       /* sum of (x - mean)^2 / n; NaN for n = 0 */
};

/* An element as the sum of two doubles; the second one is 0 except for large integers. */
static double split(value_t x, double scale, double *low)
{
#if VALUE_TYPE == TYPE_LONG
    double high = (double)(x >> 32) * 0x1p32;
    *low = (double)(x & 0xffffffff) * scale;
    return high * scale;
#else
    *low = 0;
    return (double)x * scale;
#endif
}

static void mean_terms(void *context, size_t begin, size_t end, struct precise *sum)
{
    const struct moments *m = (const struct moments *)context;
    double low, scale = ldexp(1, -m->exponent);

    for (size_t i = begin; i < end; i++) {
        precise_add(sum, split(input_at(m->in, i), scale, &low));
        precise_add(sum, low);
    }
}

static void variance_terms(void *context, size_t begin, size_t end, struct precise *sum)
{
    const struct moments *m = (const struct moments *)context;
    double low, scale = ldexp(1, -m->exponent);

    for (size_t i = begin; i < end; i++) {
        double high = split(input_at(m->in, i), scale, &low);
        double error, rest = two_sum(high, -m->mean, &error); /* -5 is -2^32 + (2^32 - 5) */
        double deviation = (rest + low) + (error - m->mean_low);
        precise_add(sum, deviation * deviation);
    }
}

/* Two passes: the mean first. Both sums are compensated. */
static struct moments moments_of(const struct input_view *in, double min, double max)
{
    struct moments m = {in, 0, fmax(fabs(min), fabs(max)), 0, NAN, 0, NAN};
    double n = (double)in->n;

    if (in->n == 0 || isnan(min) || isnan(max) || isinf(m.largest))
        return m;
    frexp(m.largest, &m.exponent);
    if (m.exponent < -1000)
        m.exponent = -1000; /* and 2^1000 is a number */
    m.largest = ldexp(m.largest, -m.exponent);
    m.range = ldexp(max, -m.exponent) - ldexp(min, -m.exponent);
    struct precise sum = extra_sum(in->n, mean_terms, &m);
    m.mean = (sum.high + sum.low) / n;
    m.mean_low = fma(-m.mean, n, sum.high) / n + sum.low / n;
    struct precise squares = extra_sum(in->n, variance_terms, &m);
    m.variance = (squares.high + squares.low) / n;
    return m;
}

/* How far rounding can take them. Let every element take part in at most K - 8 merges with a part that is
 * not empty, a tile being the first, M be the largest |x|, R the range of the elements, and u = 2^-53.
 *
 * A merge moves the mean to a point between two means, which are at most R apart. The step is within 8 u R (the
 * shares are within 2 u), and add_to_mean() loses nothing but the last digits of the rest, which is at most
 * gamma(2 K) M; errors that are there already are averaged and do not grow. So mean + rest is right within
 * gamma(10 K) R + gamma(10 K)^2 M, and within u M more as one double.
 *
 * The difference of two means is therefore wrong by at most e = twice that. merge() squares it, and
 * with weights w, the sum of w d^2 over all merges is n variance, and the sum of w is at most n K, since w
 * is below the number of elements on either side. Cauchy and Schwarz: the sum of w (2 d e + e^2) is at
 * most 2 n e sqrt(K variance) + n K e^2. All terms are positive, so that rounding adds no more than
 * gamma(12 K) of the variance: 11 u where a term arises, and 5 u in every later merge. (In a block whose size is no power of
 * two an element may meet one part more than in a binary tree: 8 leaves room.) The same terms, for
 * one merge after the other, are in T. F. Chan, G. H. Golub, R. J. LeVeque: Algorithms for computing the
 * sample variance: analysis and recommendations, The American Statistician 37, 1983.
 *
 * An operation whose result is below the least normal number adds half of the last place of such numbers;
 * 16 of them for each merge leave room. The bound of the mean is too wide if it is above 1 % of M
 * and of the least normal number; that of the variance, if it is above 1 % of the variance itself. A variance of 0 has no
 * part that could be missed: there it is M^2. */
static struct extra judge(const char *name, double value, const struct moments *m, int squared,
                          double high, double low, double magnitude, double scale, double bound,
                          size_t merges)
{
    struct reference r;
    struct scalar result;

    memset(&r, 0, sizeof r);
    r.type = r.value.type = result.type = TYPE_DOUBLE;
    result.as.d = value;
    r.op = OP_SUM;
    r.n = m->in->n;
    r.high = high;
    r.low = low;
    r.exponent = squared * m->exponent;
    r.value.as.d = ldexp(high, r.exponent);
    r.magnitude = fmax(scale, ldexp(1, -1022 - r.exponent));
    bound += ldexp(16 * (double)merges, -1074 - r.exponent);
    struct verdict verdict = verify_within(result, &r, bound, -magnitude, high + bound);
    if (verdict.outcome == VERDICT_UNPROVEN && value == r.value.as.d)
        verdict.outcome = VERDICT_OK; /* equal to what it should be */
    return extra_judged(name, value, r.value.as.d, verdict);
}

/* Of mean + rest. */
static double mean_bound(const struct moments *m, size_t merges)
{
    double gamma = extra_gamma(10 * (double)(merges + 8));

    return gamma * m->range + gamma * gamma * m->largest;
}

static struct extra check_mean(double value, const struct moments *m, size_t merges)
{
    double bound = mean_bound(m, merges) + extra_gamma(1) * m->largest;

    if (isnan(m->mean))
        return extra_check("mean", value, NAN, 0);
    return judge("mean", value, m, 1, m->mean, m->mean_low, m->largest, m->largest, bound, merges);
}

static struct extra check_variance(double value, const struct moments *m, size_t merges)
{
    double k = (double)(merges + 8), difference = 2 * mean_bound(m, merges);
    double bound = extra_gamma(12 * k) * m->variance + 2 * difference * sqrt(k * m->variance) +
                   k * difference * difference;

    if (isnan(m->variance))
        return extra_check("variance", value, NAN, 0);
    double largest = m->largest * m->largest;
    return judge("variance", value, m, 2, m->variance, 0, largest,
                 m->variance > 0 ? m->variance : largest, bound, merges);
}

/* A result that the harness can judge by itself. */
static struct extra extra_of(const char *name, value_t result, const struct input_view *in, int op,
                             size_t chain)
{
    struct reference reference = reference_of_input(in, op, 0, in->n);
    struct scalar value;
    value_t truth;

    value.type = VALUE_TYPE;
    memcpy(&value.as, &result, sizeof result);
    memcpy(&truth, &reference.value.as, sizeof truth);
    return extra_judged(name, (double)result, (double)truth,
                        verify_check(value, &reference, chain));
}
