/* libreduction: segments of sorted keys, lengths on the device, binned sums of lines, softmax of rows.
 * Suite: warps kernels
 * SPDX-License-Identifier: MIT */
#include "stand.h"

#define MOST 20000

static int64_t *d_offsets, *d_keys, *d_length;
static char *d_results;
static char results[MOST * 8 + 64];

static void begin(void)
{
    set_up();
    d_offsets = room((MOST + 2) * sizeof *d_offsets);
    d_keys = room(MOST * sizeof *d_keys);
    d_length = room(sizeof *d_length);
    d_results = room(sizeof results);
}

SUITE_EACH(begin, tear_down)

static void download(size_t bytes)
{
    HIP_CHECK(hipStreamSynchronize(stream));
    HIP_CHECK(hipMemcpy(results, d_results, bytes + 64, hipMemcpyDeviceToHost));
    for (size_t k = 0; k < 64; k++)
        ck_assert_msg(results[bytes + k] == 0x5a, "byte %zu behind the results", k);
}

static void guard(void) { HIP_CHECK(hipMemset(d_results, 0x5a, sizeof results)); }

static double small(size_t i) { return (double)(pattern_hash(3, i) % 9) - 4; }

/* Sorted, of some values many and of others none, below 0 and beyond the segments, too. */
static int64_t key_of(size_t i)
{
    static const int64_t keys[] = {-7, -1, 0, 1, 1, 4, 90, 91, 92, 3000, 3001, 1 << 30};

    return i < 9000 ? keys[i / 750] : (1 << 30) + (int64_t)i;
}

static void upload_keys(int type, size_t n)
{
    static int64_t wide[MOST];
    static int32_t narrow[MOST];

    for (size_t i = 0; i < n; i++) {
        wide[i] = key_of(i);
        narrow[i] = (int32_t)wide[i];
    }
    HIP_CHECK(hipMemcpy(d_keys, type == LR_INT64 ? (void *)wide : narrow, n * (type == LR_INT64 ? 8 : 4),
                        hipMemcpyHostToDevice));
}

TESTS(sums_by_key, 2)
{
    static const size_t counts[] = {0, 1, 2, 92, 93, 3001, MOST};
    static int64_t offsets[MOST + 2];
    int key_type = _i == 0 ? LR_INT32 : LR_INT64;

    for (size_t i = 0; i < MOST; i++)
        store(h_x + i * 8, TYPE_DOUBLE, small(i), 0);
    upload(MOST * 8);
    upload_keys(key_type, MOST);
    for (size_t c = 0; c < 2 * COUNT(counts); c++) {
        size_t segments = counts[c / 2], n = c % 2 == 0 ? MOST : 0;
        HIP_CHECK(hipMemset(d_offsets, 0x5a, (segments + 2) * 8));
        guard();
        OK(lr_sum_by_key(handle, LR_DOUBLE, d_x, key_type, d_keys, n, segments, d_offsets, d_results, stream));
        download(segments * 8);
        HIP_CHECK(hipMemcpy(offsets, d_offsets, (segments + 2) * 8, hipMemcpyDeviceToHost));
        ck_assert_int_eq(offsets[segments + 1], 0x5a5a5a5a5a5a5a5a);
        size_t below = 0;
        for (size_t k = 0; k <= segments; k++) {
            double sum = 0;
            while (below < n && key_of(below) < (int64_t)k)
                below++;
            ck_assert_msg(offsets[k] == (int64_t)below, "offset %zu is %lld, not %zu", k, (long long)offsets[k], below);
            for (size_t i = below; i < n && key_of(i) == (int64_t)k; i++)
                sum += small(i);
            ck_assert_msg(k == segments || (double)element_at(LR_DOUBLE, results, k) == sum, "sum of key %zu", k);
        }
    }
    IS(LR_TYPE, lr_sum_by_key(handle, LR_DOUBLE, d_x, LR_FLOAT, d_keys, 3, 3, d_offsets, d_results, stream));
    IS(LR_NULL, lr_sum_by_key(handle, LR_DOUBLE, d_x, key_type, NULL, 3, 3, d_offsets, d_results, stream));
    IS(LR_OVERLAP, lr_sum_by_key(handle, LR_DOUBLE, d_x, key_type, d_keys, 3, 3, d_keys, d_results, stream));
    IS(LR_TOO_LARGE, lr_offsets_of_keys(handle, key_type, d_keys, 3, SIZE_MAX, d_offsets, stream));
}

