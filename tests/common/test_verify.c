/* The reference against wider arithmetic, and the verdict against results that are right and wrong.
 * SPDX-License-Identifier: MIT */
#include "suite.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "verdict/verify.h"

/* 113 bits of significand: exact for the sums below. */
#if defined(__x86_64__) || defined(__powerpc64__)
__extension__ typedef __float128 wide;
#else
typedef long double wide;
#endif

static wide wide_abs(wide x)
{
    return x < 0 ? -x : x;
}

#define FLOATING(R, TYPE) ((TYPE) == TYPE_FLOAT ? (double)(R).value.as.f : (R).value.as.d)

static struct scalar of_float(float f)
{
    return (struct scalar){.type = TYPE_FLOAT, .as.f = f};
}

static struct scalar of_double(double d)
{
    return (struct scalar){.type = TYPE_DOUBLE, .as.d = d};
}

static struct scalar of_int(int32_t i)
{
    return (struct scalar){.type = TYPE_INT, .as.i = i};
}

static struct scalar of_long(int64_t l)
{
    return (struct scalar){.type = TYPE_LONG, .as.l = l};
}

/* A value of the pattern as the type has it; 64 bits are exact in wide. */
static wide value_at(int type, const struct pattern *p, uint64_t i)
{
    switch (type) {
    case TYPE_FLOAT:
        return pattern_float(p, i);
    case TYPE_DOUBLE:
        return pattern_double(p, i);
    case TYPE_INT:
        return pattern_int(p, i);
    default:
        return pattern_long(p, i);
    }
}

/* n values of the pattern in memory. */
static void *array(int type, const struct pattern *p, uint64_t first, size_t n)
{
    char *data = malloc(n * type_size(type) + 1);
    ck_assert_ptr_nonnull(data);
    for (size_t i = 0; i < n; i++) {
        if (type == TYPE_FLOAT)
            ((float *)data)[i] = pattern_float(p, first + i);
        else if (type == TYPE_DOUBLE)
            ((double *)data)[i] = pattern_double(p, first + i);
        else if (type == TYPE_INT)
            ((int32_t *)data)[i] = pattern_int(p, first + i);
        else
            ((int64_t *)data)[i] = pattern_long(p, first + i);
    }
    return data;
}

/* ---- references ---- */

START_TEST(known_sums)
{
    static const float f[] = {1, 2, 3, 4, 5, 6, 7, 8}, f0[] = {-2.5f, 1.5f, -1.0f, 2.0f};
    static const double d[] = {1, 2, 3, 4, 5, 6, 7, 8}, d0[] = {-2.5, 1.5, -1.0, 2.0};
    static const int32_t i[] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const int64_t l[] = {1, 2, 3, 4, 5, 6, 7, 8};
    struct reference r = reference_of_array(TYPE_FLOAT, OP_SUM, f, 8, NULL);
    ck_assert(r.value.as.f == 36 && r.high == 36 && r.low == 0);
    ck_assert(r.magnitude >= 36 && r.magnitude < 36.000001);
    ck_assert(reference_of_array(TYPE_DOUBLE, OP_SUM, d, 8, NULL).value.as.d == 36);
    ck_assert_int_eq(reference_of_array(TYPE_INT, OP_SUM, i, 8, NULL).value.as.i, 36);
    ck_assert_int_eq(reference_of_array(TYPE_LONG, OP_SUM, l, 8, NULL).value.as.l, 36);
    r = reference_of_array(TYPE_FLOAT, OP_SUM, f0, 4, NULL);
    ck_assert(r.value.as.f == 0 && r.magnitude >= 7);
    r = reference_of_array(TYPE_DOUBLE, OP_SUM, d0, 4, NULL);
    ck_assert(r.value.as.d == 0 && r.magnitude >= 7);
    ck_assert(reference_of_array(TYPE_DOUBLE, OP_MIN, d0, 4, NULL).value.as.d == -2.5);
    ck_assert(reference_of_array(TYPE_FLOAT, OP_MAX, f0, 4, NULL).value.as.f == 2);
    ck_assert_int_eq(reference_of_array(TYPE_INT, OP_MIN, i, 8, NULL).value.as.i, 1);
    ck_assert_int_eq(reference_of_array(TYPE_LONG, OP_MAX, l, 8, NULL).value.as.l, 8);
}
END_TEST

START_TEST(no_elements)
{
    static const double extremes[OP_COUNT] = {0, INFINITY, -INFINITY};
    static const int32_t ints[OP_COUNT] = {0, INT32_MAX, INT32_MIN};
    static const int64_t longs[OP_COUNT] = {0, INT64_MAX, INT64_MIN};
    for (int op = 0; op < OP_COUNT; op++) {
        ck_assert(reference_of_array(TYPE_FLOAT, op, NULL, 0, NULL).value.as.f ==
                  (float)extremes[op]);
        ck_assert(reference_of_array(TYPE_DOUBLE, op, NULL, 0, NULL).value.as.d == extremes[op]);
        ck_assert_int_eq(reference_of_array(TYPE_INT, op, NULL, 0, NULL).value.as.i, ints[op]);
        ck_assert_int_eq(reference_of_array(TYPE_LONG, op, NULL, 0, NULL).value.as.l, longs[op]);
    }
    struct reference r = reference_of_array(TYPE_DOUBLE, OP_SUM, NULL, 0, NULL);
    ck_assert(verify_check(of_double(0), &r, 0).outcome == VERDICT_OK);
    ck_assert(verify_check(of_double(DBL_MIN), &r, 100).outcome == VERDICT_FAIL);
}
END_TEST

/* Around every size at which the work is split. */
static const size_t sizes[] = {1,    2,    7,    8,     9,     15,    16,     17,    255,
                               2047, 2048, 2049, 65535, 65536, 65537, 131072, 133121};
#define SIZES ((int)(sizeof sizes / sizeof *sizes))

