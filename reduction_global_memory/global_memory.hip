/* Reduction in global memory: the tree without shared memory.
 *
 * Step     10
 * Idea     A block adds a segment of 2 x block elements in steps, and each step reads and writes global
 *          memory. Two orders of the same additions:
 *            divergent   neighbours first, with growing stride: active threads and their values spread
 *                        out; half of every cache line that moves is wasted, then three quarters ...
 *            convergent  halves, with shrinking stride: active threads and their values stay together
 *          The partials are an array too: the kernel is launched again until one value is left.
 * Try      ./reduction_global_memory --order divergent
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"

enum { ORDER }; /* index into r->option[] */
enum { DIVERGENT, CONVERGENT };
static const struct variant_option options[] = {
    {"order", "divergent|convergent", CONVERGENT, 0, 0, "which values a step adds"},
    VARIANT_OPTIONS_END,
};

/* Both kernels read the input only in the first step, and then work in scratch, which is as long: the
 * input is not modified. Any n and any block size: a value without a partner is kept. */

__global__ void reduce_segments_divergent(const value_t *input, value_t *scratch, value_t *partials,
                                          size_t n)
{
    unsigned segment = 2 * blockDim.x;
    size_t first = (size_t)blockIdx.x * segment;
    unsigned count = n - first < segment ? (unsigned)(n - first) : segment;
    unsigned i = 2 * threadIdx.x;
    const value_t *from = input + first;
    value_t *to = scratch + first;

    for (unsigned stride = 1; stride < segment; stride *= 2) {
        if (i % (2 * stride) == 0 && i < count)
            to[i] = i + stride < count ? combine(from[i], from[i + stride]) : from[i];
        __syncthreads();
        from = to;
    }
    if (threadIdx.x == 0)
        partials[blockIdx.x] = count > 0 ? to[0] : IDENTITY;
}

__global__ void reduce_segments_convergent(const value_t *input, value_t *scratch,
                                           value_t *partials, size_t n)
{
    unsigned segment = 2 * blockDim.x;
    size_t first = (size_t)blockIdx.x * segment;
    unsigned count = n - first < segment ? (unsigned)(n - first) : segment;
    unsigned i = threadIdx.x;
    const value_t *from = input + first;
    value_t *to = scratch + first;

    for (unsigned half = blockDim.x; half > 0; half = half > 1 ? (half + 1) / 2 : 0) {
        if (i < half && i < count)
            to[i] = i + half < count ? combine(from[i], from[i + half]) : from[i];
        __syncthreads();
        from = to;
        count = count < half ? count : half;
    }
    if (threadIdx.x == 0)
        partials[blockIdx.x] = count > 0 ? to[0] : IDENTITY;
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
    r->workspace_bytes = (r->n + partials) * sizeof(value_t);
    r->host_bytes = sizeof(value_t);
}

static void launch(const struct reduction *r, const value_t *input)
{
    value_t *scratch = workspace_values(r);
    value_t *partials = scratch + r->n;
    size_t n = r->n;

    for (;;) {
        size_t level = n == 0 ? 1 : ceil_div(n, (size_t)2 * r->block);
        struct grid_part part = {0, 0};
        /* One launch, unless the array needs more blocks than a launch can have. */
        while (next_launch(&part, r->grid, level)) {
            size_t start = part.first * 2 * r->block;
            hipLaunchKernelGGL(r->option[ORDER] == DIVERGENT ? reduce_segments_divergent
                                                             : reduce_segments_convergent,
                               dim3(part.blocks), dim3(r->block), 0, r->stream, input + start,
                               scratch + start, partials + part.first, n - start);
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
    .options = options,
    .plan = plan,
    .launch = launch,
    .finish = finish,
    .device_result = device_result,
};
