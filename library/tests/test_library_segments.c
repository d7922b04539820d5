/* libreduction: segments of an array; functions that have a name of their own.
 * Suite: warps kernels slow
 * SPDX-License-Identifier: MIT */
#include "lines.h"

/* Empty ones among them, long and short, with both kinds of offsets, and a step. */
TESTS(segments, LR_COMPLEX_FLOAT)
{
    static int64_t offsets[402];
    static int32_t narrow[402];
    int type = _i;

    for (size_t k = 1; k < COUNT(offsets); k++)
        offsets[k] = offsets[k - 1] + (int64_t)(k % 3 == 0 ? 0 : k == 200 ? 9000 : pattern_hash(8, k) % 60);
    for (size_t k = 0; k < COUNT(offsets); k++)
        narrow[k] = (int32_t)offsets[k];
    fill_both(type, false);
    HIP_CHECK(hipMemcpy(d_offsets, offsets, sizeof offsets, hipMemcpyHostToDevice));
    HIP_CHECK(hipMemcpy(d_offsets_32, narrow, sizeof narrow, hipMemcpyHostToDevice));
    for (int f = 0; f < LR_FUNCTION_COUNT; f++)
        for (int k = 0; k < 3 && lr_result_type(f, type) >= 0 && !is(f, "prod"); k++) {
            if (is_for_the_other_warp((size_t)(f + k)))
                continue;
            struct lr_lines l = {.lines = COUNT(offsets) - 1,
                                 .length = (size_t)offsets[401],
                                 .step = k == 2 ? 2 : 1,
                                 .offset_type = k == 1 ? LR_INT32 : LR_INT64,
                                 .y_step = 1};
            l.offsets = k == 1 ? (const void *)d_offsets_32 : d_offsets;
            check_lines("segments", f, type, (size_t)k, l, offsets);
        }
}

static size_t equal(size_t n, size_t segments, size_t k) { return (void)k, n / segments; }

static size_t none(size_t n, size_t segments, size_t k) { return (void)n, (void)segments, (void)k, 0; }

/* Many short or empty ones, and one or two that take all the rest. */
static size_t one_long(size_t n, size_t segments, size_t k) { return k == segments / 3 ? n - 8 * segments : k % 9; }

static size_t two_long(size_t n, size_t segments, size_t k)
{
    return k == 0 || k == segments - 1 ? n / 2 - segments : k % 2;
}

/* 0, 1, 3, 7 ... and again. */
static size_t doubling(size_t n, size_t segments, size_t k)
{
    return (void)n, (void)segments, ((size_t)1 << k % 14) - 1;
}

/* Lengths of the segments of an array of n elements. */
static const struct layout {
    const char *name;
    size_t n, segments;
    size_t (*length)(size_t n, size_t segments, size_t k);
} layouts[] = {
    {"one", ELEMENTS - 3, 1, equal},      {"equal", 60000, 60000, equal},    {"equal", 299990, 23, equal},
    {"equal", 299000, 3000, equal},       {"none", 1000, 5000, none},        {"nothing", 0, 3, none},
    {"one long", 299990, 5000, one_long}, {"one long", 40000, 30, one_long}, {"two long", 299990, 4, two_long},
    {"doubling", 299990, 238, doubling},
};

static const int64_t *lay(const struct layout *l)
{
    static int64_t offsets[ELEMENTS + 1];

    for (size_t k = 0; k < l->segments; k++)
        offsets[k + 1] = offsets[k] + (int64_t)l->length(l->n, l->segments, k);
    ck_assert_uint_le((size_t)offsets[l->segments], l->n);
    HIP_CHECK(hipMemcpy(d_offsets, offsets, (l->segments + 1) * 8, hipMemcpyHostToDevice));
    return offsets;
}

/* Sums and extremes have kernels of their own; rows in between use the same workspace. The first segments may be left out. */
TESTS(layouts_of_segments, TYPE_ALL)
{
    const struct lr_lines two_rows = {.lines = 2, .length = ELEMENTS / 2, .lead = ELEMENTS / 2, .step = 1};
    int type = _i;

    fill_whole(h_x, type, 1, false);
    upload(ELEMENTS * types[type].size);
    for (size_t k = 0; k < COUNT(layouts); k++) {
        size_t first = layouts[k].segments > 20 ? 1 : 0;
        const int64_t *offsets = lay(&layouts[k]);
        const struct lr_lines l = {.lines = layouts[k].segments - first,
                                   .length = layouts[k].n,
                                   .step = 1,
                                   .offsets = d_offsets + first,
                                   .offset_type = LR_INT64};
        for (size_t turn = 0; turn < 2; turn++)
            check_lines(layouts[k].name, own_kernels[(k + (size_t)type + turn) % 3], type, turn * (k % 4), l,
                        offsets + first);
        check_lines("rows", LR_OP_SUM, type, 0, two_rows, NULL);
    }
}

