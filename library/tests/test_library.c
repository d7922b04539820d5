/* libreduction through its header: every function against the exact reference, arguments, streams, graphs, threads.
 * Suite: warps kernels
 * SPDX-License-Identifier: MIT */
#include <pthread.h>

#include "stand.h"

static const size_t sizes[] = {0,    1,    2,     3,     4,     5,      31,     33,     64,          1000,   1023,
                               4096, 4099, 16385, 32768, 65537, 131075, 262144, 300000, LARGEST / 9, LARGEST};

SUITE_EACH(set_up, tear_down)

TESTS(sizes_and_alignments, TYPE_ALL)
{
    int type = _i;

    fill(type, (uint64_t)type, LARGEST + SPARE);
    upload((LARGEST + SPARE) * type_size(type));
    for (size_t f = 0; f < COUNT(functions); f++)
        for (size_t s = 0; s < COUNT(sizes) && has_type(f, type); s++)
            for (size_t offset = s % 3; offset < 4; offset += 1 + (sizes[s] > 5000) * 2) {
                size_t n = sizes[s];
                struct scalar value = {.type = type_of_result(type)};
                const char *x = d_x + offset * type_size(type);
                OK(functions[f].call(handle, type, x, n, &d_result[s].as, stream));
                judge(f, type, offset, n, result_at(s, type), "on the device");
                OK(functions[f].value(handle, type, x, n, &value.as, stream));
                judge(f, type, offset, n, value, "to the host");
            }
}

/* NaN, inf, -0 at any place, and no elements. */
TESTS(special_values, 4)
{
    static const double specials[] = {NAN, INFINITY, -INFINITY, -0.0, 0.0, DBL_MAX, -DBL_MAX, DBL_MIN / 4};
    int type = floating_types[_i];
    size_t size = type_size(type);

    for (size_t k = 0; k < COUNT(specials) * 2; k++)
        for (size_t n = 1; n < 20000; n = n * 5 + 2) {
            double other = k % 2 ? 1 : 0; /* among zeros, or ones */
            for (size_t i = 0; i < n; i++)
                store(h_x + i * size, type, other, 0);
            store(h_x + (n - 1) / 2 * size, type, specials[k / 2], 0);
            upload(n * size);
            for (size_t f = 0; f < COUNT(functions); f++) {
                struct scalar value = {.type = type_of_result(type)};
                OK(functions[f].value(handle, type, d_x, n, &value.as, stream));
                judge(f, type, 0, n, value, "special");
            }
        }
}

/* Consecutive results, with other arrays in between: a call leaves nothing behind for the next. */
TEST(one_behind_the_other)
{
    size_t n = 100000;

    fill(TYPE_INT, 9, n + 1000);
    upload((n + 1000) * 4);
    for (int ready = 0; ready < 2; ready++) {
        OK(lr_input_ready(handle, ready));
        for (size_t i = 0; i < 1000; i++)
            OK(functions[i % 3].call(handle, LR_INT32, d_x + 4 * i, i % 7 == 0 ? n : i * 11, &d_result[i].as, stream));
        for (size_t i = 0; i < 1000; i += i < 20 ? 1 : 37)
            judge(i % 3, TYPE_INT, i, i % 7 == 0 ? n : i * 11, result_at(i, TYPE_INT), "in a row");
    }
}

/* A sum of sums: the second call reads what the first has written. */
TEST(result_as_input)
{
    size_t n = 50000;
    struct scalar value = {.type = TYPE_LONG};
    int64_t *d_sums = (int64_t *)d_result;

    fill(TYPE_LONG, 3, n);
    upload(n * 8);
    for (size_t k = 0; k < 50; k++)
        OK(lr_sum(handle, LR_INT64, d_x + k * 8000, 1000, &d_sums[k], stream));
    OK(lr_sum_value(handle, LR_INT64, d_sums, 50, &value.as, stream));
    judge(0, TYPE_LONG, 0, n, value, "sum of sums");
}

