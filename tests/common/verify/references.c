/* The reference, compared with wider arithmetic: any pattern, any order, any range.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "values.h"

/* A value of the pattern in this type; 64 bits are exact in wide. */
static wide value_at(int type, const struct pattern *p, uint64_t i)
{
    struct scalar x = scalar_from_pattern(type, p, i);

    return type_is_floating(x.type) ? (wide)scalar_to_double(x) : (wide)scalar_to_long(x);
}

/* What ranks do: the reference of an array from those of its parts. */
static void same_when_joined(const struct reference *whole, const struct reference *parts, int count)
{
    struct reference joined = reference_join(parts, count);

    if (type_is_floating(whole->type) && isnan(FLOATING(*whole, whole->type))) {
        ck_assert(isnan(FLOATING(joined, joined.type)));
        return;
    }
    ALL(memcmp(&whole->value.as, &joined.value.as, type_size(whole->type)) == 0, whole->n == joined.n,
        whole->exact == joined.exact, whole->kind == joined.kind, whole->exponent == joined.exponent);
    if (whole->op == OP_SUM && type_is_floating(whole->type))
        ck_assert_double_le(fabs(whole->magnitude - joined.magnitude), 1e-6 * whole->magnitude);
}

static void same_in_halves(const double *x, int op)
{
    struct reference parts[] = {reference_of_array(TYPE_DOUBLE, op, x, 2, NULL),
                                reference_of_array(TYPE_DOUBLE, op, x + 2, 2, NULL)};
    struct reference whole = reference_of_array(TYPE_DOUBLE, op, x, 4, NULL);

    same_when_joined(&whole, parts, COUNT(parts));
}

/* NaN in the second half, infinities, zeros; each half is in range but the sum is not; neither is; one is, and the other
 * cancels. */
TEST(special_values_joined)
{
    static const double arrays[][4] = {{1, 2, 3, NAN},
                                       {1, INFINITY, 2, 3},
                                       {INFINITY, 1, 2, -INFINITY},
                                       {0, 0, -0.0, 0},
                                       {0.6 * DBL_MAX, 1, 1, 0.6 * DBL_MAX},
                                       {DBL_MAX, DBL_MAX, -DBL_MAX, -1},
                                       {DBL_MAX, -DBL_MAX, 3, 4}};

    for (size_t k = 0; k < COUNT(arrays); k++)
        for (int op = 0; op < OP_COMMON; op++)
            same_in_halves(arrays[k], op);
}

/* What the rows of types.h say of each operation: its identity changes nothing, and its hot element decides the result. */
TEST(rows_of_operations)
{
    for (int type = 0; type < TYPE_COMMON; type++)
        for (int op = 0; op < (type_is_floating(type) ? OP_COMMON : OP_ALL); op++) {
            struct pattern random = {.kind = PATTERN_RANDOM, .seed = 3};
            struct scalar x = scalar_from_pattern(type, &random, 7), none = scalar_identity(type, op);
            size_t size = type_size(type);
            char both[16];
            memcpy(both, &x.as, size);
            memcpy(both + size, &none.as, size);
            struct reference one = reference_of_array(type, op, both, 1, NULL),
                             two = reference_of_array(type, op, both, 2, NULL);
            ck_assert_msg(memcmp(&one.value.as, &x.as, size) == 0, "%s of one %s", op_name(op), type_name(type));
            ck_assert_msg(memcmp(&two.value.as, &x.as, size) == 0, "%s of a %s and the identity", op_name(op),
                          type_name(type));

            struct pattern open = {.kind = PATTERN_ONEHOT, .hot = PATTERN_HOT_LAST}, hot = pattern_for(&open, op, 100);
            struct reference with = reference_of_pattern(type, op, &hot, 0, 100, NULL),
                             without = reference_of_pattern(type, op, &hot, 0, 99, NULL);
            ck_assert_msg(memcmp(&with.value.as, &without.value.as, size) != 0, "the hot %s decides %s",
                          type_name(type), op_name(op));
        }
}

