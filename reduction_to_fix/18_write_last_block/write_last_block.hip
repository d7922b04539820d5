/* Exercise 18: a blank page. Write the last block.
 *
 * Task     One launch, and the whole result: each block reduces its share, and the block that comes last adds up
 *          what all of them left. Which one is last, nobody knows before: draw tickets. What a block leaves has to
 *          be there when the last one reads it: a fence on either side of the ticket.
 * Test     any block and grid, in any order, weak memory, and again with the same workspace
 * Leave    plan(), launch() and finish() as they are
 * Try      make EX=18 && make EX=18 check   (in reduction_to_fix)
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"

static const struct variant_option options[] = {VARIANT_OPTIONS_END};

/* The workspace: all zero before the first launch, and as the launch before has left it afterwards. */
struct meeting {
    value_t result;
    unsigned tickets;
    value_t left[1]; /* one of each block */
};

/* Combines one value of every thread of the block; all of them get the result, and may use `shared` again. */
static __device__ value_t reduce_block(value_t value, value_t *shared)
{
    shared[threadIdx.x] = value;
    __syncthreads();
    for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
        if (threadIdx.x % (2 * distance) == 0 && threadIdx.x + distance < blockDim.x)
            shared[threadIdx.x] = combine(shared[threadIdx.x], shared[threadIdx.x + distance]);
        __syncthreads();
    }
    value = shared[0];
    __syncthreads();
    return value;
}

/* After the launch m->result is the reduction of all n elements. */
__global__ void reduce_all(const value_t *input, struct meeting *m, size_t n)
{
    HIP_DYNAMIC_SHARED(value_t, shared);

    size_t stride = (size_t)gridDim.x * blockDim.x;
    value_t value = IDENTITY;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        value = combine(value, input[i]);
    value = reduce_block(value, shared);

    (void)m;
    (void)value;
}

static void plan(struct reduction *r)
{
    if (r->block == 0)
        r->block = 256;
    if (r->grid == 0) /* as many blocks as can be resident at once, if there is work for them */
        r->grid = grid_to_fill(r, ceil_div(r->n, r->block));

    r->workspace_bytes = sizeof(struct meeting) + r->grid * sizeof(value_t);
    r->host_bytes = sizeof(value_t);
    r->chain = ceil_div(r->n, (size_t)r->grid * r->block) + ceil_div(r->grid, r->block) +
               2 * tree_depth(r->block);
    r->launches = 1;
}

static void launch(const struct reduction *r, const value_t *input)
{
    hipLaunchKernelGGL(reduce_all, dim3(r->grid), dim3(r->block), r->block * sizeof(value_t),
                       r->stream, input, (struct meeting *)r->workspace, r->n);
    HIP_CHECK_LAUNCH();
}

static value_t finish(const struct reduction *r)
{
    const struct meeting *m = (const struct meeting *)r->workspace;

    HIP_CHECK(
        hipMemcpyAsync(r->host, &m->result, sizeof(value_t), hipMemcpyDeviceToHost, r->stream));
    HIP_CHECK(hipStreamSynchronize(r->stream));
    return *host_values(r);
}

VARIANT = {
    .options = options,
    .plan = plan,
    .launch = launch,
    .finish = finish,
};
