/* Reduction with the first addition while loading: half as many threads.
 *
 * Step     50
 * Idea     In the first step of the tree, half of the threads only contribute the value they loaded. So let
 *          each thread load two values and add them before the tree: half the blocks for the same n.
 * Compare  diff -u ../reduction_no_striding/no_striding.hip first_add.hip
 * Try      ./reduction_first_add --block 128
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"

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

    size_t i = (size_t)blockIdx.x * 2 * blockDim.x + threadIdx.x;
    value_t value = i < n ? input[i] : IDENTITY;
    if (i + blockDim.x < n)
        value = combine(value, input[i + blockDim.x]);

    value = reduce_block(value, shared);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = value;
}

/* One for each block; n = 0 gives one, too. */
static size_t partial_count(const struct reduction *r)
{
    return r->n == 0 ? 1 : ceil_div(r->n, (size_t)2 * r->block);
}

static void plan(struct reduction *r)
{
    if (r->block == 0)
        r->block = 256;
    size_t count = partial_count(r);
    if (r->grid == 0) /* one launch, if it may have that many threads */
        r->grid = (unsigned)min_size(count, GRID_THREADS_MAX / r->block);

    r->workspace_bytes = count * sizeof(value_t);
    r->host_bytes = count * sizeof(value_t);
    r->chain = 1 + tree_depth(r->block) + chain_of_pairs(count);
    r->launches = (unsigned)ceil_div(count, r->grid);
}

static void launch(const struct reduction *r, const value_t *input)
{
    value_t *partials = workspace_values(r);
    struct grid_part part = {0, 0};

    /* One launch, unless the array needs more blocks than a launch can have. */
    while (next_launch(&part, r->grid, partial_count(r))) {
        size_t start = part.first * 2 * r->block;
        reduce_blocks<<<part.blocks, r->block, r->block * sizeof(value_t), r->stream>>>(
            input + start, partials + part.first, r->n - start);
        HIP_CHECK_LAUNCH();
    }
}

static value_t finish(const struct reduction *r)
{
    value_t *partials = host_values(r);
    size_t count = partial_count(r);

    HIP_CHECK(hipMemcpyAsync(partials, r->workspace, count * sizeof(value_t), hipMemcpyDeviceToHost,
                             r->stream));
    HIP_CHECK(hipStreamSynchronize(r->stream));
    return combine_pairwise(partials, count);
}

VARIANT = {
    .plan = plan,
    .launch = launch,
    .finish = finish,
};
