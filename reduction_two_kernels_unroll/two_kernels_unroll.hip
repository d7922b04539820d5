/* Reduction in two kernels, unrolled: the first adds several elements per thread, the second finishes.
 *
 * Step     100
 * Idea     A thread loads U elements before it uses the first: U loads are in flight at once, and there is
 *          no loop, because U is a constant. The grid follows from n and U. The partials are for another
 *          kernel, that of two_kernel_calls: one large block, and any number of elements.
 * Compare  diff -u ../reduction_two_kernel_calls/two_kernel_calls.hip two_kernels_unroll.hip
 * Try      ./reduction_two_kernels_unroll --unroll 1
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"

#define FINISH_BLOCK 1024 /* threads of the second kernel */

/* Combines one value of every thread of the block; thread 0 holds the result. Any block size: where
 * the number of values is odd, the one in the middle waits for the next step. */
static __device__ value_t reduce_block(value_t value, value_t *shared)
{
    unsigned tid = threadIdx.x;

    shared[tid] = value;
    __syncthreads();
    for (unsigned count = blockDim.x; count > 1;) {
        unsigned half = (count + 1) / 2;
        if (tid + half < count)
            shared[tid] = combine(shared[tid], shared[tid + half]);
        __syncthreads();
        count = half;
    }
    return shared[tid];
}

#define UNROLL_MAX 32
#define LOADS      (LOADED_BYTES_MAX / (unsigned)sizeof(value_t)) /* that registers have room for */

/* Combines a thread's share of a tile. Inlined into kernels with a constant `unroll` (kernels.h): of the UNROLL_MAX
 * iterations only those that are needed remain. With `unroll` as the limit, not every compiler would unroll the loop. */
static __device__ __forceinline__ value_t add_tile(const value_t *input, size_t n, unsigned unroll)
{
    size_t tile = (size_t)blockDim.x * unroll;
    size_t first = blockIdx.x * tile + threadIdx.x;
    value_t value = IDENTITY;

    if (blockIdx.x * tile + tile <= n) { /* a full tile: no test between the loads */
#pragma unroll
        for (unsigned done = 0; done < UNROLL_MAX; done += LOADS) {
            value_t loaded[LOADS] = {0};
#pragma unroll
            for (unsigned u = 0; u < LOADS; u++)
                if (done + u < unroll)
                    loaded[u] = input[first + (done + u) * blockDim.x];
            loads_first();
#pragma unroll
            for (unsigned u = 0; u < LOADS; u++)
                if (done + u < unroll)
                    value = combine(value, loaded[u]);
        }
    } else {
        for (size_t i = first; i < n; i += blockDim.x)
            value = combine(value, input[i]);
    }
    return value;
}

#include "kernels.h"

/* The second kernel: one block for any number of partials. */
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
    size_t count = partial_count(r);
    if (r->grid == 0) /* one launch, if it may have that many threads */
        r->grid = (unsigned)min_size(count, GRID_THREADS_MAX / r->block);

    r->workspace_bytes = (count + 1) * sizeof(value_t);
    r->host_bytes = sizeof(value_t);
    r->chain = min_size(unroll_of(r), ceil_div(r->n, r->block)) + tree_depth(r->block) +
               ceil_div(count, FINISH_BLOCK) + tree_depth(FINISH_BLOCK);
    r->launches = (unsigned)ceil_div(count, r->grid) + 1;
}

static void launch(const struct reduction *r, const value_t *input)
{
    size_t count = partial_count(r);
    value_t *partials = workspace_values(r);
    value_t *result = partials + count;
    size_t shared_bytes = r->block * sizeof(value_t);
    struct grid_part part = {0, 0};

    /* One launch, unless the array needs more blocks than a launch can have. */
    while (next_launch(&part, r->grid, count)) {
        size_t start = part.first * tile_size(r);
        kernel_of(r)<<<part.blocks, r->block, shared_bytes, r->stream>>>(
            input + start, partials + part.first, r->n - start);
        HIP_CHECK_LAUNCH();
    }
    shared_bytes = FINISH_BLOCK * sizeof(value_t);
    reduce_blocks<<<1, FINISH_BLOCK, shared_bytes, r->stream>>>(partials, result, count);
    HIP_CHECK_LAUNCH();
}

/* Where launch() leaves the result. */
static const value_t *device_result(const struct reduction *r)
{
    return workspace_values(r) + partial_count(r);
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