/* Sum, min and max of every pattern and type against plain loops over exact numbers; and the same from an
 * array as from the pattern. */
START_TEST(patterns_against_exact_arithmetic)
{
    size_t n = sizes[_i];
    for (int kind = 0; kind < PATTERN_COUNT; kind++)
        for (int type = 0; type < TYPE_COUNT; type++) {
            struct pattern p = {.kind = kind, .seed = 11, .hot = 4000 + n - 1, .hot_value = -3};
            uint64_t first = 4000;
            wide sum = 0, magnitude = 0, least = value_at(type, &p, first), greatest = least;
            uint64_t total = 0;
            for (size_t i = 0; i < n; i++) {
                wide x = value_at(type, &p, first + i);
                sum += x;
                magnitude += wide_abs(x);
                least = x < least ? x : least;
                greatest = x > greatest ? x : greatest;
                total += type == TYPE_FLOAT || type == TYPE_DOUBLE ? 0 : (uint64_t)(int64_t)x;
            }
            struct reference r[OP_COUNT], s;
            void *data = array(type, &p, first, n);
            for (int op = 0; op < OP_COUNT; op++) {
                r[op] = reference_of_pattern(type, op, &p, first, n, NULL);
                s = reference_of_array(type, op, data, n, NULL);
                ck_assert_mem_eq(&r[op].value.as, &s.value.as, type_size(type));
                ck_assert(r[op].high == s.high && r[op].low == s.low);
                ck_assert(r[op].magnitude == s.magnitude);
                ck_assert(r[op].type == type && r[op].op == op && r[op].n == n);
            }
            free(data);
            if (type == TYPE_INT) {
                ck_assert_int_eq(r[OP_SUM].value.as.i, (int32_t)(uint32_t)total);
                ck_assert_int_eq(r[OP_MIN].value.as.i, (int32_t)least);
                ck_assert_int_eq(r[OP_MAX].value.as.i, (int32_t)greatest);
            } else if (type == TYPE_LONG) {
                ck_assert_int_eq(r[OP_SUM].value.as.l, (int64_t)total);
                ck_assert_int_eq(r[OP_MIN].value.as.l, (int64_t)least);
                ck_assert_int_eq(r[OP_MAX].value.as.l, (int64_t)greatest);
            } else {
                wide error = wide_abs((wide)r[OP_SUM].high + (wide)r[OP_SUM].low - sum);
                ck_assert_msg(error <= magnitude * (wide)0x1p-75,
                              "%s %s: error 2^%g of the magnitude", pattern_name(kind),
                              type_name(type), log2((double)(error / magnitude)));
                ck_assert((wide)r[OP_SUM].magnitude >= magnitude);
                ck_assert((wide)r[OP_SUM].magnitude <= magnitude * (wide)(1 + 1e-8));
                ck_assert(FLOATING(r[OP_MIN], type) == (double)least);
                ck_assert(FLOATING(r[OP_MAX], type) == (double)greatest);
            }
        }
}
END_TEST

/* Values over the whole range that 113 bits hold exactly, in an order for which plain sums fail. */
START_TEST(ill_conditioned_sum)
{
    enum { N = 40000 };
    static double x[N];
    wide sum = 0;
    for (size_t i = 0; i < N; i++) {
        uint64_t hash = pattern_hash(3, i / 2);
        double big = ldexp((double)(int64_t)(hash >> 11), (int)(hash & 31) - 16);
        x[i] = i % 2 == 0 ? big : -big;
    }
    for (size_t i = N - 1; i > 0; i--) { /* shuffled */
        size_t j = (size_t)(pattern_hash(4, i) % (i + 1));
        double swap = x[i];
        x[i] = x[j];
        x[j] = swap;
    }
    x[N / 3] += 0x1p-14;
    double plain = 0;
    for (size_t i = 0; i < N; i++) {
        sum += x[i];
        plain += x[i];
    }
    struct reference r = reference_of_array(TYPE_DOUBLE, OP_SUM, x, N, NULL);
    ck_assert((wide)r.high + (wide)r.low == sum);
    ck_assert((wide)plain != sum); /* or this would be no test */
}
END_TEST

/* The clock is read every 2^26 elements; nothing is lost there. */
START_TEST(several_rounds)
{
    size_t n = ((size_t)1 << 26) + 5;
    struct pattern ones = {.kind = PATTERN_ONES};
    struct pattern hot = {.kind = PATTERN_ONEHOT, .hot = (uint64_t)1 << 26, .hot_value = 9};
    ck_assert_int_eq(reference_of_pattern(TYPE_INT, OP_SUM, &ones, 0, n, NULL).value.as.i,
                     (int32_t)n);
    ck_assert_int_eq(reference_of_pattern(TYPE_LONG, OP_MAX, &hot, 0, n, NULL).value.as.l, 9);
}
END_TEST

START_TEST(threads_do_not_show)
{
#ifdef _OPENMP
    struct pattern p = {.kind = PATTERN_RANDOM, .seed = 5};
    size_t n = 3000001;
    omp_set_num_threads(1);
    struct reference one = reference_of_pattern(TYPE_DOUBLE, OP_SUM, &p, 0, n, NULL);
    for (int threads = 2; threads < 8; threads++) {
        omp_set_num_threads(threads);
        struct reference r = reference_of_pattern(TYPE_DOUBLE, OP_SUM, &p, 0, n, NULL);
        ck_assert(r.high == one.high && r.low == one.low && r.magnitude == one.magnitude);
    }
#endif
}
END_TEST

START_TEST(integer_sums_wrap)
{
    static const int32_t i[] = {INT32_MAX, 1, INT32_MAX, INT32_MAX};
    static const int64_t l[] = {INT64_MIN, -1, INT64_MIN};
    ck_assert_int_eq(reference_of_array(TYPE_INT, OP_SUM, i, 2, NULL).value.as.i, INT32_MIN);
    ck_assert_int_eq(reference_of_array(TYPE_INT, OP_SUM, i, 4, NULL).value.as.i, INT32_MAX - 1);
    ck_assert_int_eq(reference_of_array(TYPE_LONG, OP_SUM, l, 2, NULL).value.as.l, INT64_MAX);
    ck_assert_int_eq(reference_of_array(TYPE_LONG, OP_SUM, l, 3, NULL).value.as.l, -1);
}
END_TEST

