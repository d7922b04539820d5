/* The verdict on right and wrong results: bounds, exactness, lost parts; verify/ tests the reference.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "verify/values.h"

/* ((1 + u)^k - 1) sum |x|, whatever the chain; k is below the number of elements. */
TEST(bound_is_a_priori)
{
    struct reference r = {.type = TYPE_DOUBLE,
                          .op = OP_SUM,
                          .n = SIZE_MAX,
                          .value = of(TYPE_DOUBLE, 1),
                          .high = 1,
                          .magnitude = 8,
                          .kind = -1};
    double u = 0x1p-53;
    ALL(verify_check(of(TYPE_DOUBLE, 1), &r, 0).bound == 0, verify_check(of(TYPE_DOUBLE, 1), &r, 1).bound == u * 8,
        verify_check(of(TYPE_DOUBLE, 1), &r, 1000).bound >= 1000 * u * 8,
        verify_check(of(TYPE_DOUBLE, 1), &r, 1000).bound <= 1000 * u / (1 - 1000 * u) * 8,
        verify_check(of(TYPE_DOUBLE, 1), &r, (size_t)1 << 53).bound >= 8 * 1.718);
    r.n = 3;
    ck_assert_double_eq_tol(verify_check(of(TYPE_DOUBLE, 1), &r, 1000).bound / u, 16, 1e-12);
    r.lost = 0x1p-40;
    ck_assert_double_eq_tol(verify_check(of(TYPE_DOUBLE, 1), &r, 1000).bound / u, 16 + 0x1p13, 1e-9);
    r.lost = 0;
    r.of_sum = 0x1p-40; /* a variant's own bound, whatever the chain */
    r.of_magnitude = 0x1p-50;
    ck_assert(verify_check(of(TYPE_DOUBLE, 1), &r, 1000).bound == 0x1p-40 + 8 * 0x1p-50);
    r.of_sum = 0;
    r.n = 1001;

    /* On either side of the bound; the unrounded reference counts. */
    double bound = verify_check(of(TYPE_DOUBLE, 1), &r, 1000).bound;
    ck_assert(outcome(of(TYPE_DOUBLE, 1 + 0.99 * bound), &r, 1000) == VERDICT_OK);
    ck_assert(outcome(of(TYPE_DOUBLE, 1 - 0.99 * bound), &r, 1000) == VERDICT_OK);
    ck_assert(outcome(of(TYPE_DOUBLE, 1 + 1.01 * bound), &r, 1000) == VERDICT_FAIL);
    ck_assert(outcome(of(TYPE_DOUBLE, 1 - 1.01 * bound), &r, 1000) == VERDICT_FAIL);
    r.low = 0x1p-54;
    struct verdict v = verify_check(of(TYPE_DOUBLE, 1), &r, 0);
    ck_assert(v.outcome == VERDICT_FAIL && v.error == 0x1p-54 && v.ulps == 0.25);
    v = verify_check(of(TYPE_DOUBLE, 1 + 0x1p-52), &r, 1);
    ck_assert(v.error == 0x1p-52 - 0x1p-54 && v.ulps == 0.75);
    ck_assert_str_eq(v.rule, "a-priori");

    r = (struct reference){.type = TYPE_FLOAT,
                           .op = OP_SUM,
                           .n = SIZE_MAX,
                           .value = of(TYPE_FLOAT, 1),
                           .high = 1,
                           .magnitude = 8,
                           .kind = -1};
    u = 0x1p-24;
    ck_assert_double_eq_tol(verify_check(of(TYPE_FLOAT, 1), &r, 77).bound, expm1(77 * u) * 8, 1e-18);
    ck_assert(isfinite(verify_check(of(TYPE_FLOAT, 1), &r, 1 << 26).bound));
    v = verify_check(of(TYPE_FLOAT, 1 + 0x1p-23f), &r, 1);
    ck_assert(v.outcome == VERDICT_OK && v.error == 0x1p-23 && v.ulps == 1);
    ck_assert(outcome(of(TYPE_FLOAT, NAN), &r, 100) == VERDICT_FAIL);
    ck_assert(outcome(of(TYPE_FLOAT, INFINITY), &r, 100) == VERDICT_FAIL);
}

