/* Mixed precision: elements of two bytes, a sum of four.
 *
 * Study    134
 * Idea     Twice as many elements come through the same memory if each has half the bytes: half and bfloat16. The sum
 *          is a float all the same. It costs nothing, since the addition is not what takes the time; a sum of two bytes
 *          would soon be too large to take notice of one more element.
 * Compare  diff -u ../reduction_vector_loads/vector_loads.hip mixed.hip
 * Try      ./reduction_mixed --type half
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"
#include "prelude.h"

enum { INSIDE }; /* index into r->option[] */
enum { WIDE, NARROW };
static const struct variant_option options[] = {
    {"inside", "wide|narrow", WIDE, 0, 0,
     "type of a thread's sum: a float, or that of the elements, which loses much"},
    VARIANT_OPTIONS_END,
};

#define LOADS 4                                    /* 16-byte loads in flight per thread */
#define LANES ((unsigned)(16 / sizeof(element_t))) /* elements of a vector: 8 of two bytes */

typedef union {
    bytes16_t all;
    element_t lane[LANES];
} vector_t;

/* What an element stands for, which is exact, and the nearest element, which rounds. Those of two bytes come as their
 * bits; of float, double, int and long value_t and element_t are the same. */
static __device__ __forceinline__ value_t widen(element_t x)
{
#if ELEMENT_TYPE == TYPE_HALF
    return __half2float(__ushort_as_half(x)); /* one instruction */
#elif ELEMENT_TYPE == TYPE_BFLOAT16
    return __uint_as_float((unsigned)x << 16); /* a bfloat16 is the upper half of a float */
#else
    return x;
#endif
}

static __device__ __forceinline__ element_t narrow(value_t x)
{
#if ELEMENT_TYPE == TYPE_HALF
    return __half_as_ushort(__float2half(x));
#elif ELEMENT_TYPE == TYPE_BFLOAT16
    unsigned bits = __float_as_uint(x), rounding = 0x7fff + (bits >> 16 & 1); /* ties to even */
    return (element_t)((x == x ? bits + rounding : bits) >> 16);
#else
    return x;
#endif
}

/* Combines one value of every lane of a warp that has `lanes` lanes; lane 0 holds the result. Every lane takes part in
 * every shuffle; a value from a lane that does not exist is not used. */
static __device__ value_t reduce_warp(value_t value, unsigned lane, unsigned lanes)
{
    for (unsigned distance = warpSize / 2; distance > 0; distance /= 2) {
        value_t other = __shfl_down(value, distance);
        if (lane + distance < lanes)
            value = combine(value, other);
    }
    return value;
}

/* Combines one value of every thread of the block; thread 0 holds the result. */
static __device__ value_t reduce_block(value_t value, value_t *shared)
{
    unsigned size = (unsigned)warpSize;
    unsigned lane = threadIdx.x % size;
    unsigned warp = threadIdx.x / size;
    unsigned warps = (blockDim.x + size - 1) / size;
    /* The last warp has fewer lanes where the block is not a multiple of the warp. */
    unsigned lanes = warp + 1 < warps ? size : blockDim.x - warp * size;

    value = reduce_warp(value, lane, lanes);
    if (lane == 0)
        shared[warp] = value;
    __syncthreads();

    /* A block has at most 1024 threads, so never more warps than a warp has lanes. */
    if (warp == 0) {
        value = lane < warps ? shared[lane] : IDENTITY;
        value = reduce_warp(value, lane, lanes);
    }
    return value;
}

/* Lane k of a vector. (By way of its own union: registers are wider than two bytes, and a union that lives longer would
 * be cut into pieces of that size.) */
static __device__ __forceinline__ element_t lane_of(bytes16_t all, unsigned k)
{
    vector_t v;
    v.all = all;
    return v.lane[k];
}

/* Adds one element to a thread's sum: in a float, or, to see what that loses, as a sum of two bytes would be. */
static __device__ __forceinline__ value_t add(value_t sum, element_t x, int inside)
{
    sum = combine(sum, widen(x));
    return inside == NARROW ? widen(narrow(sum)) : sum;
}

/* Combines every `stride`-th vector of the input from number `first` on. Elements before the first 16-byte boundary and
 * after the last one are for the first threads. */
