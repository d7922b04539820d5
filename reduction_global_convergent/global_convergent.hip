/* Reduction in global memory, in the convergent order.
 *
 * Step     15
 * Idea     The same additions on other pairs: the upper half of the values is added to the lower half, and the stride
 *          shrinks. Active threads and their values stay together: whole warps finish, and whole sectors are used.
 * Compare  diff -u ../reduction_global_memory/global_memory.hip global_convergent.hip
 * Try      ./reduction_global_convergent --block 100
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"

/* Combines one value of every thread of the block into scratch[0]. Any block size: where the number of
 * values is odd, the one in the middle waits for the next step. */
static __device__ void reduce_block(value_t value, value_t *scratch)
{
    unsigned tid = threadIdx.x;

    scratch[tid] = value;
    __syncthreads();
    for (unsigned count = blockDim.x; count > 1;) {
        unsigned half = (count + 1) / 2;
        if (tid + half < count)
            scratch[tid] = combine(scratch[tid], scratch[tid + half]);
        __syncthreads();
        count = half;
    }
}

__global__ void reduce_blocks(const value_t *input, value_t *partials, size_t n, value_t *scratch)
{
    scratch += (size_t)blockIdx.x * blockDim.x; /* one value for each thread */

    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    value_t value = i < n ? input[i] : IDENTITY;

    reduce_block(value, scratch);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = scratch[0];
}

/* One for each block; n = 0 gives one, too. */
static size_t partial_count(const struct reduction *r)
{
    return r->n == 0 ? 1 : ceil_div(r->n, r->block);
}

static void plan(struct reduction *r)
{
    if (r->block == 0)
        r->block = 256;
    size_t count = partial_count(r);
    if (r->grid == 0) /* one launch, if it may have that many threads */
        r->grid = (unsigned)min_size(count, GRID_THREADS_MAX / r->block);

    r->workspace_bytes = count * (r->block + 1) * sizeof(value_t);
    r->host_bytes = count * sizeof(value_t);
    r->chain = tree_depth(r->block) + chain_of_pairs(count);
    r->launches = (unsigned)ceil_div(count, r->grid);
}

static void launch(const struct reduction *r, const value_t *input)
{
    value_t *scratch = workspace_values(r);
    value_t *partials = scratch + partial_count(r) * r->block;
    struct grid_part part = {0, 0};

    /* One launch, unless the array needs more blocks than a launch can have. */
    while (next_launch(&part, r->grid, partial_count(r))) {
        size_t start = part.first * r->block;
        reduce_blocks<<<part.blocks, r->block, 0, r->stream>>>(input + start, partials + part.first,
                                                               r->n - start, scratch + start);
        HIP_CHECK_LAUNCH();
    }
}

static value_t finish(const struct reduction *r)
{
    value_t *partials = host_values(r);
    size_t count = partial_count(r);

    HIP_CHECK(hipMemcpyAsync(partials, workspace_values(r) + count * r->block,
                             count * sizeof(value_t), hipMemcpyDeviceToHost, r->stream));
    HIP_CHECK(hipStreamSynchronize(r->stream));
    return combine_pairwise(partials, count);
}

VARIANT = {
    .plan = plan,
    .launch = launch,
    .finish = finish,
};
