/* The reference against wider arithmetic, and the verdict against results that are right and wrong. */
#include "suite.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "harness/verify.h"

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
    struct reference r = verify_array(TYPE_FLOAT, OP_SUM, f, 8, NULL);
    ck_assert(r.value.as.f == 36 && r.high == 36 && r.low == 0);
    ck_assert(r.magnitude >= 36 && r.magnitude < 36.000001);
    ck_assert(verify_array(TYPE_DOUBLE, OP_SUM, d, 8, NULL).value.as.d == 36);
    ck_assert_int_eq(verify_array(TYPE_INT, OP_SUM, i, 8, NULL).value.as.i, 36);
    ck_assert_int_eq(verify_array(TYPE_LONG, OP_SUM, l, 8, NULL).value.as.l, 36);
    r = verify_array(TYPE_FLOAT, OP_SUM, f0, 4, NULL);
    ck_assert(r.value.as.f == 0 && r.magnitude >= 7);
    r = verify_array(TYPE_DOUBLE, OP_SUM, d0, 4, NULL);
    ck_assert(r.value.as.d == 0 && r.magnitude >= 7);
    ck_assert(verify_array(TYPE_DOUBLE, OP_MIN, d0, 4, NULL).value.as.d == -2.5);
    ck_assert(verify_array(TYPE_FLOAT, OP_MAX, f0, 4, NULL).value.as.f == 2);
    ck_assert_int_eq(verify_array(TYPE_INT, OP_MIN, i, 8, NULL).value.as.i, 1);
    ck_assert_int_eq(verify_array(TYPE_LONG, OP_MAX, l, 8, NULL).value.as.l, 8);
}
END_TEST

START_TEST(no_elements)
{
    static const double extremes[OP_COUNT] = {0, INFINITY, -INFINITY};
    static const int32_t ints[OP_COUNT] = {0, INT32_MAX, INT32_MIN};
    static const int64_t longs[OP_COUNT] = {0, INT64_MAX, INT64_MIN};
    for (int op = 0; op < OP_COUNT; op++) {
        ck_assert(verify_array(TYPE_FLOAT, op, NULL, 0, NULL).value.as.f == (float)extremes[op]);
        ck_assert(verify_array(TYPE_DOUBLE, op, NULL, 0, NULL).value.as.d == extremes[op]);
        ck_assert_int_eq(verify_array(TYPE_INT, op, NULL, 0, NULL).value.as.i, ints[op]);
        ck_assert_int_eq(verify_array(TYPE_LONG, op, NULL, 0, NULL).value.as.l, longs[op]);
    }
    struct reference r = verify_array(TYPE_DOUBLE, OP_SUM, NULL, 0, NULL);
    ck_assert(verify_check(of_double(0), &r, 0).ok);
    ck_assert(!verify_check(of_double(DBL_MIN), &r, 100).ok);
}
END_TEST

/* Around every size at which the work is cut. */
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
                r[op] = verify_pattern(type, op, &p, first, n, NULL);
                s = verify_array(type, op, data, n, NULL);
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

/* Values over the whole range that 113 bits hold exactly, in an order that plain sums cannot stand. */
START_TEST(ill_conditioned_sum)
{
    enum { N = 40000 };
    static double x[N];
    wide sum = 0, magnitude = 0;
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
        magnitude += wide_abs(x[i]);
        plain += x[i];
    }
    struct reference r = verify_array(TYPE_DOUBLE, OP_SUM, x, N, NULL);
    ck_assert(wide_abs((wide)r.high + (wide)r.low - sum) <= magnitude * (wide)0x1p-75);
    ck_assert((wide)plain != sum); /* or this would be no test */
}
END_TEST

/* The clock is looked at every 2^26 elements; nothing is lost there. */
START_TEST(several_rounds)
{
    size_t n = ((size_t)1 << 26) + 5;
    struct pattern ones = {.kind = PATTERN_ONES};
    struct pattern hot = {.kind = PATTERN_ONEHOT, .hot = (uint64_t)1 << 26, .hot_value = 9};
    ck_assert_int_eq(verify_pattern(TYPE_INT, OP_SUM, &ones, 0, n, NULL).value.as.i, (int32_t)n);
    ck_assert_int_eq(verify_pattern(TYPE_LONG, OP_MAX, &hot, 0, n, NULL).value.as.l, 9);
}
END_TEST

