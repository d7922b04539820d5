/* libreduction: every function for every type, along rows, columns and axes in the middle, with steps, from any alignment.
 * Suite: warps kernels slow
 * SPDX-License-Identifier: MIT */
#include "lines.h"

static const struct {
    const char *name;
    size_t offset;
    struct lr_lines lines;
} shapes[] = {
    {"an array", 0, {.lines = 1, .length = 50000, .step = 1, .y_step = 1}},
    {"one element", 1, {.lines = 1, .length = 1, .step = 1, .y_step = 1}},
    {"a step", 3, {.lines = 1, .length = 9001, .step = 6, .y_step = 3}},
    {"no elements", 0, {.lines = 5, .length = 0, .lead = 1, .step = 1, .y_step = 1}},
    {"short rows", 1, {.lines = 9001, .length = 5, .lead = 6, .step = 1, .y_lead = 5, .y_step = 1}},
    {"rows of one", 0, {.lines = 5000, .length = 1, .lead = 1, .step = 1, .y_step = 1}},
    {"rows", 0, {.lines = 77, .length = 601, .lead = 640, .step = 1, .y_step = 1}},
    {"whole rows", 0, {.lines = 40, .length = 1024, .lead = 1024, .step = 1, .y_lead = 1024, .y_step = 1}},
    {"long rows", 2, {.lines = 3, .length = 19001, .lead = 19003, .step = 1, .y_step = 2}},
    {"rows with a step", 1, {.lines = 30, .length = 300, .lead = 1000, .step = 3, .y_step = 1}},
    {"columns", 0, {.lines = 257, .length = 200, .lead = 1, .step = 260, .y_step = 1}},
    {"short columns", 1, {.lines = 3001, .length = 13, .lead = 1, .step = 3010, .y_lead = 1, .y_step = 3010}},
    {"few columns", 1, {.lines = 3, .length = 15001, .lead = 1, .step = 3, .y_lead = 1, .y_step = 3}},
    {"every other column", 0, {.lines = 90, .length = 99, .lead = 2, .step = 200, .y_step = 1}},
    {"overlapping rows", 0, {.lines = 50, .length = 100, .lead = 7, .step = 1, .y_step = 1}},
    {"one row, again and again", 0, {.lines = 20, .length = 70, .lead = 0, .step = 1, .y_step = 1}},
    {"an axis in the middle", 1, {.lines = 90, .length = 20, .lead = 1, .step = 30, .batch = 30, .batch_lead = 610}},
};

TESTS(every_function_of_every_shape, LR_COMPLEX_FLOAT)
{
    int type = _i;

    for (int nan = 0; nan < (types[type].floating ? 2 : 1); nan++) {
        fill_both(type, nan);
        for (int f = 0; f < LR_FUNCTION_COUNT; f++)
            for (size_t s = 0; s < COUNT(shapes) && lr_result_type(f, type) >= 0; s++)
                if (!is_for_the_other_warp((size_t)(f + nan) + s) && !(is(f, "dot") && shapes[s].lines.batch > 0) &&
                    !(is(f, "prod") && shapes[s].lines.length > 20 && !nan))
                    check_lines(shapes[s].name, f, type, shapes[s].offset, shapes[s].lines, NULL);
    }
}

/* Functions of a whole array have kernels of their own; of products either array may be misaligned. */
TESTS(arrays, LR_COMPLEX_FLOAT)
{
    static const int functions_of_arrays[] = {LR_OP_DOT, LR_OP_DOT, LR_OP_ARGMIN, LR_OP_ARGMAX};
    static const size_t sizes[] = {1, 2, 3, 5, 31, 64, 1000, 4099, 16384, 65539, 131075, ELEMENTS - 3};

    fill_both(_i, false);
    for (size_t s = 0; s < COUNT(sizes); s++)
        for (size_t k = 0; k < COUNT(functions_of_arrays); k++) {
            const struct lr_lines l = {.lines = 1, .length = sizes[s], .step = 1, .y_step = 1};
            second_at = (s + k) % 3;
            check_lines("an array", functions_of_arrays[k], _i, (s + 2 * k) % 4, l, NULL);
        }
    second_at = 0;
}

