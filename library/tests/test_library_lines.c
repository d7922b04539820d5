/* libreduction: every function for every type, along rows, columns, axes in the middle and segments, with steps, from any
 * alignment; against the host, exactly where no rounding is possible. A new function needs an oracle here: its row is looked
 * up by name.
 * Suite: warps kernels slow
 * SPDX-License-Identifier: MIT */
#include "stand.h"

#define ELEMENTS ((size_t)300000)
#define GUARD    64 /* bytes behind the results */

static char *d_results, *h_y;
static int64_t *d_indices, *d_offsets;
static int32_t *d_offsets_32;
static char results[ELEMENTS * sizeof(struct lr_moments_t) + GUARD];
static int64_t indices[ELEMENTS + 1];
static char *d_y;

static void begin(void)
{
    set_up();
    HIP_CHECK(hipMalloc((void **)&d_results, sizeof results));
    HIP_CHECK(hipMalloc((void **)&d_indices, sizeof indices));
    HIP_CHECK(hipMalloc((void **)&d_offsets, (ELEMENTS + 1) * sizeof *d_offsets));
    HIP_CHECK(hipMalloc((void **)&d_offsets_32, (ELEMENTS + 1) * sizeof *d_offsets_32));
    HIP_CHECK(hipMalloc((void **)&d_y, ELEMENTS * 8));
    h_y = malloc(ELEMENTS * 8);
    ck_assert_ptr_nonnull(h_y);
}

static void end(void)
{
    HIP_CHECK(hipFree(d_results));
    HIP_CHECK(hipFree(d_indices));
    HIP_CHECK(hipFree(d_offsets));
    HIP_CHECK(hipFree(d_offsets_32));
    HIP_CHECK(hipFree(d_y));
    free(h_y);
    tear_down();
}
SUITE_EACH(begin, end)

/* ---- elements ---- */

static const struct {
    const char *name;
    size_t size;
    bool floating;
} types[LR_TYPE_COUNT] = {
    [LR_FLOAT] = {"float", 4, true},
    [LR_DOUBLE] = {"double", 8, true},
    [LR_INT32] = {"int32", 4, false},
    [LR_INT64] = {"int64", 8, false},
    [LR_HALF] = {"half", 2, true},
    [LR_BFLOAT16] = {"bfloat16", 2, true},
    [LR_UINT8] = {"uint8", 1, false},
    [LR_INT8] = {"int8", 1, false},
    [LR_UINT32] = {"uint32", 4, false},
    [LR_BOOL] = {"bool", 1, false},
    [LR_COMPLEX_FLOAT] = {"complex float", 8, true},
    [LR_COMPLEX_DOUBLE] = {"complex double", 16, true},
};

static void put(char *to, int type, size_t i, double x)
{
    char *at = to + i * types[type].size;

    switch (type) {
    case LR_UINT8:
    case LR_BOOL:
        *(uint8_t *)at = (uint8_t)(int)x;
        break;
    case LR_INT8:
        *(int8_t *)at = (int8_t)x;
        break;
    case LR_UINT32:
        memcpy(at, &(uint32_t){(uint32_t)x}, 4);
        break;
    default:
        store(at, type, x, (int64_t)x);
    }
}

static double get(const char *from, int type, size_t i)
{
    const char *at = from + i * types[type].size;

    switch (type) {
    case LR_UINT8:
        return *(const uint8_t *)at;
    case LR_BOOL:
        return *at != 0;
    case LR_INT8:
        return *(const int8_t *)at;
    case LR_UINT32:
        return *(const uint32_t *)(const void *)at;
    default:
        return (double)element(type, at, 0);
    }
}

/* Small whole numbers, of which every sum of products is exact in every order, also in float. */
static void fill_whole(char *to, int type, uint64_t seed, bool nan)
{
    for (size_t i = 0; i < ELEMENTS; i++) {
        int x = (int)(pattern_hash(seed, i) % 9);
        bool is_signed = type != LR_UINT8 && type != LR_UINT32 && type != LR_BOOL;
        bool none = nan && types[type].floating && pattern_hash(seed + 1, i) % 5 == 0;
        put(to, type, i, none ? NAN : is_signed ? x - 4 : x);
    }
}

/* ---- what is right ---- */

struct answer {
    double value;
    int64_t index;
    double tolerance; /* relative */
    struct lr_moments_t moments;
};

/* The answer for n elements, at x[k] and y[k]; n may be 0. */
struct elements {
    const double *x, *y;
    size_t n;
    int type;
};

