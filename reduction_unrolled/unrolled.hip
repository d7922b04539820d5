/* Reduction with the whole tree unrolled, for a block size that the compiler knows.
 *
 * Step     65
 * Idea     Where the number of threads is a constant, so is the number of steps, and half of what in each: no loop, no
 *          counter and no comparison with it are left. The price is a kernel for each block size.
 * Compare  diff -u ../reduction_unroll_last_warp/unroll_last_warp.hip unrolled.hip
 * Try      ./reduction_unrolled --block 200
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"

/* Combines one value of every thread of the block, which has `count` of them; thread 0 holds the result. Any block size:
 * where the number of values is odd, the one in the middle waits for the next step. */
static __device__ __forceinline__ value_t reduce_block(value_t value, value_t *shared,
                                                       unsigned count)
{
    unsigned tid = threadIdx.x;

    shared[tid] = value;
    __syncthreads();
    while (count > 2 * warp_lanes()) {
        unsigned half = (count + 1) / 2;
        if (tid + half < count)
            shared[tid] = combine(shared[tid], shared[tid + half]);
        __syncthreads();
        count = half;
    }
    if (tid < warp_lanes()) { /* from here on only lanes of the first warp work */
        while (count > 1) {
            unsigned half = (count + 1) / 2;
            if (tid + half < count)
                shared[tid] = combine(shared[tid], shared[tid + half]);
            warp_sync();
            count = half;
        }
    }
    return shared[tid];
}

static __device__ __forceinline__ void reduce_tile(const value_t *input, value_t *partials,
                                                   size_t n, value_t *shared, unsigned threads)
{
    size_t i = (size_t)blockIdx.x * 2 * threads + threadIdx.x;
    value_t value = i < n ? input[i] : IDENTITY;
    if (i + threads < n)
        value = combine(value, input[i + threads]);

    value = reduce_block(value, shared, threads);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = value;
}

/* A kernel for blocks of so many threads; a template would be another way to write it. */
#define REDUCE_BLOCKS(NAME, THREADS)                                                               \
    __global__ void NAME(const value_t *input, value_t *partials, size_t n)                        \
    {                                                                                              \
        extern __shared__ value_t shared[];                                                        \
        reduce_tile(input, partials, n, shared, THREADS);                                          \
    }
REDUCE_BLOCKS(reduce_blocks_128, 128)
REDUCE_BLOCKS(reduce_blocks_256, 256)
REDUCE_BLOCKS(reduce_blocks_512, 512)
REDUCE_BLOCKS(reduce_blocks_1024, 1024)
REDUCE_BLOCKS(reduce_blocks_any, blockDim.x)

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

typedef void (*kernel_t)(const value_t *input, value_t *partials, size_t n);

static kernel_t kernel_for(unsigned block)
{
    switch (block) {
    case 128:
        return reduce_blocks_128;
    case 256:
        return reduce_blocks_256;
    case 512:
        return reduce_blocks_512;
    case 1024:
        return reduce_blocks_1024;
    default:
        return reduce_blocks_any;
    }
}

static void launch(const struct reduction *r, const value_t *input)
{
    value_t *partials = workspace_values(r);
    kernel_t reduce_blocks = kernel_for(r->block);
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
