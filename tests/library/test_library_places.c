/* libreduction: where an element is, products, norms.
 * SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>
#include <stdint.h>

#include "../../library/libreduction.h"
#include "harness/device/device.h"
#include "pattern.h"
#include "reduction.h"
#include "scalar.h"
#include "suite.h"

#if defined(__HIP_PLATFORM_CPU__)
#define LARGEST ((size_t)300000)
#else
#define LARGEST ((size_t)1 << 24)
#endif
#define SPARE    8
#define COUNT(x) (sizeof(x) / sizeof(x)[0])

static const size_t sizes[] = {0, 1, 2, 3, 5, 31, 64, 1000, 4099, 16384, 65539, 131075, LARGEST};

static lr_handle *handle;
static hipStream_t stream;
static char *d_x, *d_y, *h_x, *h_y;
static struct {
    int64_t index;
    union {
        float f;
        double d;
        int32_t i;
        int64_t l;
    } value;
} * d_out, out;

static void set_up(void)
{
    size_t bytes = (LARGEST + SPARE) * 8;

    ck_assert_int_eq(lr_create(&handle, 0), LR_OK);
    HIP_CHECK(hipStreamCreate(&stream));
    HIP_CHECK(hipMalloc((void **)&d_x, bytes));
    HIP_CHECK(hipMalloc((void **)&d_y, bytes));
    HIP_CHECK(hipMalloc((void **)&d_out, sizeof *d_out));
    h_x = malloc(bytes);
    h_y = malloc(bytes);
    ck_assert(h_x != NULL && h_y != NULL);
}

static void tear_down(void)
{
    ck_assert_int_eq(lr_destroy(handle), LR_OK);
    HIP_CHECK(hipStreamDestroy(stream));
    HIP_CHECK(hipFree(d_x));
    HIP_CHECK(hipFree(d_y));
    HIP_CHECK(hipFree(d_out));
    free(h_x);
    free(h_y);
}

static void store(char *to, int type, size_t i, double x, int64_t whole)
{
    size_t size = type_size(type);

    if (type == TYPE_FLOAT)
        memcpy(to + i * size, &(float){(float)x}, size);
    else if (type == TYPE_DOUBLE)
        memcpy(to + i * size, &x, size);
    else if (type == TYPE_INT)
        memcpy(to + i * size, &(int32_t){(int32_t)(uint32_t)(uint64_t)whole}, size);
    else
        memcpy(to + i * size, &whole, size);
}

static double load(const char *from, int type, size_t i)
{
    return type == TYPE_FLOAT ? (double)((const float *)from)[i] : ((const double *)from)[i];
}

static void upload(int type, size_t n)
{
    HIP_CHECK(hipMemcpy(d_x, h_x, n * type_size(type), hipMemcpyHostToDevice));
    HIP_CHECK(hipMemcpy(d_y, h_y, n * type_size(type), hipMemcpyHostToDevice));
}

static void fetch(void)
{
    HIP_CHECK(hipStreamSynchronize(stream));
    HIP_CHECK(hipMemcpy(&out, d_out, sizeof out, hipMemcpyDeviceToHost));
}

/* ---- argmin and argmax -------------------------------------------------------------------------------- */

/* Is a before b? By the rules of the header, from their words alone. */
static bool before(int type, bool min, const char *x, size_t a, size_t b)
{
    if (type == TYPE_INT) {
        int32_t u = ((const int32_t *)x)[a], v = ((const int32_t *)x)[b];
        return u != v ? (u < v) == min : a < b;
    }
    if (type == TYPE_LONG) {
        int64_t u = ((const int64_t *)x)[a], v = ((const int64_t *)x)[b];
        return u != v ? (u < v) == min : a < b;
    }
    double u = load(x, type, a), v = load(x, type, b);
    if (isnan(u) || isnan(v))
        return isnan(u) && (!isnan(v) || a < b);
    if (u == v && u == 0 && signbit(u) != signbit(v))
        return (signbit(u) != 0) == min;
    return u != v ? (u < v) == min : a < b;
}

