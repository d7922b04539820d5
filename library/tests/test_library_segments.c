/* libreduction: segments of an array, by offsets on the device.
 * Suite: warps kernels
 * SPDX-License-Identifier: MIT */
#include "stand.h"

typedef int segments_t(lr_handle *, int, const void *, size_t, const int64_t *, size_t, void *,
                       lr_stream);

static const struct {
    const char *name;
    segments_t *call, *value;
    int op;
} of_segments[] = {
    {"sum", lr_sum_segments, lr_sum_segments_value, OP_SUM},
    {"min", lr_min_segments, lr_min_segments_value, OP_MIN},
    {"max", lr_max_segments, lr_max_segments_value, OP_MAX},
};

#define MOST 60000 /* segments */

static int64_t *d_offsets, *h_offsets;
static char *d_results, *h_results, *h_values;

static void begin(void)
{
    set_up();
    HIP_CHECK(hipMalloc((void **)&d_offsets, (MOST + 1) * sizeof *d_offsets));
    HIP_CHECK(hipMalloc((void **)&d_results, (MOST + 1) * 8));
    h_offsets = malloc((MOST + 1) * sizeof *h_offsets);
    h_results = malloc((MOST + 1) * 8);
    h_values = malloc(MOST * 8 + 1);
    ck_assert(h_offsets != NULL && h_results != NULL && h_values != NULL);
}

static void end(void)
{
    HIP_CHECK(hipFree(d_offsets));
    HIP_CHECK(hipFree(d_results));
    free(h_offsets);
    free(h_results);
    free(h_values);
    tear_down();
}
SUITE_EACH(begin, end)

/* Lengths of segments: of segment k of `segments`, in an array of n elements. */
struct layout {
    const char *name;
    size_t n, segments;
    size_t (*length)(size_t n, size_t segments, size_t k);
};

static size_t equal(size_t n, size_t segments, size_t k)
{
    (void)k;
    return n / segments;
}

static size_t none(size_t n, size_t segments, size_t k)
{
    return (void)n, (void)segments, (void)k, 0;
}

/* Many short or empty ones, and a few that take all the rest. */
static size_t one_long(size_t n, size_t segments, size_t k)
{
    return k == segments / 3 ? n - 8 * segments : k % 9;
}

static size_t two_long(size_t n, size_t segments, size_t k)
{
    return k == 0 || k == segments - 1 ? n / 2 - segments : k % 2;
}

/* 0, 1, 3, 7 ... and again. */
static size_t doubling(size_t n, size_t segments, size_t k)
{
    (void)n, (void)segments;
    return ((size_t)1 << k % 14) - 1;
}

static const struct layout layouts[] = {
    {"one", LARGEST, 1, equal},           {"equal", 60000, 60000, equal},
    {"equal", 299999, 23, equal},         {"equal", 300000, 3000, equal},
    {"none", 1000, 5000, none},           {"nothing", 0, 3, none},
    {"one long", 300000, 5000, one_long}, {"one long", 40000, 30, one_long},
    {"two long", 300000, 4, two_long},    {"doubling", 300000, 238, doubling},
};

static void judge_segments(size_t f, int type, const struct layout *l, size_t offset, size_t first)
{
    int of_results = type_of_result(type);
    size_t size = type_size(of_results);

    for (size_t k = 0; k<l->segments; k += l->segments> 3000 && k % 7 == 0 ? 29 : 1) {
        const char *x = h_x + (offset + (size_t)h_offsets[first + k]) * type_size(type);
        size_t n = (size_t)(h_offsets[first + k + 1] - h_offsets[first + k]);
        struct reference r = reference_of_array(type, of_segments[f].op, x, n, NULL);
        struct scalar value = {.type = of_results};
        memcpy(&value.as, h_results + k * size, size);
        struct verdict v = verify_check(value, &r, chain(type, l->n));
        char got[SCALAR_TEXT_MAX], wanted[SCALAR_TEXT_MAX];
        ck_assert_msg(v.outcome == VERDICT_OK,
                      "%s of %s, segment %zu with %zu of %s: %s and not %s", of_segments[f].name,
                      l->name, k, n, type_name(type), scalar_text(got, value),
                      scalar_text(wanted, r.value));
    }
}

/* offset: elements before the array; first: how many segments to leave out at the beginning. */
static void check_layout(size_t f, int type, const struct layout *l, size_t offset)
{
    size_t size = type_size(type_of_result(type)), first = l->segments > 20 ? 1 : 0;
    const char *x = d_x + offset * type_size(type);
    struct layout rest = {l->name, l->n, l->segments - first, l->length};
    char marks[8];

    h_offsets[0] = 0;
    for (size_t k = 0; k < l->segments; k++)
        h_offsets[k + 1] = h_offsets[k] + (int64_t)l->length(l->n, l->segments, k);
    ck_assert_uint_le((size_t)h_offsets[l->segments], l->n);
    HIP_CHECK(hipMemcpy(d_offsets, h_offsets, (l->segments + 1) * 8, hipMemcpyHostToDevice));
    memset(marks, 0x5a, sizeof marks);
    HIP_CHECK(hipMemcpy(d_results + rest.segments * size, marks, size, hipMemcpyHostToDevice));
    int status = of_segments[f].call(handle, type, x, l->n, d_offsets + first, rest.segments,
                                     d_results, stream);
    ck_assert_msg(status == LR_OK, "%s", lr_text(status));
    HIP_CHECK(hipStreamSynchronize(stream));
    HIP_CHECK(hipMemcpy(h_results, d_results, (rest.segments + 1) * size, hipMemcpyDeviceToHost));
    ck_assert_msg(memcmp(h_results + rest.segments * size, marks, size) == 0, "behind the results");
    judge_segments(f, type, &rest, offset, first);

    status = of_segments[f].value(handle, type, x, l->n, d_offsets + first, rest.segments,
                                  h_values + 1, stream);
    ck_assert_msg(status == LR_OK, "%s", lr_text(status));
    memcpy(h_results, h_values + 1, rest.segments * size);
    judge_segments(f, type, &rest, offset, first);
}