TEST(arguments)
{
    char small[300];
    lr_handle *other = (lr_handle *)small;
    char *d_aligned = d_x + (256 - (uintptr_t)d_x % 256) % 256;
    size_t bytes = 0;
    double value;

    for (size_t f = 0; f < COUNT(functions); f++)
        for (int on_host = 0; on_host < 2; on_host++) {
            call_t *call = on_host ? functions[f].value : functions[f].call;
            void *to = on_host ? (void *)&value : d_result;
            IS(LR_NULL, call(NULL, LR_FLOAT, d_x, 9, to, stream));
            IS(LR_NULL, call(handle, LR_FLOAT, NULL, 9, to, stream));
            IS(LR_NULL, call(handle, LR_FLOAT, d_x, 9, NULL, stream));
            IS(LR_TYPE, call(handle, -1, d_x, 9, to, stream));
            IS(LR_TYPE, call(handle, 6, d_x, 9, to, stream));
            ck_assert_int_eq(call(handle, LR_INT64, d_x, 9, to, stream), functions[f].floating ? LR_TYPE : LR_OK);
            IS(LR_MISALIGNED, call(handle, LR_FLOAT, d_x + 2, 9, to, stream));
            IS(LR_MISALIGNED, call(handle, LR_DOUBLE, d_x + 4, 9, to, stream));
            IS(LR_MISALIGNED, call(handle, LR_HALF, d_x + 1, 9, to, stream));
            OK(call(handle, LR_HALF, d_x + 2, 9, to, stream));
            if (!on_host)
                IS(LR_MISALIGNED, call(handle, LR_DOUBLE, d_x, 9, (char *)d_result + 4, stream));
            IS(LR_OVERLAP, call(handle, LR_DOUBLE, d_x, 9, d_x + 64, stream));
            if (!on_host) {
                OK(call(handle, LR_DOUBLE, d_x, 9, d_x + 72, stream));
                OK(call(handle, LR_DOUBLE, d_x + 8, 9, d_x, stream));
                IS(LR_MISALIGNED, call(handle, LR_HALF, d_x, 9, (char *)d_result + 2, stream));
                IS(LR_OVERLAP, call(handle, LR_HALF, d_x, 9, d_x + 16, stream));
                OK(call(handle, LR_HALF, d_x, 8, d_x + 16, stream));
            }
            for (size_t n = SIZE_MAX / 4 - 1; n > (size_t)1 << 40; n /= 2)
                IS(LR_TOO_LARGE, call(handle, LR_FLOAT, d_x, n, to, stream));
            OK(call(handle, LR_FLOAT, NULL, 0, to, stream));
        }
    IS(LR_NULL, lr_create(NULL, 0));
    IS(LR_NO_DEVICE, lr_create(&other, 12345));
    ck_assert_ptr_null(other);
    IS(LR_NO_DEVICE, lr_create(&other, -1));
    OK(lr_destroy(NULL));
    IS(LR_NULL, lr_leave_stream(NULL));
    IS(LR_NULL, lr_input_ready(NULL, 1));
    IS(LR_NULL, lr_workspace_bytes(0, NULL));
    IS(LR_NO_DEVICE, lr_workspace_bytes(12345, &bytes));
    OK(lr_workspace_bytes(0, &bytes));
    IS(LR_NULL, lr_create_in(&other, 0, NULL, bytes));
    IS(LR_MISALIGNED, lr_create_in(&other, 0, d_aligned + 128, bytes));
    IS(LR_WORKSPACE, lr_create_in(&other, 0, d_aligned, bytes - 1));
    IS(LR_NO_DEVICE, lr_create_in(&other, 12345, d_aligned, bytes));
    /* and a call after all of these is right */
    store(h_x, TYPE_DOUBLE, 42, 0);
    upload(8);
    OK(lr_sum_value(handle, LR_DOUBLE, d_x, 1, &value, stream));
    ALL(value == 42, lr_runtime_error(handle) == 0, lr_runtime_text(handle) != NULL);
    for (int status = -1; status < 15; status++)
        for (int less = -1; less < status; less++)
            ck_assert_msg(status == 14 || strcmp(lr_text(status), lr_text(less)) != 0, "%d, %d", status, less);
    char number[32];
    (void)snprintf(number, sizeof number, "%d.%d.%d", LR_VERSION / 10000, LR_VERSION / 100 % 100, LR_VERSION % 100);
    ck_assert_str_eq(lr_version(), number);
    ck_assert_int_eq(lr_version_number(), LR_VERSION);
    ck_assert_str_eq(lr_targets()[0] == 'c' ? lr_targets() : "cpu", "cpu");
}