/* Of the functions with kernels of their own, which have a plan for every width and alignment. */
static const struct {
    size_t rows, columns, stride, offset;
} matrices[] = {
    {1, 1, 1, 0},         {1, 7, 7, 1},          {1, 250000, 250000, 0}, {1, 250000, 250000, 3}, {250000, 1, 1, 0},
    {100000, 2, 2, 1},    {60000, 4, 4, 0},      {50000, 3, 5, 0},       {40001, 5, 5, 0},       {9001, 31, 31, 1},
    {9000, 31, 33, 2},    {3001, 70, 95, 3},     {30000, 8, 8, 2},       {17000, 16, 16, 0},     {1000, 64, 64, 0},
    {1001, 63, 64, 1},    {300, 256, 256, 0},    {299, 257, 300, 0},     {290, 257, 257, 1},     {100, 1024, 1024, 0},
    {77, 1023, 1025, 3},  {10, 20000, 20000, 0}, {10, 20001, 20003, 1},  {3, 65536, 65536, 0},   {2, 100000, 120000, 0},
    {4, 50000, 60000, 2},
};

/* Twice, in different orders: calls must not depend on what others left in the workspace. */
TESTS(rows_and_columns, TYPE_ALL)
{
    int type = _i;

    fill_whole(h_x, type, 1, false);
    upload(ELEMENTS * types[type].size);
    for (size_t turn = 0; turn < 2; turn++)
        for (size_t k = 0; k < COUNT(matrices); k++) {
            size_t m = turn == 0 ? k : COUNT(matrices) - 1 - k, stride = matrices[m].stride;
            const struct lr_lines
                rows = {.lines = matrices[m].rows, .length = matrices[m].columns, .lead = stride, .step = 1},
                columns = {.lines = matrices[m].columns, .length = matrices[m].rows, .lead = 1, .step = stride};
            if (is_for_the_other_warp(k + turn)) /* once for each shape, in the other pass */
                continue;
            check_lines("rows", own_kernels[(k + turn) % 3], type, matrices[m].offset, rows, NULL);
            check_lines("columns", own_kernels[(k + turn + 1) % 3], type, matrices[m].offset, columns, NULL);
        }
}

/* So many that a thread takes several of them (kernels/beside.h). Rows overlap, to need little memory. */
TESTS(columns_side_by_side, LR_COMPLEX_FLOAT)
{
    int type = _i, units = 0, device = 0;

    HIP_CHECK(hipGetDevice(&device));
    HIP_CHECK(hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, device));
    size_t enough = (size_t)units * 32768 / types[type].size;
    struct lr_lines tall = {.lead = 1, .step = 8, .y_lead = 1, .y_step = 8}, flat = tall;

    tall.lines = 1024, tall.length = enough / 1024 + 41;
    flat.lines = units < 8 ? (size_t)units * 6144 : 49152, flat.length = 13; /* each by one thread */
    fill_both(type, false);
    for (int f = 0; f < LR_FUNCTION_COUNT; f++)
        if (lr_result_type(f, type) >= 0 && !is_for_the_other_warp((size_t)(f + type))) {
            if (!is(f, "prod"))
                check_lines("tall columns", f, type, 0, tall, NULL);
            for (results_at = 0; results_at < 2; results_at++)
                check_lines("flat columns", f, type, 0, flat, NULL);
            results_at = 0;
        }
}