static double least_of(int result, bool least)
{
    if (result == LR_INT32)
        return least ? INT32_MIN : INT32_MAX;
    if (result == LR_INT64)
        return least ? (double)INT64_MIN : (double)INT64_MAX;
    return least ? -INFINITY : INFINITY;
}

static bool is(int function, const char *name)
{
    return strcmp(lr_function_name(function), name) == 0;
}

static void extreme(struct answer *a, const struct elements *e, bool min, bool skip, bool magnitude)
{
    int result = lr_result_type(LR_OP_MIN, e->type);

    a->index = -1;
    a->value = magnitude ? 0 : least_of(result, !min);
    for (size_t i = 0; i < e->n; i++) {
        double x = magnitude ? fabs(e->x[i]) : e->x[i];
        if (isnan(x) && skip)
            continue;
        bool better =
            a->index < 0 || (isnan(x) && !isnan(a->value)) || (min ? x < a->value : x > a->value);
        if (better && !(a->index >= 0 && isnan(a->value))) {
            a->value = x;
            a->index = (int64_t)i;
        }
    }
}

static void moments_of(struct answer *a, const struct elements *e)
{
    struct answer least, most;
    long double sum = 0, squares = 0;

    extreme(&least, e, true, false, false);
    extreme(&most, e, false, false, false);
    for (size_t i = 0; i < e->n; i++)
        sum += (long double)e->x[i];
    long double mean = sum / (long double)e->n;
    for (size_t i = 0; i < e->n; i++)
        squares += ((long double)e->x[i] - mean) * ((long double)e->x[i] - mean);
    a->moments.count = (int64_t)e->n;
    a->moments.mean = (double)mean;
    a->moments.variance = (double)(squares / (long double)e->n);
    a->moments.min = least.value;
    a->moments.max = most.value;
}

/* False: there is no oracle for this function. */
static bool answer(int f, const struct elements *e, struct answer *a)
{
    double sum = 0, count = 0, product = 1, nonzero = 0;
    bool skip = strncmp(lr_function_name(f), "nan", 3) == 0;

    memset(a, 0, sizeof *a);
    for (size_t i = 0; i < e->n; i++) {
        double x = e->x[i];
        nonzero += x != 0;
        if (skip && isnan(x))
            continue;
        count++;
        product *= x;
        sum += is(f, "dot")                      ? x * e->y[i]
               : is(f, "sumsq") || is(f, "nrm2") ? x * x
               : is(f, "asum")                   ? fabs(x)
               : is(f, "logsumexp")              ? exp(x)
                                                 : x;
    }
    a->value = sum;
    if (is(f, "sum") || is(f, "sum_binned") || is(f, "nansum") || is(f, "dot") || is(f, "sumsq") ||
        is(f, "asum"))
        return true;
    a->tolerance = 1e-6;
    if (is(f, "nrm2"))
        a->value = sqrt(sum);
    else if (is(f, "logsumexp"))
        a->value = log(sum);
    else if (is(f, "mean") || is(f, "nanmean"))
        a->value = sum / count;
    else if (is(f, "prod"))
        a->value = product;
    else if (is(f, "count"))
        a->value = nonzero;
    else if (is(f, "any"))
        a->value = nonzero > 0;
    else if (is(f, "all"))
        a->value = nonzero == (double)e->n;
    else if (is(f, "moments"))
        moments_of(a, e);
    else if (is(f, "min") || is(f, "argmin") || is(f, "nanmin") || is(f, "nanargmin"))
        extreme(a, e, true, skip, false);
    else if (is(f, "max") || is(f, "argmax") || is(f, "nanmax") || is(f, "nanargmax"))
        extreme(a, e, false, skip, false);
    else if (is(f, "amax") || is(f, "iamax"))
        extreme(a, e, false, false, true);
    else
        return false;
    return true;
}

/* ---- calls ---- */

static bool near(double got, double wanted, double tolerance)
{
    if (isnan(wanted) || isinf(wanted))
        return isnan(wanted) ? isnan(got) : got == wanted;
    return fabs(got - wanted) <= tolerance * fabs(wanted) + (tolerance > 0 ? 1e-7 : 0);
}

