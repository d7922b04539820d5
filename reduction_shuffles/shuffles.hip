/* Five ways to exchange registers, and what a tree costs.
 *
 * Study    132
 * Idea     Lanes of a warp can read from above, from below, from a partner, or leave all of it to an instruction that
 *          the hardware has. And when each tile of --block elements has a tree of its own, by shuffles or in shared
 *          memory, the time shows what a tree costs.
 * Compare  diff -u ../reduction_shfl/shfl.hip shuffles.hip
 * Try      ./reduction_shuffles --trees four
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"
#include "prelude.h"

enum { SHUFFLE, TREES }; /* indices into r->option[] */
enum { DOWN, XOR, UP, DPP, REDUX };
enum { BLOCK, TILE, FOUR, SHARED };
static const struct variant_option options[] = {
    {"shuffle", "down|xor|up|dpp|redux", DOWN, 0, 0, "the lane that a lane reads from"},
    {"trees", "block|tile|four|shared", BLOCK, 0, 0,
     "a tree for each block, or for each tile of --block elements"},
    VARIANT_OPTIONS_END,
};

#if defined(HAS_WARP_SUMS)
#include "nvidia_warp.h"
#endif

/* Combines one value of every lane of a warp that has `lanes` lanes. Where the result ends up:
 *   down  lane 0: each lane adds the value of the lane `distance` above it
 *   xor   lane 0, and every lane if the warp is full: pairs exchange their values (a butterfly)
 *   up    the last lane: each lane adds the value of the lane `distance` below it
 *   dpp   as xor, from distance 1 on: AMD can do this without shuffles, if the warp is full
 *   redux as xor; NVIDIA (sm_80 and newer) has one instruction for all of it, for ints in a full warp
 * Every lane takes part in every exchange; a value from a lane that does not exist is not used. */
static __device__ value_t reduce_warp(value_t value, unsigned lane, unsigned lanes, int shuffle)
{
    if (shuffle == DOWN) {
        for (unsigned distance = warpSize / 2; distance > 0; distance /= 2) {
            value_t other = __shfl_down(value, distance);
            if (lane + distance < lanes)
                value = combine(value, other);
        }
    } else if (shuffle == DPP) {
#if defined(HAS_WAVE_REDUCE)
        if (lanes == (unsigned)warpSize)
            return wave_reduce(value, lanes);
#endif
        for (unsigned distance = 1; distance < (unsigned)warpSize; distance *= 2) {
            value_t other = __shfl_xor(value, (int)distance);
            if ((lane ^ distance) < lanes)
                value = combine(value, other);
        }
    } else if (shuffle == XOR || shuffle == REDUX) {
#if defined(HAS_REDUX)
        if (shuffle == REDUX && lanes == (unsigned)warpSize)
            return redux(value);
#endif
        for (unsigned distance = warpSize / 2; distance > 0; distance /= 2) {
            value_t other = __shfl_xor(value, (int)distance);
            if ((lane ^ distance) < lanes)
                value = combine(value, other);
        }
    } else {
        for (unsigned distance = 1; distance < (unsigned)warpSize; distance *= 2) {
            value_t other = __shfl_up(value, distance);
            if (lane >= distance)
                value = combine(value, other);
        }
    }
    return value;
}

/* Combines one value of every thread of the block; thread 0 holds the result. */
static __device__ value_t reduce_block(value_t value, value_t *shared, int shuffle)
{
    unsigned size = (unsigned)warpSize;
    unsigned lane = threadIdx.x % size;
    unsigned warp = threadIdx.x / size;
    unsigned warps = (blockDim.x + size - 1) / size;
    /* The last warp has fewer lanes where the block is not a multiple of the warp. */
    unsigned lanes = warp + 1 < warps ? size : blockDim.x - warp * size;

    value = reduce_warp(value, lane, lanes, shuffle);
    if (lane == (shuffle == UP ? lanes - 1 : 0))
        shared[warp] = value;
    __syncthreads();

    /* A block has at most 1024 threads, so never more warps than a warp has lanes. */
    if (warp == 0) {
        value = lane < warps ? shared[lane] : IDENTITY;
        value = reduce_warp(value, lane, lanes, DOWN);
    }
    return value;
}

__global__ void reduce_blocks(const value_t *input, value_t *partials, size_t n, int shuffle)
{
    extern __shared__ value_t shared[];

    size_t stride = (size_t)gridDim.x * blockDim.x;
    value_t value = IDENTITY;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        value = combine(value, input[i]);

    value = reduce_block(value, shared, shuffle);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = value;
}

#include "tiles.h"

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
    int shuffle = (int)r->option[SHUFFLE], trees = (int)r->option[TREES];

    if (trees == FOUR)
        reduce_four_tiles<<<r->grid, r->block, TREES_AT_ONCE * shared_bytes, r->stream>>>(
            input, partials, r->n, shuffle);
    else if (trees == SHARED)
        reduce_tiles_shared<<<r->grid, r->block, r->block * sizeof(value_t), r->stream>>>(
            input, partials, r->n, shuffle);
    else if (trees == TILE)
        reduce_tiles<<<r->grid, r->block, shared_bytes, r->stream>>>(input, partials, r->n,
                                                                     shuffle);
    else
        reduce_blocks<<<r->grid, r->block, shared_bytes, r->stream>>>(input, partials, r->n,
                                                                      shuffle);
    HIP_CHECK_LAUNCH();
    reduce_blocks<<<1, r->block, shared_bytes, r->stream>>>(partials, result, r->grid, shuffle);
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
    .options = options,
    .plan = plan,
    .launch = launch,
    .finish = finish,
    .device_result = device_result,
};
