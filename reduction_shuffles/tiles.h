/* Part of shuffles.hip: one tree for each tile of block elements, and not one for each block. Every element then pays for
 * its share of a tree, and the time shows what a tree costs (--trees):
 *   tile    by shuffles, as --shuffle says
 *   four    four trees at once, down: their exchanges do not wait for one another, and they share the barriers
 *   shared  in shared memory, the tree of no_striding
 * Thread 0 adds up the results of its block.
 * SPDX-License-Identifier: MIT */

__global__ void reduce_tiles(const value_t *input, value_t *partials, size_t n, int shuffle)
{
    extern __shared__ value_t shared[];

    size_t stride = (size_t)gridDim.x * blockDim.x;
    value_t total = IDENTITY;
    for (size_t tile = (size_t)blockIdx.x * blockDim.x; tile < n; tile += stride) {
        size_t i = tile + threadIdx.x;
        total = combine(total, reduce_block(i < n ? input[i] : IDENTITY, shared, shuffle));
        __syncthreads(); /* the next tree writes to shared */
    }
    if (threadIdx.x == 0)
        partials[blockIdx.x] = total;
}

enum { TREES_AT_ONCE = 4 };

static __device__ __forceinline__ void reduce_warp_four(value_t *value, unsigned lane,
                                                        unsigned lanes)
{
    for (unsigned distance = warpSize / 2; distance > 0; distance /= 2)
#pragma unroll
        for (unsigned t = 0; t < TREES_AT_ONCE; t++) {
            value_t other = __shfl_down(value[t], distance);
            if (lane + distance < lanes)
                value[t] = combine(value[t], other);
        }
}

__global__ void reduce_four_tiles(const value_t *input, value_t *partials, size_t n, int shuffle)
{
    extern __shared__ value_t shared[];
    (void)shuffle;

    unsigned size = (unsigned)warpSize;
    unsigned lane = threadIdx.x % size;
    unsigned warp = threadIdx.x / size;
    unsigned warps = (blockDim.x + size - 1) / size;
    unsigned lanes = warp + 1 < warps ? size : blockDim.x - warp * size;

    size_t stride = (size_t)gridDim.x * blockDim.x;
    value_t total = IDENTITY;
    for (size_t tile = (size_t)blockIdx.x * blockDim.x; tile < n; tile += TREES_AT_ONCE * stride) {
        value_t value[TREES_AT_ONCE];
#pragma unroll
        for (unsigned t = 0; t < TREES_AT_ONCE; t++) {
            size_t i = tile + t * stride + threadIdx.x;
            value[t] = i < n ? input[i] : IDENTITY;
        }
        reduce_warp_four(value, lane, lanes);
#pragma unroll
        for (unsigned t = 0; t < TREES_AT_ONCE; t++)
            if (lane == 0)
                shared[t * warps + warp] = value[t];
        __syncthreads();
        if (warp == 0) {
#pragma unroll
            for (unsigned t = 0; t < TREES_AT_ONCE; t++)
                value[t] = lane < warps ? shared[t * warps + lane] : IDENTITY;
            reduce_warp_four(value, lane, lanes);
        }
#pragma unroll
        for (unsigned t = 0; t < TREES_AT_ONCE; t++)
            if (tile + t * stride < n)
                total = combine(total, value[t]);
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partials[blockIdx.x] = total;
}

static __device__ value_t reduce_shared(value_t value, value_t *shared)
{
    unsigned tid = threadIdx.x;

    shared[tid] = value;
    __syncthreads();
    for (unsigned count = blockDim.x; count > 1;) {
        unsigned half = (count + 1) / 2;
        if (tid + half < count)
            shared[tid] = combine(shared[tid], shared[tid + half]);
        __syncthreads();
        count = half;
    }
    return shared[tid];
}

__global__ void reduce_tiles_shared(const value_t *input, value_t *partials, size_t n, int shuffle)
{
    extern __shared__ value_t shared[];
    (void)shuffle;

    size_t stride = (size_t)gridDim.x * blockDim.x;
    value_t total = IDENTITY;
    for (size_t tile = (size_t)blockIdx.x * blockDim.x; tile < n; tile += stride) {
        size_t i = tile + threadIdx.x;
        total = combine(total, reduce_shared(i < n ? input[i] : IDENTITY, shared));
    }
    if (threadIdx.x == 0)
        partials[blockIdx.x] = total;
}