/* NaN wins wherever it stands; -0 is below +0; infinities are ordinary. */
START_TEST(extremes_of_special_values)
{
    enum { N = 20 };
    double d[N];
    float f[N];
    for (int at = 0; at < N; at++) {
        for (int k = 0; k < N; k++)
            d[k] = k, f[k] = (float)k;
        d[at] = at % 2 ? -NAN : NAN;
        f[at] = at % 2 ? -NAN : NAN;
        for (int op = 0; op < OP_COUNT; op++) {
            ck_assert(isnan(reference_of_array(TYPE_DOUBLE, op, d, N, NULL).value.as.d));
            ck_assert(isnan(reference_of_array(TYPE_FLOAT, op, f, N, NULL).value.as.f));
        }
    }
    for (int at = 0; at < N; at++)
        for (int negative = 0; negative < 2; negative++) {
            for (int k = 0; k < N; k++)
                d[k] = (k == at) == negative ? -0.0 : 0.0, f[k] = (float)d[k];
            struct scalar least = reference_of_array(TYPE_DOUBLE, OP_MIN, d, N, NULL).value;
            struct scalar greatest = reference_of_array(TYPE_DOUBLE, OP_MAX, d, N, NULL).value;
            ck_assert(least.as.d == 0 && signbit(least.as.d));
            ck_assert(greatest.as.d == 0 && !signbit(greatest.as.d));
            least = reference_of_array(TYPE_FLOAT, OP_MIN, f, N, NULL).value;
            greatest = reference_of_array(TYPE_FLOAT, OP_MAX, f, N, NULL).value;
            ck_assert(least.as.f == 0 && signbit(least.as.f));
            ck_assert(greatest.as.f == 0 && !signbit(greatest.as.f));
        }
    d[3] = INFINITY, d[5] = -INFINITY, d[7] = DBL_MAX, d[8] = -4.9e-324;
    ck_assert(reference_of_array(TYPE_DOUBLE, OP_MIN, d, N, NULL).value.as.d == -INFINITY);
    ck_assert(reference_of_array(TYPE_DOUBLE, OP_MAX, d, N, NULL).value.as.d == INFINITY);
    ck_assert(reference_of_array(TYPE_DOUBLE, OP_MIN, d + 7, 2, NULL).value.as.d == -4.9e-324);
}
END_TEST

START_TEST(sums_of_special_values)
{
    for (int type = TYPE_FLOAT; type <= TYPE_DOUBLE; type++)
        for (size_t n = 1; n < 70000; n = 3 * n + 1) {
            struct pattern p = {.kind = PATTERN_RANDOM, .seed = 1};
            void *data = array(type, &p, 0, n);
            struct reference r;
#define SET(I, X)                                                                                  \
    (type == TYPE_FLOAT ? (((float *)data)[I] = (float)(X)) : (((double *)data)[I] = (X)))
            SET(n - 1, INFINITY);
            r = reference_of_array(type, OP_SUM, data, n, NULL);
            ck_assert(FLOATING(r, type) == INFINITY);
            ck_assert(
                verify_check(type == TYPE_FLOAT ? of_float(1) : of_double(1), &r, 5).outcome ==
                VERDICT_FAIL);
            ck_assert(
                verify_check(type == TYPE_FLOAT ? of_float(NAN) : of_double(NAN), &r, 5).outcome ==
                VERDICT_FAIL);
            struct verdict v = verify_check(r.value, &r, 5);
            ck_assert(v.outcome == VERDICT_OK && v.error == 0 && v.ulps == 0);
            SET(n - 1, -INFINITY);
            ck_assert(FLOATING(reference_of_array(type, OP_SUM, data, n, NULL), type) == -INFINITY);
            SET(n - 1, NAN);
            r = reference_of_array(type, OP_SUM, data, n, NULL);
            ck_assert(isnan(FLOATING(r, type)));
            v = verify_check(type == TYPE_FLOAT ? of_float(-NAN) : of_double(-NAN), &r, 5);
            ck_assert(v.outcome == VERDICT_OK);
            ck_assert(
                verify_check(type == TYPE_FLOAT ? of_float(0) : of_double(0), &r, 5).outcome ==
                VERDICT_FAIL);
            SET(n - 1, INFINITY);
            SET(0, -INFINITY);
            if (n > 1)
                ck_assert(isnan(FLOATING(reference_of_array(type, OP_SUM, data, n, NULL), type)));
            free(data);
        }
}
END_TEST