/* 1 % of the sum of |x|, not of a sum that cancels. */
TEST(wide_bounds_prove_nothing)
{
    struct reference r = {
        .type = TYPE_FLOAT, .op = OP_SUM, .n = SIZE_MAX, .value = of(TYPE_FLOAT, 0), .magnitude = 1000, .kind = -1};
    size_t widest = (size_t)(log(1.01) * 0x1p24);
    ck_assert(outcome(of(TYPE_FLOAT, 0), &r, widest - 1) == VERDICT_OK);
    ck_assert(outcome(of(TYPE_FLOAT, 9), &r, widest - 1) == VERDICT_OK);
    ck_assert(outcome(of(TYPE_FLOAT, 11), &r, widest - 1) == VERDICT_FAIL);
    ck_assert(outcome(of(TYPE_FLOAT, 0), &r, widest + 1) == VERDICT_UNPROVEN);
    ck_assert(outcome(of(TYPE_FLOAT, 9), &r, widest + 1) == VERDICT_UNPROVEN);
    ck_assert(outcome(of(TYPE_FLOAT, 11), &r, widest + 1) == VERDICT_FAIL);
    /* A wide bound is a bound. */
    ck_assert(outcome(of(TYPE_FLOAT, 2000), &r, 1 << 24) == VERDICT_FAIL);
    ck_assert(outcome(of(TYPE_FLOAT, 1700), &r, 1 << 24) == VERDICT_UNPROVEN);
    ck_assert(outcome(of(TYPE_FLOAT, NAN), &r, 1 << 24) == VERDICT_FAIL);
}

/* Arrays whose partial sums all fit the type, and the same with one bit more. */
static const struct {
    int type;
    double x[4];
    bool exact;
} fits[] = {
    {TYPE_FLOAT, {0, 0, 0, 0}, true},
    {TYPE_FLOAT, {0x1p24 - 1, 1}, true},
    {TYPE_FLOAT, {0x1p24 - 1, 1, 1}, false},
    {TYPE_FLOAT, {0x1p24 - 1, -1, -1}, false}, /* the sum of |x| counts */
    {TYPE_FLOAT, {0.5, 0.25, -7, 1}, true},
    {TYPE_FLOAT, {0x1.fffffep-3, 0x1p-100}, false},
    {TYPE_FLOAT, {0x1p100, 0x1p77}, true},
    {TYPE_FLOAT, {0x1p100, 0x1p76}, false},
    {TYPE_FLOAT, {0x1p-149, 0x1p-126}, true},
    {TYPE_FLOAT, {0x1p127, 0x1p127}, false}, /* too large for the type */
    {TYPE_DOUBLE, {0x1p52, 0x1p52 - 2, 1}, true},
    {TYPE_DOUBLE, {0x1p53, 1}, false},
    {TYPE_DOUBLE, {0x1p53, 1, 1}, false},
    {TYPE_DOUBLE, {0.1, 0.1}, true},
    {TYPE_DOUBLE, {0.1, 0.1, 0.1}, false},
    {TYPE_DOUBLE, {0x1p-1074, 0x1p-1023}, true},
    {TYPE_DOUBLE, {0x1p1023, 0x1p1022}, true},
    {TYPE_DOUBLE, {0x1p1023, 0x1p1023}, false},
};

TESTS(exact_where_nothing_rounds, COUNT(fits))
{
    int type = fits[_i].type;
    struct reference r = sum_of(type, fits[_i].x, 4);
    ALL(r.exact == fits[_i].exact, (verify_check(r.value, &r, 4).bound == 0) == fits[_i].exact);
}

/* If a sum is reported as exact, every partial sum in a random order fits the type. */
TEST(exact_is_exact)
{
    int exact = 0;
    for (uint64_t seed = 0; seed < 20000; seed++) {
        float x[12], sum = 0;
        wide truth = 0;
        int bits = (int)(pattern_hash(1, seed) % 24) + 1, spread = (int)(pattern_hash(2, seed) % 12);
        for (uint64_t k = 0; k < 12; k++) {
            uint64_t hash = pattern_hash(seed, k);
            float magnitude = ldexpf((float)(hash >> (64 - bits)), (int)(hash % (unsigned)(spread + 1)));
            x[k] = hash & 1024 ? magnitude : -magnitude;
        }
        struct reference r = reference_of_array(TYPE_FLOAT, OP_SUM, x, 12, NULL);
        if (!r.exact)
            continue;
        exact++;
        for (int k = 0; k < 12; k++) {
            sum += x[k];
            truth += x[k];
            ck_assert((wide)sum == truth);
        }
        ck_assert(sum == r.value.as.f);
    }
    ck_assert_int_gt(exact, 2000); /* otherwise this would test nothing */
    ck_assert_int_lt(exact, 18000);
}