/* Of rows of a matrix: a row of results for each segment of rows. */
TEST(segments_of_rows)
{
    enum { ROWS = 1000, COLUMNS = 17, SEGMENTS = 40 };
    static int64_t offsets[SEGMENTS + 1];
    struct lr_lines l = {.lines = SEGMENTS * COLUMNS, .length = ROWS, .lead = 1, .step = COLUMNS, .batch = COLUMNS};

    l.offsets = d_offsets, l.offset_type = LR_INT64;
    for (size_t k = 0; k <= SEGMENTS; k++)
        offsets[k] = k < 20 ? (int64_t)(k / 2 * 7) : (int64_t)(ROWS - (SEGMENTS - k) * 40);
    for (size_t i = 0; i < ROWS * COLUMNS; i++)
        store(h_x + i * 4, TYPE_FLOAT, small(i), 0);
    upload(ROWS * COLUMNS * 4);
    HIP_CHECK(hipMemcpy(d_offsets, offsets, sizeof offsets, hipMemcpyHostToDevice));
    for (int f = 0; f < 2; f++) {
        guard();
        OK(lr_reduce(handle, f == 0 ? LR_OP_SUM : LR_OP_MAX, LR_FLOAT, d_x, NULL, &l, d_results, NULL, stream));
        download(l.lines * 4);
        for (size_t k = 0; k < l.lines; k++) {
            double sum = 0, most = -INFINITY;
            for (int64_t i = offsets[k / COLUMNS]; i < offsets[k / COLUMNS + 1]; i++) {
                double x = small((size_t)i * COLUMNS + k % COLUMNS);
                sum += x;
                most = fmax(most, x);
            }
            ck_assert_msg((double)element_at(LR_FLOAT, results, k) == (f == 0 ? sum : most), "line %zu", k);
        }
    }
    l.length_at = d_length;
    IS(LR_SHAPE, lr_reduce(handle, LR_OP_SUM, LR_FLOAT, d_x, NULL, &l, d_results, NULL, stream));
}

/* One graph, whose replays have other lengths: sums, products, moments, places of a maximum; rows of it. */
TEST(lengths_on_the_device)
{
    static const int64_t lengths[] = {9000, 0, 1, -5, 4099, 9001, INT64_MAX, 17};
    const struct lr_lines one = {.lines = 1, .length = 9000, .step = 1, .y_step = 1, .length_at = d_length},
                          rows = {.lines = 2, .length = 9000, .lead = 9001, .step = 1, .length_at = d_length};
    struct lr_moments_t *moments = (struct lr_moments_t *)(void *)(d_results + 64);

    for (size_t i = 0; i < MOST; i++)
        store(h_x + i * 8, TYPE_DOUBLE, small(i), 0);
    upload(MOST * 8);
    capture();
    OK(lr_reduce(handle, LR_OP_SUM, LR_DOUBLE, d_x, NULL, &one, d_results, NULL, stream));
    OK(lr_reduce(handle, LR_OP_DOT, LR_DOUBLE, d_x, d_x, &one, d_results + 8, NULL, stream));
    OK(lr_reduce(handle, LR_OP_SUM, LR_DOUBLE, d_x, NULL, &rows, d_results + 16, NULL, stream));
    OK(lr_reduce(handle, LR_OP_ARGMAX, LR_DOUBLE, d_x, NULL, &one, NULL, (int64_t *)(void *)(d_results + 32), stream));
    OK(lr_reduce(handle, LR_OP_MOMENTS, LR_DOUBLE, d_x, NULL, &one, moments, NULL, stream));
    hipGraphExec_t exec = end_capture();
    for (size_t k = 0; k < COUNT(lengths); k++) {
        size_t n = lengths[k] < 0 ? 0 : lengths[k] > 9000 ? 9000 : (size_t)lengths[k];
        double sum = 0, second = 0, squares = 0;
        int64_t most = n > 0 ? 0 : -1, got;
        struct lr_moments_t m;
        guard();
        HIP_CHECK(hipMemcpy(d_length, &lengths[k], 8, hipMemcpyHostToDevice));
        HIP_CHECK(hipGraphLaunch(exec, stream));
        HIP_CHECK(hipStreamSynchronize(stream));
        HIP_CHECK(hipMemcpy(results, d_results, 64 + sizeof m, hipMemcpyDeviceToHost));
        for (size_t i = 0; i < n; i++) {
            sum += small(i);
            second += small(i + 9001);
            squares += small(i) * small(i);
            most = small(i) > small((size_t)most) ? (int64_t)i : most;
        }
        memcpy(&got, results + 32, 8);
        memcpy(&m, results + 64, sizeof m);
        const double wanted[] = {sum, squares, sum, second};
        for (size_t w = 0; w < COUNT(wanted); w++)
            ck_assert_msg((double)element_at(LR_DOUBLE, results, w) == wanted[w], "%zu of length %lld", w,
                          (long long)lengths[k]);
        ALL(got == most, m.count == (int64_t)n);
    }
    HIP_CHECK(hipGraphExecDestroy(exec));
}

