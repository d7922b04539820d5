/* reproducible through its own entry points: every launch shape, alignment and order gives the same bits, which are the
 * recorded ones and those of the definitions evaluated on the host.
 * Suite: warps kernels slow
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduction_reproducible/binned_value.h"
#include "harness/device/device.h"
#include "values/scalar.h"
#include "verdict/verify.h"
#include "reduction.h"
#include "elements.h"
#include "reproducible/definitions.h"
#include "suite.h"

enum { TREE, BINNED };

#define SPARE     16 /* elements before a misaligned input */
#define WORKSPACE ((size_t)4 << 20)

union value {
    float f;
    double d;
    int32_t i;
    int64_t l;
};

static struct device device;
static char *d_data, *workspace, *host;
static hipStream_t stream;
static size_t capacity; /* bytes at d_data */

static void set_up(void)
{
    device_open(&device, 0);
    HIP_CHECK(hipHostMalloc((void **)&host, 1024, 0));
    HIP_CHECK(hipStreamCreate(&stream));
    HIP_CHECK(hipMalloc((void **)&workspace, WORKSPACE));
    HIP_CHECK(hipMemset(workspace, 0, WORKSPACE));
    HIP_CHECK(hipDeviceSynchronize());
    capacity = 0;
    d_data = NULL;
}

static void tear_down(void)
{
    if (d_data != NULL)
        HIP_CHECK(hipFree(d_data));
    HIP_CHECK(hipFree(workspace));
    HIP_CHECK(hipStreamDestroy(stream));
    HIP_CHECK(hipHostFree(host));
}
SUITE_EACH(set_up, tear_down)

/* Places n elements `offset` elements after a 16-byte boundary. */
static const void *put(int type, const void *data, size_t n, size_t offset)
{
    size_t size = type_size(type), bytes = (n + SPARE) * size;

    if (bytes > capacity) {
        if (d_data != NULL)
            HIP_CHECK(hipFree(d_data));
        HIP_CHECK(hipMalloc((void **)&d_data, bytes));
        capacity = bytes;
    }
    if (n > 0)
        HIP_CHECK(hipMemcpy(d_data + offset * size, data, n * size, hipMemcpyHostToDevice));
    return d_data + offset * size;
}

struct shape {
    unsigned grid, block;
};

const struct variant *reduction_reproducible(void);

/* One reduction; the bits of its value. */
static uint64_t reduce(int type, int op, const void *d_input, size_t n, long method, long folds, struct shape shape)
{
    const struct variant *variant = reduction_reproducible();
    const struct variant_entry *entry = &variant->entry[type][op];
    struct reduction r = {
        .n = n,
        .grid = shape.grid,
        .block = shape.block,
        .arch = device.arch,
        .warp_size = device.warp_size,
        .compute_units = device.compute_units,
        .threads_per_unit = device.threads_per_unit,
        .workspace = workspace,
        .host = host,
        .stream = stream,
    };
    union value value = {.l = 0};

    variant_options_default(variant, &r);
    ck_assert(variant_option_set(variant, &r, "method", method == BINNED ? "binned" : "tree"));
    ck_assert(variant_option_set(variant, &r, "folds", folds == 2 ? "2" : "3"));
    entry->plan(&r);
    ck_assert_msg(r.workspace_bytes <= WORKSPACE && r.host_bytes <= 1024, "%zu bytes of workspace", r.workspace_bytes);
    entry->launch(&r, d_input);
    entry->finish(&r, &value);
    HIP_CHECK(hipStreamSynchronize(stream));
    entry->release(&r);
    return type_size(type) == 4 ? (uint32_t)value.i : (uint64_t)value.l;
}

static double as_double(int type, uint64_t bits)
{
    union value v = {.l = (int64_t)bits};

    if (type == TYPE_FLOAT)
        return (double)v.f;
    return v.d;
}

static void *make(int type, int kind, size_t n)
{
    struct pattern pattern = {.kind = kind, .seed = 1, .hot = n / 2, .hot_value = 1};
    return elements_of(type, &pattern, 0, n);
}

