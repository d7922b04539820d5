/* libreduction: where an element is, products that round, norms; test_library_lines.c has those of small whole numbers.
 * Suite: warps kernels
 * SPDX-License-Identifier: MIT */
#include "stand.h"

#define JUDGED ((size_t)300000) /* the most elements that the host judges one by one */
static const size_t sizes[] = {0, 1, 2, 3, 5, 31, 64, 1000, 4099, 16384, 65539, 131075, JUDGED};

static struct {
    int64_t index;
    struct scalar value;
} * d_out, out;

static void begin(void)
{
    set_up();
    d_out = room(sizeof *d_out);
}
SUITE_EACH(begin, tear_down)

static void upload_both(int type, size_t n)
{
    upload(n * type_size(type));
    HIP_CHECK(hipMemcpy(d_y, h_y, n * type_size(type), hipMemcpyHostToDevice));
}

static void fetch(int type)
{
    HIP_CHECK(hipStreamSynchronize(stream));
    HIP_CHECK(hipMemcpy(&out, d_out, sizeof out, hipMemcpyDeviceToHost));
    out.value.type = type_of_result(type);
}

static long double value_of(struct scalar value) { return element_at(value.type, &value.as, 0); }

/* Is a before b? Follows the rules as the header states them. */
static bool before(int type, bool min, const char *x, size_t a, size_t b)
{
    long double u = element_at(type, x, a), v = element_at(type, x, b);

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
        int status = (min ? lr_argmin : lr_argmax)(handle, type, d_x + offset * size, n, &d_out->value.as,
                                                   &d_out->index, stream);
        OK(status);
        fetch(type);
        ck_assert_msg(out.index == best, "%s of %zu of %s at %zu: %lld and not %lld", min ? "argmin" : "argmax", n,
                      type_name(type), offset, (long long)out.index, (long long)best);
        if (best >= 0) {
            long double wanted = element_at(type, x, (size_t)best), got = value_of(out.value);
            ck_assert_msg(isnan(wanted) ? isnan(got) : got == wanted && signbit(got) == signbit(wanted),
                          "%s of %zu of %s: %Lg and not %Lg", min ? "argmin" : "argmax", n, type_name(type), got,
                          wanted);
        }
        OK((min ? lr_argmin_value : lr_argmax_value)(handle, type, d_x + offset * size, n, NULL, &index, stream));
        ck_assert_int_eq(index, best);
    }
}

/* All different; test_library_lines.c has few different values, so that many are equal. */
TESTS(places, TYPE_ALL)
{
    fill(_i, 3, JUDGED + SPARE);
    upload((JUDGED + SPARE) * type_size(_i));
    for (size_t s = 0; s < COUNT(sizes); s++)
        judge_places(_i, s % 4, sizes[s]);
}

TESTS(places_of_special_values, 4)
{
    static const double specials[] = {NAN, -NAN, INFINITY, -INFINITY, -0.0, 0.0};
    int type = floating_types[_i];

    for (size_t k = 0; k < COUNT(specials); k++)
        for (size_t other = 0; other < COUNT(specials); other++)
            for (size_t n = 1; n < 10000; n = n * 7 + 1) {
                for (size_t i = 0; i < n; i++)
                    store(h_x + i * type_size(type), type, specials[other], 0);
                store(h_x + n / 3 * type_size(type), type, specials[k], 0);
                store(h_x + n / 2 * type_size(type), type, specials[k], 0);
                upload_both(type, n);
                judge_places(type, 0, n);
            }
    OK(lr_argmax(handle, type, d_x, 0, &d_out->value.as, &d_out->index, stream));
    fetch(type);
    ALL(out.index == -1, value_of(out.value) == -INFINITY);
}

/* The least integer everywhere: no key is above the initial one. */
TEST(places_of_the_least)
{
    for (int type = TYPE_INT; type <= TYPE_LONG; type++)
        for (int sign = 0; sign < 2; sign++) {
            int64_t extreme = type == TYPE_INT ? INT32_MIN : INT64_MIN;
            for (size_t i = 0; i < 70000; i++)
                store(h_x + i * type_size(type), type, 0, sign ? ~extreme : extreme);
            upload_both(type, 70000);
            judge_places(type, 1, 69000);
            judge_places(type, 0, 3);
        }
}

/* Only the final sum rounds: 2^30 + 1 - 2^30 of half and bfloat16; products of floats do not round: 4097^2 - 4096 4098. */
TESTS(products_in_double, 3)
{
    int type = _i == 0 ? TYPE_FLOAT : TYPE_HALF + _i - 1;
    bool narrow = type != TYPE_FLOAT;
    const double x[] = {narrow ? 32768 : 4097, narrow ? 1 : 4096, narrow ? 32768 : 0},
                 y[] = {narrow ? 32768 : 4097, narrow ? 1 : -4098, -32768};

    for (size_t i = 0; i < 3000; i++) {
        store(h_x + i * type_size(type), type, i < 3 ? x[i] : 0, 0);
        store(h_y + i * type_size(type), type, i < 3 ? y[i] : 0, 0);
    }
    upload_both(type, 3000);
    OK(lr_dot(handle, type, d_x, d_y, 3000, &d_out->value.as, stream));
    fetch(type);
    ck_assert(value_of(out.value) == 1);
}