/* The elements, their sum rounded once, a result, and the verdict on it. */
static const struct {
    double x[6], sum, value;
    int outcome;
    const char *rule;
} huge[] = {
#define MAX DBL_MAX
    {{1e308, 1e308, 1e308}, INFINITY, INFINITY, VERDICT_OK, "a-priori"},
    {{1e308, 1e308, 1e308}, INFINITY, 1e308, VERDICT_FAIL, "a-priori"},
    {{1e308, 1e308, 1e308}, INFINITY, -INFINITY, VERDICT_FAIL, "a-priori"},
    {{1e308, 1e308, 1e308}, INFINITY, NAN, VERDICT_FAIL, "a-priori"},
    {{-1e308, -1e308}, -INFINITY, -INFINITY, VERDICT_OK, "a-priori"},
    {{-1e308, -1e308}, -INFINITY, INFINITY, VERDICT_FAIL, "a-priori"},
    /* the sum is in range, but intermediate sums need not be */
    {{MAX, MAX, -MAX}, MAX, MAX, VERDICT_OK, "a-priori"},
    {{MAX, MAX, -MAX}, MAX, MAX / 2, VERDICT_FAIL, "a-priori"},
    {{MAX, MAX, -MAX}, MAX, INFINITY, VERDICT_UNPROVEN, "overflow"},
    {{MAX, 1e300, -MAX, -1e300}, 0, INFINITY, VERDICT_UNPROVEN, "overflow"},
    {{MAX, 1e300, -MAX, -1e300}, 0, NAN, VERDICT_UNPROVEN, "overflow"},
    {{MAX, 1e300, -MAX, -1e300}, 0, 0, VERDICT_OK, "a-priori"},
    {{MAX, 1e300, -1e308}, MAX - 1e308 + 1e300, -INFINITY, VERDICT_FAIL, "a-priori"},
    {{MAX, 1e300, -1e308}, MAX - 1e308 + 1e300, NAN, VERDICT_FAIL, "a-priori"},
    /* small ones are not lost beside large ones */
    {{MAX, MAX, 3, -MAX, -MAX, 4}, 7, 7, VERDICT_OK, "a-priori"},
    /* the largest number and less than half of its last place; and half of it, which rounds up */
    {{MAX, 0x1p969, 0x1p968}, MAX, MAX, VERDICT_OK, "a-priori"},
    {{MAX, 0x1p969, 0x1p969}, INFINITY, INFINITY, VERDICT_OK, "a-priori"},
    {{MAX, 0x1p969, 0x1p969}, INFINITY, MAX, VERDICT_OK, "a-priori"}, /* within the bound */
    {{0x1p1023, 0x1p1022}, 0x1.8p1023, INFINITY, VERDICT_FAIL, "exact"},
};

START_TEST(sums_beyond_the_range)
{
    const double *x = huge[_i].x;
    struct reference r = reference_of_array(TYPE_DOUBLE, OP_SUM, x, 6, NULL);
    ck_assert_msg(r.value.as.d == huge[_i].sum, "%g", r.value.as.d);
    struct verdict v = verify_check(of_double(huge[_i].value), &r, 5);
    ck_assert_msg(v.outcome == huge[_i].outcome, "%s", verdict_name(v.outcome));
    ck_assert_str_eq(v.rule, huge[_i].rule);
    ck_assert(!isnan(v.error) && !isnan(v.bound) && !isnan(v.ulps));
}
END_TEST

START_TEST(float_sums_beyond_the_range)
{
    static const float f[] = {FLT_MAX, FLT_MAX, -FLT_MAX};
    struct reference r = reference_of_array(TYPE_FLOAT, OP_SUM, f, 3, NULL);
    ck_assert(r.value.as.f == FLT_MAX);
    ck_assert(verify_check(of_float(FLT_MAX), &r, 3).outcome == VERDICT_OK);
    ck_assert(verify_check(of_float(0), &r, 3).outcome == VERDICT_FAIL);
    ck_assert(verify_check(of_float(INFINITY), &r, 3).outcome == VERDICT_UNPROVEN);
    r = reference_of_array(TYPE_FLOAT, OP_SUM, f, 2, NULL);
    ck_assert(r.value.as.f == INFINITY);
    ck_assert(verify_check(of_float(INFINITY), &r, 3).outcome == VERDICT_OK);
    ck_assert(verify_check(of_float(FLT_MAX), &r, 3).outcome == VERDICT_FAIL);
    ck_assert(verify_check(of_float(-INFINITY), &r, 3).outcome == VERDICT_FAIL);
}
END_TEST

/* Enough elements for the threads to share the work. */
START_TEST(long_sum_beyond_the_range)
{
    enum { N = 100000 };
    static double x[N];
    for (size_t i = 0; i < N; i++)
        x[i] = 1e304;
    struct reference r = reference_of_array(TYPE_DOUBLE, OP_SUM, x, N, NULL);
    ck_assert(r.value.as.d == INFINITY);
    ck_assert(verify_check(of_double(3.9e306), &r, 400).outcome == VERDICT_FAIL);
    ck_assert(verify_check(of_double(INFINITY), &r, 400).outcome == VERDICT_OK);
    for (size_t i = 0; i < N; i++)
        x[i] = i % 2 == 0 ? 1e304 : -1e304;
    x[N - 1] += 1e290;
    r = reference_of_array(TYPE_DOUBLE, OP_SUM, x, N, NULL);
    ck_assert(r.value.as.d == x[N - 1] + 1e304);
}
END_TEST

/* 1 + 2^-24 + 2^-60 in float: rounded to double first, it would lie between two floats and go down. */
START_TEST(sums_are_rounded_once)
{
    static const float up[] = {1, 0x1p-24f, 0x1p-60f}, down[] = {1, 0x3p-24f, -0x1p-60f};
    ck_assert(reference_of_array(TYPE_FLOAT, OP_SUM, up, 3, NULL).value.as.f == 1 + 0x1p-23f);
    ck_assert(reference_of_array(TYPE_FLOAT, OP_SUM, up, 2, NULL).value.as.f == 1);
    ck_assert(reference_of_array(TYPE_FLOAT, OP_SUM, down, 3, NULL).value.as.f == 1 + 0x1p-23f);
    ck_assert(reference_of_array(TYPE_FLOAT, OP_SUM, down, 2, NULL).value.as.f == 1 + 0x1p-22f);
}
END_TEST

/* Digits that twice the precision of double loses, and terms over its whole range. */
static const struct {
    double x[6], sum;
} digits[] = {
    {{0x1p53, 1, 0x1p-60}, 9007199254740994},
    {{0x1p53, 1}, 9007199254740992},
    {{0x1p53, 1, -0x1p-1074}, 9007199254740992},
    {{0x1p53, 3, -0x1p-1074}, 9007199254740994},
    {{-0x1p53, -1, -0x1p-500}, -9007199254740994},
    {{1e308, 0x1p-1074, -1e308}, 0x1p-1074},
    {{DBL_MAX, 1, -DBL_MAX, 0x1p-60, 0x1p-1000, -1}, 0x1p-60},
    {{0x1p900, 0x1p300, -0x1p900, 0x1p-300, -0x1p300, 0x1p-1000}, 0x1p-300},
    {{0x1p-1022, -0x1p-1074, -0x1p-1022}, -0x1p-1074},
    {{1, 0x1p-53, 0x1p-106, 0x1p-159, 0x1p-212}, 1 + 0x1p-52},
    {{1, 0x1p-53, -0x1p-106, 0x1p-159, 0x1p-212}, 1},
};