static const size_t sizes[] = {0,    1,    2,     3,     31,    64,    255,    1000,   4095,  4097,
                               8192, 8193, 16384, 16385, 32771, 65537, 100003, 131073, 200003};

static const struct shape shapes[] = {{0, 0}, {1, 32}, {2, 64}, {7, 96}, {2, 1000}, {40, 1}, {90, 64}};

static const char *words(int type, size_t n, long method, long folds, struct shape s)
{
    static char text[160];

    snprintf(text, sizeof text, "%s, n %zu, %s, %ld folds, grid %u, block %u, warp %u", type_name(type), n,
             method == TREE ? "tree" : "binned", folds, s.grid, s.block, device.warp_size);
    return text;
}

/* Every shape and alignment gives the bits of the definition. _i: type, pattern */
TESTS(definition, 6)
{
    static const int patterns[] = {PATTERN_RANDOM, PATTERN_MIXED, PATTERN_CONSTANT};
    int type = _i % 2 == 0 ? TYPE_FLOAT : TYPE_DOUBLE, kind = patterns[_i / 2];

    for (size_t s = 0; s < COUNT(sizes); s++) {
        size_t n = sizes[s];
        void *data = make(type, kind, n);
        for (long folds = 1; folds <= 3; folds++) { /* 1: the tree */
            long method = folds == 1 ? TREE : BINNED;
            double expected =
                method == TREE ? definition_tree(type, data, n) : definition_binned(type, data, n, (unsigned)folds);
            for (size_t k = 0; k < COUNT(shapes); k++) {
                if (n > 70000 && (k + s) % 3 != 0)
                    continue; /* to save time */
                size_t offset = (k + s) % 2 == 0 ? 0 : (k + s) % (16 / type_size(type));
                const void *input = put(type, data, n, offset);
                uint64_t bits = reduce(type, OP_SUM, input, n, method, folds < 2 ? 3 : folds, shapes[k]);
                ck_assert_msg(as_double(type, bits) == expected, "%s, offset %zu: %a and not %a",
                              words(type, n, method, folds, shapes[k]), offset, as_double(type, bits), expected);
            }
        }
        free(data);
    }
}

/* Three folds of floats around the border below which the third bin is used: large elements, which cancel, in every vector,
 * and small ones with exponents next to the border; the sum has all bits of the small ones. */
TEST(third_fold)
{
    enum { N = 16384 };
    float *data = malloc(N * sizeof *data);

    ck_assert(data != NULL);
    for (int top = 2; top <= 6; top++)
        for (int exponent = BIN_WIDTH * (top - 1) - 2; exponent <= BIN_WIDTH * (top - 1) + 4; exponent++) {
            for (size_t i = 0; i < N; i++) {
                /* biased exponents: 127 is that of 1 */
                float large = ldexpf(1, BIN_WIDTH * top - 127);
                float small = ldexpf(1 + (float)(pattern_hash(5, i) >> 42 << 1 | 1) * 0x1p-23f, exponent - 127);
                data[i] = i % 4 != 0 ? small : i % 8 == 0 ? large : -large;
            }
            double expected = definition_binned(TYPE_FLOAT, data, N, 3);
            ck_assert(expected > 0 && expected < ldexp(1, exponent - 127 + 16));
            for (size_t k = 0; k < COUNT(shapes); k++) {
                uint64_t bits = reduce(TYPE_FLOAT, OP_SUM, put(TYPE_FLOAT, data, N, 0), N, BINNED, 3, shapes[k]);
                ck_assert_msg(as_double(TYPE_FLOAT, bits) == expected, "top %d, exponent %d, %s: %a and not %a", top,
                              exponent, words(TYPE_FLOAT, N, BINNED, 3, shapes[k]), as_double(TYPE_FLOAT, bits),
                              expected);
            }
        }
    free(data);
}

static void shuffle(double *data, size_t n, uint64_t seed)
{
    for (size_t i = n; i > 1; i--) {
        size_t j = pattern_hash(seed, i) % i;
        double spare = data[i - 1];
        data[i - 1] = data[j];
        data[j] = spare;
    }
}

