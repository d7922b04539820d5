/* libreduction: rows and columns of a matrix.
 * Suite: warps kernels slow
 * SPDX-License-Identifier: MIT */
#include "stand.h"

typedef int matrix_t(lr_handle *, int, const void *, size_t, size_t, size_t, void *, lr_stream);

static const struct {
    const char *name;
    matrix_t *rows, *columns, *rows_value, *columns_value;
    int op;
} along[] = {
    {"sum", lr_sum_rows, lr_sum_columns, lr_sum_rows_value, lr_sum_columns_value, OP_SUM},
    {"min", lr_min_rows, lr_min_columns, lr_min_rows_value, lr_min_columns_value, OP_MIN},
    {"max", lr_max_rows, lr_max_columns, lr_max_rows_value, lr_max_columns_value, OP_MAX},
};

static char *d_results, *h_results, *h_values;
static double *h_wide; /* the elements */

static void begin(void)
{
    set_up();
    HIP_CHECK(hipMalloc((void **)&d_results, (LARGEST + 2) * 8));
    h_results = malloc((LARGEST + 2) * 8);
    h_values = malloc(LARGEST * 8 + 1);
    h_wide = malloc(LARGEST * sizeof *h_wide);
    ck_assert(h_results != NULL && h_values != NULL && h_wide != NULL);
}

static void end(void)
{
    HIP_CHECK(hipFree(d_results));
    free(h_results);
    free(h_values);
    free(h_wide);
    tear_down();
}
SUITE_EACH(begin, end)

static const struct shape {
    size_t rows, columns, stride, offset;
} shapes[] = {
    {1, 1, 1, 0},           {1, 7, 7, 1},          {1, 250000, 250000, 0}, {1, 250000, 250000, 3},
    {250000, 1, 1, 0},      {100000, 2, 2, 1},     {60000, 4, 4, 0},       {50000, 3, 5, 0},
    {40001, 5, 5, 0},       {9001, 31, 31, 1},     {9000, 31, 33, 2},      {3001, 70, 95, 3},
    {30000, 8, 8, 2},       {17000, 16, 16, 0},    {1000, 64, 64, 0},      {1001, 63, 64, 1},
    {300, 256, 256, 0},     {299, 257, 300, 0},    {290, 257, 257, 1},     {100, 1024, 1024, 0},
    {77, 1023, 1025, 3},    {10, 20000, 20000, 0}, {10, 20001, 20003, 1},  {3, 65536, 65536, 0},
    {2, 100000, 120000, 0}, {4, 50000, 60000, 2},
};

/* The same results again, to unaligned host memory. */
static void check_on_host(size_t f, int type, const struct shape *s, bool rows, size_t count)
{
    size_t size = type_size(type_of_result(type));

    int status = (rows ? along[f].rows_value : along[f].columns_value)(
        handle, type, d_x + s->offset * type_size(type), s->rows, s->columns, s->stride,
        h_values + 1, stream);
    ck_assert_msg(status == LR_OK, "%s", lr_text(status));
    ck_assert_msg(memcmp(h_values + 1, h_results, count * size) == 0,
                  "%s of %zu x %zu: not the same on the host", along[f].name, s->rows, s->columns);
}

/* Whole numbers below 100: every order gives the same sum, also in float. */
static void check_shape(size_t f, int type, const struct shape *s, bool rows)
{
    int of_results = type_of_result(type);
    size_t size = type_size(of_results), count = rows ? s->rows : s->columns,
           length = rows ? s->columns : s->rows;
    char marks[16];

    memset(marks, 0x5a, sizeof marks);
    HIP_CHECK(hipMemcpy(d_results + count * size, marks, size, hipMemcpyHostToDevice));
    int status = (rows ? along[f].rows
                       : along[f].columns)(handle, type, d_x + s->offset * type_size(type), s->rows,
                                           s->columns, s->stride, d_results, stream);
    ck_assert_msg(status == LR_OK, "%s", lr_text(status));
    HIP_CHECK(hipStreamSynchronize(stream));
    HIP_CHECK(hipMemcpy(h_results, d_results, (count + 1) * size, hipMemcpyDeviceToHost));
    ck_assert_msg(memcmp(h_results + count * size, marks, size) == 0, "behind the results");
    if (type == TYPE_FLOAT || type == TYPE_LONG || type == TYPE_HALF)
        check_on_host(f, type, s, rows, count);
    for (size_t k = 0; k < count; k++) {
        double wanted = along[f].op == OP_SUM ? 0 : along[f].op == OP_MIN ? INFINITY : -INFINITY;
        for (size_t i = 0; i < length; i++) {
            size_t at = s->offset + (rows ? k * s->stride + i : i * s->stride + k);
            if (along[f].op == OP_SUM)
                wanted += h_wide[at];
            else if ((h_wide[at] < wanted) == (along[f].op == OP_MIN))
                wanted = h_wide[at];
        }
        double got = (double)element(of_results, h_results, k);
        ck_assert_msg(got == wanted,
                      "%s of %s %zu of %zu x %zu (stride %zu, at %zu) of %s: %g and not %g",
                      along[f].name, rows ? "row" : "column", k, s->rows, s->columns, s->stride,
                      s->offset, type_name(type), got, wanted);
    }
}