START_TEST(every_digit_counts)
{
    double x[6];

    for (int turn = 0; turn < 6; turn++) { /* in every order of a circle */
        for (int i = 0; i < 6; i++)
            x[i] = digits[_i].x[(i + turn) % 6];
        double sum = reference_of_array(TYPE_DOUBLE, OP_SUM, x, 6, NULL).value.as.d;
        ck_assert_msg(sum == digits[_i].sum, "%a", sum);
    }
}
END_TEST

/* Every exponent and both signs, in many pieces and chunks: the same in another order, and 0 beside its opposite. */
START_TEST(order_does_not_matter)
{
    enum { N = 150000 };
    double *x = malloc(2 * N * sizeof *x);
    struct pattern mixed = {.kind = PATTERN_MIXED, .seed = 9};

    ck_assert_ptr_nonnull(x);
    for (size_t i = 0; i < N; i++)
        x[i] = ldexp(pattern_double(&mixed, i), (int)(pattern_hash(5, i) % 2000) - 1040);
    struct reference r = reference_of_array(TYPE_DOUBLE, OP_SUM, x, N, NULL);
    for (size_t i = 0; i < N / 2; i++) {
        double swap = x[i];
        x[i] = x[N - 1 - i];
        x[N - 1 - i] = swap;
    }
    struct reference s = reference_of_array(TYPE_DOUBLE, OP_SUM, x, N, NULL);
    ck_assert(r.high == s.high && r.low == s.low && isfinite(r.high) && r.low != 0);
    ck_assert(s.magnitude > 0.999999 * r.magnitude && s.magnitude < 1.000001 * r.magnitude);
    for (size_t i = 0; i < N; i++)
        x[N + i] = -x[i];
    x[7] = 0x1p-1074 + x[7];
    r = reference_of_array(TYPE_DOUBLE, OP_SUM, x, 2 * N, NULL);
    ck_assert(r.high == x[7] + x[N + 7] && r.low == 0);
    free(x);
}
END_TEST

/* Below the smallest number of the type products are rounded: no unit makes their sum exact. */
START_TEST(units_below_the_type)
{
    struct precise sum = precise_nothing;

    precise_add(&sum, 0x3p-160);
    precise_unit(&sum, 0x1p-160);
    ck_assert(!reference_of_sum(TYPE_FLOAT, 1, &sum, 0).exact);
    ck_assert(reference_of_sum(TYPE_DOUBLE, 1, &sum, 0).exact);
    precise_add(&sum, 0x1p-149);
    sum.unit = 0x1p-149;
    ck_assert(reference_of_sum(TYPE_FLOAT, 1, &sum, 0).exact);
}
END_TEST

/* ---- verdicts ---- */

/* ((1 + u)^k - 1) sum |x|, whatever the chain; k is below the number of elements. */
START_TEST(bound_is_a_priori)
{
    struct reference r = {.type = TYPE_DOUBLE,
                          .op = OP_SUM,
                          .n = SIZE_MAX,
                          .value = of_double(1),
                          .high = 1,
                          .magnitude = 8,
                          .kind = -1};
    double u = 0x1p-53;
    ck_assert(verify_check(of_double(1), &r, 0).bound == 0);
    ck_assert(verify_check(of_double(1), &r, 1).bound == u * 8);
    ck_assert(verify_check(of_double(1), &r, 1000).bound >= 1000 * u * 8);
    ck_assert(verify_check(of_double(1), &r, 1000).bound <= 1000 * u / (1 - 1000 * u) * 8);
    ck_assert(verify_check(of_double(1), &r, (size_t)1 << 53).bound >= 8 * 1.718);
    r.n = 3;
    ck_assert_double_eq_tol(verify_check(of_double(1), &r, 1000).bound / u, 16, 1e-12);
    r.lost = 0x1p-40;
    ck_assert_double_eq_tol(verify_check(of_double(1), &r, 1000).bound / u, 16 + 0x1p13, 1e-9);
    r.lost = 0;
    r.n = 1001;

    /* On either side of the bound; the unrounded reference counts. */
    double bound = verify_check(of_double(1), &r, 1000).bound;
    ck_assert(verify_check(of_double(1 + 0.99 * bound), &r, 1000).outcome == VERDICT_OK);
    ck_assert(verify_check(of_double(1 - 0.99 * bound), &r, 1000).outcome == VERDICT_OK);
    ck_assert(verify_check(of_double(1 + 1.01 * bound), &r, 1000).outcome == VERDICT_FAIL);
    ck_assert(verify_check(of_double(1 - 1.01 * bound), &r, 1000).outcome == VERDICT_FAIL);
    r.low = 0x1p-54;
    struct verdict v = verify_check(of_double(1), &r, 0);
    ck_assert(v.outcome == VERDICT_FAIL && v.error == 0x1p-54 && v.ulps == 0.25);
    v = verify_check(of_double(1 + 0x1p-52), &r, 1);
    ck_assert(v.error == 0x1p-52 - 0x1p-54 && v.ulps == 0.75);
    ck_assert_str_eq(v.rule, "a-priori");

    r = (struct reference){.type = TYPE_FLOAT,
                           .op = OP_SUM,
                           .n = SIZE_MAX,
                           .value = of_float(1),
                           .high = 1,
                           .magnitude = 8,
                           .kind = -1};
    u = 0x1p-24;
    ck_assert_double_eq_tol(verify_check(of_float(1), &r, 77).bound, expm1(77 * u) * 8, 1e-18);
    ck_assert(isfinite(verify_check(of_float(1), &r, 1 << 26).bound));
    v = verify_check(of_float(1 + 0x1p-23f), &r, 1);
    ck_assert(v.outcome == VERDICT_OK && v.error == 0x1p-23 && v.ulps == 1);
    ck_assert(verify_check(of_float(NAN), &r, 100).outcome == VERDICT_FAIL);
    ck_assert(verify_check(of_float(INFINITY), &r, 100).outcome == VERDICT_FAIL);
}
END_TEST