/* inf, NaN, overflow on the way and at the end, subnormal numbers, zeros. */
TEST(specials)
{
    static const struct {
        double element[4];
        double sum;
    } cases[] = {
        {{INFINITY, 1, 2, 3}, INFINITY},
        {{-INFINITY, 1, DBL_MAX, 3}, -INFINITY},
        {{INFINITY, -INFINITY, 2, 3}, NAN},
        {{NAN, 1, INFINITY, 3}, NAN},
        {{DBL_MAX, DBL_MAX, -DBL_MAX, 1}, DBL_MAX},
        {{DBL_MAX, DBL_MAX, 1, 1}, INFINITY},
        {{-DBL_MAX, -DBL_MAX, 1, 1}, -INFINITY},
        {{DBL_MAX, -DBL_MAX, 0, 0}, 0},
        {{0x1.8p1023, 0x1.8p1022, -0x1.8p1023, 0}, 0x1.8p1022},
        {{DBL_MAX, 0x1p970, 0, 0}, INFINITY}, /* half a unit above the largest: rounds to even, up */
        {{DBL_MAX, 0x1p969, 0, 0}, DBL_MAX},
        {{0x1p-1074, 0x1p-1074, 0x1p-1074, 0}, 0x1.8p-1073},
        {{0x1p-1074, -0x1p-1022, 0, 0}, -0x0.fffffffffffffp-1022},
        {{0x1p-1030, -0x1p-1074, 0x1p-1040, 0}, 0x1p-1030 + 0x1p-1040 - 0x1p-1074},
        {{-0.0, -0.0, -0.0, -0.0}, 0.0},
        {{1, 0x1p-53, 0x1p-53, 0}, 1 + 0x1p-52}, /* the plain sum in order loses both */
        {{1, 0x1p-53, 0, 0}, 1},
        {{1, 0x1.8p-53, 0, 0}, 1 + 0x1p-52},
    };

    for (size_t c = 0; c < COUNT(cases); c++)
        for (size_t n = 4; n <= 5000; n += 4996) { /* together, and far apart among zeros */
            double data[5000] = {0};
            for (size_t k = 0; k < 4; k++)
                data[k * (n / 4)] = cases[c].element[k];
            for (size_t k = 0; k < COUNT(shapes); k++) {
                uint64_t bits = reduce(TYPE_DOUBLE, OP_SUM, put(TYPE_DOUBLE, data, n, 0), n, BINNED, 3, shapes[k]);
                double sum = as_double(TYPE_DOUBLE, bits);
                bool same = sum == cases[c].sum || (isnan(sum) && isnan(cases[c].sum));
                ck_assert_msg(same && (isnan(sum) || signbit(sum) == signbit(cases[c].sum)),
                              "case %zu of %zu elements: %a and not %a", c, n, sum, cases[c].sum);
            }
        }

    static const struct {
        float element[4], sum;
    } floats[] = {
        {{FLT_MAX, FLT_MAX, -FLT_MAX, 1}, FLT_MAX}, {{FLT_MAX, FLT_MAX, 0, 0}, INFINITY},
        {{FLT_MAX, 0x1p103f, 0, 0}, INFINITY},      {{0x1p-149f, 0x1p-149f, -0x1p-126f, 0}, -0x1p-126f + 0x1p-148f},
        {{1, 0x1p-24f, 0x1p-60f, 0}, 1 + 0x1p-23f}, /* a little more than half: rounded once */
        {{-INFINITY, FLT_MAX, 1, 1}, -INFINITY},
    };
    for (size_t c = 0; c < COUNT(floats); c++) {
        uint64_t bits = reduce(TYPE_FLOAT, OP_SUM, put(TYPE_FLOAT, floats[c].element, 4, 0), 4, BINNED, 3, shapes[0]);
        ck_assert_msg(as_double(TYPE_FLOAT, bits) == (double)floats[c].sum, "floats %zu: %a and not %a", c,
                      as_double(TYPE_FLOAT, bits), (double)floats[c].sum);
    }
}