TEST(streams)
{
    hipStream_t second;
    float value;

    HIP_CHECK(hipStreamCreate(&second));
    fill(TYPE_FLOAT, 1, 100);
    upload(400);
    OK(lr_sum_value(handle, LR_FLOAT, d_x, 100, &value, stream));
    IS(LR_OTHER_STREAM, lr_sum_value(handle, LR_FLOAT, d_x, 100, &value, second));
    IS(LR_OTHER_STREAM, lr_sum(handle, LR_FLOAT, d_x, 100, d_result, NULL));
    OK(lr_leave_stream(handle));
    OK(lr_sum_value(handle, LR_FLOAT, d_x, 100, &value, second));
    IS(LR_OTHER_STREAM, lr_sum_value(handle, LR_FLOAT, d_x, 100, &value, stream));
    OK(lr_leave_stream(handle));
    HIP_CHECK(hipStreamDestroy(second));
#if defined(__HIP_PLATFORM_CPU__)
    IS(LR_RUNTIME, lr_sum(handle, LR_FLOAT, d_x, 100, d_result, second));
    ck_assert_int_eq(lr_runtime_error(handle), hipErrorInvalidHandle);
    OK(lr_leave_stream(handle));
    OK(lr_sum_value(handle, LR_FLOAT, d_x, 100, &value, stream));
#endif
}

/* A workspace from the caller, surrounded by bytes that must not change. */
TEST(callers_workspace)
{
    size_t bytes, around = 256;
    char *d_workspace, seen[256];
    lr_handle *own;
    struct scalar value = {.type = TYPE_DOUBLE};

    OK(lr_workspace_bytes(0, &bytes));
    bytes = (bytes + 255) / 256 * 256;
    HIP_CHECK(hipMalloc((void **)&d_workspace, bytes + 2 * around));
    HIP_CHECK(hipMemset(d_workspace, 0x5a, bytes + 2 * around));
    OK(lr_create_in(&own, 0, d_workspace + around, bytes));
    fill(TYPE_DOUBLE, 8, 300000);
    upload(300000 * 8);
    for (size_t f = 0; f < COUNT(functions); f++) {
        OK(functions[f].value(own, LR_DOUBLE, d_x, 300000, &value.as, stream));
        judge(f, TYPE_DOUBLE, 0, 300000, value, "in a workspace of its own");
    }
    for (size_t at = 0; at <= bytes; at += bytes / 2) {
        void *inside = d_workspace + around + at - (at < bytes ? 0 : 256);
        IS(LR_OVERLAP, lr_sum(own, LR_DOUBLE, d_x, 9, inside, stream));
        IS(LR_OVERLAP, lr_sum(own, LR_DOUBLE, inside, 1, d_result, stream));
    }
    /* Blocks share a long row and narrow columns, and have a part of the workspace for that. */
    for (int rows = 0; rows < 2; rows++) {
        OK((rows ? lr_min_rows : lr_min_columns)(own, LR_DOUBLE, d_x, rows ? 1 : 300000, rows ? 300000 : 1,
                                                 rows ? 300000 : 1, &d_result->as, stream));
        judge(1, TYPE_DOUBLE, 0, 300000, result_at(0, TYPE_DOUBLE), "a long row or column");
    }
    OK(lr_destroy(own));
    for (size_t at = 0; at <= bytes + around; at += bytes + around) {
        HIP_CHECK(hipMemcpy(seen, d_workspace + at, around, hipMemcpyDeviceToHost));
        for (size_t i = 0; i < around; i++)
            ck_assert_int_eq(seen[i], 0x5a);
    }
    HIP_CHECK(hipFree(d_workspace));
}

static size_t graph_replays(void) { return suite_level() == LEVEL_ALL ? 1000 : 100; }

