/* Kernels that look dangerous but are right; with the fault they are wrong.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_cooperative_groups.h>

#include "cases.h"

#define BLOCKS  6
#define THREADS 96
#define ALL     (BLOCKS * THREADS)

/* ---- between blocks ---- */

/* Every block stores a sum; the last one to arrive adds them. */
__global__ void ticket_sum(const int *in, int *partials, unsigned *ticket, int *out, int fault)
{
    __shared__ bool last;
    __shared__ int sum;

    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = sum;
        if (fault != 1)
            __threadfence();
        last = atomicAdd(ticket, 1u) == gridDim.x - 1;
        if (last && fault != 2)
            __threadfence();
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int all = 0;
        for (unsigned b = 0; b < gridDim.x; b++)
            all += partials[b];
        *out = all;
    }
}

static int numbers[ALL], sum_of_numbers;

static const int *fill_numbers(void)
{
    sum_of_numbers = 0;
    for (int i = 0; i < ALL; i++)
        sum_of_numbers += numbers[i] = i * 7 % 31 - 9;
    return numbers;
}

static bool run_ticket(int fault)
{
    int *in = device_array(ALL, fill_numbers()), *partials = device_array<int>(BLOCKS), result;
    unsigned *ticket = device_array<unsigned>(1);
    int *out = device_array<int>(1);
    hipLaunchKernelGGL(ticket_sum, dim3(BLOCKS), dim3(THREADS), 0, 0, in, partials, ticket, out, fault);
    fetch(&result, out, 1);
    return result == sum_of_numbers;
}

static bool run_ticket_reader(int fault) { return run_ticket(2 * fault); }

/* All threads write, and after the barrier one of them fences for all. */
__global__ void ticket_of_many(const int *in, int *squares, unsigned *ticket, int *out, int fault)
{
    __shared__ bool last;
    __shared__ int sum;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    squares[i] = in[i] * in[i];
    if (!fault)
        __syncthreads();
    if (threadIdx.x == 0) {
        sum = 0;
        __threadfence();
        last = atomicAdd(ticket, 1u) == gridDim.x - 1;
        if (last)
            __threadfence();
    }
    __syncthreads();
    if (!last)
        return; /* the whole block */
    for (unsigned k = threadIdx.x; k < gridDim.x * blockDim.x; k += blockDim.x)
        atomicAdd(&sum, squares[k]);
    __syncthreads();
    if (threadIdx.x == 0)
        *out = sum;
}

static bool run_ticket_of_many(int fault)
{
    int *in = device_array(ALL, fill_numbers()), *squares = device_array<int>(ALL), result, want = 0;
    unsigned *ticket = device_array<unsigned>(1);
    int *out = device_array<int>(1);
    for (int i = 0; i < ALL; i++)
        want += numbers[i] * numbers[i];
    hipLaunchKernelGGL(ticket_of_many, dim3(BLOCKS), dim3(THREADS), 0, 0, in, squares, ticket, out, fault);
    fetch(&result, out, 1);
    return result == want;
}

__global__ void grid_halves(int *a, int *b, int fault)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    for (int round = 0; round < 3; round++) {
        b[i] = a[(i + blockDim.x) % all] + 1;
        if (!fault)
            cooperative_groups::this_grid().sync();
        a[i] = b[(i + blockDim.x) % all] + 1;
        cooperative_groups::this_grid().sync();
    }
}

static bool run_grid(int fault)
{
    enum { GRID = 3 };
    int *a = device_array<int>(GRID * THREADS), *b = device_array<int>(GRID * THREADS);
    int result[GRID * THREADS];
    void *arguments[] = {&a, &b, &fault};
    must(hipLaunchCooperativeKernel(grid_halves, dim3(GRID), dim3(THREADS), arguments, 0, 0));
    fetch(result, a, GRID * THREADS);
    for (int value : result)
        if (value != 6)
            return false;
    return true;
}

/* ---- inside a block ---- */

/* One block, of as many threads as numbers, which turns them by some places. */
template <void (*kernel)(const int *, int *, int), int by> static bool turns(int fault)
{
    int *in = device_array(THREADS, fill_numbers()), *out = device_array<int>(THREADS);
    int result[THREADS];
    hipLaunchKernelGGL(HIP_KERNEL_NAME(kernel), dim3(1), dim3(THREADS), THREADS * sizeof(int), 0, in, out, fault);
    fetch(result, out, THREADS);
    for (int i = 0; i < THREADS; i++)
        if (result[i] != numbers[(i + by) % THREADS])
            return false;
    return true;
}