START_TEST(threads_do_not_show)
{
#ifdef _OPENMP
    struct pattern p = {.kind = PATTERN_RANDOM, .seed = 5};
    size_t n = 3000001;
    omp_set_num_threads(1);
    struct reference one = verify_pattern(TYPE_DOUBLE, OP_SUM, &p, 0, n, NULL);
    for (int threads = 2; threads < 8; threads++) {
        omp_set_num_threads(threads);
        struct reference r = verify_pattern(TYPE_DOUBLE, OP_SUM, &p, 0, n, NULL);
        ck_assert(r.high == one.high && r.low == one.low && r.magnitude == one.magnitude);
    }
#endif
}
END_TEST

START_TEST(integer_sums_wrap)
{
    static const int32_t i[] = {INT32_MAX, 1, INT32_MAX, INT32_MAX};
    static const int64_t l[] = {INT64_MIN, -1, INT64_MIN};
    ck_assert_int_eq(verify_array(TYPE_INT, OP_SUM, i, 2, NULL).value.as.i, INT32_MIN);
    ck_assert_int_eq(verify_array(TYPE_INT, OP_SUM, i, 4, NULL).value.as.i, INT32_MAX - 1);
    ck_assert_int_eq(verify_array(TYPE_LONG, OP_SUM, l, 2, NULL).value.as.l, INT64_MAX);
    ck_assert_int_eq(verify_array(TYPE_LONG, OP_SUM, l, 3, NULL).value.as.l, -1);
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
            ck_assert(isnan(verify_array(TYPE_DOUBLE, op, d, N, NULL).value.as.d));
            ck_assert(isnan(verify_array(TYPE_FLOAT, op, f, N, NULL).value.as.f));
        }
    }
    for (int at = 0; at < N; at++)
        for (int negative = 0; negative < 2; negative++) {
            for (int k = 0; k < N; k++)
                d[k] = (k == at) == negative ? -0.0 : 0.0, f[k] = (float)d[k];
            struct scalar least = verify_array(TYPE_DOUBLE, OP_MIN, d, N, NULL).value;
            struct scalar greatest = verify_array(TYPE_DOUBLE, OP_MAX, d, N, NULL).value;
            ck_assert(least.as.d == 0 && signbit(least.as.d));
            ck_assert(greatest.as.d == 0 && !signbit(greatest.as.d));
            least = verify_array(TYPE_FLOAT, OP_MIN, f, N, NULL).value;
            greatest = verify_array(TYPE_FLOAT, OP_MAX, f, N, NULL).value;
            ck_assert(least.as.f == 0 && signbit(least.as.f));
            ck_assert(greatest.as.f == 0 && !signbit(greatest.as.f));
        }
    d[3] = INFINITY, d[5] = -INFINITY, d[7] = DBL_MAX, d[8] = -4.9e-324;
    ck_assert(verify_array(TYPE_DOUBLE, OP_MIN, d, N, NULL).value.as.d == -INFINITY);
    ck_assert(verify_array(TYPE_DOUBLE, OP_MAX, d, N, NULL).value.as.d == INFINITY);
    ck_assert(verify_array(TYPE_DOUBLE, OP_MIN, d + 7, 2, NULL).value.as.d == -4.9e-324);
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
            r = verify_array(type, OP_SUM, data, n, NULL);
            ck_assert(FLOATING(r, type) == INFINITY);
            ck_assert(!verify_check(type == TYPE_FLOAT ? of_float(1) : of_double(1), &r, 5).ok);
            ck_assert(!verify_check(type == TYPE_FLOAT ? of_float(NAN) : of_double(NAN), &r, 5).ok);
            struct verdict v = verify_check(r.value, &r, 5);
            ck_assert(v.ok && v.error == 0 && v.ulps == 0);
            SET(n - 1, -INFINITY);
            ck_assert(FLOATING(verify_array(type, OP_SUM, data, n, NULL), type) == -INFINITY);
            SET(n - 1, NAN);
            r = verify_array(type, OP_SUM, data, n, NULL);
            ck_assert(isnan(FLOATING(r, type)));
            ck_assert(
                verify_check(type == TYPE_FLOAT ? of_float(-NAN) : of_double(-NAN), &r, 5).ok);
            ck_assert(!verify_check(type == TYPE_FLOAT ? of_float(0) : of_double(0), &r, 5).ok);
            SET(n - 1, INFINITY);
            SET(0, -INFINITY);
            if (n > 1)
                ck_assert(isnan(FLOATING(verify_array(type, OP_SUM, data, n, NULL), type)));
            free(data);
        }
}
END_TEST