/* When the probabilistic bound is used, and its value: lambda sqrt(k) u, with a failure probability of 1e-10. */
TEST(probabilistic_bound)
{
    size_t n = 1000000, chain = 3000;
    double u = 0x1p-24, k = (double)chain;
    for (int kind = 0; kind < PATTERN_COUNT; kind++) {
        struct pattern p = {.kind = kind, .seed = 5, .hot_value = 1};
        struct reference r = reference_of_pattern(TYPE_FLOAT, OP_SUM, &p, 0, n, NULL);
        struct verdict v = verify_check(r.value, &r, chain);
        bool random = kind == PATTERN_RANDOM || kind == PATTERN_MIXED;
        ck_assert_int_eq(strcmp(v.rule, "probabilistic") == 0, random);
        if (random) {
            double lambda = sqrt(2 * log(2 * (double)n / 1e-10));
            double sum = kind == PATTERN_RANDOM ? r.magnitude : lambda * sqrt(r.magnitude / u);
            ck_assert_double_eq_tol(v.bound / (lambda * sqrt(k) * u * sum), 1, 1e-3);
            if (kind == PATTERN_RANDOM) /* the smaller bound counts */
                ck_assert_str_eq(verify_check(r.value, &r, 50).rule, "a-priori");
            /* Nothing is known about the values of a file. */
            void *data = elements_of(TYPE_FLOAT, &p, 0, n);
            r = reference_of_array(TYPE_FLOAT, OP_SUM, data, n, NULL);
            ck_assert_str_eq(verify_check(r.value, &r, chain).rule, "a-priori");
            free(data);
        }
    }
}

/* Right sums stay below a third of it, over many seeds and in several orders. */
TEST(probabilistic_bound_holds)
{
    static const size_t parts[] = {1, 2, 7, 100, 3000}; /* added separately, then together */
    static const int kinds[] = {PATTERN_RANDOM, PATTERN_MIXED};
    size_t n = 300000;
    for (uint64_t seed = 1; seed <= 20; seed++)
        for (size_t k = 0; k < 2; k++) {
            struct pattern p = {.kind = kinds[k], .seed = seed};
            struct reference r = reference_of_pattern(TYPE_FLOAT, OP_SUM, &p, 0, n, NULL);
            float *x = elements_of(TYPE_FLOAT, &p, 0, n);
            for (size_t j = 0; j < sizeof parts / sizeof *parts; j++) {
                float sum = 0;
                for (size_t part = 0; part < parts[j]; part++) {
                    float own = 0;
                    for (size_t i = part; i < n; i += parts[j])
                        own += x[i];
                    sum += own;
                }
                struct verdict v = verify_check(of(TYPE_FLOAT, sum), &r, n / parts[j] + 1 + parts[j]);
                ALL(v.outcome == VERDICT_OK, v.error < v.bound / 3);
            }
            free(x);
        }
}

/* An order in which all errors have the same sign: parts of 50 +- 3 added to a sum whose last place is 64. The sum is far off
 * only because of its order, and must not be judged wrong. */
TEST(errors_of_one_sign)
{
    size_t parts = 9000000, m = 100;
    struct reference r = {.type = TYPE_FLOAT,
                          .op = OP_SUM,
                          .n = parts * m,
                          .magnitude = 50 * (double)parts,
                          .high = 50 * (double)parts,
                          .value = of(TYPE_FLOAT, 50 * (float)parts),
                          .kind = PATTERN_RANDOM};
    float sum = 0;
    for (uint64_t k = 0; k < parts; k++)
        sum += 47 + (float)(pattern_hash(1, k) >> 40) * 0x6p-24f;
    struct verdict v = verify_check(of(TYPE_FLOAT, sum), &r, parts + m);
    ck_assert_int_eq(v.outcome, VERDICT_UNPROVEN);
    ck_assert(v.error > 0.01 * r.magnitude); /* otherwise this would test nothing */
}

/* The main guarantee: a result that misses more than 1 % of the sum of |x| is never OK. */
TEST(lost_parts_are_never_right)
{
    static const double shares[] = {0.5, 0.25, 0.0625, 0.011};
    for (int kind = 0; kind < PATTERN_COUNT; kind++)
        for (int type = TYPE_FLOAT; type <= TYPE_DOUBLE; type++)
            for (size_t n = 2; n < 5000000; n *= 12) {
                struct pattern p = {.kind = kind, .seed = 5, .hot = 1, .hot_value = 1};
                struct reference r = reference_of_pattern(type, OP_SUM, &p, 0, n, NULL);
                for (size_t chain = 1; chain < (size_t)1 << 40; chain *= 10)
                    for (size_t s = 0; s < sizeof shares / sizeof *shares; s++) {
                        double x = r.high - shares[s] * r.magnitude;
                        struct scalar value = of(type, x);
                        struct verdict v = verify_check(value, &r, chain);
                        ALL(v.outcome != VERDICT_OK, (v.outcome == VERDICT_FAIL) == (v.error > v.bound),
                            type == TYPE_FLOAT || v.outcome == VERDICT_FAIL);
                    }
            }
}

