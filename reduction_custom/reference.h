/* The right results of the examples: the host side of custom.hip, inside its namespace, and therefore
 * without an include guard.
 * SPDX-License-Identifier: MIT */

struct terms {
    const struct input_view *in;
    int exponent;   /* dot, subtract: terms are divided by 2^exponent */
    double largest; /* logsumexp */
};

/* Sums that overflow are computed again of smaller terms, as in verify_check(). */
static struct reference reference_of(const struct input_view *in, size_t count, int exponent,
                                     void (*add)(void *, size_t, size_t, struct precise *))
{
    struct terms terms = {in, 0, 0};
    struct precise sum = extra_sum(count, add, &terms);

    if (precise_overflowed(&sum)) {
        terms.exponent = exponent;
        sum = extra_sum(count, add, &terms);
    }
    return reference_of_sum(in->type, in->n, &sum, terms.exponent);
}

static void dot_terms(void *context, size_t begin, size_t end, struct precise *sum)
{
    const struct terms *t = (const struct terms *)context;

    for (size_t i = begin; i < end; i++) {
        value_t a = input_at(t->in, i), b = input_at(t->in, t->in->n / 2 + i);
#if IS_FLOATING(VALUE_TYPE)
        /* The larger one is divided, or the smaller one multiplied, so that nothing is lost that counts. */
        bool swap = fabs((double)a) < fabs((double)b);
        double x = ldexp((double)(swap ? b : a), t->exponent > 0 ? -t->exponent : 0);
        double y = ldexp((double)(swap ? a : b), t->exponent < 0 ? -t->exponent : 0);
        double high = x * y;
        precise_add(sum, high);
        if (isfinite(high))
            sum->low += fma(x, y, -high);
        if (!isfinite(x) || !isfinite(y))
            precise_see(sum, high);
        precise_unit(sum, lowest_bit(x) * lowest_bit(y));
#else
        sum->total += (uint64_t)a * (uint64_t)b;
#endif
    }
}

/* The error of a dot product is that of a sum with one rounding more for each term (Higham, as in
 * verify_check(), section 3.1). A product that underflows may lose half of the least number. */
static struct reference true_dot(const struct input_view *in)
{
    size_t count = in->n / 2;
    struct reference r = reference_of(in, count, 1100, dot_terms);

#if VALUE_TYPE == TYPE_DOUBLE
    if (!r.exact && r.magnitude < 0x1p-900) { /* nor must they underflow here */
        struct terms terms = {in, -1100, 0};
        struct precise sum = extra_sum(count, dot_terms, &terms);
        r = reference_of_sum(in->type, in->n, &sum, terms.exponent);
    }
#endif
    if (!r.exact)
        r.lost = ldexp((double)count, (VALUE_TYPE == TYPE_FLOAT ? -149 : -1074) - r.exponent);
    return r;
}

/* x[0] - x[1] - x[2] ... as intended: from left to right. */
static void difference_terms(void *context, size_t begin, size_t end, struct precise *sum)
{
    const struct terms *t = (const struct terms *)context;

    for (size_t i = begin; i < end; i++) {
        value_t x = input_at(t->in, i);
#if IS_FLOATING(VALUE_TYPE)
        double term = ldexp((double)(i == 0 ? x : -x), -t->exponent);
        precise_add(sum, term);
        if (!isfinite(term))
            precise_see(sum, term);
        precise_unit(sum, lowest_bit(term));
#else
        sum->total += i == 0 ? (uint64_t)x : 0 - (uint64_t)x;
#endif
    }
}

static struct reference true_difference(const struct input_view *in)
{
    return reference_of(in, in->n, HUGE_SCALE, difference_terms);
}

struct search {
    const struct input_view *in;
    struct state best[EXTRA_PARTS];
};

static void search_part(void *context, size_t part)
{
    struct search *s = (struct search *)context;
    struct state best = {NOWHERE, LOWEST, 0};

    for (size_t i = extra_begin(s->in->n, part); i < extra_begin(s->in->n, part + 1); i++) {
        struct state one = {i, input_at(s->in, i), 0};
        if (is_before(one, best))
            best = one;
    }
    s->best[part] = best;
}

/* -1: there is no element. */
static double true_index(const struct input_view *in)
{
    struct search search = {in, {{NOWHERE, LOWEST, 0}}};
    struct state best = {NOWHERE, LOWEST, 0};

    extra_parallel(EXTRA_PARTS, search_part, &search);
    for (size_t part = 0; part < EXTRA_PARTS; part++)
        if (is_before(search.best[part], best))
            best = search.best[part];
    return best.index == NOWHERE ? -1 : (double)best.index;
}

static void exp_terms(void *context, size_t begin, size_t end, struct precise *sum)
{
    const struct terms *t = (const struct terms *)context;

    for (size_t i = begin; i < end; i++)
        precise_add(sum, exp((double)input_at(t->in, i) - t->largest));
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
    struct reference greatest = reference_of_input(in, OP_MAX, 0, in->n);
    value_t largest;

    memcpy(&largest, &greatest.value.as, sizeof largest);
    struct terms terms = {in, 0, in->n == 0 ? -INFINITY : (double)largest};
    if (!isfinite(terms.largest))
        return extra_check("logsumexp", value, terms.largest, 0);

    struct precise sum = extra_sum(in->n, exp_terms, &terms);
    double s = sum.high + sum.low, reference = terms.largest + log(s);
    double relative = extra_gamma(6 * (double)chain + 2 * log((double)in->n) + 2);
    double bound =
        relative + extra_gamma(4) * (fabs(log(s)) + fabs(terms.largest) + fabs(reference));
    /* Of the sum, too, 1 % must be seen. */
    return extra_check("logsumexp", value, reference, relative <= 0.01 ? bound : INFINITY);
}
