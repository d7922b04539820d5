/* Exercise 23: right, and too slow.
 *
 * Task     Its result is right, on every GPU. Its author has read a lot about speed, and yet it is slow. One of the
 *          things below costs time, and the others only look as if they did. make EX=23 explain counts; then change
 *          as little as possible.
 * Leave    plan(), launch() and finish() as they are
 * Try      make EX=23 explain; make EX=23 && make EX=23 check   (in reduction_to_fix)
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"

static const struct variant_option options[] = {VARIANT_OPTIONS_END};

#define ROWS 32 /* of the array in shared memory */

/* Where thread t has its value in shared memory: column by column, so that neighbours do not disturb each other. */
static __device__ unsigned slot(unsigned t)
{
    unsigned columns = (blockDim.x + ROWS - 1) / ROWS;

    return t % ROWS * columns + t / ROWS;
}

/* Which of the block's elements thread t reads: from the last one to the first one. */
static __device__ unsigned turned(unsigned t)
{
    return blockDim.x - 1 - t;
}

/* Combines one value of every thread of the block; thread 0 holds the result. Any block size: where the number of
 * values is odd, the one in the middle waits for the next step. */
static __device__ value_t reduce_block(value_t value, value_t *shared)
{
    unsigned tid = threadIdx.x;

    __syncthreads();
    shared[slot(tid)] = value;
    __syncthreads();
    for (unsigned count = blockDim.x; count > 1;) {
        unsigned half = (count + 1) / 2;
        if (tid + half < count)
            shared[slot(tid)] = combine(shared[slot(tid)], shared[slot(tid + half)]);
        __syncthreads();
        count = half;
    }
    return shared[slot(tid)];
}

__global__ void reduce_blocks(const value_t *input, value_t *partials, size_t n)
{
    HIP_DYNAMIC_SHARED(value_t, shared);

    /* Blocks begin at the end of the array. */
    size_t tiles = ceil_div(n, blockDim.x);
    value_t value = IDENTITY;
    for (size_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        size_t i = (tiles - 1 - tile) * blockDim.x + turned(threadIdx.x);
        if (i < n)
            value = combine(value, input[i]);
    }

    value = reduce_block(value, shared);
    if (threadIdx.x == 0)
        partials[gridDim.x - 1 - blockIdx.x] = value;
}

static void plan(struct reduction *r)
{
    if (r->block == 0)
        r->block = 256;
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
    size_t slots = ceil_div(r->block, ROWS) * ROWS;

    hipLaunchKernelGGL(reduce_blocks, dim3(r->grid), dim3(r->block), slots * sizeof(value_t),
                       r->stream, input, workspace_values(r), r->n);
    HIP_CHECK_LAUNCH();
}

static value_t finish(const struct reduction *r)
{
    size_t count = r->grid;

    HIP_CHECK(hipMemcpyAsync(host_values(r), r->workspace, count * sizeof(value_t),
                             hipMemcpyDeviceToHost, r->stream));
    HIP_CHECK(hipStreamSynchronize(r->stream));
    return combine_pairwise(host_values(r), count);
}

VARIANT = {
    .options = options,
    .plan = plan,
    .launch = launch,
    .finish = finish,
};
