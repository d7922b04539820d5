/* Exercise 9: a large array.
 *
 * Task     It is right for every array that you can try on a laptop. With 3 G floats on a large
 *          GPU a third of the sum is missing. Make it right for every n. Leave plan(), launch()
 *          and finish() as they are: they are right.
 * Try      make EX=9 && make EX=9 check   (in reduction_to_fix)
 */
#include <hip/hip_runtime.h>
#include "reduction.h"

static const struct variant_option options[] = {VARIANT_OPTIONS_END};

/* Combines one value of every thread of the block; thread 0 holds the result. Any block size: after
 * the first step the number of values is a power of two. */
static __device__ value_t reduce_block(value_t value, value_t *shared)
{
    unsigned tid = threadIdx.x;

    shared[tid] = value;
    __syncthreads();
    for (unsigned rest = blockDim.x; rest > 1;) {
        unsigned power = 1u << (31 - __clz((int)(rest - 1)));
        if (tid + power < rest)
            shared[tid] = combine(shared[tid], shared[tid + power]);
        __syncthreads();
        rest = power;
    }
    return shared[tid];
}

#define PER_THREAD 8

__global__ void reduce_blocks(const value_t *input, value_t *partials, size_t n)
{
    HIP_DYNAMIC_SHARED(value_t, shared);

    int first = (int)(blockIdx.x * blockDim.x * PER_THREAD + threadIdx.x);
    value_t value = IDENTITY;
    for (int u = 0; u < PER_THREAD; u++) {
        int i = first + u * (int)blockDim.x;
        if ((size_t)i < n)
            value = combine(value, input[i]);
    }

    value = reduce_block(value, shared);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = value;
}

/* One for each block; n = 0 gives one, too. */
static size_t partial_count(const struct reduction *r)
{
    return r->n == 0 ? 1 : ceil_div(r->n, (size_t)PER_THREAD * r->block);
}

static void plan(struct reduction *r)
{
    if (r->block == 0)
        r->block = 256;
    r->grid = (unsigned)partial_count(r);

    r->workspace_bytes = r->grid * sizeof(value_t);
    r->host_bytes = r->grid * sizeof(value_t);
    r->chain = PER_THREAD + tree_depth(r->block) + chain_of_pairs(r->grid);
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
