/* libreduction: count, mean, variance, minimum and maximum.
 * Suite: warps kernels
 * SPDX-License-Identifier: MIT */
#include <float.h>

#include "stand.h"

static struct lr_moments_t *d_moments, out;

static void begin(void)
{
    set_up();
    d_moments = room(sizeof *d_moments);
}

SUITE_EACH(begin, tear_down)

/* The mean of (x - shift)^power of elements [0, n), which are `size` bytes apart in h_x. In blocks, so that long double does
 * not round more than the library. */
static long double mean_of(int type, size_t offset, size_t n, long double shift, int power)
{
    long double all = 0;

    for (size_t first = 0; first < n; first += 512) {
        long double sum = 0;
        for (size_t i = first; i < n && i < first + 512; i++) {
            long double d = element_at(type, h_x, offset + i) - shift;
            sum += power == 2 ? d * d : d;
        }
        all += sum;
    }
    return all / (long double)n;
}

/* Against the header's bounds. Deviations from the first element are exact in long double. */
static void check_moments(int type, size_t offset, size_t n)
{
    long double least = INFINITY, most = -INFINITY, first = element_at(type, h_x, offset);
    long double c = (long double)chain(type, n), u = DBL_EPSILON / 2;
    long double from_first = mean_of(type, offset, n, first, 1), mean = first + from_first;
    long double variance = mean_of(type, offset, n, first + from_first, 2);
    struct lr_moments_t again;
    const char *x = d_x + offset * type_size(type);

    if (mean - first != from_first) /* the mean itself is rounded */
        variance = mean_of(type, offset, n, first, 2) - from_first * from_first;
    for (size_t i = 0; i < n; i++) {
        least = fminl(least, element_at(type, h_x, offset + i));
        most = fmaxl(most, element_at(type, h_x, offset + i));
    }
    OK(lr_moments(handle, type, x, n, d_moments, stream));
    HIP_CHECK(hipStreamSynchronize(stream));
    HIP_CHECK(hipMemcpy(&out, d_moments, sizeof out, hipMemcpyDeviceToHost));
    OK(lr_moments_value(handle, type, x, n, &again, stream));
    ck_assert_msg(memcmp(&out, &again, sizeof out) == 0, "not the same on the host");
    ALL(out.count == (int64_t)n, out.min == (double)least && out.max == (double)most);
    ck_assert_msg(out.mean >= out.min && out.mean <= out.max, "mean %g of %g to %g", out.mean, out.min, out.max);
    ck_assert_msg(fabsl(out.mean - mean) <= u * fabsl(mean) + c * u * sqrtl(variance) + 0x1p-1060L,
                  "%zu of %s at %zu: mean %.17g, not %.20Lg", n, type_name(type), offset, out.mean, mean);
    ck_assert_msg(fabsl(out.variance - variance) <= 8 * c * u * variance + 0x1p-1060L,
                  "%zu of %s at %zu: variance %.17g, not %.20Lg, %Lg", n, type_name(type), offset, out.variance,
                  variance, fabsl(out.variance - variance) / variance);
}

/* About normal, with a standard deviation of 1. */
static double normal(uint64_t seed, size_t i)
{
    double sum = 0;

    for (size_t k = 0; k < 12; k++)
        sum += ldexp((double)(pattern_hash(seed + k, i) >> 11), -53);
    return sum - 6;
}

/* A mean of 10^0 to 10^14 standard deviations. With an outlier as first element, too: no thread may take its deviations from
 * one element that all share. */
TESTS(far_from_zero, 15)
{
    static const size_t sizes[] = {2, 33, 1000, 20000, 100003};

    for (int outlier = 0; outlier < 2; outlier++) {
        for (size_t i = 0; i < 100003; i++) {
            double x = pow(10, _i) + normal(7, i);
            store(h_x + 8 * i, TYPE_DOUBLE, i == 0 && outlier ? 0 : x, 0);
        }
        upload(100003 * 8);
        for (size_t s = 0; s < COUNT(sizes); s++)
            check_moments(TYPE_DOUBLE, s % 2, sizes[s] - s % 2);
        for (size_t i = 0; i < 100003 && _i <= 6; i++) /* a float has no more digits */
            store(h_x + 4 * i, TYPE_FLOAT, pow(10, _i) + normal(7, i), 0);
        upload(100003 * 4);
        for (size_t s = 0; s < COUNT(sizes) && _i <= 6; s++)
            check_moments(TYPE_FLOAT, s % 2, sizes[s] - s % 2);
    }
}

