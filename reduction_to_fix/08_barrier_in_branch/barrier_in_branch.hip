/* Exercise 8: one element for each thread.
 *
 * Task     A thread without an element has nothing to do. With some sizes the program is right,
 *          with others it hangs on one GPU and is right on the next. Make it right. Leave
 *          plan(), launch() and finish() as they are: they are right.
 * Try      make EX=8 && make EX=8 check   (in reduction_to_fix)
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

__global__ void reduce_blocks(const value_t *input, value_t *partials, size_t n)
{
    HIP_DYNAMIC_SHARED(value_t, shared);

    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return; /* nothing to do here */

    value_t value = reduce_block(input[i], shared);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = value;
}

/* One for each block; n = 0 gives one, too. */
static size_t partial_count(const struct reduction *r)
{
    return r->n == 0 ? 1 : ceil_div(r->n, r->block);
}

static void plan(struct reduction *r)
{
    if (r->block == 0)
        r->block = 256;
    size_t count = partial_count(r);
    r->grid = (unsigned)min_size(count, GRID_THREADS_MAX / r->block);

    r->workspace_bytes = count * sizeof(value_t);
    r->host_bytes = count * sizeof(value_t);
    r->chain = tree_depth(r->block) + chain_of_pairs(count);
    r->launches = (unsigned)ceil_div(count, r->grid);
}

static void launch(const struct reduction *r, const value_t *input)
{
    value_t *partials = (value_t *)r->workspace;
    size_t count = partial_count(r);

    /* One launch, unless the array needs more blocks than a launch can have. */
    for (size_t first = 0; first < count; first += r->grid) {
        size_t blocks = min_size(r->grid, count - first);
        size_t start = first * r->block;
        hipLaunchKernelGGL(reduce_blocks, dim3((unsigned)blocks), dim3(r->block),
                           r->block * sizeof(value_t), r->stream, input + start, partials + first,
                           r->n - start);
        HIP_CHECK_LAUNCH();
    }
}

static value_t finish(const struct reduction *r)
{
    value_t *partials = (value_t *)r->host;
    size_t count = partial_count(r);

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