static void judge_norm(int type, size_t offset, size_t n)
{
    long double sum = 0;
    const char *x = d_x + offset * type_size(type);

    for (size_t i = 0; i < n; i++) {
        long double e = element_at(type, h_x, offset + i); /* long double has room for its square */
        sum += e * e;
    }
    long double norm = sqrtl(sum), wanted = type == TYPE_DOUBLE ? (double)norm : (float)norm;
    OK(lr_nrm2(handle, type, x, n, &d_out->value.as, stream));
    fetch(type);
    long double value = value_of(out.value);
    long double u = type == TYPE_DOUBLE ? DBL_EPSILON * (8 + (long double)n / 1000) : FLT_EPSILON;
    long double least = type == TYPE_DOUBLE ? 0x1p-1074 : 0x1p-149;
    ck_assert_msg((isnan(value) && isnan(wanted)) || value == wanted || fabsl(value - norm) <= u * norm + least,
                  "nrm2 of %zu of %s at %zu: %La and not %La", n, type_name(type), offset, value, wanted);
    struct scalar again = out.value;
    memset(&again.as, 1, sizeof again.as);
    OK(lr_nrm2_value(handle, type, x, n, &again.as, stream));
    long double once_more = value_of(again);
    ck_assert(isnan(value) ? isnan(once_more) : once_more == value);
}

/* Magnitudes from the smallest to the largest, and mixed; as far as the type has them. */
TESTS(norms, 4)
{
    int type = floating_types[_i];
    size_t size = type_size(type);
    static const int exponents[][2] = {{0, 0},      {-14, 14},      {-140, -120}, {100, 126},
                                       {-140, 126}, {-1074, -1000}, {-600, -400}, {-1074, 1000},
                                       {400, 600},  {900, 1010},    {-515, -508}, {480, 490}};
    size_t cases = type == TYPE_DOUBLE ? COUNT(exponents) : type == TYPE_HALF ? 2 : 5;

    for (size_t k = 0; k < cases; k++) {
        for (size_t i = 0; i < JUDGED + SPARE; i++) {
            uint64_t hash = pattern_hash(k, i);
            int range = exponents[k][1] - exponents[k][0] + 1;
            double x = ldexp((double)(hash >> 12) * 0x1p-52 + 1, exponents[k][0] + (int)(hash % 4096) % range);
            store(h_x + i * size, type, hash & 4096 ? -x : x, 0);
        }
        upload(JUDGED * size);
        for (size_t s = 0; s < COUNT(sizes); s++)
            judge_norm(type, s % 3, sizes[s] - s % 3 * (sizes[s] == JUDGED));
    }
    static const double specials[] = {NAN, INFINITY, -INFINITY, 0, DBL_MAX, 5e-324};
    for (size_t k = 0; k < COUNT(specials); k++)
        for (size_t other = 0; other < COUNT(specials); other++) {
            for (size_t i = 0; i < 2000; i++)
                store(h_x + i * size, type, i == 1000 ? specials[k] : i % 100 == 0 ? specials[other] : 0, 0);
            upload(2000 * size);
            long double a = element_at(type, h_x, 1000), b = element_at(type, h_x, 0);
            if (isfinite(a) && isfinite(b)) {
                judge_norm(type, 0, 2000);
                continue;
            }
            OK(lr_nrm2(handle, type, d_x, 2000, &d_out->value.as, stream));
            fetch(type);
            long double value = value_of(out.value);
            ck_assert_msg(isnan(a) || isnan(b) ? isnan(value) : value == INFINITY, "%Lg and %Lg: %Lg", a, b, value);
        }
}

static void plant(char *d_array, int type, size_t at, int value)
{
    int64_t element;

    store(&element, type, value, value);
    HIP_CHECK(hipMemcpy(d_array + at * type_size(type), &element, type_size(type), hipMemcpyHostToDevice));
}

/* Zeros except for a few elements, so that the right values are known. */
TESTS(large_arrays, TYPE_ALL)
{
    int type = _i;
    size_t size = type_size(type), n = LARGEST - 1;
    const char *x = d_x + 3 * size;
    const size_t at[] = {0, 1, 63, n / 7, n / 3 + 1, n / 2, n / 2 + 4097, n - n / 9, n - 2, n - 1};
    long double products = 0, squares = 0;

    HIP_CHECK(hipMemset(d_x, 0, (LARGEST + SPARE) * size));
    HIP_CHECK(hipMemset(d_y, 0, (LARGEST + SPARE) * size));
    for (size_t k = 0; k < COUNT(at); k++)
        for (int min = 0; min < 2; min++) {
            plant(d_x, type, at[k] + 3, min ? -1 : 1);
            OK((min ? lr_argmin : lr_argmax)(handle, type, x, n, &d_out->value.as, &d_out->index, stream));
            fetch(type);
            ALL(out.index == (int64_t)at[k], value_of(out.value) == (min ? -1 : 1));
            plant(d_x, type, at[k] + 3, 0);
        }
    for (size_t k = 0; k < COUNT(at); k++) {
        plant(d_x, type, at[k] + 3, (int)k + 1);
        plant(d_y, type, at[k] + 1, (int)k - 5);
        products += ((long double)k + 1) * ((long double)k - 5);
        squares += ((long double)k + 1) * ((long double)k + 1);
    }
    OK(lr_dot(handle, type, x, d_y + size, n, &d_out->value.as, stream));
    fetch(type);
    ck_assert(value_of(out.value) == products);
    if (type == TYPE_INT || type == TYPE_LONG)
        return;
    OK(lr_nrm2(handle, type, x, n, &d_out->value.as, stream));
    fetch(type);
    ck_assert(fabsl(value_of(out.value) - sqrtl(squares)) < 1e-5L);
}