static __device__ __forceinline__ value_t add_vectors(const element_t *input, size_t n,
                                                      size_t first, size_t stride, int inside)
{
    size_t head = min_size((16 - (size_t)input % 16) % 16 / sizeof(element_t), n);
    size_t vectors = (n - head) / LANES, edges = n - vectors * LANES;
    const vector_t *body = (const vector_t *)(input + head);

    value_t value = IDENTITY;
    for (size_t e = first; e < edges; e += stride)
        value = add(value, input[e < head ? e : n - edges + e], inside);
    for (size_t i = first; i < vectors; i += LOADS * stride) {
        bytes16_t v[LOADS];
        vector_t nothing;
#pragma unroll
        for (unsigned k = 0; k < LANES; k++)
            nothing.lane[k] = narrow(IDENTITY);
        nothing.all = whole_16(nothing.all);
#pragma unroll
        for (unsigned u = 0; u < LOADS; u++) { /* all loads before the first use */
            v[u] = nothing.all;
            if (i + u * stride < vectors)
                v[u] = load_16(body + i + u * stride);
        }
        loads_first();
#pragma unroll
        for (unsigned u = 0; u < LOADS; u++)
#pragma unroll
            for (unsigned k = 0; k < LANES; k++)
                value = add(value, lane_of(v[u], k), inside);
    }
    return value;
}

/* A value for each block, which is as wide as the sum. */
static __device__ __forceinline__ void reduce_elements(const element_t *input, value_t *partials,
                                                       size_t n, value_t *shared, int inside)
{
    size_t stride = (size_t)gridDim.x * blockDim.x;
    size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    value_t value = add_vectors(input, n, first, stride, inside);

    value = reduce_block(value, shared);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = value;
}

__global__ void reduce_blocks(const element_t *input, value_t *partials, size_t n)
{
    extern __shared__ value_t shared[];
    reduce_elements(input, partials, n, shared, WIDE);
}

__global__ void reduce_blocks_narrow(const element_t *input, value_t *partials, size_t n)
{
    extern __shared__ value_t shared[];
    reduce_elements(input, partials, n, shared, NARROW);
}

/* The second kernel: its input is what the blocks have left. */
__global__ void reduce_partials(const value_t *partials, value_t *result, size_t count)
{
    extern __shared__ value_t shared[];

    value_t value = IDENTITY;
    for (size_t i = threadIdx.x; i < count; i += blockDim.x)
        value = combine(value, partials[i]);

    value = reduce_block(value, shared);
    if (threadIdx.x == 0)
        *result = value;
}

/* Additions of one of so many threads. */
static size_t share(size_t n, size_t threads)
{
    size_t edges = 2 * (LANES - 1);
    return ceil_div(n / LANES, threads) * LANES + ceil_div(edges, threads);
}

static void plan(struct reduction *r)
{
    if (r->block == 0)
        r->block = 256;
    if (r->grid == 0) /* as many blocks as can be resident at once, if there is work for them */
        r->grid = grid_to_fill(r, ceil_div(r->n, (size_t)r->block * LANES));

    r->workspace_bytes = (r->grid + 1) * sizeof(value_t);
    r->host_bytes = sizeof(value_t);
    /* Blocks without a vector or an edge leave IDENTITY. */
    size_t busy = min_size(r->grid, ceil_div(r->n / LANES + 2 * LANES, r->block));
    r->chain = share(r->n, (size_t)r->grid * r->block) + tree_depth(r->block) +
               ceil_div(busy, r->block) + tree_depth(r->block);
    r->launches = 2;
}

static void launch(const struct reduction *r, const element_t *input)
{
    value_t *partials = workspace_values(r);
    value_t *result = partials + r->grid;
    size_t shared_bytes = ceil_div(r->block, r->warp_size) * sizeof(value_t);

    if (r->option[INSIDE] == NARROW)
        reduce_blocks_narrow<<<r->grid, r->block, shared_bytes, r->stream>>>(input, partials, r->n);
    else
        reduce_blocks<<<r->grid, r->block, shared_bytes, r->stream>>>(input, partials, r->n);
    HIP_CHECK_LAUNCH();
    reduce_partials<<<1, r->block, shared_bytes, r->stream>>>(partials, result, r->grid);
    HIP_CHECK_LAUNCH();
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
    .options = options,
    .plan = plan,
    .launch = launch,
    .finish = finish,
    .device_result = device_result,
};