/* A sum that may overflow in one order and not in another: nothing can be said. */
START_TEST(sums_beyond_the_range)
{
    static const float f[] = {FLT_MAX, FLT_MAX, -FLT_MAX};
    static const double d[] = {DBL_MAX, DBL_MAX, -DBL_MAX};
    struct reference r = verify_array(TYPE_FLOAT, OP_SUM, f, 3, NULL);
    ck_assert(r.value.as.f == FLT_MAX);
    ck_assert(isinf(verify_check(of_float(INFINITY), &r, 3).bound));
    ck_assert(verify_check(of_float(INFINITY), &r, 3).ok);
    r = verify_array(TYPE_DOUBLE, OP_SUM, d, 3, NULL);
    ck_assert(verify_check(of_double(INFINITY), &r, 3).ok);
    ck_assert(verify_check(of_double(DBL_MAX), &r, 3).ok);
}
END_TEST

/* ---- verdicts ---- */

START_TEST(bound_is_gamma)
{
    struct reference r = {.type = TYPE_DOUBLE,
                          .op = OP_SUM,
                          .n = 3,
                          .value = of_double(1),
                          .high = 1,
                          .magnitude = 8};
    double u = 0x1p-53;
    ck_assert(verify_check(of_double(1), &r, 0).bound == 0);
    ck_assert(verify_check(of_double(1), &r, 1).bound == u / (1 - u) * 8);
    ck_assert(verify_check(of_double(1), &r, 1000).bound == 1000 * u / (1 - 1000 * u) * 8);
    ck_assert(isinf(verify_check(of_double(1), &r, (size_t)1 << 53).bound));

    /* On either side of the bound; the unrounded reference counts. */
    double bound = verify_check(of_double(1), &r, 1000).bound;
    ck_assert(verify_check(of_double(1 + 0.99 * bound), &r, 1000).ok);
    ck_assert(verify_check(of_double(1 - 0.99 * bound), &r, 1000).ok);
    ck_assert(!verify_check(of_double(1 + 1.01 * bound), &r, 1000).ok);
    ck_assert(!verify_check(of_double(1 - 1.01 * bound), &r, 1000).ok);
    r.low = 0x1p-54;
    struct verdict v = verify_check(of_double(1), &r, 0);
    ck_assert(!v.ok && v.error == 0x1p-54 && v.ulps == 0.25);
    v = verify_check(of_double(1 + 0x1p-52), &r, 1);
    ck_assert(v.error == 0x1p-52 - 0x1p-54 && v.ulps == 0.75);

    r = (struct reference){
        .type = TYPE_FLOAT, .op = OP_SUM, .n = 3, .value = of_float(1), .high = 1, .magnitude = 8};
    u = 0x1p-24;
    ck_assert(verify_check(of_float(1), &r, 77).bound == 77 * u / (1 - 77 * u) * 8);
    ck_assert(isinf(verify_check(of_float(1), &r, 1 << 24).bound));
    ck_assert(isfinite(verify_check(of_float(1), &r, (1 << 24) - 1).bound));
    v = verify_check(of_float(1 + 0x1p-23f), &r, 1);
    ck_assert(v.ok && v.error == 0x1p-23 && v.ulps == 1);
    ck_assert(!verify_check(of_float(NAN), &r, 100).ok);
    ck_assert(!verify_check(of_float(INFINITY), &r, 100).ok);
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
        struct reference r = verify_pattern(TYPE_DOUBLE, OP_SUM, &p, 0, n, NULL);
        double *x = array(TYPE_DOUBLE, &p, 0, n);
        double value = pairwise(x, n);
        ck_assert(verify_check(of_double(value), &r, chain).ok);
        size_t missed = 0;
        for (size_t i = 0; i < n; i++)
            if (x[i] > 1e-6) { /* all but a few */
                missed += verify_check(of_double(value - x[i]), &r, chain).ok;
                missed += verify_check(of_double(value + x[i]), &r, chain).ok;
            }
        ck_assert_uint_eq(missed, 0);
        ck_assert(!verify_check(of_double(value * (1 + 1e-13)), &r, chain).ok);
        free(x);
    }
}
END_TEST

