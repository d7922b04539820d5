/* Reduction in one launch: the last block combines the partials.
 *
 * Step     114
 * Idea     Each block writes its partial, makes it visible to all others by a memory fence, and takes a ticket. The one
 *          with the last ticket knows that all partials are there. No block waits for another, so it does not matter
 *          which of them are resident.
 * Compare  diff -u ../reduction_vector_loads/vector_loads.hip last_block.hip
 * Try      ./reduction_last_block --grid 1000
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"

#define LOADS 4                                  /* 16-byte loads in flight per thread */
#define LANES ((unsigned)(16 / sizeof(value_t))) /* elements of a vector */

typedef union {
    bytes16_t all;
    value_t lane[LANES];
} vector_t;

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

/* Combines every `stride`-th vector of the input from number `first` on. Elements before the first 16-byte boundary and
 * after the last one are for the first threads. */
static __device__ __forceinline__ value_t add_vectors(const value_t *input, size_t n, size_t first,
                                                      size_t stride)
{
    size_t head = min_size((16 - (size_t)input % 16) % 16 / sizeof(value_t), n);
    size_t vectors = (n - head) / LANES, edges = n - vectors * LANES;
    const vector_t *body = (const vector_t *)(input + head);

    value_t value = IDENTITY;
    for (size_t e = first; e < edges; e += stride)
        value = combine(value, input[e < head ? e : n - edges + e]);
    for (size_t i = first; i < vectors; i += LOADS * stride) {
        vector_t v[LOADS], nothing;
        for (unsigned k = 0; k < LANES; k++)
            nothing.lane[k] = IDENTITY;
        nothing.all = whole_16(nothing.all);
#pragma unroll
        for (unsigned u = 0; u < LOADS; u++) { /* all loads before the first use */
            v[u] = nothing;
            if (i + u * stride < vectors)
                v[u].all = load_16(body + i + u * stride);
        }
        loads_first();
#pragma unroll
        for (unsigned u = 0; u < LOADS; u++)
#pragma unroll
            for (unsigned k = 0; k < LANES; k++)
                value = combine(value, v[u].lane[k]);
    }
    return value;
}

__global__ void reduce_blocks(const value_t *input, value_t *partials, value_t *result,
                              unsigned *ticket, size_t n)
{
    extern __shared__ value_t shared[];
    __shared__ bool last;

    size_t stride = (size_t)gridDim.x * blockDim.x;
    value_t value = add_vectors(input, n, (size_t)blockIdx.x * blockDim.x + threadIdx.x, stride);

    value = reduce_block(value, shared);
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = value;
        __threadfence(); /* a block that sees the ticket taken sees the partial */
        last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
        __threadfence(); /* and what is read below is not older than the ticket */
    }
    __syncthreads();
    if (!last)
        return;

    value = IDENTITY;
    for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x)
        value = combine(value, partials[b]);
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

    r->workspace_bytes = (r->grid + 1) * sizeof(value_t) + sizeof(unsigned); /* zeroed once */
    r->host_bytes = sizeof(value_t);
    /* Blocks without a vector or an edge leave IDENTITY. */
    size_t busy = min_size(r->grid, ceil_div(r->n / LANES + 2 * LANES, r->block));
    r->chain = share(r->n, (size_t)r->grid * r->block) + tree_depth(r->block) +
               ceil_div(busy, r->block) + tree_depth(r->block);
    r->launches = 1;
}

static void launch(const struct reduction *r, const value_t *input)
{
    value_t *partials = workspace_values(r);
    value_t *result = partials + r->grid;
    unsigned *ticket = (unsigned *)(result + 1);
    size_t shared_bytes = ceil_div(r->block, r->warp_size) * sizeof(value_t);

    reduce_blocks<<<r->grid, r->block, shared_bytes, r->stream>>>(input, partials, result, ticket,
                                                                  r->n);
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
    .plan = plan,
    .launch = launch,
    .finish = finish,
    .device_result = device_result,
};
