/* Cooperative reduction: one launch with a barrier for the whole grid.
 *
 * Step     130
 * Idea     A cooperative launch guarantees that all blocks are resident at the same time, so they can wait
 *          for one another inside the kernel: a grid barrier replaces the second launch. The price: the
 *          grid is limited to what fits on the device at once.
 * Compare  diff -u ../reduction_two_kernel_calls/two_kernel_calls.hip cooperative.hip
 * Try      ./reduction_cooperative --grid 1
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"
#include "prelude.h"

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

__global__ void reduce_grid(const value_t *input, value_t *partials, value_t *result, size_t n)
{
    extern __shared__ value_t shared[];

    size_t stride = (size_t)gridDim.x * blockDim.x;
    value_t value = IDENTITY;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        value = combine(value, input[i]);

    value = reduce_block(value, shared);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = value;

    grid_sync(); /* every partial is written now */
    if (blockIdx.x > 0)
        return;

    grid_acquire();
    value = IDENTITY;
    for (size_t i = threadIdx.x; i < gridDim.x; i += blockDim.x)
        value = combine(value, partials[i]);

    value = reduce_block(value, shared);
    if (threadIdx.x == 0)
        *result = value;
}

static void plan(struct reduction *r)
{
    if (r->block == 0)
        r->block = 256;
    /* All blocks must fit at once; the runtime knows how many of this kernel do. */
    int per_unit = 0;
    HIP_CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&per_unit, reduce_grid, (int)r->block,
                                                           r->block * sizeof(value_t)));
    size_t limit = (size_t)per_unit * r->compute_units;
    if (limit == 0) {
        fprintf(stderr,
                "reduction_cooperative: no block of %u threads fits: give a smaller --block\n",
                r->block);
        exit(EXIT_DEVICE);
    }
    if (r->grid == 0)
        r->grid = (unsigned)min_size(limit, ceil_div(r->n, r->block) + (r->n == 0));

    r->workspace_bytes = (r->grid + 1) * sizeof(value_t);
    r->host_bytes = sizeof(value_t);
    r->chain = ceil_div(r->n, (size_t)r->grid * r->block) + tree_depth(r->block) +
               ceil_div(busy_blocks(r), r->block) + tree_depth(r->block);
    r->launches = 1;
}

static void launch(const struct reduction *r, const value_t *input)
{
    value_t *partials = workspace_values(r);
    value_t *result = partials + r->grid;
    size_t shared_bytes = r->block * sizeof(value_t);
    size_t n = r->n;
    void *arguments[] = {&input, &partials, &result, &n};

    HIP_CHECK(hipLaunchCooperativeKernel(reduce_grid, dim3(r->grid), dim3(r->block), arguments,
                                         (unsigned)shared_bytes, r->stream));
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
