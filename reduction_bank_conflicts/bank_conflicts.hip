/* Reduction with strided addressing: no divergence, but bank conflicts.
 *
 * Step     30
 * Idea     The same additions as before, done by other threads: the first threads of the block, side by
 *          side, so whole warps are active or idle. But they access every 2nd, 4th, 8th ... value, and
 *          those are in few banks of shared memory, each of which serves one word at a time.
 * Compare  diff -u ../reduction_interleaved/interleaved.hip bank_conflicts.hip
 * Try      ./reduction_bank_conflicts --type float
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"

/* Combines one value of every thread of the block; thread 0 holds the result. Any block size: a value
 * without a neighbour waits for the next step. */
static __device__ value_t reduce_block(value_t value, value_t *shared)
{
    unsigned tid = threadIdx.x;

    shared[tid] = value;
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        unsigned i = 2 * stride * tid;
        if (i + stride < blockDim.x)
            shared[i] = combine(shared[i], shared[i + stride]);
        __syncthreads();
    }
    return shared[tid];
}

__global__ void reduce_blocks(const value_t *input, value_t *partials, size_t n)
{
    extern __shared__ value_t shared[];

    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    value_t value = i < n ? input[i] : IDENTITY;

    value = reduce_block(value, shared);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = value;
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

    r->workspace_bytes = count * sizeof(value_t);
    r->host_bytes = count * sizeof(value_t);
    r->chain = tree_depth(r->block) + chain_of_pairs(count);
    r->launches = (unsigned)ceil_div(count, r->grid);
}

static void launch(const struct reduction *r, const value_t *input)
{
    value_t *partials = workspace_values(r);
    struct grid_part part = {0, 0};

    /* One launch, unless the array needs more blocks than a launch can have. */
    while (next_launch(&part, r->grid, partial_count(r))) {
        size_t start = part.first * r->block;
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
