/* Exercise 16: a blank page. Write the tree in a block.
 *
 * Task     The values of a block are in shared memory, two of each thread or fewer. tree() has to combine them:
 *          in steps, with as many threads at work as a step has pairs, and no bank conflicts.
 * Test     any block from 1 to 1024 threads, any count from 0 to twice as many, both warp sizes
 * Leave    reduce_blocks(), plan(), launch() and finish() as they are
 * Try      make EX=16 && make EX=16 check   (in reduction_to_fix)
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"

static const struct variant_option options[] = {VARIANT_OPTIONS_END};

/* Combines values[0] ... values[count - 1], count <= 2 * blockDim.x; all threads of the block call it.
 *
 * before   each thread has stored what it has; nobody has waited for anybody
 * after    values[0] is the result, and every thread of the block can read it; of no values it is IDENTITY */
static __device__ void tree(value_t *values, unsigned count)
{
    (void)values;
    (void)count;
}

/* The block's elements are those of its threads' turns: two values of each thread, if there are so many. */
__global__ void reduce_blocks(const value_t *input, value_t *partials, size_t n)
{
    HIP_DYNAMIC_SHARED(value_t, shared);

    size_t stride = (size_t)gridDim.x * blockDim.x * 2;
    size_t first = (size_t)blockIdx.x * blockDim.x * 2;
    unsigned count = first < n ? (unsigned)min_size(n - first, 2 * blockDim.x) : 0;
    for (unsigned half = 0; half < 2; half++) {
        unsigned slot = threadIdx.x + half * blockDim.x;
        value_t value = IDENTITY;
        for (size_t i = first + slot; i < n; i += stride)
            value = combine(value, input[i]);
        if (slot < count)
            shared[slot] = value;
    }

    tree(shared, count);
    if (threadIdx.x == blockDim.x - 1)
        partials[blockIdx.x] = shared[0];
}

static void plan(struct reduction *r)
{
    if (r->block == 0)
        r->block = 256;
    if (r->grid == 0) /* as many blocks as can be resident at once, if there is work for them */
        r->grid = grid_to_fill(r, ceil_div(r->n, 2 * (size_t)r->block));
    size_t count = r->grid; /* of partials, one for each block */

    r->workspace_bytes = count * sizeof(value_t);
    r->host_bytes = count * sizeof(value_t);
    r->chain = ceil_div(r->n, 2 * (size_t)r->grid * r->block) + tree_depth(2 * r->block) +
               chain_of_pairs(count);
    r->launches = 1;
}

static void launch(const struct reduction *r, const value_t *input)
{
    hipLaunchKernelGGL(reduce_blocks, dim3(r->grid), dim3(r->block), 2 * r->block * sizeof(value_t),
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