/* Captures every function once for small and large arrays; then each replay has other data. */
TESTS(captured, 2)
{
    static const size_t counts[] = {100, 5000, 40000};
    size_t n = 40000, words = 0, replays = graph_replays();

    OK(lr_input_ready(handle, _i));
    capture();
    for (size_t f = 0; f < COUNT(functions); f++)
        for (size_t k = 0; k < COUNT(counts); k++)
            OK(functions[f].call(handle, LR_DOUBLE, d_x, counts[k], &d_result[words++].as, stream));
    hipGraphExec_t exec = end_capture();
    for (size_t replay = 0; replay < replays; replay++) {
        size_t changed = replay * 61 % n; /* only some of the sums include the last elements */
        bool checked = replay % 100 == 0 || replay == replays - 1;
        if (replay == 0)
            fill(TYPE_DOUBLE, 1, n);
        store(h_x + changed * 8, TYPE_DOUBLE, (double)replay - 500, 0);
        if (replay == 0)
            upload(n * 8);
        else
            HIP_CHECK(hipMemcpy(d_x + changed * 8, h_x + changed * 8, 8, hipMemcpyHostToDevice));
        HIP_CHECK(hipGraphLaunch(exec, stream));
        HIP_CHECK(hipStreamSynchronize(stream));
        for (size_t w = 0; checked && w < words; w++)
            judge(w / COUNT(counts), TYPE_DOUBLE, 0, counts[w % COUNT(counts)], result_at(w, TYPE_DOUBLE),
                  "in a graph");
    }
    HIP_CHECK(hipGraphExecDestroy(exec));
    /* the handle is as it was */
    struct scalar value = {.type = TYPE_DOUBLE};
    OK(lr_sum_value(handle, LR_DOUBLE, d_x, n, &value.as, stream));
    judge(0, TYPE_DOUBLE, 0, n, value, "after a graph");
}

#define SMALL 3000

/* The other functions: 256 bytes of results for each type. */
static size_t call_others(char *to, const int64_t *d_offsets)
{
    size_t n = SMALL, k = 0;

    for (int type = 0; type < TYPE_ALL; type++) {
        char *here = to + 256 * k;
        OK(lr_dot(handle, type, d_x, d_x + 8, n, here, stream));
        OK(lr_argmax(handle, type, d_x, n, here + 8, (int64_t *)(void *)(here + 16), stream));
        OK(lr_moments(handle, type, d_x, n, (struct lr_moments_t *)(void *)(here + 24), stream));
        OK(lr_sum_rows(handle, type, d_x, 1, n, n, here + 64, stream));
        OK(lr_max_rows(handle, type, d_x, 5, 31, 33, here + 72, stream));
        OK(lr_min_columns(handle, type, d_x, n / 4, 4, 4, here + 112, stream));
        OK(lr_sum_segments(handle, type, d_x, n, d_offsets, 3, here + 144, stream));
        if (type != TYPE_INT && type != TYPE_LONG)
            OK(lr_nrm2(handle, type, d_x, n, here + 168, stream));
        k++;
    }
    return 256 * k;
}

/* Results in a graph have the same bits as outside of it. */
TEST(others_captured)
{
    static const int64_t offsets[] = {0, 3, 3, SMALL};
    int64_t *d_offsets = (int64_t *)(void *)(d_x + LARGEST * 8);
    char *d_graph = (char *)d_result, *d_outside = d_graph + 8000, in_graph[2048], outside[2048];
    hipGraph_t graph;
    float value;

    HIP_CHECK(hipMemset(d_graph, 0, 16000));
    HIP_CHECK(hipMemcpy(d_offsets, offsets, sizeof offsets, hipMemcpyHostToDevice));
    capture();
    size_t bytes = call_others(d_graph, d_offsets), replays = graph_replays();
    hipGraphExec_t exec = end_capture();
    fill(TYPE_HALF, 7, 4 * SMALL + 32); /* arbitrary values when read as another type */
    upload(8 * SMALL + 64);
    for (size_t replay = 0; replay < replays; replay++) {
        HIP_CHECK(hipMemset(d_x + replay * 23, (int)(replay % 100), 8));
        HIP_CHECK(hipGraphLaunch(exec, stream));
        if (replay % 100 != 0 && replay != replays - 1)
            continue;
        call_others(d_outside, d_offsets);
        HIP_CHECK(hipStreamSynchronize(stream));
        HIP_CHECK(hipMemcpy(in_graph, d_graph, bytes, hipMemcpyDeviceToHost));
        HIP_CHECK(hipMemcpy(outside, d_outside, bytes, hipMemcpyDeviceToHost));
        for (size_t at = 0; at < bytes; at++)
            ck_assert_msg(in_graph[at] == outside[at], "replay %zu, byte %zu", replay, at);
    }
    HIP_CHECK(hipGraphExecDestroy(exec));

    /* A function that waits for a value cannot be captured. */
    capture();
    IS(LR_RUNTIME, lr_sum_value(handle, LR_FLOAT, d_x, 10, &value, stream));
    if (hipStreamEndCapture(stream, &graph) == hipSuccess)
        HIP_CHECK(hipGraphDestroy(graph));
    (void)hipGetLastError();
    HIP_CHECK(hipMemset(d_x, 0, 40));
    OK(lr_sum_value(handle, LR_FLOAT, d_x, 10, &value, stream));
    ck_assert(value == 0);
}