/* From the smallest numbers to the largest, and beyond. */
static double any_number(int type, uint64_t seed, size_t i, int special)
{
    uint64_t hash = pattern_hash(seed, i);
    int most = type == LR_DOUBLE ? 1022 : type == LR_HALF ? 15 : 126;
    double x = ldexp((double)(int64_t)hash, (int)(pattern_hash(seed + 1, i) % (unsigned)(2 * most)) - most - 63);

    if (special > 0 && i % 97 == 5)
        return special == 1   ? INFINITY
               : special == 2 ? -INFINITY
               : special == 3 ? NAN
               : i % 2 == 0   ? INFINITY
                              : -INFINITY;
    return x;
}

/* The bits of lr_sum_binned() of the same elements, in whatever order: rows, columns and segments of one array. */
TESTS(binned_lines, 20)
{
    static const int types[] = {LR_FLOAT, LR_DOUBLE, LR_HALF, LR_BFLOAT16};
    enum { N = 6000 };
    int type = types[_i % 4], special = _i / 4;
    size_t size = type_size(type), bytes = type_size(type_of_result(type));
    static int64_t offsets[] = {0, 0, 1, 30, 31, 3000, N};
    static char copy[N * 8];

    for (size_t i = 0; i < N; i++)
        store(h_x + i * size, type, any_number(type, 7, i, special), 0);
    upload(N * size);
    HIP_CHECK(hipMemcpy(d_offsets, offsets, sizeof offsets, hipMemcpyHostToDevice));
    memcpy(copy, h_x, N * size);
    const struct lr_lines shapes[] = {
        {.lines = 60, .length = 100, .lead = 100, .step = 1},
        {.lines = 100, .length = 60, .lead = 1, .step = 100},
        {.lines = 3, .length = 2000, .lead = 2000, .step = 1},
        {.lines = 2, .length = 3000, .lead = 1, .step = 2},
        {.lines = 6, .length = N, .step = 1, .offsets = d_offsets, .offset_type = LR_INT64},
    };
    for (size_t s = 0; s < COUNT(shapes); s++) {
        const struct lr_lines *l = &shapes[s];
        guard();
        OK(lr_reduce(handle, LR_OP_SUM_BINNED, type, d_x, NULL, l, d_results, NULL, stream));
        download(l->lines * bytes);
        for (size_t k = 0; k < l->lines; k++) {
            size_t first = l->offsets != NULL ? (size_t)offsets[k] : k * l->lead;
            size_t n = l->offsets != NULL ? (size_t)(offsets[k + 1] - offsets[k]) : l->length;
            char wanted[8];
            for (size_t i = 0; i < n; i++) /* backwards */
                memcpy(h_x + (n - 1 - i) * size, copy + (first + i * l->step) * size, size);
            HIP_CHECK(hipMemcpy(d_y, h_x, n * size, hipMemcpyHostToDevice));
            OK(lr_sum_binned_value(handle, type, d_y, n, wanted, stream));
            ck_assert_msg(memcmp(results + k * bytes, wanted, bytes) == 0,
                          "type %d, special %d, shape %zu, line %zu of %zu: %Lg, not %Lg", type, special, s, k, n,
                          element_at(type_of_result(type), results, k), element_at(type_of_result(type), wanted, 0));
        }
    }
}