/* 1 % of the sum of |x|, and not of a sum that cancels. */
START_TEST(wide_bounds_prove_nothing)
{
    struct reference r = {.type = TYPE_FLOAT,
                          .op = OP_SUM,
                          .n = SIZE_MAX,
                          .value = of_float(0),
                          .magnitude = 1000,
                          .kind = -1};
    size_t widest = (size_t)(log(1.01) * 0x1p24);
    ck_assert(verify_check(of_float(0), &r, widest - 1).outcome == VERDICT_OK);
    ck_assert(verify_check(of_float(9), &r, widest - 1).outcome == VERDICT_OK);
    ck_assert(verify_check(of_float(11), &r, widest - 1).outcome == VERDICT_FAIL);
    ck_assert(verify_check(of_float(0), &r, widest + 1).outcome == VERDICT_UNPROVEN);
    ck_assert(verify_check(of_float(9), &r, widest + 1).outcome == VERDICT_UNPROVEN);
    ck_assert(verify_check(of_float(11), &r, widest + 1).outcome == VERDICT_FAIL);
    /* A wide bound is a bound. */
    ck_assert(verify_check(of_float(2000), &r, 1 << 24).outcome == VERDICT_FAIL);
    ck_assert(verify_check(of_float(1700), &r, 1 << 24).outcome == VERDICT_UNPROVEN);
    ck_assert(verify_check(of_float(NAN), &r, 1 << 24).outcome == VERDICT_FAIL);
}
END_TEST

/* Arrays all of whose partial sums fit, and the same with one bit more. */
static const struct {
    int type;
    double x[4];
    bool exact;
} fits[] = {
    {TYPE_FLOAT, {0, 0, 0, 0}, true},
    {TYPE_FLOAT, {0x1p24 - 1, 1}, true},
    {TYPE_FLOAT, {0x1p24 - 1, 1, 1}, false},
    {TYPE_FLOAT, {0x1p24 - 1, -1, -1}, false}, /* it is the sum of |x| that counts */
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

START_TEST(exact_where_nothing_rounds)
{
    int type = fits[_i].type;
    float f[4];
    for (int k = 0; k < 4; k++)
        f[k] = (float)fits[_i].x[k];
    const void *data = type == TYPE_FLOAT ? (const void *)f : (const void *)fits[_i].x;
    struct reference r = reference_of_array(type, OP_SUM, data, 4, NULL);
    ck_assert_int_eq(r.exact, fits[_i].exact);
    ck_assert((verify_check(r.value, &r, 4).bound == 0) == fits[_i].exact);
}
END_TEST

/* The rule looks at the data, so it holds for every pattern; and one unit less or more is wrong, however
 * long the chain. */
START_TEST(exact_patterns)
{
    static const struct {
        int kind, type;
        size_t n;
        bool exact;
    } cases[] = {
        {PATTERN_ONES, TYPE_FLOAT, (size_t)1 << 24, true},
        {PATTERN_ONES, TYPE_FLOAT, ((size_t)1 << 24) + 1, false},
        {PATTERN_ONES, TYPE_DOUBLE, ((size_t)1 << 24) + 1, true},
        {PATTERN_RAMP, TYPE_FLOAT, 5793, true},
        {PATTERN_RAMP, TYPE_FLOAT, 5794, false}, /* 5793 x 5794 / 2 > 2^24 */
        {PATTERN_RAMP, TYPE_DOUBLE, 10000000, true},
        {PATTERN_ONEHOT, TYPE_FLOAT, 100000, true},
        {PATTERN_CONSTANT, TYPE_FLOAT, 1, true},
        {PATTERN_CONSTANT, TYPE_FLOAT, 3, false},
        {PATTERN_RANDOM, TYPE_FLOAT, 1, true},
        {PATTERN_RANDOM, TYPE_FLOAT, 1000, false},
        {PATTERN_RANDOM, TYPE_DOUBLE, 1000, false},
        {PATTERN_MIXED, TYPE_DOUBLE, 70000, false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct pattern p = {.kind = cases[k].kind, .seed = 3, .hot = 99999, .hot_value = 1};
        int type = cases[k].type;
        size_t chain = (size_t)1 << 40;
        struct reference r = reference_of_pattern(type, OP_SUM, &p, 0, cases[k].n, NULL);
        ck_assert_msg(r.exact == cases[k].exact, "%s %zu", pattern_name(p.kind), cases[k].n);
        if (!r.exact)
            continue;
        double truth = FLOATING(r, type);
        ck_assert(verify_check(r.value, &r, chain).outcome == VERDICT_OK);
        double below =
            type == TYPE_FLOAT ? (double)nextafterf((float)truth, 0) : nextafter(truth, 0);
        struct scalar s = type == TYPE_FLOAT ? of_float((float)below) : of_double(below);
        ck_assert(verify_check(s, &r, chain).outcome == VERDICT_FAIL);
    }
}
END_TEST

/* Whatever is called exact is exact: every partial sum in a random order fits the type. */
START_TEST(exact_is_exact)
{
    int exact = 0;
    for (uint64_t seed = 0; seed < 20000; seed++) {
        float x[12], sum = 0;
        wide truth = 0;
        int bits = (int)(pattern_hash(1, seed) % 24) + 1,
            spread = (int)(pattern_hash(2, seed) % 12);
        for (uint64_t k = 0; k < 12; k++) {
            uint64_t hash = pattern_hash(seed, k);
            float magnitude =
                ldexpf((float)(hash >> (64 - bits)), (int)(hash % (unsigned)(spread + 1)));
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
    ck_assert_int_gt(exact, 2000); /* or this would be no test */
    ck_assert_int_lt(exact, 18000);
}
END_TEST

/* Where it is used, and what it is: lambda sqrt(k) u with a failure probability of 1e-10. */
START_TEST(probabilistic_bound)
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
            if (kind == PATTERN_RANDOM) /* the smaller one counts */
                ck_assert_str_eq(verify_check(r.value, &r, 50).rule, "a-priori");
            /* Nothing is known about the values of a file. */
            void *data = array(TYPE_FLOAT, &p, 0, n);
            r = reference_of_array(TYPE_FLOAT, OP_SUM, data, n, NULL);
            ck_assert_str_eq(verify_check(r.value, &r, chain).rule, "a-priori");
            free(data);
        }
    }
}
END_TEST

/* Right sums stay within it by a factor of three, over many seeds and in several orders. */
START_TEST(probabilistic_bound_holds)
{
    static const size_t parts[] = {1, 2, 7, 100, 3000}; /* added up on their own, then together */
    static const int kinds[] = {PATTERN_RANDOM, PATTERN_MIXED};
    size_t n = 300000;
    for (uint64_t seed = 1; seed <= 20; seed++)
        for (size_t k = 0; k < 2; k++) {
            struct pattern p = {.kind = kinds[k], .seed = seed};
            struct reference r = reference_of_pattern(TYPE_FLOAT, OP_SUM, &p, 0, n, NULL);
            float *x = array(TYPE_FLOAT, &p, 0, n);
            for (size_t j = 0; j < sizeof parts / sizeof *parts; j++) {
                float sum = 0;
                for (size_t part = 0; part < parts[j]; part++) {
                    float own = 0;
                    for (size_t i = part; i < n; i += parts[j])
                        own += x[i];
                    sum += own;
                }
                struct verdict v = verify_check(of_float(sum), &r, n / parts[j] + 1 + parts[j]);
                ck_assert_int_eq(v.outcome, VERDICT_OK);
                ck_assert(v.error < v.bound / 3);
            }
            free(x);
        }
}
END_TEST

/* An order in which every error has the same sign: parts of 50 +- 3 added to a sum whose last place is 64.
 * The sum is far off only because of its order, and must not be called wrong. */
START_TEST(errors_of_one_sign)
{
    size_t parts = 9000000, m = 100;
    struct reference r = {.type = TYPE_FLOAT,
                          .op = OP_SUM,
                          .n = parts * m,
                          .magnitude = 50 * (double)parts,
                          .high = 50 * (double)parts,
                          .value = of_float(50 * (float)parts),
                          .kind = PATTERN_RANDOM};
    float sum = 0;
    for (uint64_t k = 0; k < parts; k++)
        sum += 47 + (float)(pattern_hash(1, k) >> 40) * 0x6p-24f;
    struct verdict v = verify_check(of_float(sum), &r, parts + m);
    ck_assert_int_eq(v.outcome, VERDICT_UNPROVEN);
    ck_assert(v.error > 0.01 * r.magnitude); /* or this would be no test */
}
END_TEST

/* The main guarantee: a result that misses more than 1 % of the sum of |x| is never OK. */
START_TEST(lost_parts_are_never_right)
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
                        struct scalar value =
                            type == TYPE_FLOAT ? of_float((float)x) : of_double(x);
                        struct verdict v = verify_check(value, &r, chain);
                        ck_assert_int_ne(v.outcome, VERDICT_OK);
                        ck_assert_int_eq(v.outcome == VERDICT_FAIL, v.error > v.bound);
                        ck_assert(type == TYPE_FLOAT || v.outcome == VERDICT_FAIL);
                    }
            }
}
END_TEST