TEST(no_elements)
{
    static const double extremes[OP_COMMON] = {0, INFINITY, -INFINITY};
    static const int32_t ints[OP_COMMON] = {0, INT32_MAX, INT32_MIN};
    static const int64_t longs[OP_COMMON] = {0, INT64_MAX, INT64_MIN};
    for (int op = 0; op < OP_COMMON; op++) {
        ck_assert(reference_of_array(TYPE_FLOAT, op, NULL, 0, NULL).value.as.f == (float)extremes[op]);
        ck_assert(reference_of_array(TYPE_DOUBLE, op, NULL, 0, NULL).value.as.d == extremes[op]);
        ck_assert_int_eq(reference_of_array(TYPE_INT, op, NULL, 0, NULL).value.as.i, ints[op]);
        ck_assert_int_eq(reference_of_array(TYPE_LONG, op, NULL, 0, NULL).value.as.l, longs[op]);
    }
    struct reference r = reference_of_array(TYPE_DOUBLE, OP_SUM, NULL, 0, NULL);
    ALL(outcome(of(TYPE_DOUBLE, 0), &r, 0) == VERDICT_OK, outcome(of(TYPE_DOUBLE, DBL_MIN), &r, 100) == VERDICT_FAIL);
}

/* Around every size at which the work is split. */
static const size_t sizes[] = {1, 2, 7, 8, 9, 15, 16, 17, 255, 2047, 2048, 2049, 65535, 65536, 65537, 131072, 133121};

/* Sum, min and max of every pattern and type, compared with plain loops over exact numbers; an array and the pattern give
 * the same. */
TESTS(patterns_against_exact_arithmetic, COUNT(sizes))
{
    size_t n = sizes[_i];
    for (int kind = 0; kind < PATTERN_COUNT; kind++)
        for (int type = 0; type < TYPE_ALL; type++) {
            struct pattern p = {.kind = kind, .seed = 11, .hot = 4000 + n - 1, .hot_value = -3};
            uint64_t first = 4000;
            wide sum = 0, magnitude = 0, least = value_at(type, &p, first), greatest = least;
            uint64_t total = 0, all = UINT64_MAX, some = 0, odd = 0;
            for (size_t i = 0; i < n; i++) {
                wide x = value_at(type, &p, first + i);
                sum += x;
                magnitude += wide_abs(x);
                least = x < least ? x : least;
                greatest = x > greatest ? x : greatest;
                uint64_t bits = type_is_floating(type_of_result(type)) ? 0 : (uint64_t)(int64_t)x;
                total += bits;
                all &= bits;
                some |= bits;
                odd ^= bits;
            }
            bool whole = type == TYPE_INT || type == TYPE_LONG;
            struct reference r[OP_ALL], s;
            void *data = elements_of(type, &p, first, n);
            for (int op = 0; op < (whole ? OP_ALL : OP_COMMON); op++) {
                r[op] = reference_of_pattern(type, op, &p, first, n, NULL);
                s = reference_of_array(type, op, data, n, NULL);
                ck_assert_mem_eq(&r[op].value.as, &s.value.as, type_size(type_of_result(type)));
                struct reference parts[] = {reference_of_pattern(type, op, &p, first, 0, NULL),
                                            reference_of_pattern(type, op, &p, first, n / 3, NULL),
                                            reference_of_pattern(type, op, &p, first + n / 3, n - n / 3, NULL)};
                same_when_joined(&r[op], parts, COUNT(parts));
                ALL(r[op].high == s.high && r[op].low == s.low, r[op].magnitude == s.magnitude, r[op].exact == s.exact,
                    r[op].type == type_of_result(type) && r[op].op == op && r[op].n == n);
            }
            free(data);
            if (type == TYPE_INT) {
                ALL(r[OP_SUM].value.as.i == (int32_t)(uint32_t)total, r[OP_MIN].value.as.i == (int32_t)least,
                    r[OP_MAX].value.as.i == (int32_t)greatest, r[OP_AND].value.as.i == (int32_t)(uint32_t)all,
                    r[OP_OR].value.as.i == (int32_t)(uint32_t)some, r[OP_XOR].value.as.i == (int32_t)(uint32_t)odd);
            } else if (type == TYPE_LONG) {
                ALL(r[OP_SUM].value.as.l == (int64_t)total, r[OP_MIN].value.as.l == (int64_t)least,
                    r[OP_MAX].value.as.l == (int64_t)greatest, r[OP_AND].value.as.l == (int64_t)all,
                    r[OP_OR].value.as.l == (int64_t)some, r[OP_XOR].value.as.l == (int64_t)odd);
            } else {
                wide error = wide_abs((wide)r[OP_SUM].high + (wide)r[OP_SUM].low - sum);
                ck_assert_msg(error <= magnitude * (wide)0x1p-75, "%s %s: error 2^%g of the magnitude",
                              pattern_name(kind), type_name(type), log2((double)(error / magnitude)));
                ALL((wide)r[OP_SUM].magnitude >= magnitude, (wide)r[OP_SUM].magnitude <= magnitude * (wide)(1 + 1e-8),
                    FLOATING(r[OP_MIN], type) == (double)least, FLOATING(r[OP_MAX], type) == (double)greatest);
            }
        }
}

