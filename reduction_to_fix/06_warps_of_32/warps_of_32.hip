/* Exercise 6: lanes exchange registers.
 *
 * Task     On some GPUs it is right, and on others it is not. Make it right everywhere. Leave
 *          plan(), launch() and finish() as they are: they are right.
 * Try      make EX=6 && make EX=6 check   (in reduction_to_fix)
 */
#include <hip/hip_runtime.h>
#include "reduction.h"

static const struct variant_option options[] = {VARIANT_OPTIONS_END};

/* Combines one value of every lane of a warp; lane 0 holds the result. A lane takes only what the warp
 * really has: the last one of a block may be incomplete. */
static __device__ value_t reduce_warp(value_t value, unsigned lane, unsigned lanes)
{
    for (unsigned distance = 16; distance > 0; distance /= 2) {
        value_t other = __shfl_down(value, distance);
        if (lane + distance < lanes)
            value = combine(value, other);
    }
    return value;
}

/* Combines one value of every thread of the block; thread 0 holds the result. */
static __device__ value_t reduce_block(value_t value, value_t *shared)
{
    unsigned size = (unsigned)warpSize;
    unsigned lane = threadIdx.x % size;
    unsigned warp = threadIdx.x / size;
    unsigned warps = (blockDim.x + size - 1) / size;
    unsigned lanes = warp + 1 < warps ? size : blockDim.x - warp * size;

    value = reduce_warp(value, lane, lanes);
    if (lane == 0)
        shared[warp] = value;
    __syncthreads();

    if (warp == 0) { /* there are never more warps in a block than lanes in a warp */
        value = lane < warps ? shared[lane] : IDENTITY;
        value = reduce_warp(value, lane, lanes);
    }
    return value;
}

__global__ void reduce_blocks(const value_t *input, value_t *partials, size_t n)
{
    HIP_DYNAMIC_SHARED(value_t, shared);

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
    value_t *partials = (value_t *)r->workspace;

    hipLaunchKernelGGL(reduce_blocks, dim3(r->grid), dim3(r->block), r->block * sizeof(value_t),
                       r->stream, input, partials, r->n);
    HIP_CHECK_LAUNCH();
}

static value_t finish(const struct reduction *r)
{
    value_t *partials = (value_t *)r->host;
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