/* Twice, in different orders: calls must not depend on what others left in the workspace. */
TESTS(shapes_and_strides, TYPE_ALL)
{
    int type = _i;

    for (size_t i = 0; i < LARGEST; i++) {
        int64_t whole = (int64_t)(pattern_hash(11, i) % 199) - 99;
        h_wide[i] = (double)whole;
        store(h_x + i * type_size(type), type, h_wide[i], whole);
    }
    upload(LARGEST * type_size(type));
    for (size_t turn = 0; turn < 2; turn++)
        for (size_t k = 0; k < COUNT(shapes); k++) {
            const struct shape *s = &shapes[turn == 0 ? k : COUNT(shapes) - 1 - k];
            if (suite_level() < LEVEL_ALL && strcmp(device.arch, "cpu") == 0 &&
                (k + turn) % 2 == (device.warp_size == 64))
                continue; /* once for each shape, in the other pass */
            check_shape((k + turn) % 3, type, s, (k + turn) % 2 == 0);
            check_shape((k + turn + 1) % 3, type, s, (k + turn) % 2 != 0);
        }
}

TEST(arguments)
{
    ck_assert_int_eq(lr_sum_rows(NULL, LR_FLOAT, d_x, 2, 3, 3, d_results, stream), LR_NULL);
    ck_assert_int_eq(lr_sum_rows(handle, 7, d_x, 2, 3, 3, d_results, stream), LR_TYPE);
    ck_assert_int_eq(lr_sum_rows(handle, LR_FLOAT, NULL, 2, 3, 3, d_results, stream), LR_NULL);
    ck_assert_int_eq(lr_sum_rows(handle, LR_FLOAT, d_x, 2, 3, 3, NULL, stream), LR_NULL);
    ck_assert_int_eq(lr_sum_rows(handle, LR_FLOAT, d_x, 2, 0, 3, d_results, stream), LR_SHAPE);
    ck_assert_int_eq(lr_sum_rows(handle, LR_FLOAT, d_x, 2, 3, 2, d_results, stream), LR_SHAPE);
    ck_assert_int_eq(lr_sum_rows(handle, LR_FLOAT, d_x, 0, 3, 3, d_results, stream), LR_OK);
    ck_assert_int_eq(lr_sum_columns(handle, LR_FLOAT, d_x, 0, 3, 3, d_results, stream), LR_SHAPE);
    ck_assert_int_eq(lr_sum_columns(handle, LR_FLOAT, d_x, ((size_t)1 << 24) + 1, 3,
                                    (size_t)1 << 40, d_results, stream),
                     LR_TOO_LARGE); /* a product that wraps would give 3 elements */
    ck_assert_int_eq(
        lr_max_rows(handle, LR_FLOAT, d_x, 1, 3, ((size_t)1 << 40) + 1, d_results, stream),
        LR_TOO_LARGE);
    ck_assert_int_eq(lr_max_rows(handle, LR_FLOAT, d_x, 1, 3, (size_t)1 << 40, d_results, stream),
                     LR_OK);
    ck_assert_int_eq(lr_min_columns(handle, LR_FLOAT, d_x, 2, 3, 3, d_results + 2, stream),
                     LR_MISALIGNED);
    ck_assert_int_eq(lr_min_columns(handle, LR_FLOAT, d_x, 2, 3, 3, d_results, NULL),
                     LR_OTHER_STREAM);
    ck_assert_int_eq(lr_sum_columns(handle, LR_FLOAT, d_x + 1, 2, 3, 3, d_results, stream),
                     LR_MISALIGNED);
    ck_assert_int_eq(lr_sum_columns(handle, LR_FLOAT, d_x, 2, 3, 3, d_x + 20, stream), LR_OVERLAP);
    ck_assert_int_eq(lr_sum_columns(handle, LR_FLOAT, d_x, 2, 3, 3, d_x + 24, stream), LR_OK);
    ck_assert_int_eq(lr_sum_rows(handle, LR_FLOAT, d_x + 8, 3, 3, 3, d_x, stream), LR_OVERLAP);
    ck_assert_int_eq(lr_sum_rows(handle, LR_FLOAT, d_x + 12, 3, 3, 3, d_x, stream), LR_OK);
}
