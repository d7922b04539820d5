/* Exercise 17: a blank page. Write the shuffle.
 *
 * Task     Every thread of a block has a value, and every thread wants to know what they all come to. Lanes of
 *          a warp exchange registers; shared memory has room for one value of each warp.
 * Test     any block from 1 to 1024 threads, so the last warp may be incomplete; warps of 32 and of 64
 * Leave    reduce_blocks(), plan(), launch() and finish() as they are
 * Try      make EX=17 && make EX=17 check   (in reduction_to_fix)
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"

static const struct variant_option options[] = {VARIANT_OPTIONS_END};

/* Combines one value of every thread of the block; all of them call it, and all get the result. `shared` has room
 * for one value of each warp: ceil_div(blockDim.x, warpSize). */
static __device__ value_t for_everybody(value_t value, value_t *shared)
{
    (void)shared;
    return value;
}

/* Another thread in each block writes its partial: all of them have to know it. */
__global__ void reduce_blocks(const value_t *input, value_t *partials, size_t n)
{
    HIP_DYNAMIC_SHARED(value_t, shared);

    size_t stride = (size_t)gridDim.x * blockDim.x;
    value_t value = IDENTITY;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        value = combine(value, input[i]);

    value = for_everybody(value, shared);
    if (threadIdx.x == blockDim.x - 1 - blockIdx.x % blockDim.x)
        partials[blockIdx.x] = value;
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
    size_t warps = ceil_div(r->block, r->warp_size);

    hipLaunchKernelGGL(reduce_blocks, dim3(r->grid), dim3(r->block), warps * sizeof(value_t),
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
