/* Exercise 3: four elements at once.
 *
 * Task     Each thread takes four elements at a time, and for n = 4096 the sum is right. Make it
 *          right for every n, block and grid, and keep the four loads together where there are
 *          four. Leave plan(), launch() and finish() as they are: they are right.
 * Try      make EX=3 && make EX=3 check   (in reduction_to_fix)
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
    return shared[tid];
}

/* Elements that a thread takes at once, so that four loads are on their way together. */
#define UNROLL 4

__global__ void reduce_blocks(const value_t *input, value_t *partials, size_t n)
{
    HIP_DYNAMIC_SHARED(value_t, shared);

    size_t tile = (size_t)UNROLL * blockDim.x;
    size_t tiles = n / tile;
    value_t value = IDENTITY;
    for (size_t t = blockIdx.x; t < tiles; t += gridDim.x) {
        const value_t *from = input + t * tile + threadIdx.x;
        for (unsigned u = 0; u < UNROLL; u++)
            value = combine(value, from[u * blockDim.x]);
    }

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
    size_t count = r->grid; /* of partials, one for each block */

    r->workspace_bytes = count * sizeof(value_t);
    r->host_bytes = count * sizeof(value_t);
    r->chain = UNROLL + ceil_div(r->n, (size_t)r->grid * r->block) + tree_depth(r->block) +
               chain_of_pairs(count);
    r->launches = 1;
}

static void launch(const struct reduction *r, const value_t *input)
{
    value_t *partials = (value_t *)r->workspace;

    hipLaunchKernelGGL(reduce_blocks, dim3(r->grid), dim3(r->block), r->block * sizeof(value_t),
                       r->stream, input, partials, r->n);
    HIP_CHECK_LAUNCH();
}

static value_t finish(const struct reduction *r)
{
    value_t *partials = (value_t *)r->host;
    size_t count = r->grid;

    HIP_CHECK(hipMemcpyAsync(partials, r->workspace, count * sizeof(value_t), hipMemcpyDeviceToHost,
                             r->stream));
    HIP_CHECK(hipStreamSynchronize(r->stream));
    return combine_pairwise(partials, count);
}

VARIANT = {
    .options = options,
    .plan = plan,
    .launch = launch,
    .finish = finish,
};