/* The same for their sum. */
template <void (*kernel)(const int *, int *, int), unsigned block> static bool adds(int fault)
{
    int *in = device_array(block, fill_numbers()), *out = device_array<int>(1), result, want = 0;
    for (unsigned i = 0; i < block; i++)
        want += numbers[i];
    hipLaunchKernelGGL(HIP_KERNEL_NAME(kernel), dim3(1), dim3(block), 0, 0, in, out, fault);
    fetch(&result, out, 1);
    return result == want;
}

/* After a barrier shared memory has another purpose and type. */
__global__ void used_again(const int *in, int *out, int fault)
{
    HIP_DYNAMIC_SHARED(unsigned char, bytes);
    unsigned tid = threadIdx.x;
    int *words = (int *)bytes;

    words[tid] = in[tid];
    __syncthreads();
    int value = words[(tid + 1) % THREADS];
    if (!fault)
        __syncthreads();
    bytes[THREADS - 1 - tid] = (unsigned char)tid;
    __syncthreads();
    out[tid] = bytes[tid] == THREADS - 1 - tid ? value : -1;
}

/* A tree inside each warp, with a warp sync in each step and no barrier. */
__global__ void warp_tree(const int *in, int *out, int fault)
{
    __shared__ int shared[THREADS + 64];
    unsigned lane = threadIdx.x % (unsigned)warpSize, tid = threadIdx.x;
    unsigned lanes = THREADS - (tid - lane) < (unsigned)warpSize ? THREADS - (tid - lane) : warpSize;

    shared[tid] = in[tid];
    __syncwarp();
    for (unsigned count = lanes; count > 1;) {
        unsigned half = (count + 1) / 2;
        if (lane + half < count)
            shared[tid] += shared[tid + half];
        if (!fault)
            __syncwarp();
        count = half;
    }
    if (lane == 0)
        atomicAdd(out, shared[tid]);
}

/* Blocks without work return as a whole, before any barrier. */
__global__ void early_exit(const int *in, int *out, unsigned n, int fault)
{
    __shared__ int shared[THREADS];
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (blockIdx.x * blockDim.x >= n)
        return;
    if (i < n || !fault)
        shared[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    out[i] = shared[blockDim.x - 1 - threadIdx.x];
}

static bool run_early_exit(int fault)
{
    int *in = device_array(ALL, fill_numbers()), *out = device_array<int>(ALL), result[ALL];
    unsigned n = 2 * THREADS + 10;
    hipLaunchKernelGGL(early_exit, dim3(BLOCKS), dim3(THREADS), 0, 0, in, out, n, fault);
    fetch(result, out, ALL);
    return result[0] == numbers[THREADS - 1] && result[3 * THREADS - 1] == numbers[2 * THREADS];
}

/* A full warp exchanges registers; missing lanes of a partial last warp are not used. */
__global__ void shuffle_tail(const int *in, int *out, int fault)
{
    unsigned lane = threadIdx.x % (unsigned)warpSize, first = threadIdx.x - lane;
    unsigned lanes = blockDim.x - first < (unsigned)warpSize ? blockDim.x - first : warpSize;
    int value = in[threadIdx.x];

    for (unsigned distance = warpSize / 2; distance > 0; distance /= 2) {
        int other = __shfl_down(value, distance);
        if (lane + distance < lanes || fault)
            value += other;
    }
    if (lane == 0)
        atomicAdd(out, value);
}

const struct planted_case tricky[] = {
    {"ticket and fences", "the writer has no fence", run_ticket},
    {"ticket and fences, reader", "the reader has no fence", run_ticket_reader},
    {"one fence for all threads", "no barrier before it", run_ticket_of_many},
    {"grid barrier", "one is missing", run_grid},
    {"shared memory used again", "no barrier before it", turns<used_again, 1>},
    {"warp-synchronous tree", "no warp sync", adds<warp_tree, THREADS>},
    {"early exit of blocks", "the rest is not written", run_early_exit},
    {"partial last warp", "missing lanes are used", adds<shuffle_tail, 75>},
    {NULL, NULL, NULL},
};