static void judge_line(const char *what, int f, const struct elements *e, size_t k)
{
    struct answer a;
    int result = lr_result_type(f, e->type);

    ck_assert_msg(answer(f, e, &a), "no oracle for %s", lr_function_name(f));
    if (result == LR_MOMENTS_STRUCT) {
        struct lr_moments_t m;
        memcpy(&m, results + k * sizeof m, sizeof m);
        ck_assert_msg(m.count == a.moments.count && near(m.mean, a.moments.mean, 1e-14) &&
                          near(m.variance, a.moments.variance, 1e-14) &&
                          near(m.min, a.moments.min, 0) && near(m.max, a.moments.max, 0),
                      "%s of %s: line %zu of %zu: %g %g %g %g", what, types[e->type].name, k, e->n,
                      m.mean, m.variance, m.min, m.max);
        return;
    }
    double got = (double)element(result, results, 0 + k);
    if (is(f, "prod") && !types[e->type].floating) /* wraps */
        return;
    ck_assert_msg(near(got, a.value, a.tolerance), "%s of %s, %s: line %zu of %zu: %g, not %g",
                  lr_function_name(f), types[e->type].name, what, k, e->n, got, a.value);
    ck_assert_msg(!lr_finds(f) || indices[k] == a.index,
                  "%s of %s, %s: line %zu of %zu: at %lld, not %lld", lr_function_name(f),
                  types[e->type].name, what, k, e->n, (long long)indices[k], (long long)a.index);
}

static size_t result_bytes(int f, int type)
{
    int result = lr_result_type(f, type);

    return result == LR_MOMENTS_STRUCT ? sizeof(struct lr_moments_t) : types[result].size;
}

static size_t results_at; /* how many results behind d_results the first one is stored */

/* On the device and on the host, with the same bits; every line against its oracle. */
static void check_lines(const char *what, int f, int type, size_t offset, struct lr_lines l,
                        const int64_t *offsets)
{
    static double x[ELEMENTS], y[ELEMENTS];
    static char values[1 + sizeof results]; /* of which the host may ask for any byte */
    static int64_t places[ELEMENTS];
    size_t bytes = l.lines * result_bytes(f, type);
    char *to = d_results + results_at * result_bytes(f, type);
    int64_t *at = d_indices + results_at;
    bool finds = lr_finds(f), has_y = is(f, "dot");
    const char *from = d_x + offset * types[type].size, *second = has_y ? d_y : NULL;

    memset(results, 0x5a, bytes + GUARD);
    HIP_CHECK(hipMemcpy(to, results, bytes + GUARD, hipMemcpyHostToDevice));
    int status = lr_reduce(handle, f, type, from, second, &l, to, finds ? at : NULL, stream);
    ck_assert_msg(status == LR_OK, "%s of %s, %s: %s %s", lr_function_name(f), types[type].name,
                  what, lr_text(status), lr_runtime_text(handle));
    HIP_CHECK(hipStreamSynchronize(stream));
    HIP_CHECK(hipMemcpy(results, to, bytes + GUARD, hipMemcpyDeviceToHost));
    HIP_CHECK(hipMemcpy(indices, at, l.lines * sizeof *indices, hipMemcpyDeviceToHost));
    for (size_t k = 0; k < GUARD; k++)
        ck_assert_msg(results[bytes + k] == 0x5a, "%s: behind the results", lr_function_name(f));
    ck_assert_int_eq(lr_reduce_value(handle, f, type, from, second, &l, values + 1,
                                     finds ? places : NULL, stream),
                     LR_OK);
    ck_assert_msg(memcmp(values + 1, results, bytes) == 0, "%s of %s, %s: not the same on the host",
                  lr_function_name(f), types[type].name, what);
    ck_assert(!finds || memcmp(places, indices, l.lines * sizeof *indices) == 0);
    for (size_t k = 0; k < l.lines; k++) {
        size_t at = l.batch > 0 ? k / l.batch * l.batch_lead + k % l.batch * l.lead : k * l.lead;
        size_t y_at = k * l.y_lead, n = l.length;
        if (offsets != NULL) {
            at = (size_t)offsets[k] * l.step;
            y_at = (size_t)offsets[k] * l.y_step;
            n = (size_t)(offsets[k + 1] - offsets[k]);
        }
        for (size_t i = 0; i < n; i++) {
            x[i] = get(h_x, type, offset + at + i * l.step);
            y[i] = has_y ? get(h_y, type, y_at + i * l.y_step) : 0;
        }
        judge_line(what, f, &(struct elements){x, y, n, type}, k);
    }
}

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
    {"whole rows",
     0,
     {.lines = 40, .length = 1024, .lead = 1024, .step = 1, .y_lead = 1024, .y_step = 1}},
    {"long rows", 2, {.lines = 3, .length = 19001, .lead = 19003, .step = 1, .y_step = 2}},
    {"rows with a step", 1, {.lines = 30, .length = 300, .lead = 1000, .step = 3, .y_step = 1}},
    {"columns", 0, {.lines = 257, .length = 200, .lead = 1, .step = 260, .y_step = 1}},
    {"short columns",
     1,
     {.lines = 3001, .length = 13, .lead = 1, .step = 3010, .y_lead = 1, .y_step = 3010}},
    {"few columns",
     1,
     {.lines = 3, .length = 15001, .lead = 1, .step = 3, .y_lead = 1, .y_step = 3}},
    {"every other column", 0, {.lines = 90, .length = 99, .lead = 2, .step = 200, .y_step = 1}},
    {"overlapping rows", 0, {.lines = 50, .length = 100, .lead = 7, .step = 1, .y_step = 1}},
    {"one row, again and again", 0, {.lines = 20, .length = 70, .lead = 0, .step = 1, .y_step = 1}},
    {"an axis in the middle",
     1,
     {.lines = 90, .length = 20, .lead = 1, .step = 30, .batch = 30, .batch_lead = 610}},
};