static void judge_places(int type, size_t offset, size_t n)
{
    size_t size = type_size(type);
    const char *x = h_x + offset * size;

    for (int min = 0; min < 2; min++) {
        int64_t best = -1, index = 7;
        for (size_t i = 0; i < n; i++)
            if (best < 0 || before(type, min, x, i, (size_t)best))
                best = (int64_t)i;
        int status = (min ? lr_argmin : lr_argmax)(handle, type, d_x + offset * size, n,
                                                   &d_out->value, &d_out->index, stream);
        ck_assert_int_eq(status, LR_OK);
        fetch();
        ck_assert_msg(out.index == best, "%s of %zu of %s at %zu: %lld and not %lld",
                      min ? "argmin" : "argmax", n, type_name(type), offset, (long long)out.index,
                      (long long)best);
        ck_assert_msg(best < 0 || memcmp(&out.value, x + (size_t)best * size, size) == 0,
                      "the value");
        ck_assert_int_eq((min ? lr_argmin_value : lr_argmax_value)(
                             handle, type, d_x + offset * size, n, NULL, &index, stream),
                         LR_OK);
        ck_assert_int_eq(index, best);
    }
}

/* Few different values, so that many are equal; and all different. */
START_TEST(places)
{
    int type = _i;

    for (uint64_t different = 3; different != 0; different = different == 3 ? UINT64_MAX : 0) {
        for (size_t i = 0; i < LARGEST + SPARE; i++) {
            uint64_t hash = pattern_hash(different, i) % different;
            store(h_x, type, i, (double)(int64_t)hash, (int64_t)hash);
        }
        upload(type, LARGEST + SPARE);
        for (size_t s = 0; s < COUNT(sizes); s++)
            judge_places(type, s % 4, sizes[s]);
    }
}
END_TEST

START_TEST(places_of_special_values)
{
    static const double specials[] = {NAN, -NAN, INFINITY, -INFINITY, -0.0, 0.0};
    int type = _i;

    for (size_t k = 0; k < COUNT(specials); k++)
        for (size_t other = 0; other < COUNT(specials); other++)
            for (size_t n = 1; n < 10000; n = n * 7 + 1) {
                for (size_t i = 0; i < n; i++)
                    store(h_x, type, i, specials[other], 0);
                store(h_x, type, n / 3, specials[k], 0);
                store(h_x, type, n / 2, specials[k], 0);
                upload(type, n);
                judge_places(type, 0, n);
            }
    double least = type == TYPE_FLOAT ? -INFINITY : -INFINITY;
    ck_assert_int_eq(lr_argmax(handle, type, d_x, 0, &d_out->value, &d_out->index, stream), LR_OK);
    fetch();
    ck_assert_int_eq(out.index, -1);
    ck_assert(load((char *)&out.value, type, 0) == least);
}
END_TEST

/* The least integer everywhere: no key is above that of nothing. */
START_TEST(places_of_the_least)
{
    for (int type = TYPE_INT; type <= TYPE_LONG; type++)
        for (int sign = 0; sign < 2; sign++) {
            int64_t extreme = type == TYPE_INT ? INT32_MIN : INT64_MIN;
            for (size_t i = 0; i < 70000; i++)
                store(h_x, type, i, 0, sign ? ~extreme : extreme);
            upload(type, 70000);
            judge_places(type, 1, 69000);
            judge_places(type, 0, 3);
        }
}
END_TEST

/* ---- dot ------------------------------------------------------------------------------------------------ */