static double pairwise(const double *x, size_t n)
{
    return n == 1 ? x[0] : pairwise(x, n / 2) + pairwise(x + n / 2, n - n / 2);
}

/* A tree over 10^6 doubles passes; with any one element missing or counted twice it does not. */
START_TEST(one_element_of_a_million)
{
    size_t n = 1000000, chain = 20; /* ceil(log2(n)) */
    static const int kinds[] = {PATTERN_RANDOM, PATTERN_ONES, PATTERN_CONSTANT};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct pattern p = {.kind = kinds[k], .seed = 9};
        struct reference r = reference_of_pattern(TYPE_DOUBLE, OP_SUM, &p, 0, n, NULL);
        double *x = array(TYPE_DOUBLE, &p, 0, n);
        double value = pairwise(x, n);
        ck_assert(verify_check(of_double(value), &r, chain).outcome == VERDICT_OK);
        size_t missed = 0;
        for (size_t i = 0; i < n; i++)
            if (x[i] > 1e-6) { /* all but a few */
                missed += verify_check(of_double(value - x[i]), &r, chain).outcome != VERDICT_FAIL;
                missed += verify_check(of_double(value + x[i]), &r, chain).outcome != VERDICT_FAIL;
            }
        ck_assert_uint_eq(missed, 0);
        ck_assert(verify_check(of_double(value * (1 + 1e-13)), &r, chain).outcome == VERDICT_FAIL);
        free(x);
    }
}
END_TEST

/* Even if the sum cancels, a block that is lost or counted twice is detected. */
START_TEST(one_block_of_mixed)
{
    size_t n = 1000003, block = 256, chain = 300;
    struct pattern p = {.kind = PATTERN_MIXED, .seed = 9};
    struct reference r = reference_of_pattern(TYPE_DOUBLE, OP_SUM, &p, 0, n, NULL);
    ck_assert(fabs(r.high) < 1e-3 * r.magnitude);
    int missed = 0;
    for (size_t start = 0; start + block <= n; start += block) {
        struct reference part = reference_of_pattern(TYPE_DOUBLE, OP_SUM, &p, start, block, NULL);
        missed += verify_check(of_double(r.high - part.high), &r, chain).outcome != VERDICT_FAIL;
        missed += verify_check(of_double(r.high + part.high), &r, chain).outcome != VERDICT_FAIL;
    }
    ck_assert_int_eq(missed, 0);
}
END_TEST