TESTS(every_function_of_every_shape, LR_COMPLEX_FLOAT)
{
    int type = _i;

    for (int nan = 0; nan < (types[type].floating ? 2 : 1); nan++) {
        fill_whole(h_x, type, 1, nan);
        fill_whole(h_y, type, 5, false);
        upload(ELEMENTS * types[type].size);
        HIP_CHECK(hipMemcpy(d_y, h_y, ELEMENTS * types[type].size, hipMemcpyHostToDevice));
        for (int f = 0; f < LR_FUNCTION_COUNT; f++)
            for (size_t s = 0; s < COUNT(shapes) && lr_result_type(f, type) >= 0; s++)
                if (!(is(f, "dot") && shapes[s].lines.batch > 0) &&
                    !(is(f, "prod") && shapes[s].lines.length > 20 && !nan))
                    check_lines(shapes[s].name, f, type, shapes[s].offset, shapes[s].lines, NULL);
    }
}

/* Sums and extremes of rows and columns have kernels of their own, and plans for every width and alignment. */
static const struct {
    size_t rows, columns, stride, offset;
} matrices[] = {
    {1, 1, 1, 0},           {1, 7, 7, 1},          {1, 250000, 250000, 0}, {1, 250000, 250000, 3},
    {250000, 1, 1, 0},      {100000, 2, 2, 1},     {60000, 4, 4, 0},       {50000, 3, 5, 0},
    {40001, 5, 5, 0},       {9001, 31, 31, 1},     {9000, 31, 33, 2},      {3001, 70, 95, 3},
    {30000, 8, 8, 2},       {17000, 16, 16, 0},    {1000, 64, 64, 0},      {1001, 63, 64, 1},
    {300, 256, 256, 0},     {299, 257, 300, 0},    {290, 257, 257, 1},     {100, 1024, 1024, 0},
    {77, 1023, 1025, 3},    {10, 20000, 20000, 0}, {10, 20001, 20003, 1},  {3, 65536, 65536, 0},
    {2, 100000, 120000, 0}, {4, 50000, 60000, 2},
};
static const int of_matrices[] = {LR_OP_SUM, LR_OP_MIN, LR_OP_MAX};

/* Twice, in different orders: calls must not depend on what others left in the workspace. */
TESTS(rows_and_columns, TYPE_ALL)
{
    int type = _i;

    fill_whole(h_x, type, 1, false);
    upload(ELEMENTS * types[type].size);
    for (size_t turn = 0; turn < 2; turn++)
        for (size_t k = 0; k < COUNT(matrices); k++) {
            size_t m = turn == 0 ? k : COUNT(matrices) - 1 - k, stride = matrices[m].stride;
            const struct lr_lines rows = {.lines = matrices[m].rows,
                                          .length = matrices[m].columns,
                                          .lead = stride,
                                          .step = 1},
                                  columns = {.lines = matrices[m].columns,
                                             .length = matrices[m].rows,
                                             .lead = 1,
                                             .step = stride};
            if (suite_level() < LEVEL_ALL && strcmp(device.arch, "cpu") == 0 &&
                (k + turn) % 2 == (device.warp_size == 64))
                continue; /* once for each shape, in the other pass */
            check_lines("rows", of_matrices[(k + turn) % 3], type, matrices[m].offset, rows, NULL);
            check_lines("columns", of_matrices[(k + turn + 1) % 3], type, matrices[m].offset,
                        columns, NULL);
        }
}