/* Where the sum cancels, a block that is lost or counted twice still shows. */
START_TEST(one_block_of_mixed)
{
    size_t n = 1000003, block = 256, chain = 300;
    struct pattern p = {.kind = PATTERN_MIXED, .seed = 9};
    struct reference r = verify_pattern(TYPE_DOUBLE, OP_SUM, &p, 0, n, NULL);
    ck_assert(fabs(r.high) < 1e-3 * r.magnitude);
    int missed = 0;
    for (size_t start = 0; start + block <= n; start += block) {
        struct reference part = verify_pattern(TYPE_DOUBLE, OP_SUM, &p, start, block, NULL);
        missed += verify_check(of_double(r.high - part.high), &r, chain).ok;
        missed += verify_check(of_double(r.high + part.high), &r, chain).ok;
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
            struct reference r = verify_pattern(TYPE_FLOAT, OP_SUM, &p, 0, n, NULL);
            float *x = array(TYPE_FLOAT, &p, 0, n), sum = x[0];
            for (size_t i = 1; i < n; i++)
                sum += x[i];
            ck_assert_msg(verify_check(of_float(sum), &r, n - 1).ok, "%s %zu", pattern_name(kind),
                          n);
            free(x);
        }
}
END_TEST

START_TEST(exact_comparisons)
{
    struct reference r = {.type = TYPE_INT, .op = OP_SUM, .value = of_int(-7)};
    ck_assert(verify_check(of_int(-7), &r, 10).ok);
    struct verdict v = verify_check(of_int(-9), &r, 1000);
    ck_assert(!v.ok && v.error == 2 && v.ulps == 2 && v.bound == 0);

    r = (struct reference){.type = TYPE_LONG, .op = OP_SUM, .value = of_long(INT64_MAX)};
    ck_assert(verify_check(of_long(INT64_MAX), &r, 10).ok);
    v = verify_check(of_long(INT64_MAX - 1), &r, 1000); /* the same number in double */
    ck_assert(!v.ok && v.error == 1);
    v = verify_check(of_long(INT64_MIN), &r, 1000);
    ck_assert(!v.ok && v.error == 0x1p64);

    r = (struct reference){.type = TYPE_DOUBLE, .op = OP_MAX, .value = of_double(0.0)};
    ck_assert(verify_check(of_double(0.0), &r, 10).ok);
    ck_assert(!verify_check(of_double(-0.0), &r, 10).ok);
    ck_assert(!verify_check(of_double(4.9e-324), &r, 1000).ok);
    ck_assert(!verify_check(of_double(NAN), &r, 1000).ok);
    r.op = OP_SUM;
    ck_assert(verify_check(of_double(-0.0), &r, 10).ok);

    r = (struct reference){.type = TYPE_FLOAT, .op = OP_MIN, .value = of_float(NAN)};
    ck_assert(verify_check(of_float(-NAN), &r, 10).ok);
    ck_assert(!verify_check(of_float(0), &r, 10).ok);
    r.value = of_float(INFINITY);
    ck_assert(verify_check(of_float(INFINITY), &r, 10).ok);
    v = verify_check(of_float(FLT_MAX), &r, 10);
    ck_assert(!v.ok && isinf(v.error));
    r.value = of_float(0.1f);
    v = verify_check(of_float(nextafterf(0.1f, 1)), &r, 1000);
    ck_assert(!v.ok && v.ulps == 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("verify");
    TCase *reference = suite_case(suite, "reference", 60);
    tcase_add_test(reference, known_sums);
    tcase_add_test(reference, no_elements);
    tcase_add_loop_test(reference, patterns_against_exact_arithmetic, 0, SIZES);
    tcase_add_test(reference, ill_conditioned_sum);
    tcase_add_test(reference, several_rounds);
    tcase_add_test(reference, threads_do_not_show);
    tcase_add_test(reference, integer_sums_wrap);
    tcase_add_test(reference, extremes_of_special_values);
    tcase_add_test(reference, sums_of_special_values);
    tcase_add_test(reference, sums_beyond_the_range);
    TCase *verdict = suite_case(suite, "verdict", 60);
    tcase_add_test(verdict, bound_is_gamma);
    tcase_add_test(verdict, one_element_of_a_million);
    tcase_add_test(verdict, one_block_of_mixed);
    tcase_add_test(verdict, bound_holds_for_plain_loops);
    tcase_add_test(verdict, exact_comparisons);
    return suite_run(suite);
}