static void *work(void *context)
{
    size_t first = *(size_t *)context;
    lr_handle *own;
    hipStream_t mine;

    OK(lr_create(&own, 0));
    HIP_CHECK(hipStreamCreate(&mine));
    for (size_t k = 0; k < 200; k++) {
        struct scalar value = {.type = TYPE_LONG};
        size_t n = 1 + k * 97;
        OK(lr_sum_value(own, LR_INT64, d_x + 8 * first, n, &value.as, mine));
        judge(0, TYPE_LONG, first, n, value, "beside another thread");
    }
    HIP_CHECK(hipStreamDestroy(mine));
    OK(lr_destroy(own));
    return NULL;
}

TEST(two_threads)
{
    pthread_t threads[2];
    size_t first[2] = {0, 1000};

    fill(TYPE_LONG, 2, 30000);
    upload(30000 * 8);
    for (int k = 0; k < 2; k++)
        ck_assert_int_eq(pthread_create(&threads[k], NULL, work, &first[k]), 0);
    for (int k = 0; k < 2; k++)
        ck_assert_int_eq(pthread_join(threads[k], NULL), 0);
}

/* A program that has handled an error still finds it in hipGetLastError(); calls neither return it nor take it away. */
TEST(an_old_error_of_the_program)
{
    static const int64_t offsets[] = {0, 10, 90};
    int64_t *d_offsets;
    struct scalar value = {.type = TYPE_DOUBLE};
    struct lr_moments_t moments;
    lr_handle *other;
    void *much;

    fill(TYPE_DOUBLE, 1, 20000);
    upload(20000 * 8);
    HIP_CHECK(hipMalloc((void **)&d_offsets, sizeof offsets));
    HIP_CHECK(hipMemcpy(d_offsets, offsets, sizeof offsets, hipMemcpyHostToDevice));
    hipError_t error = hipMalloc(&much, (size_t)1 << 60);
    ck_assert_int_ne(error, hipSuccess);
    for (size_t f = 0; f < COUNT(functions); f++)
        for (size_t n = 0; n <= 20000; n += 2000) {
            OK(functions[f].call(handle, LR_DOUBLE, d_x, n, d_result, stream));
            OK(functions[f].value(handle, LR_DOUBLE, d_x, n, &value.as, stream));
        }
    OK(lr_moments_value(handle, LR_DOUBLE, d_x, 20000, &moments, stream));
    OK(lr_sum_rows(handle, LR_DOUBLE, d_x, 20, 1000, 1000, d_result, stream));
    OK(lr_sum_columns(handle, LR_DOUBLE, d_x, 1000, 20, 20, d_result, stream));
    OK(lr_sum_segments(handle, LR_DOUBLE, d_x, 100, d_offsets, 2, d_result, stream));
    OK(lr_create(&other, 0));
    OK(lr_destroy(other));
    HIP_CHECK(hipStreamSynchronize(stream));
    ALL(hipPeekAtLastError() == error, hipGetLastError() == error);
    HIP_CHECK(hipFree(d_offsets));
}

static void check_nan(const char *name, int type, const void *value)
{
    static const uint32_t of_float = 0x7fc00000;
    static const uint64_t of_double = 0x7ff8000000000000;

    if (type == TYPE_DOUBLE)
        ck_assert_msg(memcmp(value, &of_double, 8) == 0, "%s: %llx", name,
                      (unsigned long long)*(const uint64_t *)value);
    else
        ck_assert_msg(memcmp(value, &of_float, 4) == 0, "%s: %x", name, *(const uint32_t *)value);
}

