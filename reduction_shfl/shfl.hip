/* Reduction with shuffles: the lanes of a warp exchange registers.
 *
 * Step     110
 * Idea     A warp (AMD: wavefront, 64 or 32 lanes; NVIDIA: 32) reduces its values without shared memory
 *          and without barriers. One value per warp goes through shared memory, and the first warp
 *          reduces those: one barrier is left of the tree's log2(block).
 * Compare  diff -u ../reduction_two_kernel_calls/two_kernel_calls.hip shfl.hip
 * Try      ./reduction_shfl --block 100
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"

/* Combines one value of every lane of a warp that has `lanes` lanes; lane 0 holds the result. Every lane takes part in
 * every shuffle; a value from a lane that does not exist is not used. */
static __device__ value_t reduce_warp(value_t value, unsigned lane, unsigned lanes)
{
    for (unsigned distance = warpSize / 2; distance > 0; distance /= 2) {
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
    /* The last warp has fewer lanes where the block is not a multiple of the warp. */
    unsigned lanes = warp + 1 < warps ? size : blockDim.x - warp * size;

    value = reduce_warp(value, lane, lanes);
    if (lane == 0)
        shared[warp] = value;
    __syncthreads();

    /* A block has at most 1024 threads, so never more warps than a warp has lanes. */
    if (warp == 0) {
        value = lane < warps ? shared[lane] : IDENTITY;
        value = reduce_warp(value, lane, lanes);
    }
    return value;
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
    if (r->grid == 0) /* as many blocks as can be resident at once, if there is work for them */
        r->grid = grid_to_fill(r, ceil_div(r->n, r->block));

    r->workspace_bytes = (r->grid + 1) * sizeof(value_t);
    r->host_bytes = sizeof(value_t);
    r->chain = ceil_div(r->n, (size_t)r->grid * r->block) + tree_depth(r->block) +
               ceil_div(busy_blocks(r), r->block) + tree_depth(r->block);
    r->launches = 2;
}

static void launch(const struct reduction *r, const value_t *input)
{
    value_t *partials = workspace_values(r);
    value_t *result = partials + r->grid;
    size_t shared_bytes = ceil_div(r->block, r->warp_size) * sizeof(value_t);

    reduce_blocks<<<r->grid, r->block, shared_bytes, r->stream>>>(input, partials, r->n);
    HIP_CHECK_LAUNCH();
    reduce_blocks<<<1, r->block, shared_bytes, r->stream>>>(partials, result, r->grid);
    HIP_CHECK_LAUNCH();
}

/* Where launch() leaves the result. */
static const value_t *device_result(const struct reduction *r)
{
    return workspace_values(r) + r->grid;
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
