/* libreduction: count, mean, variance, minimum and maximum.
 * SPDX-License-Identifier: MIT */
#include <float.h>

#include "stand.h"

static struct lr_moments_t *d_moments, out;

static void begin(void)
{
    set_up();
    HIP_CHECK(hipMalloc((void **)&d_moments, sizeof *d_moments));
}

static void end(void)
{
    HIP_CHECK(hipFree(d_moments));
    tear_down();
}
SUITE_EACH(begin, end)

/* Two passes, in long double. */
static void check_moments(int type, size_t offset, size_t n)
{
    long double mean = 0, variance = 0, least = INFINITY, most = -INFINITY, largest = 0;
    struct lr_moments_t again;
    const char *x = d_x + offset * type_size(type);

    for (size_t i = 0; i < n; i++) {
        long double e = element(type, h_x, offset + i);
        mean += e;
        least = e < least ? e : least;
        most = e > most ? e : most;
        largest = fabsl(e) > largest ? fabsl(e) : largest;
    }
    mean /= n;
    for (size_t i = 0; i < n; i++) {
        long double d = element(type, h_x, offset + i) - mean;
        variance += d * d / n;
    }
    ck_assert_int_eq(lr_moments(handle, type, x, n, d_moments, stream), LR_OK);
    HIP_CHECK(hipStreamSynchronize(stream));
    HIP_CHECK(hipMemcpy(&out, d_moments, sizeof out, hipMemcpyDeviceToHost));
    ck_assert_int_eq(lr_moments_value(handle, type, x, n, &again, stream), LR_OK);
    ck_assert_msg(memcmp(&out, &again, sizeof out) == 0, "not the same on the host");
    ck_assert_int_eq(out.count, (int64_t)n);
    ck_assert(out.min == (double)least && out.max == (double)most);
    ck_assert_msg(fabsl(out.mean - mean) <= 1e3 * DBL_EPSILON * largest,
                  "%zu of %s at %zu: mean %g, not %Lg", n, type_name(type), offset, out.mean, mean);
    ck_assert_msg(fabsl(out.variance - variance) <= 1e-10L * variance + 1e-25L * largest * largest,
                  "%zu of %s at %zu: variance %g, not %Lg", n, type_name(type), offset,
                  out.variance, variance);
}

TESTS(moments, TYPE_ALL)
{
    static const size_t sizes[] = {1, 2, 3, 100, 4099, 65537, 300000};
    int type = _i;

    fill(type, 6, LARGEST);
    upload(LARGEST * type_size(type));
    for (size_t s = 0; s < COUNT(sizes); s++)
        check_moments(type, s % 3, sizes[s] - s % 3 * (s == COUNT(sizes) - 1));
}

/* A large mean and a small variance, where the sum of squares would cancel. */
TEST(no_cancellation)
{
    for (size_t i = 0; i < 50000; i++)
        store(h_x + 8 * i, TYPE_DOUBLE, 1e9 + (double)(i % 2), 0);
    upload(50000 * 8);
    ck_assert_int_eq(lr_moments_value(handle, LR_DOUBLE, d_x, 50000, &out, stream), LR_OK);
    ck_assert_msg(fabs(out.variance - 0.25) < 1e-6 && fabs(out.mean - 1e9 - 0.5) < 1e-4,
                  "%g, %.17g", out.variance, out.mean);
}

TEST(nothing_and_special)
{
    ck_assert_int_eq(lr_moments_value(handle, LR_FLOAT, NULL, 0, &out, stream), LR_OK);
    ck_assert(out.count == 0 && isnan(out.mean) && isnan(out.variance) && out.min == INFINITY &&
              out.max == -INFINITY);
    for (size_t i = 0; i < 1000; i++)
        store(h_x + 8 * i, TYPE_DOUBLE, i == 500 ? (double)INFINITY : 1, 0);
    upload(8000);
    ck_assert_int_eq(lr_moments_value(handle, LR_DOUBLE, d_x, 1000, &out, stream), LR_OK);
    ck_assert(out.count == 1000 && isnan(out.mean) && isnan(out.variance) && out.max == INFINITY &&
              out.min == 1);
    /* the sums in between must find their workspace as they left it */
    for (int k = 0; k < 20; k++) {
        struct scalar value = {.type = TYPE_DOUBLE};
        ck_assert_int_eq(lr_moments(handle, LR_DOUBLE, d_x, 1000, d_moments, stream), LR_OK);
        ck_assert_int_eq(lr_sum_value(handle, LR_DOUBLE, d_x, 200000, &value.as, stream), LR_OK);
        ck_assert_int_eq(lr_max_value(handle, LR_DOUBLE, d_x, 1000, &value.as, stream), LR_OK);
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
            ck_assert_int_eq(lr_moments_value(handle, type, d_x, 40, &out, stream), LR_OK);
            if (k == 2)
                ck_assert_msg(isnan(out.min) && isnan(out.max), "NaN of %s at %zu: %g, %g",
                              type_name(type), at, out.min, out.max);
            else
                ck_assert_msg(out.min == 0 && out.max == (k == 3) && signbit(out.min) &&
                                  !signbit(out.max),
                              "%s, %d at %zu: %g, %g", type_name(type), k, at, out.min, out.max);
        }
    }
}

TEST(arguments)
{
    ck_assert_int_eq(lr_moments(NULL, LR_FLOAT, d_x, 9, d_moments, stream), LR_NULL);
    ck_assert_int_eq(lr_moments(handle, 6, d_x, 9, d_moments, stream), LR_TYPE);
    ck_assert_int_eq(lr_moments(handle, LR_FLOAT, d_x, 9, NULL, stream), LR_NULL);
    ck_assert_int_eq(lr_moments(handle, LR_FLOAT, d_x + 1, 9, d_moments, stream), LR_MISALIGNED);
    ck_assert_int_eq(
        lr_moments(handle, LR_FLOAT, d_x, 9, (struct lr_moments_t *)(void *)(d_x + 4), stream),
        LR_MISALIGNED);
    ck_assert_int_eq(
        lr_moments(handle, LR_FLOAT, d_x, 9, (struct lr_moments_t *)(void *)(d_x + 32), stream),
        LR_OVERLAP);
}
