/* libreduction when HIP calls fail: the k-th call of the process does, for every k up to the last one. Each call of the
 * library returns a status or the right value, the next one is right again, and no memory of the device or pinned memory of
 * the host is left. (Memory of the heap: SAN=address.)
 * SPDX-License-Identifier: MIT */
#include "../../platform/cpu/runtime/internal.h"
#include "stand.h"

#define N            3000
#define ROWS         30
#define CALLS_OF_HIP 80 /* more than the functions below make: about 50 */

static double x[N + 1] __attribute__((aligned(16)));
static uint16_t narrow[N];
static const int64_t offsets[] = {0, 10, 10, N};
static double out[ROWS];
static int64_t place;
static struct lr_moments moments;

/* Of a whole array: the first functions. */
static int (*const whole[])(lr_handle *, int, const void *, size_t, void *, lr_stream) = {
    lr_sum, lr_max_value, lr_asum_value, lr_sum_tree, lr_sum_binned, lr_sum_binned_value};

/* Function number f: its status, and in *right whether the values are those of x. Whole numbers, so that no sum rounds. */
static int call_one(lr_handle *h, int f, bool *right)
{
    double last = N, sum = (double)N * (N + 1) / 2;
    float value = 0, size = 0;
    int status;

    memset(out, 0, sizeof out);
    if ((size_t)f < COUNT(whole)) {
        status = whole[f](h, LR_DOUBLE, x, N, out, NULL);
        *right = out[0] == (whole[f] == lr_max_value ? last : sum);
        return status;
    }
    switch (f) {
    case 6:
        status = lr_argmax_value(h, LR_DOUBLE, x, N, out, &place, NULL);
        *right = out[0] == last && place == N - 1;
        return status;
    case 7:
        status = lr_dot(h, LR_DOUBLE, x, x, N, out, NULL);
        *right = out[0] == sum * (2 * last + 1) / 3;
        return status;
    case 8:
        status = lr_sum_value(h, LR_HALF, narrow, N, &value, NULL);
        *right = value == N;
        return status;
    case 9:
        status = lr_nrm2_value(h, LR_HALF, narrow, N, &size, NULL);
        *right = size == (float)sqrt(N);
        return status;
    case 10:
        status = lr_moments_value(h, LR_DOUBLE, x, N, &moments, NULL);
        *right = moments.count == N && moments.max == last;
        return status;
    case 11:
        status = lr_sum_rows(h, LR_DOUBLE, x, 1, N, N, out, NULL);
        *right = out[0] == sum;
        return status;
    case 12:
        status = lr_max_rows_value(h, LR_DOUBLE, x, ROWS, N / ROWS, N / ROWS, out, NULL);
        *right = out[ROWS - 1] == last && out[0] == N / ROWS;
        return status;
    case 13:
        status = lr_max_columns(h, LR_DOUBLE, x, N / ROWS, ROWS, ROWS, out, NULL);
        *right = out[ROWS - 1] == last && out[0] == last - ROWS + 1;
        return status;
    default:
        status = lr_max_segments_value(h, LR_DOUBLE, x, N, offsets, 3, out, NULL);
        *right = out[0] == 10 && out[1] == -INFINITY && out[2] == last;
        return status;
    }
}
#define FUNCTIONS 15

static bool freed; /* or lr_destroy() has not succeeded: what cannot be freed stays */

/* How many calls of the library did not succeed. single: one call of HIP fails at most. */
static int use_library(bool single)
{
    lr_handle *h = NULL;
    int failed = 0, status = lr_create(&h, 0);

    freed = true;
    if (status != LR_OK) {
        ck_assert_ptr_null(h);
        ck_assert(status == LR_RUNTIME || status == LR_NO_MEMORY || status == LR_NO_DEVICE);
        return 1;
    }
    for (int f = 0; f < FUNCTIONS; f++)
        for (int again = 0; again < 2; again++) {
            bool right = false;
            status = call_one(h, f, &right);
            ck_assert_msg(status == LR_OK ? right : status == LR_RUNTIME, "function %d: %s", f,
                          status == LR_OK ? "a wrong value" : lr_text(status));
            ck_assert((status == LR_OK) == (lr_runtime_error(h) == 0));
            failed += status != LR_OK;
            ck_assert_msg(!single || failed <= 1, "function %d fails after an error", f);
        }
    status = lr_destroy(h);
    freed = status == LR_OK;
    return failed + (status != LR_OK);
}

static void let_fail(int call, bool and_all_after_it)
{
    hip_cpu_late = false; /* values are read right behind their call */
    hip_cpu_config.fail = "any";
    hip_cpu_config.fail_at = (uint64_t)call;
    hip_cpu_config.fail_on = and_all_after_it;
    hip_cpu_config.device_memory = (size_t)256 << 20; /* what is free of that is exact */
    for (size_t i = 0; i < N; i++) {
        x[i] = (double)(i + 1);
        narrow[i] = 0x3c00;
    }
}

TESTS(one_call_fails, CALLS_OF_HIP)
{
    int call = _i + 1;
    size_t before = 0, after = 0, all = 0;

    let_fail(call, false);
    bool counted = hipMemGetInfo(&before, &all) == hipSuccess;
    int failed = use_library(true);
    (void)hipGetLastError();
    if (counted && freed && failed > 0 && hipMemGetInfo(&after, &all) == hipSuccess)
        ck_assert_msg(before == after, "%zu bytes are left", before - after);
    ck_assert_msg(call < CALLS_OF_HIP || failed == 0, "there are more calls: raise CALLS_OF_HIP");
    ck_assert_msg(call != 2 || failed > 0, "nothing has failed");
}

/* A device whose memory is too small. */
TEST(no_memory)
{
    lr_handle *h;

    hip_cpu_config.device_memory = 4096;
    ck_assert_int_eq(lr_create(&h, 0), LR_NO_MEMORY);
    ck_assert_ptr_null(h);
}

TESTS(all_calls_fail, CALLS_OF_HIP - 1)
{
    int call = _i + 1;
    let_fail(call, true);
    ck_assert(use_library(false) > 0 || call > 40);
}
