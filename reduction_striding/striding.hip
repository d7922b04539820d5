/* Reduction with striding: a grid of fixed size walks the whole array.
 *
 * Step     80
 * Idea     Each thread combines many elements in a register before the tree starts, so the tree with
 *          its barriers runs once per block and not once per 256 elements; few partials are left.
 * Compare  diff -u ../reduction_no_striding/no_striding.hip striding.hip
 * Try      ./reduction_striding --grain 16
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"

enum { GRAIN }; /* index into r->option[] */
static const struct variant_option options[] = {
    {"grain", NULL, 0, 0, 1L << 30, "elements for each thread; 0: as many threads as are resident"},
    VARIANT_OPTIONS_END,
};

/* Combines one value of every thread of the block; thread 0 holds the result. Any block size: where
 * the number of values is odd, the one in the middle waits for the next step. */
static __device__ value_t reduce_block(value_t value, value_t *shared)
{
    unsigned tid = threadIdx.x;

    shared[tid] = value;
    __syncthreads();
    for (unsigned count = blockDim.x; count > 1;) {
        unsigned half = (count + 1) / 2;
        if (tid + half < count)
            shared[tid] = combine(shared[tid], shared[tid + half]);
        __syncthreads();
        count = half;
    }
    return shared[tid];
}

__global__ void reduce_blocks(const value_t *input, value_t *partials, size_t n)
{
    extern __shared__ value_t shared[];

    size_t stride = (size_t)gridDim.x * blockDim.x;
    value_t value = IDENTITY;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        value = combine(value, input[i]);

    value = reduce_block(value, shared);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = value;
}

static void plan(struct reduction *r)
{
    if (r->block == 0)
        r->block = 256;
    size_t share = (size_t)r->option[GRAIN] * r->block; /* of a block */
    if (r->grid == 0 && share > 0 && r->n > 0)
        r->grid = (unsigned)min_size(ceil_div(r->n, share), GRID_THREADS_MAX / r->block);
    if (r->grid == 0) /* as many blocks as can be resident at once, if there is work for them */
        r->grid = grid_to_fill(r, ceil_div(r->n, r->block));
    size_t count = r->grid; /* of partials, one for each block */

    r->workspace_bytes = count * sizeof(value_t);
    r->host_bytes = count * sizeof(value_t);
    r->chain =
        ceil_div(r->n, (size_t)r->grid * r->block) + tree_depth(r->block) + chain_of_pairs(count);
    r->launches = 1;
}

static void launch(const struct reduction *r, const value_t *input)
{
    value_t *partials = workspace_values(r);
    size_t shared_bytes = r->block * sizeof(value_t);

    reduce_blocks<<<r->grid, r->block, shared_bytes, r->stream>>>(input, partials, r->n);
    HIP_CHECK_LAUNCH();
}

static value_t finish(const struct reduction *r)
{
    value_t *partials = host_values(r);
    size_t count = r->grid;

    HIP_CHECK(hipMemcpyAsync(partials, r->workspace, count * sizeof(value_t), hipMemcpyDeviceToHost,
                             r->stream));
    HIP_CHECK(hipStreamSynchronize(r->stream));
    return combine_pairwise(partials, count);
}

VARIANT = {
    .options = options,
    .plan = plan,
    .launch = launch,
    .finish = finish,
};