/* So many that a thread takes several of them (kernels/beside.h). Rows overlap, to need little memory. */
TESTS(columns_side_by_side, LR_COMPLEX_FLOAT)
{
    int type = _i, units = 0, device = 0;

    HIP_CHECK(hipGetDevice(&device));
    HIP_CHECK(hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, device));
    size_t enough = (size_t)units * 32768 / types[type].size;
    const struct lr_lines tall = {.lines = 1024,
                                  .length = enough / 1024 + 41,
                                  .lead = 1,
                                  .step = 8,
                                  .y_lead = 1,
                                  .y_step = 8},
                          flat = {.lines = units < 8 ? (size_t)units * 6144
                                                     : 49152, /* each by one thread */
                                  .length = 13,
                                  .lead = 1,
                                  .step = 8,
                                  .y_lead = 1,
                                  .y_step = 8};
    fill_whole(h_x, type, 1, false);
    fill_whole(h_y, type, 5, false);
    upload(ELEMENTS * types[type].size);
    HIP_CHECK(hipMemcpy(d_y, h_y, ELEMENTS * types[type].size, hipMemcpyHostToDevice));
    for (int f = 0; f < LR_FUNCTION_COUNT; f++)
        if (lr_result_type(f, type) >= 0) {
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
        ck_assert_int_eq(
            lr_reduce_value(handle, LR_OP_ASUM, LR_DOUBLE, d_x, NULL, l, sums, NULL, stream),
            LR_OK);
        for (size_t k = 0; k < l->lines; k++) {
            long double sum = 0, c = 60 + (long double)l->length / 8;
            for (size_t i = 0; i < l->length; i++)
                sum += fabsl(element(TYPE_DOUBLE, h_x, k * l->lead + i * l->step));
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

    fill_whole(h_x, part, 1, false);
    fill_whole(h_y, part, 5, false);
    upload(ELEMENTS * types[part].size);
    HIP_CHECK(hipMemcpy(d_y, h_y, ELEMENTS * types[part].size, hipMemcpyHostToDevice));
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
            ck_assert_int_eq(
                lr_reduce(handle, f, type, from, dot ? d_y : NULL, &l, d_results, NULL, stream),
                LR_OK);
            ck_assert_int_eq(
                lr_reduce_value(handle, f, type, from, dot ? d_y : NULL, &l, values, NULL, stream),
                LR_OK);
            HIP_CHECK(hipMemcpy(results, d_results, l.lines * size + GUARD, hipMemcpyDeviceToHost));
            ck_assert_int_eq(results[l.lines * size], 0x5a);
            ck_assert(memcmp(results, values, l.lines * size) == 0);
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
                              "%s of %s, %s: line %zu: %g, not %g", lr_function_name(f),
                              types[type].name, shapes[s].name, k, got, wanted);
            }
        }
    double value[2];
    ck_assert_int_eq(lr_nrm2_value(handle, type, d_x, 9, value, stream), LR_OK);
    ck_assert_int_eq(lr_asum_value(handle, type, d_x, 9, value, stream), LR_OK);
    ck_assert_int_eq(lr_dot_value(handle, type, d_x, d_y, 9, value, stream), LR_OK);
    ck_assert_int_eq(lr_sum_value(handle, type, d_x, 9, value, stream), LR_OK);
    ck_assert_int_eq(lr_max_value(handle, type, d_x, 9, value, stream), LR_TYPE);
    ck_assert_int_eq(lr_sum_value(handle, type, d_x + 4, 9, value, stream), LR_MISALIGNED);
}

/* Empty ones among them, long and short, with both kinds of offsets, and a step. */
TESTS(segments, LR_COMPLEX_FLOAT)
{
    static int64_t offsets[402];
    static int32_t narrow[402];
    int type = _i;

    for (size_t k = 1; k < COUNT(offsets); k++)
        offsets[k] = offsets[k - 1] + (int64_t)(k % 3 == 0 ? 0
                                                : k == 200 ? 9000
                                                           : pattern_hash(8, k) % 60);
    for (size_t k = 0; k < COUNT(offsets); k++)
        narrow[k] = (int32_t)offsets[k];
    fill_whole(h_x, type, 1, false);
    fill_whole(h_y, type, 5, false);
    upload(ELEMENTS * types[type].size);
    HIP_CHECK(hipMemcpy(d_y, h_y, ELEMENTS * types[type].size, hipMemcpyHostToDevice));
    HIP_CHECK(hipMemcpy(d_offsets, offsets, sizeof offsets, hipMemcpyHostToDevice));
    HIP_CHECK(hipMemcpy(d_offsets_32, narrow, sizeof narrow, hipMemcpyHostToDevice));
    for (int f = 0; f < LR_FUNCTION_COUNT; f++)
        for (int k = 0; k < 3 && lr_result_type(f, type) >= 0 && !is(f, "prod"); k++) {
            struct lr_lines l = {.lines = COUNT(offsets) - 1,
                                 .length = (size_t)offsets[401],
                                 .step = k == 2 ? 2 : 1,
                                 .offset_type = k == 1 ? LR_INT32 : LR_INT64,
                                 .y_step = 1};
            l.offsets = k == 1 ? (const void *)d_offsets_32 : d_offsets;
            check_lines("segments", f, type, (size_t)k, l, offsets);
        }
}