/* Sums of magnitudes of doubles, which round, by few threads and by many. */
TEST(bound)
{
    static double sums[400];
    const struct lr_lines lines[] = {{.lines = 10, .length = 6000, .lead = 6000, .step = 1},
                                     {.lines = 400, .length = 150, .lead = 150, .step = 1},
                                     {.lines = 400, .length = 150, .lead = 1, .step = 400}};

    fill(TYPE_DOUBLE, 9, ELEMENTS);
    upload(ELEMENTS * 8);
    for (size_t s = 0; s < COUNT(lines); s++) {
        const struct lr_lines *l = &lines[s];
        OK(lr_reduce_value(handle, LR_OP_ASUM, LR_DOUBLE, d_x, NULL, l, sums, NULL, stream));
        for (size_t k = 0; k < l->lines; k++) {
            long double sum = 0, c = 60 + (long double)l->length / 8;
            for (size_t i = 0; i < l->length; i++)
                sum += fabsl(element_at(TYPE_DOUBLE, h_x, k * l->lead + i * l->step));
            ck_assert(fabsl((long double)sums[k] - sum) <= c * 0x1p-53L * sum);
        }
    }
}

/* Of pairs of small whole numbers: sums and products are exact. */
TESTS(complex_numbers, 2)
{
    static char values[sizeof results];
    int type = LR_COMPLEX_FLOAT + _i, part = LR_FLOAT + _i;
    size_t pairs = ELEMENTS / 2;

    fill_both(part, false);
    for (int f = 0; f < LR_FUNCTION_COUNT; f++)
        for (size_t s = 0; s < COUNT(shapes) && lr_result_type(f, type) >= 0; s++) {
            struct lr_lines l = shapes[s].lines;
            bool dot = is(f, "dot"), is_pair = lr_result_type(f, type) == type;
            size_t size = types[lr_result_type(f, type)].size, at = shapes[s].offset;
            if (at + (l.lines - 1) * l.lead + l.length * l.step > pairs || l.batch > 0)
                continue;
            const char *from = d_x + at * types[type].size;
            memset(results, 0x5a, sizeof results);
            HIP_CHECK(hipMemcpy(d_results, results, l.lines * size + GUARD, hipMemcpyHostToDevice));
            OK(lr_reduce(handle, f, type, from, dot ? d_y : NULL, &l, d_results, NULL, stream));
            OK(lr_reduce_value(handle, f, type, from, dot ? d_y : NULL, &l, values, NULL, stream));
            HIP_CHECK(hipMemcpy(results, d_results, l.lines * size + GUARD, hipMemcpyDeviceToHost));
            ALL(results[l.lines * size] == 0x5a, memcmp(results, values, l.lines * size) == 0);
            for (size_t k = 0; k < l.lines; k++) {
                double re = 0, im = 0, norm = 0, sizes = 0;
                for (size_t i = 0; i < l.length; i++) {
                    size_t x_at = at + k * l.lead + i * l.step, y_at = k * l.y_lead + i * l.y_step;
                    double x = get(h_x, part, 2 * x_at), xi = get(h_x, part, 2 * x_at + 1);
                    double y = get(h_y, part, 2 * y_at), yi = get(h_y, part, 2 * y_at + 1);
                    re += dot ? x * y + xi * yi : x;
                    im += dot ? x * yi - xi * y : xi;
                    norm += x * x + xi * xi;
                    sizes += fabs(x) + fabs(xi);
                }
                double got = get(results, part, is_pair ? 2 * k : k);
                double wanted = is_pair ? re : is(f, "nrm2") ? sqrt(norm) : sizes;
                ck_assert_msg(near(got, wanted, is(f, "nrm2") ? 1e-6 : 0) &&
                                  (!is_pair || get(results, part, 2 * k + 1) == im),
                              "%s of %s, %s: line %zu: %g, not %g", lr_function_name(f), types[type].name,
                              shapes[s].name, k, got, wanted);
            }
        }
    double value[2];
    OK(lr_nrm2_value(handle, type, d_x, 9, value, stream));
    OK(lr_asum_value(handle, type, d_x, 9, value, stream));
    OK(lr_dot_value(handle, type, d_x, d_y, 9, value, stream));
    OK(lr_sum_value(handle, type, d_x, 9, value, stream));
    IS(LR_TYPE, lr_max_value(handle, type, d_x, 9, value, stream));
    IS(LR_MISALIGNED, lr_sum_value(handle, type, d_x + 4, 9, value, stream));
}

