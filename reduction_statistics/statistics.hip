/* Statistics: count, sum, minimum, maximum, mean and variance in one pass.
 *
 * Study    140
 * Idea     A reduction need not be over numbers: here it is over structs, and merge() combines two of them.
 *          Memory limits the speed, so several results cost one read of the array, and hardly more time.
 * Compare  diff -u ../reduction_two_kernel_calls/two_kernel_calls.hip statistics.hip
 * Try      ./reduction_statistics --pattern constant
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"
#include "prelude.h"
#include "streaming.h"

/* Elements that a thread loads before it uses the first. A long is needed as a double, too, which takes registers. */
#define TILE (VALUE_TYPE == TYPE_LONG ? TILE_LONG : 8)

/* The statistics of some elements. The sum has their type. Mean and variance are double for every type, and
 * never larger than the values that they average, so they do not overflow where the sum does. */
struct statistics {
    size_t count;
    value_t sum, min, max;
    /* mean + rest is the mean: the difference of two means keeps its digits far from 0, too */
    double mean, rest;
    double variance; /* the mean of (x - mean)^2 */
};

static __device__ __forceinline__ struct statistics nothing(void)
{
    struct statistics s = {0, 0, LARGEST, LOWEST, 0, 0, 0};
    return s;
}

/* Adds step to *mean + *rest: what rounding takes from *mean goes to *rest. (D. E. Knuth, The Art of Computer
 * Programming, volume 2, 4.2.2, theorem B) */
static __device__ __forceinline__ void add_to_mean(double *mean, double *rest, double step)
{
    double sum = *mean + step, part = sum - *mean;

    *rest += (*mean - (sum - part)) + (step - part);
    *mean = sum;
}

static __device__ __forceinline__ struct statistics of_one(value_t x)
{
    struct statistics s = {1, x, x, x, (double)x, 0, 0};
#if VALUE_TYPE == TYPE_LONG /* it has more digits than a double */
    s.mean = (double)(x >> 32) * 0x1p32;
    add_to_mean(&s.mean, &s.rest, (double)(x & 0xffffffff));
#endif
    return s;
}

/* x - mean. */
static __device__ __forceinline__ double deviation_of(value_t x, double mean)
{
#if VALUE_TYPE == TYPE_LONG
    return ((double)(x >> 32) * 0x1p32 - mean) + (double)(x & 0xffffffff);
#else
    return (double)x - mean;
#endif
}

/* Of TILE elements in registers: about their mean; then how much it is off, and the squared deviations. */
static __device__ __forceinline__ struct statistics of_tile(const value_t x[TILE])
{
    struct statistics s = {TILE, 0, LARGEST, LOWEST, 0, 0, 0};
    double mean[TILE];

#pragma unroll
    for (unsigned u = 0; u < TILE; u++) {
        s.sum = value_sum(s.sum, x[u]);
        s.min = value_extreme(s.min, x[u], true);
        s.max = value_extreme(s.max, x[u], false);
        mean[u] = (double)x[u];
    }
#pragma unroll
    for (unsigned gap = 1; gap < TILE; gap *= 2) { /* the mean of two means, and so on */
#pragma unroll
        for (unsigned u = 0; u < TILE; u += 2 * gap)
            mean[u] = 0.5 * mean[u] + 0.5 * mean[u + gap];
    }
    s.mean = mean[0];
    double off = 0;
#pragma unroll
    for (unsigned u = 0; u < TILE; u++) {
        double deviation = deviation_of(x[u], s.mean);
        off += deviation * (1.0 / TILE);
        s.variance += deviation * (deviation * (1.0 / TILE));
    }
    s.variance -= off * off; /* at most a few times the rounding error of the mean */
    add_to_mean(&s.mean, &s.rest, off);
    return s;
}

/* The statistics of all elements from those of two parts. Without the cancellation of the textbook
 * formula. T. F. Chan, G. H. Golub, R. J. LeVeque: Updating formulae and a pairwise algorithm for
 * computing sample variances, COMPSTAT 1982. */
static __device__ __forceinline__ struct statistics merge(struct statistics a, struct statistics b)
{
    if (a.count == 0 || b.count == 0)
        return a.count == 0 ? b : a;

    double part = 1 / (double)(a.count + b.count);
    double of_a = (double)a.count * part, of_b = (double)b.count * part;
    double half = 0.5 * b.mean - 0.5 * a.mean; /* the difference itself may overflow */
    half += 0.5 * b.rest - 0.5 * a.rest;
    double step = half * of_b;

    add_to_mean(&a.mean, &a.rest, step);
    add_to_mean(&a.mean, &a.rest, step);
    a.variance = a.variance * of_a + b.variance * of_b + 4 * step * (half * of_a);
    a.count += b.count;
    a.sum = value_sum(a.sum, b.sum);
    a.min = value_extreme(a.min, b.min, true);
    a.max = value_extreme(a.max, b.max, false);
    return a;
}

/* Combines one struct of every thread of the block into shared[0]. Any block size: where the number of
 * structs is odd, the one in the middle waits for the next step. There is room for half of the structs:
 * all those of 1024 threads are more than a block of an NVIDIA GPU usually gets. */
static __device__ void reduce_block(struct statistics value, struct statistics *shared)
{
    unsigned tid = threadIdx.x, lower = (blockDim.x + 1) / 2;

    if (tid >= lower)
        shared[tid - lower] = value;
    __syncthreads();
    if (tid + lower < blockDim.x)
        value = merge(value, shared[tid]);
    if (tid < lower)
        shared[tid] = value;
    __syncthreads();
    for (unsigned count = lower; count > 1;) {
        unsigned half = (count + 1) / 2;
        if (tid + half < count)
            shared[tid] = merge(shared[tid], shared[tid + half]);
        __syncthreads();
        count = half;
    }
}