static size_t equal(size_t n, size_t segments, size_t k)
{
    return (void)k, n / segments;
}

static size_t none(size_t n, size_t segments, size_t k)
{
    return (void)n, (void)segments, (void)k, 0;
}

/* Many short or empty ones, and one or two that take all the rest. */
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
    return (void)n, (void)segments, ((size_t)1 << k % 14) - 1;
}

/* Lengths of the segments of an array of n elements. */
static const struct layout {
    const char *name;
    size_t n, segments;
    size_t (*length)(size_t n, size_t segments, size_t k);
} layouts[] = {
    {"one", ELEMENTS - 3, 1, equal},      {"equal", 60000, 60000, equal},
    {"equal", 299990, 23, equal},         {"equal", 299000, 3000, equal},
    {"none", 1000, 5000, none},           {"nothing", 0, 3, none},
    {"one long", 299990, 5000, one_long}, {"one long", 40000, 30, one_long},
    {"two long", 299990, 4, two_long},    {"doubling", 299990, 238, doubling},
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
    const struct lr_lines two_rows = {
        .lines = 2, .length = ELEMENTS / 2, .lead = ELEMENTS / 2, .step = 1};
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
            check_lines(layouts[k].name, of_matrices[(k + (size_t)type + turn) % 3], type,
                        turn * (k % 4), l, offsets + first);
        check_lines("rows", LR_OP_SUM, type, 0, two_rows, NULL);
    }
}

/* A graph whose segments change between replays: the capture must not depend on them. */
TEST(captured_segments)
{
    static const struct layout other[] = {{"equal", 299990, 100, equal},
                                          {"one long", 299990, 100, one_long}};
    char *d_again = d_results + 1000;
    hipGraph_t graph;
    hipGraphExec_t exec;

    fill(TYPE_DOUBLE, 22, ELEMENTS);
    upload(ELEMENTS * 8);
    HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    ck_assert_int_eq(
        lr_sum_segments(handle, LR_DOUBLE, d_x, 299990, d_offsets, 100, d_results, stream), LR_OK);
    HIP_CHECK(hipStreamEndCapture(stream, &graph));
    HIP_CHECK(hipGraphInstantiateWithFlags(&exec, graph, 0));
    for (size_t k = 0; k < 4; k++) {
        (void)lay(&other[k % 2]);
        HIP_CHECK(hipGraphLaunch(exec, stream));
        ck_assert_int_eq(
            lr_sum_segments(handle, LR_DOUBLE, d_x, 299990, d_offsets, 100, d_again, stream),
            LR_OK);
        HIP_CHECK(hipStreamSynchronize(stream));
        HIP_CHECK(hipMemcpy(results, d_results, 2000, hipMemcpyDeviceToHost));
        ck_assert_mem_eq(results, results + 1000, 800);
        HIP_CHECK(hipMemset(d_results, 0x5a, 2000));
    }
    HIP_CHECK(hipGraphExecDestroy(exec));
    HIP_CHECK(hipGraphDestroy(graph));
}