static void check_softmax(int type, size_t rows, size_t columns)
{
    size_t size = type_size(type);
    long double u = type == LR_DOUBLE ? 0x1p-53 : 0x1p-24, tiny = type == LR_DOUBLE ? 0x1p-1022 : 0x1p-126;
    /* of the element that the float is rounded to; those below the normal ones are 2^-24 apart */
    long double narrow = type == LR_HALF       ? 0x1p-11
                         : type == LR_BFLOAT16 ? 0x1p-8
                                               : 0,
                least = type == LR_HALF ? 0x1p-25 : 0;

    OK(lr_softmax_rows(handle, type, d_x, rows, columns, d_results, stream));
    download(rows * columns * size);
    for (size_t k = 0; k < rows; k++) {
        long double largest = -INFINITY, sum = 0;
        for (size_t i = 0; i < columns; i++)
            largest = fmaxl(largest, element_at(type, h_x, k * columns + i));
        for (size_t i = 0; i < columns; i++)
            sum += expl(element_at(type, h_x, k * columns + i) - largest);
        for (size_t i = 0; i < columns; i++) {
            long double below = largest - element_at(type, h_x, k * columns + i), right = expl(-below) / sum;
            long double bound = right * ((below + 1000 + columns / 300.0L) * u + narrow) + 3 * tiny + least,
                        got = element_at(type, results, k * columns + i);
            ck_assert_msg(fabsl(got - right) <= bound, "%zu x %zu: row %zu, %zu: %Lg, not %Lg", rows, columns, k, i,
                          got, right);
        }
    }
}

TESTS(softmax, 4)
{
    static const size_t columns[] = {1, 2, 7, 16, 32, 33, 100, 129, 1000, 1024, 5000, MOST};
    static const int types[] = {LR_FLOAT, LR_DOUBLE, LR_HALF, LR_BFLOAT16};
    int type = types[_i];

    for (size_t c = 0; c < COUNT(columns); c++) {
        size_t rows = MOST / columns[c] > 300 ? 300 : MOST / columns[c];
        for (size_t i = 0; i < rows * columns[c]; i++)
            store(h_x + i * type_size(type), type, ldexp((double)(int64_t)pattern_hash(c, i), c % 2 == 0 ? -57 : -62),
                  0);
        upload(rows * columns[c] * type_size(type));
        guard();
        check_softmax(type, rows, columns[c]);
    }
}

TEST(softmax_special)
{
    const float in[4][3] = {{1, NAN, 2}, {INFINITY, 1, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, {-INFINITY, 5, 5}};
    const float right[4][3] = {{NAN, NAN, NAN}, {0.5F, 0, 0.5F}, {1 / 3.0F, 1 / 3.0F, 1 / 3.0F}, {0, 0.5F, 0.5F}};

    HIP_CHECK(hipMemcpy(d_x, in, sizeof in, hipMemcpyHostToDevice));
    guard();
    OK(lr_softmax_rows(handle, LR_FLOAT, d_x, 4, 3, d_results, stream));
    download(sizeof in);
    for (size_t i = 0; i < 12; i++) {
        double got = (double)element_at(LR_FLOAT, results, i), wanted = (double)right[i / 3][i % 3];
        ck_assert_msg(isnan(wanted) ? isnan(got) : fabs(got - wanted) < 1e-6, "%zu: %g", i, got);
    }
    IS(LR_TYPE, lr_softmax_rows(handle, LR_INT32, d_x, 4, 3, d_results, stream));
    IS(LR_SHAPE, lr_softmax_rows(handle, LR_FLOAT, d_x, 4, 0, d_results, stream));
    IS(LR_OVERLAP, lr_softmax_rows(handle, LR_FLOAT, d_x, 4, 3, d_x, stream));
    IS(LR_TOO_LARGE, lr_softmax_rows(handle, LR_FLOAT, d_x, SIZE_MAX / 2, 3, d_results, stream));
    OK(lr_softmax_rows(handle, LR_FLOAT, NULL, 0, 3, NULL, stream));
    IS(LR_NULL, lr_softmax_rows(NULL, LR_FLOAT, d_x, 4, 3, d_results, stream));
}