static void sum_two_rows(int type, char *values)
{
    memset(values, 0, 16);
    ck_assert_int_eq(
        lr_sum_rows_value(handle, type, d_x, 2, LARGEST / 2, LARGEST / 2, values, stream), LR_OK);
}

/* Interleaved with other functions that use the same workspace. */
TESTS(layouts_and_types, TYPE_ALL)
{
    int type = _i;
    char rows[16], again[16];

    fill(type, 21, LARGEST + SPARE);
    upload((LARGEST + SPARE) * type_size(type));
    sum_two_rows(type, rows);
    for (size_t k = 0; k < COUNT(layouts); k++) {
        check_layout((k + (size_t)type) % 3, type, &layouts[k], k % 4);
        sum_two_rows(type, again);
        ck_assert_msg(memcmp(again, rows, sizeof rows) == 0, "rows, after %s", layouts[k].name);
        check_layout((k + (size_t)type + 1) % 3, type, &layouts[k], 0);
    }
}

/* A graph whose segments change between replays: the capture must not depend on them. */
TEST(captured)
{
    static const struct layout other[] = {{"equal", 300000, 100, equal},
                                          {"one long", 300000, 100, one_long}};
    hipGraph_t graph;
    hipGraphExec_t exec;

    fill(TYPE_DOUBLE, 22, LARGEST);
    upload(LARGEST * 8);
    HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    ck_assert_int_eq(
        lr_sum_segments(handle, LR_DOUBLE, d_x, 300000, d_offsets, 100, d_results, stream), LR_OK);
    HIP_CHECK(hipStreamEndCapture(stream, &graph));
    HIP_CHECK(hipGraphInstantiateWithFlags(&exec, graph, 0));
    for (size_t k = 0; k < 4; k++) {
        const struct layout *l = &other[k % 2];
        h_offsets[0] = 0;
        for (size_t s = 0; s < l->segments; s++)
            h_offsets[s + 1] = h_offsets[s] + (int64_t)l->length(l->n, l->segments, s);
        HIP_CHECK(hipMemcpy(d_offsets, h_offsets, 101 * 8, hipMemcpyHostToDevice));
        HIP_CHECK(hipGraphLaunch(exec, stream));
        HIP_CHECK(hipStreamSynchronize(stream));
        HIP_CHECK(hipMemcpy(h_results, d_results, 100 * 8, hipMemcpyDeviceToHost));
        judge_segments(0, TYPE_DOUBLE, l, 0, 0);
    }
    HIP_CHECK(hipGraphExecDestroy(exec));
    HIP_CHECK(hipGraphDestroy(graph));
}

TEST(arguments)
{
    lr_handle *h = handle;
    void *to = d_results;

    HIP_CHECK(hipMemset(d_offsets, 0, 16 * 8));
    for (size_t f = 0; f < COUNT(of_segments); f++) {
        segments_t *call = of_segments[f].call;
        ck_assert_int_eq(call(NULL, LR_FLOAT, d_x, 9, d_offsets, 3, to, stream), LR_NULL);
        ck_assert_int_eq(call(h, 8, d_x, 9, d_offsets, 3, to, stream), LR_TYPE);
        ck_assert_int_eq(call(h, LR_FLOAT, NULL, 9, d_offsets, 3, to, stream), LR_NULL);
        ck_assert_int_eq(call(h, LR_FLOAT, d_x, 9, NULL, 3, to, stream), LR_NULL);
        ck_assert_int_eq(call(h, LR_FLOAT, d_x, 9, d_offsets, 3, NULL, stream), LR_NULL);
        ck_assert_int_eq(call(h, LR_FLOAT, d_x + 2, 9, d_offsets, 3, to, stream), LR_MISALIGNED);
        ck_assert_int_eq(
            call(h, LR_FLOAT, d_x, 9, (int64_t *)((char *)d_offsets + 4), 3, to, stream),
            LR_MISALIGNED);
        ck_assert_int_eq(call(h, LR_FLOAT, d_x, 9, d_offsets, 3, d_x + 8, stream), LR_OVERLAP);
        ck_assert_int_eq(call(h, LR_FLOAT, d_x, 9, d_offsets, 3, d_offsets + 3, stream),
                         LR_OVERLAP);
        ck_assert_int_eq(call(h, LR_FLOAT, d_x, 9, d_offsets, SIZE_MAX, to, stream), LR_TOO_LARGE);
        ck_assert_int_eq(call(h, LR_FLOAT, d_x, SIZE_MAX / 2, d_offsets, 3, to, stream),
                         LR_TOO_LARGE);
        ck_assert_int_eq(call(h, LR_FLOAT, d_x, 9, NULL, 0, NULL, stream), LR_OK);
        ck_assert_int_eq(call(h, LR_FLOAT, d_x, 9, NULL, 0, to, stream), LR_OK);
        ck_assert_int_eq(call(h, LR_FLOAT, NULL, 0, d_offsets, 3, to, stream), LR_OK);
        ck_assert_int_eq(call(h, LR_FLOAT, d_results + 4, 0, d_offsets, 3, to, stream), LR_OK);
        ck_assert_int_eq(call(h, LR_FLOAT, d_x, 9, d_offsets, 0, d_x + 4, stream), LR_OK);
        ck_assert_int_eq(call(h, LR_FLOAT, d_x, 9, d_offsets, 3, to, NULL), LR_OTHER_STREAM);
    }
}