/* lr_min_rows() and its like are what lr_reduce() calls. */
TEST(functions_with_a_name)
{
    typedef int matrix_t(lr_handle *, int, const void *, size_t, size_t, size_t, void *, lr_stream);
    typedef int segments_t(lr_handle *, int, const void *, size_t, const int64_t *, size_t, void *,
                           lr_stream);
    static matrix_t *const along[][2][2] = {
        {{lr_sum_rows, lr_sum_rows_value}, {lr_sum_columns, lr_sum_columns_value}},
        {{lr_min_rows, lr_min_rows_value}, {lr_min_columns, lr_min_columns_value}},
        {{lr_max_rows, lr_max_rows_value}, {lr_max_columns, lr_max_columns_value}}};
    static segments_t *const of_segments[][2] = {{lr_sum_segments, lr_sum_segments_value},
                                                 {lr_min_segments, lr_min_segments_value},
                                                 {lr_max_segments, lr_max_segments_value}};
    const struct lr_lines lines[] = {
        {.lines = 20, .length = 31, .lead = 33, .step = 1},
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
                ck_assert_int_eq(lr_reduce_value(handle, of_matrices[f], LR_FLOAT, d_x, NULL,
                                                 &lines[k], wanted, NULL, stream),
                                 LR_OK);
                ck_assert_int_eq(
                    k < 2 ? along[f][k][on_host](handle, LR_FLOAT, d_x, 20, 31, 33, to, stream)
                          : of_segments[f][on_host](handle, LR_FLOAT, d_x, 40000, d_offsets, 30, to,
                                                    stream),
                    LR_OK);
                HIP_CHECK(hipStreamSynchronize(stream));
                if (!on_host)
                    HIP_CHECK(hipMemcpy(got, d_results, sizeof got, hipMemcpyDeviceToHost));
                ck_assert_mem_eq(got, wanted, lines[k].lines * sizeof *got);
            }
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
    ck_assert_int_eq(
        lr_reduce_value(handle, LR_OP_SUM, LR_INT32, d_x, NULL, &row, &value, NULL, stream), LR_OK);
    ck_assert_int_eq(value, 0);
    ck_assert_int_eq(
        lr_reduce_value(handle, LR_OP_SUM, LR_UINT32, d_x, NULL, &row, &wide, NULL, stream), LR_OK);
    ck_assert_int_eq(wide, (int64_t)300 << 30);
    memset(h_x, 0xff, 600);
    upload(600);
    ck_assert_int_eq(
        lr_reduce_value(handle, LR_OP_SUM, LR_UINT8, d_x, NULL, &row, &wide, NULL, stream), LR_OK);
    ck_assert_int_eq(wide, 300 * 255);
    ck_assert_int_eq(
        lr_reduce_value(handle, LR_OP_SUM, LR_BOOL, d_x, NULL, &row, &wide, NULL, stream), LR_OK);
    ck_assert_int_eq(wide, 300);
    for (size_t i = 0; i < 600; i++)
        store(h_x + 4 * i, TYPE_FLOAT, 1000 + (double)(i == 302) * 2, 0);
    upload(2400);
    ck_assert_int_eq(
        lr_reduce_value(handle, LR_OP_LOGSUMEXP, LR_FLOAT, d_x, NULL, &row, &lse, NULL, stream),
        LR_OK);
    ck_assert_msg(fabs(lse - (1000 + log(299 + exp(2)))) < 1e-3, "%g", lse);
    ck_assert_int_eq(
        lr_reduce_value(handle, LR_OP_IAMAX, LR_FLOAT, d_x, NULL, &row, NULL, &index, stream),
        LR_OK);
    ck_assert_int_eq(index, 151);
    for (size_t i = 0; i < 600; i++)
        store(h_x + 4 * i, TYPE_FLOAT, -INFINITY, 0);
    upload(2400);
    ck_assert_int_eq(
        lr_reduce_value(handle, LR_OP_LOGSUMEXP, LR_FLOAT, d_x, NULL, &row, &lse, NULL, stream),
        LR_OK);
    ck_assert(isinf(lse) && lse < 0);
}

#define IS(status, call) ck_assert_int_eq(call, status)

