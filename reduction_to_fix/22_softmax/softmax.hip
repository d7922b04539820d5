/* Exercise 22: somebody's softmax.
 *
 * Task     For each row of a matrix: exp(x - largest) / sum, in two reductions by a block. "Right on my GPU", says
 *          its author, and it is, nearly always. Find out with the tools what is wrong, and mend it.
 * Leave    plan(), launch() and finish() as they are
 * Try      make EX=22 && make EX=22 check; make EX=22 race; make EX=22 explain   (in reduction_to_fix)
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"

enum { COLUMNS }; /* index into r->option[] */
static const struct variant_option options[] = {
    {"columns", NULL, 1000, 1, 1 << 30, "elements of a row"},
    VARIANT_OPTIONS_END,
};

#define WARPS_MAX 32 /* of a block: 1024 threads in warps of 32 */

static __device__ double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Combines the values of the first `lanes` lanes of a warp; all of them get the result. */
static __device__ double reduce_warp(double value, unsigned lanes, bool largest)
{
    unsigned lane = threadIdx.x % (unsigned)warpSize;

    for (unsigned distance = (unsigned)warpSize / 2; distance > 0; distance /= 2) {
        double other = __shfl_down(value, distance);
        if (lane + distance < lanes)
            value = largest ? larger(value, other) : value + other;
    }
    return __shfl(value, 0);
}

/* Combines one value of every thread of the block; all of them get the result. */
static __device__ double reduce_block(double value, double *shared, bool largest)
{
    unsigned size = (unsigned)warpSize;
    unsigned lane = threadIdx.x % size, warp = threadIdx.x / size;
    unsigned warps = (blockDim.x + size - 1) / size;
    unsigned lanes = warp + 1 < warps ? size : blockDim.x - warp * size;

    value = reduce_warp(value, lanes, largest);
    if (lane == 0)
        shared[warp] = value;
    __syncthreads();

    /* Every warp does the rest on its own; the last one may have fewer lanes than there are warps. */
    value = largest ? -(double)INFINITY : 0;
    for (unsigned i = lane; i < warps; i += lanes)
        value = largest ? larger(value, shared[i]) : value + shared[i];
    return reduce_warp(value, lanes, largest);
}

/* The largest element of a row. */
static __device__ double find_largest(const value_t *row, size_t count, double *shared)
{
    double most = -(double)INFINITY;

    for (size_t i = threadIdx.x; i < count; i += blockDim.x)
        most = larger(most, (double)row[i]);
    return reduce_block(most, shared, true);
}

/* The sum of exp(x - most) over a row: none of them is above 1. */
static __device__ double sum_of_exp(const value_t *row, size_t count, double most, double *shared)
{
    double sum = 0;

    for (size_t i = threadIdx.x; i < count; i += blockDim.x)
        sum += exp((double)row[i] - most);
    return reduce_block(sum, shared, false);
}

/* One block for each row; scale[row] is 1 / sum. */
__global__ void softmax_rows(const value_t *matrix, value_t *outputs, value_t *scale, size_t n,
                             size_t columns)
{
    __shared__ double shared[WARPS_MAX];
    size_t rows = ceil_div(n, columns);

    for (size_t row = blockIdx.x; row < rows; row += gridDim.x) {
        const value_t *x = matrix + row * columns;
        size_t count = min_size(columns, n - row * columns);
        double most = find_largest(x, count, shared);
        double factor = 1 / sum_of_exp(x, count, most, shared);

        for (size_t i = threadIdx.x; i < count; i += blockDim.x)
            outputs[row * columns + i] = (value_t)(exp((double)x[i] - most) * factor);
        if (threadIdx.x == 0)
            scale[row] = (value_t)factor;
    }
}

static size_t count_rows(const struct reduction *r)
{
    return ceil_div(r->n, (size_t)r->option[COLUMNS]);
}

/* The workspace: the outputs, and the scales of the rows behind them. */
static void plan(struct reduction *r)
{
    size_t rows = count_rows(r);

    if (r->block == 0)
        r->block = 256;
    if (r->grid == 0) /* as many blocks as can be resident at once, if there is work for them */
        r->grid = grid_to_fill(r, ceil_div(r->n, r->block));

    r->workspace_bytes = (r->n + rows) * sizeof(value_t);
    r->host_bytes = rows * sizeof(value_t);
    r->chain = ceil_div((size_t)r->option[COLUMNS], r->block) + tree_depth(r->block) +
               chain_of_pairs(rows) + 8;
    r->launches = 1;
}

static void launch(const struct reduction *r, const value_t *input)
{
    value_t *outputs = workspace_values(r);

    hipLaunchKernelGGL(softmax_rows, dim3(r->grid), dim3(r->block), 0, r->stream, input, outputs,
                       outputs + r->n, r->n, (size_t)r->option[COLUMNS]);
    HIP_CHECK_LAUNCH();
}

/* Where the outputs are: the checker examines each of them. */
static const value_t *device_result(const struct reduction *r)
{
    return workspace_values(r);
}

/* The sum of 1 / sum over all rows: each is the largest output of its row. */
static value_t finish(const struct reduction *r)
{
    size_t rows = count_rows(r);
    value_t result = 0;

    HIP_CHECK(hipMemcpyAsync(r->host, workspace_values(r) + r->n, rows * sizeof(value_t),
                             hipMemcpyDeviceToHost, r->stream));
    HIP_CHECK(hipStreamSynchronize(r->stream));
    for (size_t row = 0; row < rows; row++)
        result += host_values(r)[row];
    return result;
}

/* What the program compares with: the scale of each row, on the host. Also of one row: the bound has the rounding of its
 * own sum and of exp(). */
static void prepare(const struct reduction *r, const struct input_view *in,
                    struct reference *expected)
{
    size_t columns = (size_t)r->option[COLUMNS], rows = count_rows(r);
    value_t *scale = (value_t *)malloc((rows + 1) * sizeof(value_t));

    for (size_t row = 0; in != NULL && scale != NULL && row < rows; row++) {
        size_t begin = row * columns, end = min_size(begin + columns, r->n);
        double most = -(double)INFINITY, sum = 0;
        for (size_t i = begin; i < end; i++)
            most = (double)input_at(in, i) > most ? (double)input_at(in, i) : most;
        for (size_t i = begin; i < end; i++)
            sum += exp((double)input_at(in, i) - most);
        scale[row] = (value_t)(1 / sum);
    }
    if (in != NULL && scale != NULL) {
        *expected = reference_of_array(in->type, OP_SUM, scale, rows, NULL);
        expected->of_sum = 2 * (double)r->chain * (sizeof(value_t) == 4 ? 0x1p-23 : 0x1p-52);
        expected->exact = false;
    }
    free(scale);
}

VARIANT = {
    .options = options,
    .plan = plan,
    .launch = launch,
    .finish = finish,
    .device_result = device_result,
    .prepare = prepare,
    .own_operation = true,
};
