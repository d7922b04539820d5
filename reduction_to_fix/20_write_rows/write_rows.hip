/* Exercise 20: a blank page. Write a reduction of the rows of a matrix.
 *
 * Task     results[row] is the reduction of row `row`. The lanes of a warp read neighbours, and everybody has
 *          work: also where rows are shorter than a block, longer than a block, or there are more of them than
 *          blocks. The last row may be shorter than the others.
 * Test     rows of 1 to 4000 elements, any block and grid, both warp sizes; each row's result is examined
 * Leave    plan(), launch() and finish() as they are
 * Try      make EX=20 && make EX=20 check   (in reduction_to_fix)
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"

enum { COLUMNS }; /* index into r->option[] */
static const struct variant_option options[] = {
    {"columns", NULL, 1000, 1, 1 << 30, "elements of a row"},
    VARIANT_OPTIONS_END,
};

/* `matrix` has n elements, row after row of `columns`. `shared` has room for one value of each thread. */
__global__ void reduce_rows(const value_t *matrix, value_t *results, size_t n, size_t columns)
{
    HIP_DYNAMIC_SHARED(value_t, shared);

    (void)matrix;
    (void)results;
    (void)n;
    (void)columns;
    (void)shared;
}

static size_t count_rows(const struct reduction *r)
{
    return ceil_div(r->n, (size_t)r->option[COLUMNS]);
}

static void plan(struct reduction *r)
{
    size_t rows = count_rows(r), columns = (size_t)r->option[COLUMNS];

    if (r->block == 0)
        r->block = 256;
    if (r->grid == 0) /* as many blocks as can be resident at once, if there is work for them */
        r->grid = grid_to_fill(r, ceil_div(r->n, r->block));

    r->workspace_bytes = rows * sizeof(value_t);
    r->host_bytes = rows * sizeof(value_t);
    r->chain = columns + chain_of_pairs(rows); /* in whatever order a row is added up */
    r->launches = 1;
}

static void launch(const struct reduction *r, const value_t *input)
{
    hipLaunchKernelGGL(reduce_rows, dim3(r->grid), dim3(r->block), r->block * sizeof(value_t),
                       r->stream, input, workspace_values(r), r->n, (size_t)r->option[COLUMNS]);
    HIP_CHECK_LAUNCH();
}

/* Where the rows' results are: the checker examines each of them. */
static const value_t *device_result(const struct reduction *r)
{
    return workspace_values(r);
}

static value_t finish(const struct reduction *r)
{
    size_t rows = count_rows(r);

    HIP_CHECK(hipMemcpyAsync(host_values(r), r->workspace, rows * sizeof(value_t),
                             hipMemcpyDeviceToHost, r->stream));
    HIP_CHECK(hipStreamSynchronize(r->stream));
    return combine_pairwise(host_values(r), rows);
}

VARIANT = {
    .options = options,
    .plan = plan,
    .launch = launch,
    .finish = finish,
    .device_result = device_result,
};