/* The first kernel; `streaming` is a constant. */
static __device__ __forceinline__ void
reduce_share(const value_t *input, struct statistics *partials, size_t n, bool streaming)
{
    extern __shared__ struct statistics shared[];

    size_t stride = (size_t)gridDim.x * blockDim.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    struct statistics value = nothing();
    for (; i + (TILE - 1) * stride < n; i += TILE * stride) {
        value_t x[TILE];
#pragma unroll
        for (unsigned u = 0; u < TILE; u++)
            x[u] = load_element(input + i + u * stride, streaming);
        loads_first();
        value = merge(value, of_tile(x));
    }
    for (; i < n; i += stride)
        value = merge(value, of_one(input[i]));

    reduce_block(value, shared);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = shared[0];
}

__global__ void reduce_blocks(const value_t *input, struct statistics *partials, size_t n)
{
    reduce_share(input, partials, n, false);
}

#if defined(HAS_STREAMING)
__global__ void reduce_blocks_streaming(const value_t *input, struct statistics *partials, size_t n)
{
    reduce_share(input, partials, n, true);
}
#else
#define reduce_blocks_streaming reduce_blocks
#endif

/* The second kernel: its input consists of structs. */
__global__ void reduce_partials(const struct statistics *partials, struct statistics *result,
                                size_t count)
{
    extern __shared__ struct statistics shared[];

    struct statistics value = nothing();
    for (size_t i = threadIdx.x; i < count; i += blockDim.x)
        value = merge(value, partials[i]);

    reduce_block(value, shared);
    if (threadIdx.x == 0)
        *result = shared[0];
}

static void plan(struct reduction *r)
{
    if (r->block == 0)
        r->block = 256;
    if (r->grid == 0) /* as many blocks as can be resident at once, if there is work for them */
        r->grid = grid_to_fill(r, ceil_div(r->n, r->block));

    r->workspace_bytes = (r->grid + 1) * sizeof(struct statistics);
    r->host_bytes = sizeof(struct statistics);
    size_t share = ceil_div(r->n, (size_t)r->grid * r->block); /* of a thread; one merge per tile */
    r->chain = min_size(share, share / TILE + 2 * TILE) + tree_depth(r->block) +
               ceil_div(busy_blocks(r), r->block) + tree_depth(r->block);
    r->launches = 2;
}

static void launch(const struct reduction *r, const value_t *input)
{
    struct statistics *partials = (struct statistics *)r->workspace;
    struct statistics *result = partials + r->grid;
    size_t shared_bytes = (r->block + 1) / 2 * sizeof(struct statistics);

    if (streaming_pays(r->n * sizeof(value_t)))
        reduce_blocks_streaming<<<r->grid, r->block, shared_bytes, r->stream>>>(input, partials,
                                                                                r->n);
    else
        reduce_blocks<<<r->grid, r->block, shared_bytes, r->stream>>>(input, partials, r->n);
    HIP_CHECK_LAUNCH();
    reduce_partials<<<1, r->block, shared_bytes, r->stream>>>(partials, result, r->grid);
    HIP_CHECK_LAUNCH();
}

/* Where launch() leaves all of them, and the one that --op asks for. */
static const struct statistics *device_statistics(const struct reduction *r)
{
    return (const struct statistics *)r->workspace + r->grid;
}

static const value_t *device_result(const struct reduction *r)
{
    const struct statistics *result = device_statistics(r);

    return &result->OPERATION_COLUMN(OPERATION, OPERATION_WORD);
}

static value_t finish(const struct reduction *r)
{
    struct statistics *result = (struct statistics *)r->host;

    HIP_CHECK(hipMemcpyAsync(result, device_statistics(r), sizeof(struct statistics),
                             hipMemcpyDeviceToHost, r->stream));
    HIP_CHECK(hipStreamSynchronize(r->stream));
    return result->OPERATION_COLUMN(OPERATION, OPERATION_WORD);
}

#include "moments.h"

/* All of them, whatever the operation; mean and variance are NaN without elements, or if one is not
 * finite. */
static size_t extras(const struct reduction *r, const struct input_view *in, struct extra *out)
{
    const struct statistics *s = (const struct statistics *)r->host;
    size_t mine = ceil_div(r->n, (size_t)r->grid * r->block);
    size_t merges = mine / TILE + min_size(mine, TILE) + tree_depth(min_size(r->n, r->block)) +
                    ceil_div(r->grid, r->block) + tree_depth(min_size(r->grid, r->block));
    bool known = s->count > 0 && isfinite(s->mean);

    out[0] = extra_check("count", (double)s->count, (double)in->n, 0);
    out[1] = extra_of("sum", s->sum, in, OP_SUM, r->chain);
    out[2] = extra_of("min", s->min, in, OP_MIN, r->chain);
    out[3] = extra_of("max", s->max, in, OP_MAX, r->chain);
    struct moments m = moments_of(in, out[2].reference, out[3].reference);
    out[4] = check_mean(known ? s->mean + s->rest : NAN, &m, merges);
    out[5] = check_variance(known ? s->variance : NAN, &m, merges);
    return 6;
}

VARIANT = {
    .plan = plan,
    .launch = launch,
    .finish = finish,
    .device_result = device_result,
    .extras = extras,
};
