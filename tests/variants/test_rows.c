/* rows through its own entry points, as called by a library: matrices of many shapes, with and without gaps between rows, at
 * every alignment, with results at the caller's address and on the caller's stream, and any number of blocks.
 *
 * All elements are small whole numbers, and the gaps hold large ones: every order of additions gives the same bits, and an
 * element from a gap cannot go unnoticed.
 * Suite: warps kernels program
 * SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elements.h"
#include "harness/device/device.h"
#include "program.h"
#include "reduction.h"
#include "values/scalar.h"
#include "suite.h"

const struct variant *reduction_rows(void);

static struct device device;

struct extent {
    size_t rows, columns;
};
static const struct extent extents[] = {
    {1, 1},     {7, 1},    {3000, 1}, {100, 2},  {999, 3},   {4096, 4},  {515, 5},   {301, 8},  {65, 12},
    {257, 16},  {100, 31}, {129, 33}, {50, 64},  {17, 100},  {33, 128},  {9, 256},   {64, 257}, {5, 513},
    {40, 1000}, {3, 1025}, {2, 2048}, {8, 4096}, {3, 20000}, {1, 40001}, {100, 700}, {9000, 2}, {1100, 15},
};

static void set_up(void)
{
    setenv("HIP_CPU_SCHEDULE", "random:3", 1);
    device_open(&device, 0);
}
SUITE_ONCE(program_need_device, NULL)
SUITE_EACH(set_up, NULL)

static int64_t element(size_t row, size_t column, const struct extent *s, int turn)
{
    if (column >= s->columns)
        return 1000000;
    return (int64_t)(pattern_hash((uint64_t)turn, row * s->columns + column) % 2001) - 1000;
}

static void store(char *at, int type, int64_t whole)
{
    struct scalar x = scalar_of(type, whole);
    memcpy(at, &x.as, type_size(type));
}

/* Reduces the rows and the columns of one matrix, by every method. */
static void check_extent(const struct extent *s, size_t padding, size_t shift, int type, int op, unsigned block,
                         unsigned grid, int turn)
{
    static const char *const methods[] = {"auto", "lanes", "block"};
    size_t stride = s->columns + padding, n = (s->rows - 1) * stride + s->columns;
    size_t size = type_size(type), most = s->rows > s->columns ? s->rows : s->columns;
    const struct variant *v = reduction_rows();
    const struct variant_entry *e = &v->entry[type][op];
    char *host = malloc((n + shift) * size), *got = malloc(most * size), *d_all, *d_results;
    int64_t *wanted = calloc(2 * most, sizeof *wanted); /* of the rows, of the columns */
    hipStream_t stream;

    for (size_t i = 0; i < n; i++) {
        size_t row = i / stride, column = i % stride;
        int64_t x = element(row, column, s, turn);
        store(host + (i + shift) * size, type, x);
        if (column >= s->columns)
            continue;
        int64_t *both[] = {wanted + row, wanted + most + column};
        for (int axis = 0; axis < 2; axis++)
            if (op == OP_SUM)
                *both[axis] += x;
            else if ((axis == 0 ? column : row) == 0 || (x < *both[axis]) == (op == OP_MIN))
                *both[axis] = x;
    }
    HIP_CHECK(hipStreamCreate(&stream));
    HIP_CHECK(hipMalloc((void **)&d_all, (n + shift) * size));
    HIP_CHECK(hipMalloc((void **)&d_results, most * size));
    HIP_CHECK(hipMemcpy(d_all, host, (n + shift) * size, hipMemcpyHostToDevice));
    for (int axis = 0; axis < 2; axis++)
        for (size_t method = 0; method < (axis == 0 ? COUNT(methods) : 1); method++) {
            struct reduction r = {.n = n,
                                  .block = block,
                                  .grid = grid,
                                  .arch = device.arch,
                                  .warp_size = device.warp_size,
                                  .compute_units = device.compute_units,
                                  .threads_per_unit = device.threads_per_unit,
                                  .result = d_results};
            char number[32];
            variant_options_default(v, &r);
            ck_assert(variant_option_set(v, &r, "axis", axis == 0 ? "rows" : "columns"));
            ck_assert(variant_option_set(v, &r, "method", methods[method]));
            snprintf(number, sizeof number, "%zu", s->columns);
            ck_assert(variant_option_set(v, &r, "columns", number));
            snprintf(number, sizeof number, "%zu", padding);
            ck_assert(variant_option_set(v, &r, "padding", number));
            e->plan(&r);
            r.stream = stream;
            HIP_CHECK(hipMalloc(&r.workspace, r.workspace_bytes + 1));
            HIP_CHECK(hipMemset(r.workspace, 0, r.workspace_bytes));
            ck_assert_ptr_eq(e->device_result(&r), d_results);

            size_t count = axis == 0 ? s->rows : s->columns;
            for (int again = 0; again < 2; again++) { /* the second time with the workspace that the first has left */
                HIP_CHECK(hipMemset(d_results, 0x5a, count * size));
                HIP_CHECK(hipDeviceSynchronize());
                e->launch(&r, d_all + shift * size);
                HIP_CHECK(hipStreamSynchronize(stream));
                HIP_CHECK(hipMemcpy(got, d_results, count * size, hipMemcpyDeviceToHost));
                for (size_t k = 0; k < count; k++) {
                    struct scalar x = scalar_of(type, wanted[(axis == 0 ? 0 : most) + k]);
                    ck_assert_msg(memcmp(&x.as, got + k * size, size) == 0,
                                  "%s %zu of %zu x %zu, padding %zu, shift %zu, %s of %s, %s, "
                                  "block %u, grid %u, run %d",
                                  axis == 0 ? "row" : "column", k, s->rows, s->columns, padding, shift, op_name(op),
                                  type_name(type), methods[method], block, grid, again);
                }
            }
            e->release(&r);
            HIP_CHECK(hipFree(r.workspace));
        }
    HIP_CHECK(hipFree(d_results));
    HIP_CHECK(hipFree(d_all));
    HIP_CHECK(hipStreamDestroy(stream));
    free(wanted);
    free(got);
    free(host);
}

/* Types, operations and launches take turns. */
TEST(shapes_of_all_kinds)
{
    static const struct {
        unsigned block, grid;
    } launches[] = {{0, 0}, {0, 0}, {100, 3}, {32, 0}, {1024, 1}};
    static const size_t paddings[] = {0, 1, 4, 64};
    size_t turn = 0;

    for (size_t i = 0; i < COUNT(extents); i++)
        for (size_t p = 0; p < COUNT(paddings); p++, turn++) {
            if (suite_level() < LEVEL_VARIANT && (turn + i) % (suite_level() == LEVEL_FAST ? 4 : 2) != 0)
                continue;
            size_t launch = (turn + i) % COUNT(launches), shift = (turn / 2 + i) % 4;
            check_extent(&extents[i], paddings[p], shift, (int)((turn + i) % TYPE_COMMON),
                         (int)((turn / 3) % OP_COMMON), launches[launch].block, launches[launch].grid, (int)turn);
        }
}