/* Whole numbers: no sum rounds, and no product. Every offset of x and of y. */
START_TEST(products)
{
    int type = _i;
    size_t size = type_size(type);

    for (size_t i = 0; i < LARGEST + SPARE; i++) {
        uint64_t hash = pattern_hash(4, i);
        int64_t a = (int64_t)(hash % 15) - 7, b = (int64_t)(hash >> 32) % 15 - 7;
        bool whole = type == TYPE_FLOAT || type == TYPE_DOUBLE;
        store(h_x, type, i, (double)a, whole ? a : (int64_t)hash);
        store(h_y, type, i, (double)b, whole ? b : (int64_t)pattern_hash(5, i));
    }
    upload(type, LARGEST + SPARE);
    for (size_t s = 0; s < COUNT(sizes); s++)
        for (size_t both = 0; both < 6; both++) {
            size_t n = sizes[s], at = both % 2 * 3, to = both / 2;
            uint64_t sum = 0;
            for (size_t i = 0; i < n; i++) {
                if (type == TYPE_INT)
                    sum += (uint64_t)((uint32_t)((int32_t *)h_x)[at + i] *
                                      (uint32_t)((int32_t *)h_y)[to + i]);
                else if (type == TYPE_LONG)
                    sum += (uint64_t)((int64_t *)h_x)[at + i] * (uint64_t)((int64_t *)h_y)[to + i];
                else
                    sum += (uint64_t)(int64_t)(load(h_x, type, at + i) * load(h_y, type, to + i));
            }
            ck_assert_int_eq(
                lr_dot(handle, type, d_x + at * size, d_y + to * size, n, &d_out->value, stream),
                LR_OK);
            fetch();
            int64_t got = type == TYPE_INT    ? out.value.i
                          : type == TYPE_LONG ? out.value.l
                                              : (int64_t)load((char *)&out.value, type, 0);
            int64_t wanted = type == TYPE_INT ? (int32_t)(uint32_t)sum : (int64_t)sum;
            ck_assert_msg(got == wanted, "dot of %zu of %s at %zu and %zu: %lld and not %lld", n,
                          type_name(type), at, to, (long long)got, (long long)wanted);
            memset(&out, 0, sizeof out);
            ck_assert_int_eq(
                lr_dot_value(handle, type, d_x + at * size, d_y + to * size, n, &out.value, stream),
                LR_OK);
            got = type == TYPE_INT    ? out.value.i
                  : type == TYPE_LONG ? out.value.l
                                      : (int64_t)load((char *)&out.value, type, 0);
            ck_assert_int_eq(got, wanted);
        }
}
END_TEST

/* ---- nrm2 ----------------------------------------------------------------------------------------------- */

static void judge_norm(int type, size_t offset, size_t n)
{
    long double sum = 0;
    double value;

    for (size_t i = 0; i < n; i++) {
        long double x = load(h_x, type, offset + i); /* long double has room for its square */
        sum += x * x;
    }
    long double norm = sqrtl(sum);
    double wanted = type == TYPE_FLOAT ? (double)(float)norm : (double)norm;
    ck_assert_int_eq(
        lr_nrm2(handle, type, d_x + offset * type_size(type), n, &d_out->value, stream), LR_OK);
    fetch();
    value = load((char *)&out.value, type, 0);
    double u = type == TYPE_FLOAT ? FLT_EPSILON : DBL_EPSILON * (8 + (double)n / 1000);
    double least = type == TYPE_FLOAT ? 0x1p-149 : 0x1p-1074;
    ck_assert_msg((isnan(value) && isnan(wanted)) || value == wanted ||
                      fabsl((long double)value - norm) <= u * norm + least,
                  "nrm2 of %zu of %s at %zu: %a and not %a", n, type_name(type), offset, value,
                  wanted);
    double again = 0;
    ck_assert_int_eq(lr_nrm2_value(handle, type, d_x + offset * type_size(type), n, &again, stream),
                     LR_OK);
    ck_assert(memcmp(&again, &out.value, type_size(type)) == 0);
}

/* Magnitudes from the smallest to the largest, and mixed. */
START_TEST(norms)
{
    int type = _i;
    static const int exponents[][2] = {{0, 0},         {-140, -120}, {100, 126},    {-140, 126},
                                       {-1074, -1000}, {-600, -400}, {-1074, 1000}, {400, 600},
                                       {900, 1010},    {-515, -508}, {480, 490}};

    for (size_t k = 0; k < (type == TYPE_FLOAT ? 4 : COUNT(exponents)); k++) {
        for (size_t i = 0; i < LARGEST + SPARE; i++) {
            uint64_t hash = pattern_hash(k, i);
            int range = exponents[k][1] - exponents[k][0] + 1;
            double x = ldexp((double)(hash >> 12) * 0x1p-52 + 1,
                             exponents[k][0] + (int)(hash % 4096) % range);
            store(h_x, type, i, hash & 4096 ? -x : x, 0);
        }
        upload(type, LARGEST + SPARE);
        for (size_t s = 0; s < COUNT(sizes); s++)
            judge_norm(type, s % 3, sizes[s]);
    }
    static const double specials[] = {NAN, INFINITY, -INFINITY, 0, DBL_MAX, 5e-324};
    for (size_t k = 0; k < COUNT(specials); k++)
        for (size_t other = 0; other < COUNT(specials); other++) {
            for (size_t i = 0; i < 2000; i++)
                store(h_x, type, i,
                      i == 1000      ? specials[k]
                      : i % 100 == 0 ? specials[other]
                                     : 0,
                      0);
            upload(type, 2000);
            double value, a = load(h_x, type, 1000), b = load(h_x, type, 0);
            if (isnan(a) || isnan(b) || isinf(a) || isinf(b)) {
                ck_assert_int_eq(lr_nrm2(handle, type, d_x, 2000, &d_out->value, stream), LR_OK);
                fetch();
                value = load((char *)&out.value, type, 0);
                ck_assert_msg(isnan(a) || isnan(b) ? isnan(value) : value == INFINITY,
                              "%g and %g: %g", a, b, value);
            } else {
                judge_norm(type, 0, 2000);
            }
        }
}
END_TEST