TEST(arguments)
{
    struct lr_lines l = {.lines = 3, .length = 4, .lead = 4, .step = 1}, wrong;
    lr_handle *h = handle;
    void *r = d_results;

#define REDUCE(F, TYPE, X, L, R, INDICES)                                                          \
    lr_reduce(h, LR_OP_##F, TYPE, X, NULL, L, R, INDICES, stream)
    IS(LR_NULL, lr_reduce(NULL, LR_OP_SUM, LR_FLOAT, d_x, NULL, &l, r, NULL, stream));
    IS(LR_OK, REDUCE(SUM, LR_FLOAT, d_x, &l, r, NULL));
    IS(LR_NULL, REDUCE(SUM, LR_FLOAT, d_x, NULL, r, NULL));
    IS(LR_NULL, REDUCE(PROD, LR_FLOAT, NULL, &l, r, NULL));
    IS(LR_NULL, REDUCE(PROD, LR_FLOAT, d_x, &l, NULL, NULL));
    IS(LR_NULL, REDUCE(ARGMAX, LR_FLOAT, d_x, &l, NULL, NULL));
    IS(LR_OK, REDUCE(ARGMAX, LR_FLOAT, d_x, &l, r, NULL));
    IS(LR_TYPE, REDUCE(PROD, LR_FLOAT, d_x, &l, r, d_indices));
    IS(LR_SHAPE, REDUCE(DOT, LR_FLOAT, d_x, &l, r, NULL));
    IS(LR_TYPE, REDUCE(PROD, -1, d_x, &l, r, NULL));
    IS(LR_TYPE, REDUCE(PROD, LR_TYPE_COUNT, d_x, &l, r, NULL));
    IS(LR_TYPE, REDUCE(NRM2, LR_INT32, d_x, &l, r, NULL));
    IS(LR_MISALIGNED, REDUCE(PROD, LR_FLOAT, d_x + 1, &l, r, NULL));
    IS(LR_OVERLAP, REDUCE(PROD, LR_FLOAT, d_x, &l, d_x + 44, NULL));
    IS(LR_OK, REDUCE(PROD, LR_FLOAT, d_x, &l, d_x + 48, NULL));
    wrong = l, wrong.step = 0;
    IS(LR_SHAPE, REDUCE(PROD, LR_FLOAT, d_x, &wrong, r, NULL));
    wrong = l, wrong.batch = 2;
    IS(LR_SHAPE, REDUCE(PROD, LR_FLOAT, d_x, &wrong, r, NULL));
    wrong = l, wrong.lead = (size_t)1 << 63;
    IS(LR_TOO_LARGE, REDUCE(PROD, LR_FLOAT, d_x, &wrong, r, NULL));
    wrong = l, wrong.offsets = d_offsets, wrong.offset_type = LR_DOUBLE;
    IS(LR_TYPE, REDUCE(PROD, LR_FLOAT, d_x, &wrong, r, NULL));
    wrong = l, wrong.lines = 0;
    IS(LR_OK, REDUCE(PROD, LR_FLOAT, NULL, &wrong, NULL, NULL));
    for (int f = -1; f <= LR_FUNCTION_COUNT; f += LR_FUNCTION_COUNT + 1)
        IS(LR_TYPE, lr_reduce(h, f, LR_FLOAT, d_x, NULL, &l, r, NULL, stream));
    ck_assert_ptr_null(lr_function_name(LR_FUNCTION_COUNT));
    ck_assert_ptr_null(lr_function_text(-1));
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
    IS(LR_OK, lr_sum_rows(h, LR_FLOAT, d_x, 0, 3, 3, r, stream));
    IS(LR_SHAPE, lr_sum_columns(h, LR_FLOAT, d_x, 0, 3, 3, r, stream));
    /* a product that wraps would give 3 elements */
    IS(LR_TOO_LARGE, lr_sum_columns(h, LR_FLOAT, d_x, ((size_t)1 << 24) + 1, 3, far, r, stream));
    IS(LR_TOO_LARGE, lr_max_rows(h, LR_FLOAT, d_x, 1, 3, far + 1, r, stream));
    IS(LR_OK, lr_max_rows(h, LR_FLOAT, d_x, 1, 3, far, r, stream));
    IS(LR_MISALIGNED, lr_min_columns(h, LR_FLOAT, d_x, 2, 3, 3, d_results + 2, stream));
    IS(LR_OTHER_STREAM, lr_min_columns(h, LR_FLOAT, d_x, 2, 3, 3, r, NULL));
    IS(LR_MISALIGNED, lr_sum_columns(h, LR_FLOAT, d_x + 1, 2, 3, 3, r, stream));
    IS(LR_OVERLAP, lr_sum_columns(h, LR_FLOAT, d_x, 2, 3, 3, d_x + 20, stream));
    IS(LR_OK, lr_sum_columns(h, LR_FLOAT, d_x, 2, 3, 3, d_x + 24, stream));
    IS(LR_OVERLAP, lr_sum_rows(h, LR_FLOAT, d_x + 8, 3, 3, 3, d_x, stream));
    IS(LR_OK, lr_sum_rows(h, LR_FLOAT, d_x + 12, 3, 3, 3, d_x, stream));
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
    IS(LR_OK, lr_sum_segments(h, LR_FLOAT, d_x, 9, NULL, 0, NULL, stream));
    IS(LR_OK, lr_sum_segments(h, LR_FLOAT, d_x, 9, NULL, 0, r, stream));
    IS(LR_OK, lr_sum_segments(h, LR_FLOAT, NULL, 0, at, 3, r, stream));
    IS(LR_OK, lr_sum_segments(h, LR_FLOAT, d_results + 4, 0, at, 3, r, stream));
    IS(LR_OK, lr_sum_segments(h, LR_FLOAT, d_x, 9, at, 0, d_x + 4, stream));
    IS(LR_OTHER_STREAM, lr_sum_segments(h, LR_FLOAT, d_x, 9, at, 3, r, NULL));
}