/* Sums with condition numbers up to 1e20: the relative errors of the plain sum, of the tree and of the binned sums. They are
 * the same on every machine; README.md has them.
 *
 * The elements are triples x, y and -(x + y), the largest at the lower end of a bin (the worst case: a binned sum keeps the
 * fewest digits of them), and one more, the result. */
static const char *const errors[] = {
#include "reproducible_errors.h"
};

TEST(ill_conditioned)
{
    enum { N = 20002 };
    double *data = malloc(N * sizeof *data), largest = 0x1p-34;

    ALL(data != NULL, COUNT(errors) == 7);
    for (int power = 0; power <= 54; power += 9) {
        double magnitudes = 0, rest = ldexp(1.25 * largest, -power), plain = 0, sums[4];
        for (size_t i = 0; i + 2 < N; i += 3) {
            double x = ldexp((double)(pattern_hash(7, i) >> 12), -53) * largest;
            double y = ldexp((double)(pattern_hash(8, i) >> 12), -53) * largest;
            data[i] = x;
            data[i + 1] = y;
            data[i + 2] = -(x + y); /* exact: at most 53 digits */
            magnitudes += 2 * (x + y);
        }
        data[N - 1] = rest;
        shuffle(data, N, (uint64_t)power + 1);
        for (size_t i = 0; i < N; i++)
            plain += data[i];
        sums[0] = plain;
        const void *input = put(TYPE_DOUBLE, data, N, 0);
        for (long folds = 1; folds <= 3; folds++) /* 1: the tree */
            sums[folds] = as_double(TYPE_DOUBLE, reduce(TYPE_DOUBLE, OP_SUM, input, N, folds == 1 ? TREE : BINNED,
                                                        folds < 2 ? 2 : folds, shapes[(size_t)power / 9 % 7]));
        ck_assert_msg(fabs(sums[2] - rest) <= N * largest * 0x1p-40, "2^-%d, 2: %a", power, sums[2]);
        ck_assert_msg(sums[3] == rest, "2^-%d, 3: %a", power, sums[3]);
        char row[80];
        int used = snprintf(row, sizeof row, "| %.0e |", (magnitudes + rest) / rest);
        for (int m = 0; m < 4; m++)
            used += snprintf(row + used, sizeof row - (size_t)used, sums[m] == rest ? " 0 |" : " %.0e |",
                             fabs(sums[m] - rest) / rest);
        ck_assert_str_eq(row, errors[power / 9]);
    }
    free(data);
}

/* A total with carries far beyond 64 bits still rounds correctly. */
TEST(values)
{
    struct binned t = {30, 0, {0, 0, 0}, {0, 0, 0}};
    double grid = ldexp(1, LEAST_DOUBLE + BIN_WIDTH * 30);

    t.high[0] = (int64_t)1 << 44;
    ck_assert(binned_value(&t, 3, LEAST_DOUBLE) == ldexp(grid, 94));
    t.high[0] = -t.high[0];
    ck_assert(binned_value(&t, 3, LEAST_DOUBLE) == -ldexp(grid, 94));
    t.low[0] = 1; /* far below a unit in the last place */
    ck_assert(binned_value(&t, 3, LEAST_DOUBLE) == -ldexp(grid, 94));
}

/* The bits that every machine must give. */
static const struct row {
    int type, kind;
    size_t n;
    uint64_t tree, two, three;
} rows[] = {
#include "reproducible_bits.h"
};

TEST(written_down)
{
    ck_assert_uint_ge(COUNT(rows), 12);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct row *row = &rows[i];
        void *data = make(row->type, row->kind, row->n);
        const void *input = put(row->type, data, row->n, 0);
        uint64_t expected[3] = {row->tree, row->two, row->three};
        for (int m = 0; m < 3; m++) {
            uint64_t bits = reduce(row->type, OP_SUM, input, row->n, m > 0, m < 2 ? 2 : 3, shapes[i % 2 * 3]);
            ck_assert_msg(bits == expected[m], "row %zu, %s: %llx and not %llx", i,
                          words(row->type, row->n, m > 0, m < 2 ? 2 : 3, shapes[i % 2 * 3]), (unsigned long long)bits,
                          (unsigned long long)expected[m]);
        }
        free(data);
    }
}