/* A graph whose segments change between replays: the capture must not depend on them. */
TEST(captured_segments)
{
    static const struct layout other[] = {{"equal", 299990, 100, equal}, {"one long", 299990, 100, one_long}};
    char *d_again = d_results + 1000;

    fill(TYPE_DOUBLE, 22, ELEMENTS);
    upload(ELEMENTS * 8);
    HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    OK(lr_sum_segments(handle, LR_DOUBLE, d_x, 299990, d_offsets, 100, d_results, stream));
    hipGraphExec_t exec = end_capture();
    for (size_t k = 0; k < 4; k++) {
        (void)lay(&other[k % 2]);
        HIP_CHECK(hipGraphLaunch(exec, stream));
        OK(lr_sum_segments(handle, LR_DOUBLE, d_x, 299990, d_offsets, 100, d_again, stream));
        HIP_CHECK(hipStreamSynchronize(stream));
        HIP_CHECK(hipMemcpy(results, d_results, 2000, hipMemcpyDeviceToHost));
        ck_assert_mem_eq(results, results + 1000, 800);
        HIP_CHECK(hipMemset(d_results, 0x5a, 2000));
    }
    HIP_CHECK(hipGraphExecDestroy(exec));
}

/* lr_min_rows() and its like are what lr_reduce() calls. */
TEST(functions_with_a_name)
{
    typedef int matrix_t(lr_handle *, int, const void *, size_t, size_t, size_t, void *, lr_stream);
    typedef int segments_t(lr_handle *, int, const void *, size_t, const int64_t *, size_t, void *, lr_stream);
    static matrix_t *const along[][2][2] = {{{lr_sum_rows, lr_sum_rows_value}, {lr_sum_columns, lr_sum_columns_value}},
                                            {{lr_min_rows, lr_min_rows_value}, {lr_min_columns, lr_min_columns_value}},
                                            {{lr_max_rows, lr_max_rows_value}, {lr_max_columns, lr_max_columns_value}}};
    static segments_t *const of_segments[][2] = {{lr_sum_segments, lr_sum_segments_value},
                                                 {lr_min_segments, lr_min_segments_value},
                                                 {lr_max_segments, lr_max_segments_value}};
    const struct lr_lines lines[] = {
        {.lines = 20, .length = 31, .lead = 33, .step = 1, .y_step = 1},
        {.lines = 31, .length = 20, .lead = 1, .step = 33},
        {.lines = 30, .length = 40000, .step = 1, .offsets = d_offsets, .offset_type = LR_INT64}};
    float wanted[40], got[40];

    fill(TYPE_FLOAT, 3, ELEMENTS);
    upload(ELEMENTS * 4);
    (void)lay(&layouts[7]);
    for (size_t f = 0; f < COUNT(along); f++)
        for (size_t k = 0; k < 3; k++)
            for (int on_host = 0; on_host < 2; on_host++) {
                void *to = on_host ? (void *)got : d_results;
                OK(lr_reduce_value(handle, own_kernels[f], LR_FLOAT, d_x, NULL, &lines[k], wanted, NULL, stream));
                OK(k < 2 ? along[f][k][on_host](handle, LR_FLOAT, d_x, 20, 31, 33, to, stream)
                         : of_segments[f][on_host](handle, LR_FLOAT, d_x, 40000, d_offsets, 30, to, stream));
                HIP_CHECK(hipStreamSynchronize(stream));
                if (!on_host)
                    HIP_CHECK(hipMemcpy(got, d_results, sizeof got, hipMemcpyDeviceToHost));
                ck_assert_mem_eq(got, wanted, lines[k].lines * sizeof *got);
            }
    OK(lr_reduce_value(handle, LR_OP_DOT, LR_FLOAT, d_x, d_x + 400, &lines[0], wanted, NULL, stream));
    OK(lr_dots_value(handle, LR_FLOAT, d_x, 20, 33, d_x + 400, 31, got, stream));
    ck_assert_mem_eq(got, wanted, 20 * sizeof *got);
    OK(lr_dots(handle, LR_FLOAT, d_x, 20, 33, d_x + 400, 31, d_results, stream));
    HIP_CHECK(hipStreamSynchronize(stream));
    HIP_CHECK(hipMemcpy(got, d_results, sizeof got, hipMemcpyDeviceToHost));
    ck_assert_mem_eq(got, wanted, 20 * sizeof *got);
}

