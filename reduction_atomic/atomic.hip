/* Reduction with atomics: blocks combine into one result while they run.
 *
 * Step     120
 * Idea     No partials and no second step: an atomic operation lets many threads update one value. The
 *          speed depends on who does it: every thread, one lane of each warp, or one thread of each block.
 * Compare  diff -u ../reduction_two_kernel_calls/two_kernel_calls.hip atomic.hip
 * Try      ./reduction_atomic --atomics thread
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"
#include "prelude.h"
#include "update.h"

enum { ATOMICS, UNSAFE_ATOMICS }; /* indices into r->option[] */
enum { THREAD, WARP, BLOCK };
static const struct variant_option options[] = {
    {"atomics", "thread|warp|block", BLOCK, 0, 0, "who updates the result"},
    {"unsafe-atomics", "", 0, 0, 0,
     "AMD: unsafeAtomicAdd, a native instruction where there is one"},
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

/* Inlined into two kernels with a constant `unsafe` (kernels.h). A run-time `if` will not do: the compiler
 * merges the atomic additions of both branches into one, and not into the native one. */
static __device__ __forceinline__ void reduce_share(const value_t *input, value_t *result, size_t n,
                                                    int atomics, bool unsafe, value_t *shared)
{
    size_t stride = (size_t)gridDim.x * blockDim.x;
    value_t value = IDENTITY;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        value = combine(value, input[i]);

    if (atomics == WARP) {
        value = reduce_warp(value);
        if (threadIdx.x % (unsigned)warpSize > 0)
            return;
    } else if (atomics == BLOCK) {
        value = reduce_block(value, shared);
        if (threadIdx.x > 0)
            return;
    }
    atomic_combine(result, value, unsafe);
}

__global__ void reset(value_t *result)
{
    *result = IDENTITY;
}

#include "kernels.h"

static void plan(struct reduction *r)
{
    if (r->block == 0)
        r->block = 256;
    if (r->grid == 0) /* as many blocks as can be resident at once, if there is work for them */
        r->grid = grid_to_fill(r, ceil_div(r->n, r->block));

    r->workspace_bytes = sizeof(value_t);
    r->host_bytes = sizeof(value_t);
    r->chain = ceil_div(r->n, (size_t)r->grid * r->block) + tree_depth(r->block) + updates(r);
    r->launches = 2;
}

static void launch(const struct reduction *r, const value_t *input)
{
    value_t *result = workspace_values(r);
    size_t shared_bytes = r->block * sizeof(value_t);

    /* The result of the last run is still there, and an atomic would add to it. */
    reset<<<1, 1, 0, r->stream>>>(result);
    HIP_CHECK_LAUNCH();
    kernel_of(r)<<<r->grid, r->block, shared_bytes, r->stream>>>(input, result, r->n,
                                                                 (int)r->option[ATOMICS]);
    HIP_CHECK_LAUNCH();
}

/* Where launch() leaves the result. */
static const value_t *device_result(const struct reduction *r)
{
    return workspace_values(r);
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