/* Sums wrap, and products; the largest magnitudes; -0; large exponents. */
TEST(special_values)
{
    struct lr_lines row = {.lines = 1, .length = 300, .lead = 300, .step = 2};
    int64_t wide = 0, index;
    int32_t value = 0;
    float lse = 0;

    for (size_t i = 0; i < 600; i++)
        store(h_x + 4 * i, TYPE_INT, 0, 1 << 30);
    upload(2400);
    OK(lr_reduce_value(handle, LR_OP_SUM, LR_INT32, d_x, NULL, &row, &value, NULL, stream));
    ck_assert_int_eq(value, 0);
    OK(lr_reduce_value(handle, LR_OP_SUM, LR_UINT32, d_x, NULL, &row, &wide, NULL, stream));
    ck_assert_int_eq(wide, (int64_t)300 << 30);
    memset(h_x, 0xff, 600);
    upload(600);
    OK(lr_reduce_value(handle, LR_OP_SUM, LR_UINT8, d_x, NULL, &row, &wide, NULL, stream));
    ck_assert_int_eq(wide, 300 * 255);
    OK(lr_reduce_value(handle, LR_OP_SUM, LR_BOOL, d_x, NULL, &row, &wide, NULL, stream));
    ck_assert_int_eq(wide, 300);
    for (size_t i = 0; i < 600; i++)
        store(h_x + 4 * i, TYPE_FLOAT, 1000 + (double)(i == 302) * 2, 0);
    upload(2400);
    OK(lr_reduce_value(handle, LR_OP_LOGSUMEXP, LR_FLOAT, d_x, NULL, &row, &lse, NULL, stream));
    ck_assert_msg(fabs(lse - (1000 + log(299 + exp(2)))) < 1e-3, "%g", lse);
    OK(lr_reduce_value(handle, LR_OP_IAMAX, LR_FLOAT, d_x, NULL, &row, NULL, &index, stream));
    ck_assert_int_eq(index, 151);
    for (size_t i = 0; i < 600; i++)
        store(h_x + 4 * i, TYPE_FLOAT, -INFINITY, 0);
    upload(2400);
    OK(lr_reduce_value(handle, LR_OP_LOGSUMEXP, LR_FLOAT, d_x, NULL, &row, &lse, NULL, stream));
    ck_assert(isinf(lse) && lse < 0);
}

/* Of any numbers. */
TESTS(products_wrap, 2)
{
    int type = _i == 0 ? TYPE_INT : TYPE_LONG;
    uint64_t sum = 0;
    int64_t value = 0;

    fill(type, 6, 9001);
    upload(9001 * type_size(type));
    for (size_t i = 0; i < 9001; i++)
        sum += (uint64_t)(int64_t)element_at(type, h_x, i) * (uint64_t)(int64_t)element_at(type, h_x, i);
    OK(lr_dot_value(handle, type, d_x, d_x, 9001, &value, stream));
    ck_assert_mem_eq(&value, &sum, type_size(type)); /* of little-endian numbers */
}