/* The longest possible chain, in float, stays within its bound on every pattern. */
START_TEST(bound_holds_for_plain_loops)
{
    for (int kind = 0; kind < PATTERN_COUNT; kind++)
        for (size_t n = 1; n <= 3000000; n = 5 * n + 2) {
            struct pattern p = {.kind = kind, .seed = 2, .hot = n / 2, .hot_value = 1};
            struct reference r = reference_of_pattern(TYPE_FLOAT, OP_SUM, &p, 0, n, NULL);
            float *x = array(TYPE_FLOAT, &p, 0, n), sum = x[0];
            for (size_t i = 1; i < n; i++)
                sum += x[i];
            struct verdict v = verify_check(of_float(sum), &r, n - 1);
            ck_assert_msg(v.outcome != VERDICT_FAIL, "%s %zu", pattern_name(kind), n);
            ck_assert_int_eq(v.outcome == VERDICT_OK, v.bound <= 0.01 * r.magnitude);
            free(x);
        }
}
END_TEST

START_TEST(exact_comparisons)
{
    struct reference r = {.type = TYPE_INT, .op = OP_SUM, .value = of_int(-7)};
    ck_assert(verify_check(of_int(-7), &r, 10).outcome == VERDICT_OK);
    struct verdict v = verify_check(of_int(-9), &r, 1000);
    ck_assert(v.outcome == VERDICT_FAIL && v.error == 2 && v.ulps == 2 && v.bound == 0);

    r = (struct reference){.type = TYPE_LONG, .op = OP_SUM, .value = of_long(INT64_MAX)};
    ck_assert(verify_check(of_long(INT64_MAX), &r, 10).outcome == VERDICT_OK);
    v = verify_check(of_long(INT64_MAX - 1), &r, 1000); /* the same number in double */
    ck_assert(v.outcome == VERDICT_FAIL && v.error == 1);
    v = verify_check(of_long(INT64_MIN), &r, 1000);
    ck_assert(v.outcome == VERDICT_FAIL && v.error == 0x1p64);

    r = (struct reference){.type = TYPE_DOUBLE, .op = OP_MAX, .value = of_double(0.0)};
    ck_assert(verify_check(of_double(0.0), &r, 10).outcome == VERDICT_OK);
    ck_assert(verify_check(of_double(-0.0), &r, 10).outcome == VERDICT_FAIL);
    ck_assert(verify_check(of_double(4.9e-324), &r, 1000).outcome == VERDICT_FAIL);
    ck_assert(verify_check(of_double(NAN), &r, 1000).outcome == VERDICT_FAIL);
    r.op = OP_SUM;
    ck_assert(verify_check(of_double(-0.0), &r, 10).outcome == VERDICT_OK);

    r = (struct reference){.type = TYPE_FLOAT, .op = OP_MIN, .value = of_float(NAN)};
    ck_assert(verify_check(of_float(-NAN), &r, 10).outcome == VERDICT_OK);
    ck_assert(verify_check(of_float(0), &r, 10).outcome == VERDICT_FAIL);
    r.value = of_float(INFINITY);
    ck_assert(verify_check(of_float(INFINITY), &r, 10).outcome == VERDICT_OK);
    v = verify_check(of_float(FLT_MAX), &r, 10);
    ck_assert(v.outcome == VERDICT_FAIL && isinf(v.error));
    r.value = of_float(0.1f);
    v = verify_check(of_float(nextafterf(0.1f, 1)), &r, 1000);
    ck_assert(v.outcome == VERDICT_FAIL && v.ulps == 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("verify");
    TCase *reference = suite_case(suite, "reference");
    tcase_add_test(reference, known_sums);
    tcase_add_test(reference, no_elements);
    tcase_add_loop_test(reference, patterns_against_exact_arithmetic, 0, SIZES);
    tcase_add_test(reference, ill_conditioned_sum);
    tcase_add_test(reference, several_rounds);
    tcase_add_test(reference, threads_do_not_show);
    tcase_add_test(reference, integer_sums_wrap);
    tcase_add_test(reference, extremes_of_special_values);
    tcase_add_test(reference, sums_of_special_values);
    tcase_add_loop_test(reference, sums_beyond_the_range, 0, (int)(sizeof huge / sizeof *huge));
    tcase_add_test(reference, float_sums_beyond_the_range);
    tcase_add_test(reference, long_sum_beyond_the_range);
    tcase_add_test(reference, sums_are_rounded_once);
    tcase_add_loop_test(reference, every_digit_counts, 0, sizeof digits / sizeof *digits);
    tcase_add_test(reference, order_does_not_matter);
    tcase_add_test(reference, units_below_the_type);
    TCase *verdict = suite_case(suite, "verdict");
    tcase_add_test(verdict, bound_is_a_priori);
    tcase_add_test(verdict, wide_bounds_prove_nothing);
    tcase_add_loop_test(verdict, exact_where_nothing_rounds, 0, (int)(sizeof fits / sizeof *fits));
    tcase_add_test(verdict, exact_patterns);
    tcase_add_test(verdict, exact_is_exact);
    tcase_add_test(verdict, probabilistic_bound);
    tcase_add_test(verdict, probabilistic_bound_holds);
    tcase_add_test(verdict, errors_of_one_sign);
    tcase_add_test(verdict, lost_parts_are_never_right);
    tcase_add_test(verdict, one_element_of_a_million);
    tcase_add_test(verdict, one_block_of_mixed);
    tcase_add_test(verdict, bound_holds_for_plain_loops);
    tcase_add_test(verdict, exact_comparisons);
    return suite_run(suite);
}