/* Few of them: no more than if their signs were unknown. */
TEST(few_of_mixed)
{
    struct pattern p = {.kind = PATTERN_MIXED, .seed = 9};
    struct reference r = reference_of_pattern(TYPE_DOUBLE, OP_SUM, &p, 0, 100, NULL);
    struct verdict v = verify_check(r.value, &r, 300);
    ck_assert_str_eq(v.rule, "probabilistic");
    ck_assert(v.bound < 1.01 * sqrt(2 * log(2 * 100 / 1e-10)) * sqrt(99) * 0x1p-53 * r.magnitude);
}

/* The elements may lose a sizeable part of this sum, so only the exact sum is right. */
TEST(loss_of_a_sizeable_part)
{
    struct reference r = sum_of(TYPE_FLOAT, (double[]){0x3p-149, 0x2p-149}, 2);
    r.lost = 0x2p-149;
    ck_assert(outcome(of(TYPE_FLOAT, 0x5p-149), &r, 1) == VERDICT_OK);
    ck_assert(outcome(of(TYPE_FLOAT, 0x6p-149), &r, 1) == VERDICT_UNPROVEN);
    ck_assert(outcome(of(TYPE_FLOAT, 0x8p-149), &r, 1) == VERDICT_FAIL);
}

TEST(exact_comparisons)
{
    struct reference r = {.type = TYPE_INT, .op = OP_SUM, .value = of(TYPE_INT, -7)};
    ck_assert(outcome(of(TYPE_INT, -7), &r, 10) == VERDICT_OK);
    struct verdict v = verify_check(of(TYPE_INT, -9), &r, 1000);
    ck_assert(v.outcome == VERDICT_FAIL && v.error == 2 && v.ulps == 2 && v.bound == 0);

    r = (struct reference){.type = TYPE_LONG, .op = OP_SUM, .value = scalar_from_long(TYPE_LONG, INT64_MAX)};
    ck_assert(outcome(scalar_from_long(TYPE_LONG, INT64_MAX), &r, 10) == VERDICT_OK);
    v = verify_check(scalar_from_long(TYPE_LONG, INT64_MAX - 1), &r, 1000); /* the same number in double */
    ck_assert(v.outcome == VERDICT_FAIL && v.error == 1);
    v = verify_check(scalar_from_long(TYPE_LONG, INT64_MIN), &r, 1000);
    ck_assert(v.outcome == VERDICT_FAIL && v.error == 0x1p64);

    r = (struct reference){.type = TYPE_DOUBLE, .op = OP_MAX, .value = of(TYPE_DOUBLE, 0.0)};
    ALL(outcome(of(TYPE_DOUBLE, 0.0), &r, 10) == VERDICT_OK, outcome(of(TYPE_DOUBLE, -0.0), &r, 10) == VERDICT_FAIL,
        outcome(of(TYPE_DOUBLE, 4.9e-324), &r, 1000) == VERDICT_FAIL,
        outcome(of(TYPE_DOUBLE, NAN), &r, 1000) == VERDICT_FAIL);
    r.op = OP_SUM;
    ck_assert(outcome(of(TYPE_DOUBLE, -0.0), &r, 10) == VERDICT_OK);

    r = (struct reference){.type = TYPE_FLOAT, .op = OP_MIN, .value = of(TYPE_FLOAT, NAN)};
    ALL(outcome(of(TYPE_FLOAT, -NAN), &r, 10) == VERDICT_OK, outcome(of(TYPE_FLOAT, 0), &r, 10) == VERDICT_FAIL);
    r.value = of(TYPE_FLOAT, INFINITY);
    ck_assert(outcome(of(TYPE_FLOAT, INFINITY), &r, 10) == VERDICT_OK);
    v = verify_check(of(TYPE_FLOAT, FLT_MAX), &r, 10);
    ck_assert(v.outcome == VERDICT_FAIL && isinf(v.error));
    r.value = of(TYPE_FLOAT, 0.1f);
    v = verify_check(of(TYPE_FLOAT, nextafterf(0.1f, 1)), &r, 1000);
    ck_assert(v.outcome == VERDICT_FAIL && v.ulps == 1);
}
