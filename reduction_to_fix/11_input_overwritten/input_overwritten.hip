/* Exercise 11: no room but the array itself.
 *
 * Task     The tree works in global memory, in place, and the first sum is right. Make all of
 *          them right. You may change what you like, as long as the tree stays in global memory.
 * Try      make EX=11 && make EX=11 check   (in reduction_to_fix)
 */
#include <hip/hip_runtime.h>
#include "reduction.h"

static const struct variant_option options[] = {VARIANT_OPTIONS_END};

/* Halves, with shrinking stride: a thread adds to its value the one that is `half` further. */
__global__ void reduce_segments(value_t *values, value_t *partials, size_t n)
{
    unsigned segment = 2 * blockDim.x;
    size_t first = (size_t)blockIdx.x * segment;
    unsigned count = n - first < segment ? (unsigned)(n - first) : segment;
    unsigned i = threadIdx.x;
    value_t *mine = values + first;

    for (unsigned half = blockDim.x; half > 0; half = half > 1 ? (half + 1) / 2 : 0) {
        if (i + half < count && i < half)
            mine[i] = combine(mine[i], mine[i + half]);
        __syncthreads();
        count = count < half ? count : half;
    }
    if (threadIdx.x == 0)
        partials[blockIdx.x] = count > 0 ? mine[0] : IDENTITY;
}

/* One for each block; n = 0 gives one, too. */
static size_t partial_count(const struct reduction *r)
{
    return r->n == 0 ? 1 : ceil_div(r->n, (size_t)2 * r->block);
}

static void plan(struct reduction *r)
{
    if (r->block == 0)
        r->block = 256;
    size_t count = partial_count(r);
    r->grid = (unsigned)count;

    r->workspace_bytes = count * sizeof(value_t);
    r->host_bytes = count * sizeof(value_t);
    r->chain = 1 + tree_depth(r->block) + chain_of_pairs(count);
    r->launches = 1;
}

static void launch(const struct reduction *r, const value_t *input)
{
    value_t *partials = (value_t *)r->workspace;

    hipLaunchKernelGGL(reduce_segments, dim3(r->grid), dim3(r->block), 0, r->stream,
                       (value_t *)input, partials, r->n);
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