/* The clock is read every 2^26 elements; nothing is lost there. */
TEST(several_rounds)
{
    size_t n = ((size_t)1 << 26) + 5;
    struct pattern ones = {.kind = PATTERN_ONES};
    struct pattern hot = {.kind = PATTERN_ONEHOT, .hot = (uint64_t)1 << 26, .hot_value = 9};
    ck_assert_int_eq(reference_of_pattern(TYPE_INT, OP_SUM, &ones, 0, n, NULL).value.as.i, (int32_t)n);
    ck_assert_int_eq(reference_of_pattern(TYPE_LONG, OP_MAX, &hot, 0, n, NULL).value.as.l, 9);
}

TEST(threads_do_not_show)
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

/* NaN wins wherever it is; -0 is below +0; infinities are ordinary values. */
TEST(extremes_of_special_values)
{
    enum { N = 20 };
    double d[N];
    float f[N];
    for (int at = 0; at < N; at++) {
        for (int k = 0; k < N; k++)
            d[k] = k, f[k] = (float)k;
        d[at] = at % 2 ? -NAN : NAN;
        f[at] = at % 2 ? -NAN : NAN;
        for (int op = 0; op < OP_COMMON; op++) {
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
            ALL(least.as.d == 0 && signbit(least.as.d), greatest.as.d == 0 && !signbit(greatest.as.d));
            least = reference_of_array(TYPE_FLOAT, OP_MIN, f, N, NULL).value;
            greatest = reference_of_array(TYPE_FLOAT, OP_MAX, f, N, NULL).value;
            ALL(least.as.f == 0 && signbit(least.as.f), greatest.as.f == 0 && !signbit(greatest.as.f));
        }
    d[3] = INFINITY, d[5] = -INFINITY, d[7] = DBL_MAX, d[8] = -4.9e-324;
    ck_assert(reference_of_array(TYPE_DOUBLE, OP_MIN, d, N, NULL).value.as.d == -INFINITY);
    ck_assert(reference_of_array(TYPE_DOUBLE, OP_MAX, d, N, NULL).value.as.d == INFINITY);
    ck_assert(reference_of_array(TYPE_DOUBLE, OP_MIN, d + 7, 2, NULL).value.as.d == -4.9e-324);
}

TEST(sums_of_special_values)
{
    for (int type = TYPE_FLOAT; type <= TYPE_DOUBLE; type++)
        for (size_t n = 1; n < 70000; n = 3 * n + 1) {
            struct pattern p = {.kind = PATTERN_RANDOM, .seed = 1};
            void *data = elements_of(type, &p, 0, n);
            struct reference r;
#define SET(I, X) (type == TYPE_FLOAT ? (((float *)data)[I] = (float)(X)) : (((double *)data)[I] = (X)))
            SET(n - 1, INFINITY);
            r = reference_of_array(type, OP_SUM, data, n, NULL);
            ALL(FLOATING(r, type) == INFINITY, outcome(of(type, 1), &r, 5) == VERDICT_FAIL,
                outcome(of(type, NAN), &r, 5) == VERDICT_FAIL);
            struct verdict v = verify_check(r.value, &r, 5);
            ck_assert(v.outcome == VERDICT_OK && v.error == 0 && v.ulps == 0);
            SET(n - 1, -INFINITY);
            ck_assert(FLOATING(reference_of_array(type, OP_SUM, data, n, NULL), type) == -INFINITY);
            SET(n - 1, NAN);
            r = reference_of_array(type, OP_SUM, data, n, NULL);
            ck_assert(isnan(FLOATING(r, type)));
            v = verify_check(of(type, -NAN), &r, 5);
            ALL(v.outcome == VERDICT_OK, outcome(of(type, 0), &r, 5) == VERDICT_FAIL);
            SET(n - 1, INFINITY);
            SET(0, -INFINITY);
            if (n > 1)
                ck_assert(isnan(FLOATING(reference_of_array(type, OP_SUM, data, n, NULL), type)));
            free(data);
        }
}

/* Elements, their sum rounded once, a result, and its verdict. */
static const struct {
    int type;
    double x[6], sum, value;
    int outcome;
    const char *rule;
} huge[] = {
#define MAX DBL_MAX
    {TYPE_DOUBLE, {1e308, 1e308, 1e308}, INFINITY, INFINITY, VERDICT_OK, "a-priori"},
    {TYPE_DOUBLE, {1e308, 1e308, 1e308}, INFINITY, 1e308, VERDICT_FAIL, "a-priori"},
    {TYPE_DOUBLE, {1e308, 1e308, 1e308}, INFINITY, -INFINITY, VERDICT_FAIL, "a-priori"},
    {TYPE_DOUBLE, {1e308, 1e308, 1e308}, INFINITY, NAN, VERDICT_FAIL, "a-priori"},
    {TYPE_DOUBLE, {-1e308, -1e308}, -INFINITY, -INFINITY, VERDICT_OK, "a-priori"},
    {TYPE_DOUBLE, {-1e308, -1e308}, -INFINITY, INFINITY, VERDICT_FAIL, "a-priori"},
    /* the sum is in range, but intermediate sums may not be */
    {TYPE_DOUBLE, {MAX, MAX, -MAX}, MAX, MAX, VERDICT_OK, "a-priori"},
    {TYPE_DOUBLE, {MAX, MAX, -MAX}, MAX, MAX / 2, VERDICT_FAIL, "a-priori"},
    {TYPE_DOUBLE, {MAX, MAX, -MAX}, MAX, INFINITY, VERDICT_UNPROVEN, "overflow"},
    {TYPE_DOUBLE, {MAX, 1e300, -MAX, -1e300}, 0, INFINITY, VERDICT_UNPROVEN, "overflow"},
    {TYPE_DOUBLE, {MAX, 1e300, -MAX, -1e300}, 0, NAN, VERDICT_UNPROVEN, "overflow"},
    {TYPE_DOUBLE, {MAX, 1e300, -MAX, -1e300}, 0, 0, VERDICT_OK, "a-priori"},
    {TYPE_DOUBLE, {MAX, 1e300, -1e308}, MAX - 1e308 + 1e300, -INFINITY, VERDICT_FAIL, "a-priori"},
    {TYPE_DOUBLE, {MAX, 1e300, -1e308}, MAX - 1e308 + 1e300, NAN, VERDICT_FAIL, "a-priori"},
    /* small ones are not lost next to large ones */
    {TYPE_DOUBLE, {MAX, MAX, 3, -MAX, -MAX, 4}, 7, 7, VERDICT_OK, "a-priori"},
    /* the largest number and less than half of its last place; and half of it, which rounds up */
    {TYPE_DOUBLE, {MAX, 0x1p969, 0x1p968}, MAX, MAX, VERDICT_OK, "a-priori"},
    {TYPE_DOUBLE, {MAX, 0x1p969, 0x1p969}, INFINITY, INFINITY, VERDICT_OK, "a-priori"},
    /* within the bound */
    {TYPE_DOUBLE, {MAX, 0x1p969, 0x1p969}, INFINITY, MAX, VERDICT_OK, "a-priori"},
    {TYPE_FLOAT, {FLT_MAX, FLT_MAX, -FLT_MAX}, FLT_MAX, FLT_MAX, VERDICT_OK, "a-priori"},
    {TYPE_FLOAT, {FLT_MAX, FLT_MAX, -FLT_MAX}, FLT_MAX, 0, VERDICT_FAIL, "a-priori"},
    {TYPE_FLOAT, {FLT_MAX, FLT_MAX, -FLT_MAX}, FLT_MAX, INFINITY, VERDICT_UNPROVEN, "overflow"},
    {TYPE_FLOAT, {FLT_MAX, FLT_MAX}, INFINITY, INFINITY, VERDICT_OK, "a-priori"},
    {TYPE_FLOAT, {FLT_MAX, FLT_MAX}, INFINITY, FLT_MAX, VERDICT_FAIL, "a-priori"},
    {TYPE_FLOAT, {FLT_MAX, FLT_MAX}, INFINITY, -INFINITY, VERDICT_FAIL, "a-priori"},
    /* each of the four rounds up, by almost half of the last place, so that the last sum overflows */
    {TYPE_FLOAT,
     {0x1p127, 0x1.0001p103, 0x1.0001p103, 0x1.0001p103, 0x1.0001p103, 0x1p127 - 0x1p106},
     FLT_MAX - 0x1p104,
     INFINITY,
     VERDICT_UNPROVEN,
     "overflow"},
    {TYPE_DOUBLE, {0x1p1023, 0x1p1022}, 0x1.8p1023, INFINITY, VERDICT_FAIL, "exact"},
};

TESTS(sums_beyond_the_range, COUNT(huge))
{
    int type = huge[_i].type;
    struct reference r = sum_of(type, huge[_i].x, 6);
    ck_assert_msg(FLOATING(r, type) == huge[_i].sum, "%g", FLOATING(r, type));
    struct verdict v = verify_check(of(type, huge[_i].value), &r, 5);
    ck_assert_msg(v.outcome == huge[_i].outcome, "%s", verdict_name(v.outcome));
    ck_assert_str_eq(v.rule, huge[_i].rule);
    ck_assert(!isnan(v.error) && !isnan(v.bound) && !isnan(v.ulps));
}

/* Enough elements for the threads to share the work. */
TEST(long_sum_beyond_the_range)
{
    enum { N = 100000 };
    static double x[N];
    for (size_t i = 0; i < N; i++)
        x[i] = 1e304;
    struct reference r = reference_of_array(TYPE_DOUBLE, OP_SUM, x, N, NULL);
    ALL(r.value.as.d == INFINITY, outcome(of(TYPE_DOUBLE, 3.9e306), &r, 400) == VERDICT_FAIL,
        outcome(of(TYPE_DOUBLE, INFINITY), &r, 400) == VERDICT_OK);
    for (size_t i = 0; i < N; i++)
        x[i] = i % 2 == 0 ? 1e304 : -1e304;
    x[N - 1] += 1e290;
    r = reference_of_array(TYPE_DOUBLE, OP_SUM, x, N, NULL);
    ck_assert(r.value.as.d == x[N - 1] + 1e304);
}

/* 1 + 2^-24 + 2^-60 in float: rounded to double first, it would lie between two floats and go down. */
TEST(sums_are_rounded_once)
{
    static const float up[] = {1, 0x1p-24f, 0x1p-60f}, down[] = {1, 0x3p-24f, -0x1p-60f};
    ck_assert(reference_of_array(TYPE_FLOAT, OP_SUM, up, 3, NULL).value.as.f == 1 + 0x1p-23f);
    ck_assert(reference_of_array(TYPE_FLOAT, OP_SUM, up, 2, NULL).value.as.f == 1);
    ck_assert(reference_of_array(TYPE_FLOAT, OP_SUM, down, 3, NULL).value.as.f == 1 + 0x1p-23f);
    ck_assert(reference_of_array(TYPE_FLOAT, OP_SUM, down, 2, NULL).value.as.f == 1 + 0x1p-22f);
}

/* Digits that twice the precision of double loses, and terms over its whole range. */
static const struct {
    double x[6], sum;
} digits[] = {
    {{0x1p53, 1, 0x1p-60}, 9007199254740994},
    {{0x1p53, 1}, 9007199254740992},
    {{0x1p53, 1, -0x1p-1074}, 9007199254740992},
    {{0x1p53, 1, 0x1p-1074}, 9007199254740994},
    {{0x1p53, 3, -0x1p-1074}, 9007199254740994},
    {{-0x1p53, -1, -0x1p-500}, -9007199254740994},
    {{1e308, 0x1p-1074, -1e308}, 0x1p-1074},
    {{DBL_MAX, 1, -DBL_MAX, 0x1p-60, 0x1p-1000, -1}, 0x1p-60},
    {{0x1p900, 0x1p300, -0x1p900, 0x1p-300, -0x1p300, 0x1p-1000}, 0x1p-300},
    {{0x1p-1022, -0x1p-1074, -0x1p-1022}, -0x1p-1074},
    {{1, 0x1p-53, 0x1p-106, 0x1p-159, 0x1p-212}, 1 + 0x1p-52},
    {{1, 0x1p-53, -0x1p-106, 0x1p-159, 0x1p-212}, 1},
};

TESTS(every_digit_counts, COUNT(digits))
{
    double x[6];

    for (int turn = 0; turn < 6; turn++) { /* in every rotation */
        for (int i = 0; i < 6; i++)
            x[i] = digits[_i].x[(i + turn) % 6];
        double sum = reference_of_array(TYPE_DOUBLE, OP_SUM, x, 6, NULL).value.as.d;
        ck_assert_msg(sum == digits[_i].sum, "%a", sum);
    }
}

/* Every exponent and both signs, in many pieces and chunks: the same in another order, and 0 together with its negative. */
TEST(order_does_not_matter)
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

/* Below the smallest number of the type products are rounded: no unit makes their sum exact. */
TEST(units_below_the_type)
{
    struct precise sum = precise_nothing;

    precise_add(&sum, 0x3p-160);
    precise_unit(&sum, 0x1p-160);
    ALL(!reference_of_sum(TYPE_FLOAT, 1, &sum, 0).exact, reference_of_sum(TYPE_DOUBLE, 1, &sum, 0).exact);
    precise_add(&sum, 0x1p-149);
    sum.unit = 0x1p-149;
    ck_assert(reference_of_sum(TYPE_FLOAT, 1, &sum, 0).exact);
}
