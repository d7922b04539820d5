/* The right mean and variance, and their error bounds: the host side of statistics.hip, inside its
 * namespace, and therefore without an include guard. */

#define PARTS 1024 /* of the input, for the host's cores */

/* A compensated sum, and the largest |x| that was seen. */
struct part {
    double high, low, largest;
};

struct moments {
    double mean, variance; /* variance: sum of (x - mean)^2 / n; both NaN for n = 0 */
    double mean_low;       /* mean + mean_low is the mean with twice the digits */
    double largest;        /* |x| */
    const struct input_view *in;
    struct part part[PARTS];
};

/* An element as the sum of two doubles; the second one is 0 except for large integers. */
static double split(value_t x, double *low)
{
#if VALUE_TYPE == TYPE_LONG
    double high = (double)(x >> 32) * 0x1p32;
    *low = (double)(x & 0xffffffff);
    return high;
#else
    *low = 0;
    return (double)x;
#endif
}

static void add(struct part *p, double x)
{
    double error;

    p->high = two_sum(p->high, x, &error);
    p->low += error;
}

static size_t part_begin(const struct moments *m, size_t part)
{
    return m->in->n / PARTS * part + min_size(part, m->in->n % PARTS);
}

static void sum_part(void *context, size_t part)
{
    struct moments *m = (struct moments *)context;
    struct part p = {0, 0, 0};

    for (size_t i = part_begin(m, part); i < part_begin(m, part + 1); i++) {
        double low, high = split(input_at(m->in, i), &low);
        add(&p, high);
        add(&p, low);
        if (!(fabs(high + low) <= p.largest)) /* NaN, too */
            p.largest = fabs(high + low);
    }
    m->part[part] = p;
}

static void square_part(void *context, size_t part)
{
    struct moments *m = (struct moments *)context;
    struct part p = {0, 0, 0};

    for (size_t i = part_begin(m, part); i < part_begin(m, part + 1); i++) {
        double low, high = split(input_at(m->in, i), &low);
        double apart = (high - m->mean) + (low - m->mean_low);
        add(&p, apart * apart);
    }
    m->part[part] = p;
}

/* All parts in order. */
static struct part total(const struct moments *m)
{
    struct part all = {0, 0, 0};

    for (size_t part = 0; part < PARTS; part++) {
        add(&all, m->part[part].high);
        all.low += m->part[part].low;
        if (!(m->part[part].largest <= all.largest))
            all.largest = m->part[part].largest;
    }
    return all;
}

static double finite_or_nan(double x)
{
    return isfinite(x) ? x : NAN;
}

/* Two passes: the mean first. Both sums are compensated. */
static struct moments moments_of(const struct input_view *in)
{
    static struct moments m; /* too large for a stack */
    double n = (double)in->n;

    m.in = in;
    extra_parallel(PARTS, sum_part, &m);
    struct part sum = total(&m);
    m.largest = sum.largest;
    m.mean = (sum.high + sum.low) / n;
    m.mean_low = fma(-m.mean, n, sum.high) / n + sum.low / n;
    extra_parallel(PARTS, square_part, &m);
    struct part squares = total(&m);
    m.mean = finite_or_nan(m.mean);
    m.variance = finite_or_nan((squares.high + squares.low) / n);
    return m;
}

/* How far rounding can take them. Let every element take part in at most K merges, M be the largest |x|,
 * and u = 2^-53.
 *
 * A merge moves the mean to a point between two means, none of which is beyond M: its own rounding adds at
 * most 8 u M, and errors that are there already are averaged and do not grow. So the mean is right within
 * gamma(8 K) M.
 *
 * The difference of two means is therefore wrong by at most e = 2 gamma(8 K) M. merge() squares it, and
 * with weights w, the sum of w d^2 over all merges is n variance, and the sum of w is at most n K, since w
 * is below the number of elements on either side. Cauchy and Schwarz: the sum of w (2 d e + e^2) is at
 * most 2 n e sqrt(K variance) + n K e^2. All terms are positive, so that rounding adds no more than
 * gamma(8 K) of the variance. The same terms, for one merge after the other, are in T. F. Chan,
 * G. H. Golub, R. J. LeVeque: Algorithms for computing the sample variance: analysis and
 * recommendations, The American Statistician 37, 1983. */
static double mean_bound(const struct moments *m, size_t merges)
{
    return m->largest < INFINITY ? extra_gamma(8 * (double)merges) * m->largest : 0;
}

static double variance_bound(const struct moments *m, size_t merges)
{
    double k = (double)merges, apart = 2 * mean_bound(m, merges);

    if (isnan(m->variance))
        return 0;
    return extra_gamma(8 * k) * m->variance + 2 * apart * sqrt(k * m->variance) + k * apart * apart;
}

/* A result that the harness can judge by itself. */
static struct extra extra_of(const char *name, value_t result, const struct input_view *in, int op,
                             size_t chain)
{
    struct reference reference = input_reference(in, op, 0, in->n);
    struct scalar value;
    struct extra x;

    x.value = (double)result;
    value.type = VALUE_TYPE;
    memcpy(&value.as, &result, sizeof result);
    struct verdict v = verify_check(value, &reference, chain);
    memcpy(&result, &reference.value.as, sizeof result);
    x.name = name;
    x.reference = (double)result;
    x.error = v.error;
    x.bound = v.bound;
    x.outcome = v.outcome;
    return x;
}