/* ---- arguments -------------------------------------------------------------------------------------------- */

START_TEST(arguments)
{
    int64_t *d_index = &d_out->index;
    void *d_value = &d_out->value;

    ck_assert_int_eq(lr_argmin(NULL, LR_INT32, d_x, 9, d_value, d_index, stream), LR_NULL);
    ck_assert_int_eq(lr_argmin(handle, 9, d_x, 9, d_value, d_index, stream), LR_TYPE);
    ck_assert_int_eq(lr_argmin(handle, LR_INT32, NULL, 9, d_value, d_index, stream), LR_NULL);
    ck_assert_int_eq(lr_argmin(handle, LR_INT32, d_x, 9, d_value, NULL, stream), LR_NULL);
    ck_assert_int_eq(lr_argmin(handle, LR_INT32, d_x, 9, NULL, d_index, stream), LR_OK);
    ck_assert_int_eq(lr_argmin(handle, LR_INT32, d_x, 9, d_index, d_index, stream), LR_OVERLAP);
    ck_assert_int_eq(lr_argmin(handle, LR_INT32, d_x, 9, d_x, d_index, stream), LR_OVERLAP);
    ck_assert_int_eq(
        lr_argmax(handle, LR_INT32, d_x, 9, d_value, (int64_t *)(void *)(d_x + 8), stream),
        LR_OVERLAP);
    ck_assert_int_eq(
        lr_argmax(handle, LR_INT32, d_x, 9, d_value, (int64_t *)(void *)(d_y + 4), stream),
        LR_MISALIGNED);
    ck_assert_int_eq(lr_dot(NULL, LR_INT32, d_x, d_y, 9, d_value, stream), LR_NULL);
    ck_assert_int_eq(lr_dot(handle, 6, d_x, d_y, 9, d_value, stream), LR_TYPE);
    ck_assert_int_eq(lr_dot(handle, LR_INT32, d_x, NULL, 9, d_value, stream), LR_NULL);
    ck_assert_int_eq(lr_dot(handle, LR_INT32, d_x, d_y + 2, 9, d_value, stream), LR_MISALIGNED);
    ck_assert_int_eq(lr_dot(handle, LR_INT32, d_x, d_y, 9, d_y + 32, stream), LR_OVERLAP);
    ck_assert_int_eq(lr_dot(handle, LR_INT32, d_x, d_y, 9, d_x, stream), LR_OVERLAP);
    ck_assert_int_eq(lr_dot(handle, LR_INT32, d_x, d_x, 9, d_value, stream), LR_OK);
    ck_assert_int_eq(lr_nrm2(NULL, LR_FLOAT, d_x, 9, d_value, stream), LR_NULL);
    ck_assert_int_eq(lr_nrm2(handle, LR_INT32, d_x, 9, d_value, stream), LR_TYPE);
    ck_assert_int_eq(lr_nrm2(handle, LR_FLOAT, d_x, 9, d_x, stream), LR_OVERLAP);
    ck_assert_int_eq(lr_nrm2(handle, LR_FLOAT, d_x, 9, NULL, stream), LR_NULL);
    ck_assert_int_eq(lr_nrm2(handle, LR_FLOAT, d_x, 9, d_value, NULL), LR_OTHER_STREAM);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("library_places");
    TCase *tests = suite_case(suite, "library_places");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, places, 0, TYPE_COUNT);
    tcase_add_loop_test(tests, places_of_special_values, TYPE_FLOAT, TYPE_DOUBLE + 1);
    tcase_add_test(tests, places_of_the_least);
    tcase_add_loop_test(tests, products, 0, TYPE_COUNT);
    tcase_add_loop_test(tests, norms, TYPE_FLOAT, TYPE_DOUBLE + 1);
    tcase_add_test(tests, arguments);
    return suite_run(suite);
}
