/* Exercise 5: one result for all blocks.
 *
 * Task     Each block adds its share to one result, as one step that nobody can interrupt. The
 *          first sum is right. Make every one right, and the minimum and the maximum, too. You
 *          may change what you like.
 * Try      make EX=5 && make EX=5 check   (in reduction_to_fix)
 */
#include <hip/hip_runtime.h>
#include "reduction.h"

static const struct variant_option options[] = {VARIANT_OPTIONS_END};

/* Combines value into *result as one step that no other thread can interrupt. */
static __device__ void atomic_combine(value_t *result, value_t value)
{
#if OPERATION == OP_SUM
    atomicAdd(result, value);
#else /* compare and swap until nobody came between */
    union {
        value_t value;
        bits_t bits;
    } seen, wanted;
    seen.bits = *(volatile bits_t *)result;
    for (;;) {
        wanted.value = combine(seen.value, value);
        bits_t found = atomicCAS((bits_t *)result, seen.bits, wanted.bits);
        if (found == seen.bits)
            return;
        seen.bits = found;
    }
#endif
}

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
    return shared[tid];
}

__global__ void reduce_blocks(const value_t *input, value_t *result, size_t n)
{
    HIP_DYNAMIC_SHARED(value_t, shared);

    size_t stride = (size_t)gridDim.x * blockDim.x;
    value_t value = IDENTITY;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        value = combine(value, input[i]);

    value = reduce_block(value, shared);
    if (threadIdx.x == 0)
        atomic_combine(result, value);
}

static void plan(struct reduction *r)
{
    if (r->block == 0)
        r->block = 256;
    if (r->grid == 0) /* as many blocks as can be resident at once, if there is work for them */
        r->grid = grid_to_fill(r, ceil_div(r->n, r->block));

    r->workspace_bytes = sizeof(value_t);
    r->host_bytes = sizeof(value_t);
    r->chain = ceil_div(r->n, (size_t)r->grid * r->block) + tree_depth(r->block) + r->grid;
    r->launches = 1;
}

static void launch(const struct reduction *r, const value_t *input)
{
    value_t *result = (value_t *)r->workspace;

    hipLaunchKernelGGL(reduce_blocks, dim3(r->grid), dim3(r->block), r->block * sizeof(value_t),
                       r->stream, input, result, r->n);
    HIP_CHECK_LAUNCH();
}

static value_t finish(const struct reduction *r)
{
    value_t *result = (value_t *)r->host;

    HIP_CHECK(
        hipMemcpyAsync(result, r->workspace, sizeof(value_t), hipMemcpyDeviceToHost, r->stream));
    HIP_CHECK(hipStreamSynchronize(r->stream));
    return *result;
}

VARIANT = {
    .options = options,
    .plan = plan,
    .launch = launch,
    .finish = finish,
};
