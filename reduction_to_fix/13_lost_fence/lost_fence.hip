/* Exercise 13: the last block.
 *
 * Task     One launch: the block that draws the last ticket adds up the partials of all others. No
 *          test has ever seen it wrong, on any machine here. Find what is missing, and put it in.
 *          Leave plan(), launch() and finish() as they are: they are right.
 * Try      make EX=13 && make EX=13 check   (in reduction_to_fix)
 */
#include <hip/hip_runtime.h>
#include "reduction.h"

static const struct variant_option options[] = {VARIANT_OPTIONS_END};

/* Combines one value of every thread of the block; thread 0 holds the result. In each step the first
 * value meets the last one; where their number is odd, the one in the middle waits. */
static __device__ value_t reduce_block(value_t value, value_t *shared)
{
    unsigned tid = threadIdx.x;

    shared[tid] = value;
    __syncthreads();
    for (unsigned last = blockDim.x - 1; last > 0;) {
        unsigned pairs = (last + 1) / 2;
        if (tid < pairs)
            shared[tid] = combine(shared[tid], shared[last - tid]);
        __syncthreads();
        last /= 2;
    }
    value = shared[tid];
    __syncthreads(); /* shared is used again */
    return value;
}

__global__ void reduce_blocks(const value_t *input, value_t *partials, unsigned *ticket,
                              value_t *result, size_t n)
{
    HIP_DYNAMIC_SHARED(value_t, shared);
    __shared__ bool last;

    size_t stride = (size_t)gridDim.x * blockDim.x;
    value_t value = IDENTITY;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        value = combine(value, input[i]);

    value = reduce_block(value, shared);
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = value;
        last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1; /* 0 again after the last one */
    }
    __syncthreads();
    if (!last)
        return;

    /* All others are done: this block adds up what they left. */
    value = IDENTITY;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
        value = combine(value, partials[i]);
    value = reduce_block(value, shared);
    if (threadIdx.x == 0)
        *result = value;
}

/* The workspace: the ticket in 16 bytes, the result in as many, and the partials behind them. */
static void plan(struct reduction *r)
{
    if (r->block == 0)
        r->block = 256;
    if (r->grid == 0) /* as many blocks as can be resident at once, if there is work for them */
        r->grid = grid_to_fill(r, ceil_div(r->n, r->block));

    r->workspace_bytes = 32 + r->grid * sizeof(value_t);
    r->host_bytes = sizeof(value_t);
    r->chain = ceil_div(r->n, (size_t)r->grid * r->block) + ceil_div(r->grid, r->block) +
               2 * tree_depth(r->block);
    r->launches = 1;
}

static void launch(const struct reduction *r, const value_t *input)
{
    char *workspace = (char *)r->workspace;

    hipLaunchKernelGGL(reduce_blocks, dim3(r->grid), dim3(r->block), r->block * sizeof(value_t),
                       r->stream, input, (value_t *)(workspace + 32), (unsigned *)workspace,
                       (value_t *)(workspace + 16), r->n);
    HIP_CHECK_LAUNCH();
}

static value_t finish(const struct reduction *r)
{
    value_t *result = (value_t *)r->host;

    HIP_CHECK(hipMemcpyAsync(result, (char *)r->workspace + 16, sizeof(value_t),
                             hipMemcpyDeviceToHost, r->stream));
    HIP_CHECK(hipStreamSynchronize(r->stream));
    return *result;
}

VARIANT = {
    .options = options,
    .plan = plan,
    .launch = launch,
    .finish = finish,
};
