/* The right results of the examples: the host side of custom.hip, inside its namespace, and therefore
 * without an include guard. */

#define PARTS 1024 /* of the input, for the host's cores */

/* The result of a part. The example determines which fields are used. */
struct part {
    double high, low; /* a sum with twice the digits of double */
    double plain;     /* the same as it comes: says whether it is finite */
    double magnitude; /* sum of |terms| */
    uint64_t total;   /* integer sum modulo 2^64 */
    struct state best;
};

struct truth {
    const struct input_view *in;
    size_t count;   /* elements, or pairs of them */
    double largest; /* logsumexp */
    struct part part[PARTS];
};

static struct truth truth; /* too large for a stack */

static size_t part_begin(const struct truth *t, size_t part)
{
    return t->count / PARTS * part + min_size(part, t->count % PARTS);
}

static void add(struct part *p, double x)
{
    double error;

    p->high = two_sum(p->high, x, &error);
    p->low += error;
    p->plain += x;
    p->magnitude += fabs(x);
}

static struct part sum_parts(void (*work)(void *context, size_t part), const struct input_view *in,
                             size_t count)
{
    struct part all;

    memset(&all, 0, sizeof all);
    truth.in = in;
    truth.count = count;
    extra_parallel(PARTS, work, &truth);
    for (size_t i = 0; i < PARTS; i++) {
        double magnitude = all.magnitude + truth.part[i].magnitude, plain = all.plain;
        add(&all, truth.part[i].high);
        all.low += truth.part[i].low;
        all.plain = plain + truth.part[i].plain;
        all.magnitude = magnitude;
        all.total += truth.part[i].total;
    }
    return all;
}

static void dot_part(void *context, size_t part)
{
    struct truth *t = (struct truth *)context;
    struct part p;

    memset(&p, 0, sizeof p);
    for (size_t i = part_begin(t, part); i < part_begin(t, part + 1); i++) {
        value_t x = input_at(t->in, i), y = input_at(t->in, t->in->n / 2 + i);
#if VALUE_TYPE == TYPE_FLOAT || VALUE_TYPE == TYPE_DOUBLE
        double high = (double)x * (double)y;
        add(&p, high);
        p.low += fma((double)x, (double)y, -high);
#else
        p.total += (uint64_t)x * (uint64_t)y;
#endif
    }
    t->part[part] = p;
}

/* As verify_check() wants it for a sum. */
static struct reference reference_of_sum(const struct input_view *in, struct part sum, double least)
{
    struct reference r;
    value_t value;

    memset(&r, 0, sizeof r);
    r.type = r.value.type = in->type;
    r.op = OP_SUM;
    r.n = in->n;
#if VALUE_TYPE == TYPE_FLOAT || VALUE_TYPE == TYPE_DOUBLE
    r.high = isfinite(sum.plain) ? sum.high + sum.low : sum.plain;
    r.low = isfinite(sum.plain) ? sum.high - r.high + sum.low : 0;
    r.magnitude = isfinite(sum.plain) ? sum.magnitude * (1 + 0x1p-30) + least : 0;
    value = (value_t)r.high;
#else
    (void)least;
    value = (value_t)sum.total;
#endif
    memcpy(&r.value.as, &value, sizeof value);
    return r;
}

/* The error of a dot product is that of a sum with one rounding more for each term (Higham, as in
 * verify_check(), section 3.1), and products may underflow: least normal number for each of them. */
static struct reference true_dot(const struct input_view *in)
{
    size_t count = in->n / 2;
    struct part sum = sum_parts(dot_part, in, count);

    return reference_of_sum(in, sum,
                            (double)count * (VALUE_TYPE == TYPE_FLOAT ? 0x1p-126 : 0x1p-1022));
}

/* x[0] - x[1] - x[2] ... as intended: from left to right. */
static void difference_part(void *context, size_t part)
{
    struct truth *t = (struct truth *)context;
    struct part p;

    memset(&p, 0, sizeof p);
    for (size_t i = part_begin(t, part); i < part_begin(t, part + 1); i++) {
        value_t x = input_at(t->in, i);
#if VALUE_TYPE == TYPE_FLOAT || VALUE_TYPE == TYPE_DOUBLE
        add(&p, (double)(i == 0 ? x : -x));
#else
        p.total += i == 0 ? (uint64_t)x : 0 - (uint64_t)x;
#endif
    }
    t->part[part] = p;
}

static struct reference true_difference(const struct input_view *in)
{
    return reference_of_sum(in, sum_parts(difference_part, in, in->n), 0);
}

static void index_part(void *context, size_t part)
{
    struct truth *t = (struct truth *)context;
    struct state best = {LOWEST, NOWHERE, 0};

    for (size_t i = part_begin(t, part); i < part_begin(t, part + 1); i++) {
        struct state s = {input_at(t->in, i), i, 0};
        if (is_before(s, best))
            best = s;
    }
    t->part[part].best = best;
}

/* -1: there is no element. */
static double true_index(const struct input_view *in)
{
    struct state best = {LOWEST, NOWHERE, 0};

    sum_parts(index_part, in, in->n);
    for (size_t part = 0; part < PARTS; part++)
        if (is_before(truth.part[part].best, best))
            best = truth.part[part].best;
    return best.index == NOWHERE ? -1 : (double)best.index;
}

static void largest_part(void *context, size_t part)
{
    struct truth *t = (struct truth *)context;
    double largest = -INFINITY;

    for (size_t i = part_begin(t, part); i < part_begin(t, part + 1); i++) {
        double x = (double)input_at(t->in, i);
        if (isnan(x) || x > largest) /* nothing is above NaN */
            largest = x;
    }
    t->part[part].plain = largest;
}

static void exp_part(void *context, size_t part)
{
    struct truth *t = (struct truth *)context;
    struct part p;

    memset(&p, 0, sizeof p);
    for (size_t i = part_begin(t, part); i < part_begin(t, part + 1); i++)
        add(&p, exp((double)input_at(t->in, i) - t->largest));
    t->part[part] = p;
}

/* Two passes: the largest first. (P. Blanchard, D. J. Higham, N. J. Higham: Accurately computing the
 * log-sum-exp and softmax functions, IMA Journal of Numerical Analysis 41, 2021.)
 *
 * The bound, with u = 2^-53: a merge multiplies by an exp() with an error of 2 u and adds, that is 4 u of
 * the sum at most; 6 u leaves room. Rounding the difference d in exp(-d) costs d u exp(-d), and over all
 * n elements no more than 2 (log n + 1) u of a sum that is at least 1. That relative error of the sum is
 * an absolute one of its logarithm; then there are log(), the last addition, and the conversion of
 * integers to double. */
static struct extra check_logsumexp(double value, const struct input_view *in, size_t chain)
{
    double n = (double)in->n, largest = -INFINITY;

    sum_parts(largest_part, in, in->n);
    for (size_t part = 0; part < PARTS; part++)
        if (isnan(truth.part[part].plain) || truth.part[part].plain > largest)
            largest = truth.part[part].plain;
    if (!isfinite(largest))
        return extra_check("logsumexp", value, largest, 0);

    truth.largest = largest;
    struct part sum = sum_parts(exp_part, in, in->n);
    double s = sum.high + sum.low, reference = largest + log(s);
    double bound = extra_gamma(6 * (double)chain + 2 * log(n) + 2) +
                   extra_gamma(4) * (fabs(log(s)) + fabs(largest) + fabs(reference));
    return extra_check("logsumexp", value, reference, bound);
}