/* Near 2^30 and 2^60, and as far apart as integers can be. */
TESTS(whole_numbers, 4)
{
    int type = _i % 2 ? TYPE_LONG : TYPE_INT;
    int64_t middle = _i % 2 ? (int64_t)1 << 60 : (int64_t)1 << 30, most = _i % 2 ? INT64_MAX : INT32_MAX;

    for (size_t i = 0; i < 50000; i++) {
        int64_t near = middle + (int64_t)(pattern_hash(5, i) % 9) - 4;
        store(h_x + type_size(type) * i, type, 0, _i < 2 ? near : pattern_hash(5, i) % 3 ? most : -most - 1);
    }
    upload(50000 * type_size(type));
    for (size_t n = 1; n <= 50000; n = 7 * n + 1)
        check_moments(type, 0, n);
}

TEST(very_small_and_very_large)
{
    for (int large = 0; large < 2; large++) {
        for (size_t i = 0; i < 5000; i++)
            store(h_x + 8 * i, TYPE_DOUBLE, ldexp((double)(pattern_hash(3, i) % 100 + 1), large ? 1017 : -1074), 0);
        upload(5000 * 8);
        for (size_t n = 1; n <= 5000; n = 7 * n + 1) {
            OK(lr_moments_value(handle, LR_DOUBLE, d_x, n, &out, stream));
            ck_assert_msg(out.mean >= out.min && out.mean <= out.max, "mean %g of %g to %g", out.mean, out.min,
                          out.max);
        }
    }
}

TEST(nothing_and_special)
{
    OK(lr_moments_value(handle, LR_FLOAT, NULL, 0, &out, stream));
    ck_assert(out.count == 0 && isnan(out.mean) && isnan(out.variance) && out.min == INFINITY && out.max == -INFINITY);
    for (size_t i = 0; i < 1000; i++)
        store(h_x + 8 * i, TYPE_DOUBLE, i == 500 ? (double)INFINITY : 1, 0);
    upload(8000);
    OK(lr_moments_value(handle, LR_DOUBLE, d_x, 1000, &out, stream));
    ck_assert(out.count == 1000 && isnan(out.mean) && isnan(out.variance) && out.max == INFINITY && out.min == 1);
    /* the sums in between must find their workspace as they left it */
    for (int k = 0; k < 20; k++) {
        struct scalar value = {.type = TYPE_DOUBLE};
        OK(lr_moments(handle, LR_DOUBLE, d_x, 1000, d_moments, stream));
        OK(lr_sum_value(handle, LR_DOUBLE, d_x, 200000, &value.as, stream));
        OK(lr_max_value(handle, LR_DOUBLE, d_x, 1000, &value.as, stream));
        ck_assert(value.as.d == INFINITY);
    }
}

/* -0 is below 0, and NaN is both minimum and maximum, wherever they are in a vector. */
TESTS(extremes, TYPE_ALL)
{
    int type = _i;

    if (type == TYPE_INT || type == TYPE_LONG)
        return;
    for (size_t at = 0; at < 40; at++) {
        for (int k = 0; k < 4; k++) {
            double one = k == 2 ? (double)NAN : k == 1 ? 0.0 : -0.0;
            for (size_t i = 0; i < 40; i++)
                store(h_x + i * type_size(type), type, i == at ? one : k == 1 ? -0.0 : k == 3, 0);
            upload(40 * type_size(type));
            OK(lr_moments_value(handle, type, d_x, 40, &out, stream));
            if (k == 2)
                ck_assert_msg(isnan(out.min) && isnan(out.max), "NaN of %s at %zu: %g, %g", type_name(type), at,
                              out.min, out.max);
            else
                ck_assert_msg(out.min == 0 && out.max == (k == 3) && signbit(out.min) && !signbit(out.max),
                              "%s, %d at %zu: %g, %g", type_name(type), k, at, out.min, out.max);
        }
    }
}
