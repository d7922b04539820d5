/* Reduction with atomics: blocks combine into one result while they run.
 *
 * Step     120
 * Idea     No partials and no second step: an atomic operation lets many threads update one value. The
 *          speed depends on who does it: every thread, one lane of each warp, or one thread of each block.
 * Compare  diff -u ../reduction_striding/striding.hip atomic.hip
 * Try      ./reduction_atomic --atomics thread
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"
#include "prelude.h"

enum { ATOMICS, UNSAFE_ATOMICS }; /* indices into r->option[] */
enum { THREAD, WARP, BLOCK };
static const struct variant_option options[] = {
    {"atomics", "thread|warp|block", BLOCK, 0, 0, "who updates the result"},
    {"unsafe-atomics", "", 0, 0, 0,
     "AMD: unsafeAtomicAdd, a native instruction where there is one"},
    VARIANT_OPTIONS_END,
};

/* Combines one value of every lane of a warp; lane 0 holds the result. */
static __device__ value_t reduce_warp(value_t value)
{
    unsigned size = (unsigned)warpSize;
    unsigned lane = threadIdx.x % size;
    unsigned below = threadIdx.x - lane;
    unsigned lanes = blockDim.x - below < size ? blockDim.x - below : size;

#if defined(HAS_WAVE_REDUCE)
    if (lanes == size)
        return wave_reduce(value, size);
#endif
    for (unsigned distance = size / 2; distance > 0; distance /= 2) {
        value_t other = __shfl_down(value, distance);
        if (lane + distance < lanes)
            value = combine(value, other);
    }
    return value;
}

/* Combines one value of every thread of the block into shared[0]. Any block size: where the number of
 * values is odd, the one in the middle waits for the next step. */
static __device__ void reduce_block(value_t value, value_t *shared)
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
}

/* Combines value into *result as one step that no other thread can interrupt. */
static __device__ __forceinline__ void atomic_combine(value_t *result, value_t value, bool unsafe)
{
    (void)unsafe;
#if OPERATION == OP_SUM && IS_FLOATING(VALUE_TYPE)
    if (unsafe)
        unsafeAtomicAdd(result, value);
    else
        atomicAdd(result, value);
#elif OPERATION == OP_SUM
    atomicAdd((bits_t *)result, (bits_t)value);
#elif OPERATION == OP_MIN && VALUE_TYPE == TYPE_INT
    atomicMin(result, value);
#elif OPERATION == OP_MAX && VALUE_TYPE == TYPE_INT
    atomicMax(result, value);
#elif OPERATION == OP_AND
    atomicAnd((bits_t *)result, (bits_t)value);
#elif OPERATION == OP_OR
    atomicOr((bits_t *)result, (bits_t)value);
#elif OPERATION == OP_XOR
    atomicXor((bits_t *)result, (bits_t)value);
#else
    /* No GPU has this one for every type: compare and swap until no other thread interferes. Most
     * values change nothing, and then nothing is written. */
    union {
        value_t value;
        bits_t bits;
    } seen, wanted;
    seen.bits = *(volatile bits_t *)result;
    for (;;) {
        wanted.value = combine(seen.value, value);
        if (wanted.bits == seen.bits)
            return;
        bits_t found = atomicCAS((bits_t *)result, seen.bits, wanted.bits);
        if (found == seen.bits)
            return;
        seen.bits = found;
    }
#endif
}

__global__ void reset(value_t *result)
{
    *result = IDENTITY;
}

/* Inlined into two kernels with a constant `unsafe` below. A run-time `if` will not do: the compiler
 * merges the atomic additions of both branches into one, and not into the native one. */
static __device__ __forceinline__ void reduce_share(const value_t *input, value_t *result, size_t n,
                                                    int atomics, bool unsafe, value_t *shared)
{
    size_t stride = (size_t)gridDim.x * blockDim.x;
    value_t value = IDENTITY;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        value = combine(value, input[i]);

    if (atomics == WARP) {
        value = reduce_warp(value);
        if (threadIdx.x % (unsigned)warpSize > 0)
            return;
    } else if (atomics == BLOCK) {
        reduce_block(value, shared);
        if (threadIdx.x > 0)
            return;
        value = shared[0];
    }
    atomic_combine(result, value, unsafe);
}

__global__ void reduce_blocks(const value_t *input, value_t *result, size_t n, int atomics)
{
    extern __shared__ value_t shared[];
    reduce_share(input, result, n, atomics, false, shared);
}

__global__ void reduce_blocks_unsafe(const value_t *input, value_t *result, size_t n, int atomics)
{
    extern __shared__ value_t shared[];
    reduce_share(input, result, n, atomics, true, shared);
}

static void plan(struct reduction *r)
{
    if (r->block == 0)
        r->block = 256;
    if (r->grid == 0) /* as many blocks as can be resident at once, if there is work for them */
        r->grid = grid_to_fill(r, ceil_div(r->n, r->block));
    r->workspace_bytes = sizeof(value_t);
    r->host_bytes = sizeof(value_t);
    size_t threads = (size_t)r->grid * r->block;
    size_t updates = r->option[ATOMICS] == BLOCK ? busy_blocks(r)
                     : r->option[ATOMICS] == WARP
                         ? busy_blocks(r) * ceil_div(r->block, r->warp_size)
                         : min_size(threads, r->n);
    r->chain = ceil_div(r->n, threads) + tree_depth(r->block) + updates;
    r->launches = 2;
}

static void launch(const struct reduction *r, const value_t *input)
{
    value_t *result = workspace_values(r);

    /* The result of the last run is still there, and an atomic would add to it. */
    reset<<<1, 1, 0, r->stream>>>(result);
    HIP_CHECK_LAUNCH();
    if (r->option[UNSAFE_ATOMICS] != 0)
        reduce_blocks_unsafe<<<r->grid, r->block, r->block * sizeof(value_t), r->stream>>>(
            input, result, r->n, (int)r->option[ATOMICS]);
    else
        reduce_blocks<<<r->grid, r->block, r->block * sizeof(value_t), r->stream>>>(
            input, result, r->n, (int)r->option[ATOMICS]);
    HIP_CHECK_LAUNCH();
}

/* Where launch() leaves the result. */
static const value_t *device_result(const struct reduction *r)
{
    return workspace_values(r);
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