TEST(arguments_of_matrices)
{
    const size_t far = (size_t)1 << 40;
    lr_handle *h = handle;
    void *r = d_results;

    IS(LR_NULL, lr_sum_rows(NULL, LR_FLOAT, d_x, 2, 3, 3, r, stream));
    IS(LR_TYPE, lr_sum_rows(h, 7, d_x, 2, 3, 3, r, stream));
    IS(LR_NULL, lr_sum_rows(h, LR_FLOAT, NULL, 2, 3, 3, r, stream));
    IS(LR_NULL, lr_sum_rows(h, LR_FLOAT, d_x, 2, 3, 3, NULL, stream));
    IS(LR_SHAPE, lr_sum_rows(h, LR_FLOAT, d_x, 2, 0, 3, r, stream));
    IS(LR_SHAPE, lr_sum_rows(h, LR_FLOAT, d_x, 2, 3, 2, r, stream));
    OK(lr_sum_rows(h, LR_FLOAT, d_x, 0, 3, 3, r, stream));
    IS(LR_SHAPE, lr_sum_columns(h, LR_FLOAT, d_x, 0, 3, 3, r, stream));
    /* a product that wraps would give 3 elements */
    IS(LR_TOO_LARGE, lr_sum_columns(h, LR_FLOAT, d_x, ((size_t)1 << 24) + 1, 3, far, r, stream));
    IS(LR_TOO_LARGE, lr_max_rows(h, LR_FLOAT, d_x, 1, 3, far + 1, r, stream));
    OK(lr_max_rows(h, LR_FLOAT, d_x, 1, 3, far, r, stream));
    IS(LR_MISALIGNED, lr_min_columns(h, LR_FLOAT, d_x, 2, 3, 3, d_results + 2, stream));
    IS(LR_OTHER_STREAM, lr_min_columns(h, LR_FLOAT, d_x, 2, 3, 3, r, NULL));
    IS(LR_MISALIGNED, lr_sum_columns(h, LR_FLOAT, d_x + 1, 2, 3, 3, r, stream));
    IS(LR_OVERLAP, lr_sum_columns(h, LR_FLOAT, d_x, 2, 3, 3, d_x + 20, stream));
    OK(lr_sum_columns(h, LR_FLOAT, d_x, 2, 3, 3, d_x + 24, stream));
    IS(LR_OVERLAP, lr_sum_rows(h, LR_FLOAT, d_x + 8, 3, 3, 3, d_x, stream));
    OK(lr_sum_rows(h, LR_FLOAT, d_x + 12, 3, 3, 3, d_x, stream));
}

TEST(arguments_of_segments)
{
    int64_t *at = d_offsets, *odd = (int64_t *)(void *)((char *)d_offsets + 4);
    lr_handle *h = handle;
    void *r = d_results;

    HIP_CHECK(hipMemset(d_offsets, 0, 16 * 8));
    IS(LR_NULL, lr_sum_segments(NULL, LR_FLOAT, d_x, 9, at, 3, r, stream));
    IS(LR_TYPE, lr_sum_segments(h, 8, d_x, 9, at, 3, r, stream));
    IS(LR_NULL, lr_sum_segments(h, LR_FLOAT, NULL, 9, at, 3, r, stream));
    IS(LR_NULL, lr_sum_segments(h, LR_FLOAT, d_x, 9, NULL, 3, r, stream));
    IS(LR_NULL, lr_sum_segments(h, LR_FLOAT, d_x, 9, at, 3, NULL, stream));
    IS(LR_MISALIGNED, lr_sum_segments(h, LR_FLOAT, d_x + 2, 9, at, 3, r, stream));
    IS(LR_MISALIGNED, lr_sum_segments(h, LR_FLOAT, d_x, 9, odd, 3, r, stream));
    IS(LR_OVERLAP, lr_sum_segments(h, LR_FLOAT, d_x, 9, at, 3, d_x + 8, stream));
    IS(LR_OVERLAP, lr_sum_segments(h, LR_FLOAT, d_x, 9, at, 3, at + 3, stream));
    IS(LR_TOO_LARGE, lr_sum_segments(h, LR_FLOAT, d_x, 9, at, SIZE_MAX, r, stream));
    IS(LR_TOO_LARGE, lr_sum_segments(h, LR_FLOAT, d_x, SIZE_MAX / 2, at, 3, r, stream));
    OK(lr_sum_segments(h, LR_FLOAT, d_x, 9, NULL, 0, NULL, stream));
    OK(lr_sum_segments(h, LR_FLOAT, d_x, 9, NULL, 0, r, stream));
    OK(lr_sum_segments(h, LR_FLOAT, NULL, 0, at, 3, r, stream));
    OK(lr_sum_segments(h, LR_FLOAT, d_results + 4, 0, at, 3, r, stream));
    OK(lr_sum_segments(h, LR_FLOAT, d_x, 9, at, 0, d_x + 4, stream));
    IS(LR_OTHER_STREAM, lr_sum_segments(h, LR_FLOAT, d_x, 9, at, 3, r, NULL));
}