TEST(arguments)
{
    struct lr_lines l = {.lines = 3, .length = 4, .lead = 4, .step = 1}, wrong;
    lr_handle *h = handle;
    void *r = d_results;

#define REDUCE(F, TYPE, X, L, R, INDICES) lr_reduce(h, LR_OP_##F, TYPE, X, NULL, L, R, INDICES, stream)
    IS(LR_NULL, lr_reduce(NULL, LR_OP_SUM, LR_FLOAT, d_x, NULL, &l, r, NULL, stream));
    OK(REDUCE(SUM, LR_FLOAT, d_x, &l, r, NULL));
    IS(LR_NULL, REDUCE(SUM, LR_FLOAT, d_x, NULL, r, NULL));
    IS(LR_NULL, REDUCE(PROD, LR_FLOAT, NULL, &l, r, NULL));
    IS(LR_NULL, REDUCE(PROD, LR_FLOAT, d_x, &l, NULL, NULL));
    IS(LR_NULL, REDUCE(ARGMAX, LR_FLOAT, d_x, &l, NULL, NULL));
    OK(REDUCE(ARGMAX, LR_FLOAT, d_x, &l, r, NULL));
    IS(LR_TYPE, REDUCE(PROD, LR_FLOAT, d_x, &l, r, d_indices));
    IS(LR_SHAPE, REDUCE(DOT, LR_FLOAT, d_x, &l, r, NULL));
    IS(LR_TYPE, REDUCE(PROD, -1, d_x, &l, r, NULL));
    IS(LR_TYPE, REDUCE(PROD, LR_TYPE_COUNT, d_x, &l, r, NULL));
    IS(LR_TYPE, REDUCE(NRM2, LR_INT32, d_x, &l, r, NULL));
    IS(LR_MISALIGNED, REDUCE(PROD, LR_FLOAT, d_x + 1, &l, r, NULL));
    IS(LR_OVERLAP, REDUCE(PROD, LR_FLOAT, d_x, &l, d_x + 44, NULL));
    OK(REDUCE(PROD, LR_FLOAT, d_x, &l, d_x + 48, NULL));
    wrong = l, wrong.step = 0;
    IS(LR_SHAPE, REDUCE(PROD, LR_FLOAT, d_x, &wrong, r, NULL));
    wrong = l, wrong.batch = 2;
    IS(LR_SHAPE, REDUCE(PROD, LR_FLOAT, d_x, &wrong, r, NULL));
    wrong = l, wrong.lead = (size_t)1 << 63;
    IS(LR_TOO_LARGE, REDUCE(PROD, LR_FLOAT, d_x, &wrong, r, NULL));
    wrong = l, wrong.offsets = d_offsets, wrong.offset_type = LR_DOUBLE;
    IS(LR_TYPE, REDUCE(PROD, LR_FLOAT, d_x, &wrong, r, NULL));
    wrong = l, wrong.lines = 0;
    OK(REDUCE(PROD, LR_FLOAT, NULL, &wrong, NULL, NULL));
    IS(LR_OVERLAP, REDUCE(ARGMAX, LR_FLOAT, d_x, &l, d_indices, d_indices));
    IS(LR_OVERLAP, REDUCE(ARGMAX, LR_FLOAT, d_x, &l, r, (int64_t *)(void *)(d_x + 8)));
    IS(LR_MISALIGNED, REDUCE(ARGMAX, LR_FLOAT, d_x, &l, r, (int64_t *)(void *)(d_y + 4)));
    IS(LR_MISALIGNED, REDUCE(MOMENTS, LR_FLOAT, d_x, &l, d_results + 4, NULL));
    IS(LR_NULL, lr_argmin(h, LR_INT32, d_x, 9, r, NULL, stream));
    IS(LR_NULL, lr_dot(NULL, LR_INT32, d_x, d_y, 9, r, stream));
    IS(LR_NULL, lr_dot(h, LR_INT32, d_x, NULL, 9, r, stream));
    IS(LR_MISALIGNED, lr_dot(h, LR_INT32, d_x, d_y + 2, 9, r, stream));
    IS(LR_OVERLAP, lr_dot(h, LR_INT32, d_x, d_y, 9, d_y + 32, stream));
    OK(lr_dot(h, LR_INT32, d_x, d_x, 9, r, stream));
    IS(LR_TYPE, lr_dots(h, LR_UINT8, d_x, 1, 1, d_y, 1, r, stream));
    IS(LR_NULL, lr_dots(h, LR_FLOAT, d_x, 1, 1, NULL, 1, r, stream));
    for (int f = -1; f <= LR_FUNCTION_COUNT; f += LR_FUNCTION_COUNT + 1)
        IS(LR_TYPE, lr_reduce(h, f, LR_FLOAT, d_x, NULL, &l, r, NULL, stream));
    ALL(lr_function_name(LR_FUNCTION_COUNT) == NULL, lr_function_text(-1) == NULL);
}
