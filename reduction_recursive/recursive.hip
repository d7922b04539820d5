/* Recursive reduction: the kernel is launched on its own partials until one value is left.
 *
 * Step     70
 * Idea     Blocks cannot wait for one another inside a kernel, but a kernel starts only when the one before
 *          it is done: launching again is the barrier for all blocks. The host has nothing left to add.
 * Compare  diff -u ../reduction_unroll_last_warp/unroll_last_warp.hip recursive.hip
 * Try      ./reduction_recursive --block 32
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"

/* Combines one value of every thread of the block; thread 0 holds the result. Any block size: where
 * the number of values is odd, the one in the middle waits for the next step. */
static __device__ value_t reduce_block(value_t value, value_t *shared)
{
    unsigned tid = threadIdx.x;
    unsigned count = blockDim.x;

    shared[tid] = value;
    __syncthreads();
    while (count > 2 * (unsigned)warpSize) {
        unsigned half = (count + 1) / 2;
        if (tid + half < count)
            shared[tid] = combine(shared[tid], shared[tid + half]);
        __syncthreads();
        count = half;
    }
    if (tid < (unsigned)warpSize) { /* from here on only lanes of the first warp work */
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

static void plan(struct reduction *r)
{
    if (r->block == 0)
        r->block = 256;
    size_t blocks = r->n == 0 ? 1 : ceil_div(r->n, (size_t)2 * r->block);
    if (r->grid == 0) /* one launch, if it may have that many threads */
        r->grid = (unsigned)min_size(blocks, GRID_THREADS_MAX / r->block);

    /* The partials of all levels, one level after the other; the last one is the result. */
    size_t partials = blocks;
    r->chain = 1 + tree_depth(r->block);
    r->launches = (unsigned)ceil_div(blocks, r->grid);
    while (blocks > 1) {
        blocks = ceil_div(blocks, (size_t)2 * r->block);
        partials += blocks;
        r->chain += 1 + tree_depth(r->block);
        r->launches += (unsigned)ceil_div(blocks, r->grid);
    }
    r->workspace_bytes = partials * sizeof(value_t);
    r->host_bytes = sizeof(value_t);
}

static void launch(const struct reduction *r, const value_t *input)
{
    value_t *partials = workspace_values(r);
    size_t n = r->n;

    for (;;) {
        size_t level = n == 0 ? 1 : ceil_div(n, (size_t)2 * r->block);
        struct grid_part part = {0, 0};
        /* One launch, unless the array needs more blocks than a launch can have. */
        while (next_launch(&part, r->grid, level)) {
            size_t start = part.first * 2 * r->block;
            reduce_blocks<<<part.blocks, r->block, r->block * sizeof(value_t), r->stream>>>(
                input + start, partials + part.first, n - start);
            HIP_CHECK_LAUNCH();
        }
        if (level == 1)
            break;
        input = partials;
        partials += level;
        n = level;
    }
}

/* Where launch() leaves the result. */
static const value_t *device_result(const struct reduction *r)
{
    return workspace_values(r) + r->workspace_bytes / sizeof(value_t) - 1;
}

static value_t finish(const struct reduction *r)
{
    value_t *result = host_values(r);

    HIP_CHECK(hipMemcpyAsync(result, device_result(r), sizeof(value_t), hipMemcpyDeviceToHost,
                             r->stream));
    HIP_CHECK(hipStreamSynchronize(r->stream));
    return *result;
}

VARIANT = {
    .plan = plan,
    .launch = launch,
    .finish = finish,
    .device_result = device_result,
};