/* Whatever the bits of the NaN in the array, those of the result are the same. */
TESTS(one_nan, COUNT(floating_types))
{
    static const size_t sizes[] = {1, 9, 1000, 70000};
    static const int64_t offsets[] = {0, 1};
    int type = floating_types[_i], of_result = type_of_result(type);
    size_t size = type_size(type);
    int64_t *d_offsets, index;
    struct scalar value;

    HIP_CHECK(hipMalloc((void **)&d_offsets, sizeof offsets));
    HIP_CHECK(hipMemcpy(d_offsets, offsets, sizeof offsets, hipMemcpyHostToDevice));
    for (size_t s = 0; s < COUNT(sizes); s++) {
        size_t n = sizes[s];
        memset(h_x, 0, n * size);
        memset(h_x + n / 2 * size, 0x7f, size); /* a NaN, or a large number */
        memset(h_x, 0xff, size);                /* a negative NaN */
        upload(n * size);
        for (size_t f = 0; f < COUNT(functions); f++) {
            OK(functions[f].call(handle, type, d_x, n, &d_result[0].as, stream));
            value = result_at(0, type);
            check_nan(functions[f].name, of_result, &value.as);
            OK(functions[f].value(handle, type, d_x, n, &value.as, stream));
            check_nan(functions[f].name, of_result, &value.as);
        }
        OK(lr_nrm2_value(handle, type, d_x, n, &value.as, stream));
        check_nan("nrm2", of_result, &value.as);
        OK(lr_dot_value(handle, type, d_x, d_x, n, &value.as, stream));
        check_nan("dot", of_result, &value.as);
        OK(lr_argmin_value(handle, type, d_x, n, &value.as, &index, stream));
        check_nan("argmin", of_result, &value.as);
        OK(lr_sum_rows_value(handle, type, d_x, 1, n, n, &value.as, stream));
        check_nan("rows", of_result, &value.as);
        OK(lr_min_columns_value(handle, type, d_x, n, 1, 1, &value.as, stream));
        check_nan("columns", of_result, &value.as);
        OK(lr_max_segments_value(handle, type, d_x, n, d_offsets, 1, &value.as, stream));
        check_nan("segments", of_result, &value.as);
    }
    HIP_CHECK(hipFree(d_offsets));
}

/* A handle may be made while a stream is being captured, by the strictest rules, and its first call be a part of the graph. */
TEST(created_in_a_capture)
{
    lr_handle *late = NULL;
    int device = -2;

    fill(TYPE_DOUBLE, 1, 1000);
    upload(8000);
    HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    OK(lr_create(&late, 0));
    OK(lr_device_of(d_x, &device));
    OK(lr_sum(late, LR_DOUBLE, d_x, 1000, &d_result[0].as, stream));
    hipGraphExec_t exec = end_capture();
    HIP_CHECK(hipGraphLaunch(exec, stream));
    judge(0, TYPE_DOUBLE, 0, 1000, result_at(0, TYPE_DOUBLE), "in a graph, with its first call");
    HIP_CHECK(hipGraphExecDestroy(exec));
    OK(lr_destroy(late));
    ck_assert_int_eq(device, 0);
    OK(lr_device_of(h_x, &device));
    ck_assert_int_eq(device, -1);
    IS(LR_NULL, lr_device_of(h_x, NULL));
}

/* Where there are two devices: an array on one, while the other one is current. */
TEST(on_the_second_device)
{
    struct scalar value = {.type = TYPE_DOUBLE};
    lr_handle *second;
    void *d_there;
    int devices = 0, current = -1;

    HIP_CHECK(hipGetDeviceCount(&devices));
    if (devices < 2)
        return;
    fill(TYPE_DOUBLE, 1, 100000);
    HIP_CHECK(hipSetDevice(1));
    HIP_CHECK(hipMalloc(&d_there, 800000));
    HIP_CHECK(hipMemcpy(d_there, h_x, 800000, hipMemcpyHostToDevice));
    HIP_CHECK(hipSetDevice(0));
    OK(lr_device_of(d_there, &current));
    ck_assert_int_eq(current, 1);
    OK(lr_create(&second, 1));
    for (size_t f = 0; f < COUNT(functions); f++) {
        OK(functions[f].value(second, LR_DOUBLE, d_there, 100000, &value.as, NULL));
        judge(f, TYPE_DOUBLE, 0, 100000, value, "on the second device");
        HIP_CHECK(hipGetDevice(&current));
        ck_assert_int_eq(current, 0);
    }
    OK(lr_destroy(second));
    HIP_CHECK(hipFree(d_there));
}
