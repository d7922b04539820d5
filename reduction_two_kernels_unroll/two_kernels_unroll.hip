/* Reduction in two kernels, unrolled: the first adds several elements per thread, the second finishes.
 *
 * Step     100
 * Idea     A thread loads U elements before it uses the first: U loads are in flight at once, and there is
 *          no loop, because U is a constant. The grid follows from n and U. The second kernel is a
 *          different one, made for a few partials.
 * Compare  diff -u ../reduction_two_kernel_calls/two_kernel_calls.hip two_kernels_unroll.hip
 * Try      ./reduction_two_kernels_unroll --unroll 1
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"

#define FINISH_BLOCK 1024 /* threads of the second kernel */

enum { UNROLL }; /* index into r->option[] */
static const unsigned unroll_values[] = {1, 2, 4, 8, 16, 32};
static const struct variant_option options[] = {
    {"unroll", "1|2|4|8|16|32", 3, 0, 0, "elements per thread of the first kernel"},
    VARIANT_OPTIONS_END,
};

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

/* The first kernel. Inlined into kernels with a constant `unroll` below: of the UNROLL_MAX iterations
 * only those that are needed remain. With `unroll` as the limit, not every compiler would unroll the
 * loop. */
static __device__ __forceinline__ void reduce_tile(const value_t *input, value_t *partials,
                                                   size_t n, unsigned unroll, value_t *shared)
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

    value = reduce_block(value, shared);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = value;
}

#define REDUCE_BLOCKS(UNROLL)                                                                      \
    __global__ void reduce_blocks_##UNROLL(const value_t *input, value_t *partials, size_t n)      \
    {                                                                                              \
        extern __shared__ value_t shared[];                                                        \
        reduce_tile(input, partials, n, UNROLL, shared);                                           \
    }
REDUCE_BLOCKS(1)
REDUCE_BLOCKS(2)
REDUCE_BLOCKS(4)
REDUCE_BLOCKS(8)
REDUCE_BLOCKS(16)
REDUCE_BLOCKS(32)

/* The second kernel: one block for any number of partials. */
__global__ void reduce_partials(const value_t *partials, value_t *result, size_t count)
{
    extern __shared__ value_t shared[];

    value_t value = IDENTITY;
    for (size_t i = threadIdx.x; i < count; i += blockDim.x)
        value = combine(value, partials[i]);

    value = reduce_block(value, shared);
    if (threadIdx.x == 0)
        *result = value;
}

/* One for each block; n = 0 gives one, too. */
static size_t partial_count(const struct reduction *r)
{
    return r->n == 0 ? 1 : ceil_div(r->n, (size_t)r->block * unroll_values[r->option[UNROLL]]);
}

static void plan(struct reduction *r)
{
    unsigned unroll = unroll_values[r->option[UNROLL]];

    if (r->block == 0)
        r->block = 256;
    size_t count = partial_count(r);
    if (r->grid == 0) /* one launch, if it may have that many threads */
        r->grid = (unsigned)min_size(count, GRID_THREADS_MAX / r->block);

    r->workspace_bytes = (count + 1) * sizeof(value_t);
    r->host_bytes = sizeof(value_t);
    r->chain = min_size(unroll, ceil_div(r->n, r->block)) + tree_depth(r->block) +
               ceil_div(count, FINISH_BLOCK) + tree_depth(FINISH_BLOCK);
    r->launches = (unsigned)ceil_div(count, r->grid) + 1;
}

typedef void (*kernel_t)(const value_t *input, value_t *partials, size_t n);

static void launch(const struct reduction *r, const value_t *input)
{
    size_t count = partial_count(r);
    value_t *partials = workspace_values(r);
    value_t *result = partials + count;
    size_t tile = (size_t)r->block * unroll_values[r->option[UNROLL]];
    static const kernel_t kernels[] = {
        reduce_blocks_1, reduce_blocks_2,  reduce_blocks_4,
        reduce_blocks_8, reduce_blocks_16, reduce_blocks_32,
    };
    kernel_t reduce_blocks = kernels[r->option[UNROLL]];
    struct grid_part part = {0, 0};

    /* One launch, unless the array needs more blocks than a launch can have. */
    while (next_launch(&part, r->grid, count)) {
        size_t start = part.first * tile;
        reduce_blocks<<<part.blocks, r->block, r->block * sizeof(value_t), r->stream>>>(
            input + start, partials + part.first, r->n - start);
        HIP_CHECK_LAUNCH();
    }
    size_t shared_bytes = FINISH_BLOCK * sizeof(value_t);
    reduce_partials<<<1, FINISH_BLOCK, shared_bytes, r->stream>>>(partials, result, count);
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
