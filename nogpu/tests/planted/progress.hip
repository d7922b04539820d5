/* Kernels in which threads wait for others, or whose path depends on how far others have come.
 * SPDX-License-Identifier: MIT */
#include "cases.h"

#define THREADS 64

/* Look-back: a block adds the sums of the blocks before it, until one has a prefix. Only blocks that overtake others read
 * the sum, which a block publishes first. */
enum { EMPTY, SUM, PREFIX };
struct tile {
    int state, sum, prefix;
};

__global__ void look_back(int *data, struct tile *tiles, int *next, int fault)
{
    static __shared__ int shared[THREADS], tile, before;
    int tid = (int)threadIdx.x;

    if (tid == 0)
        tile = atomicAdd(next, 1);
    __syncthreads();
    shared[tid] = data[tile * THREADS + tid];
    __syncthreads();
    for (int distance = 1; distance < THREADS; distance *= 2) {
        int other = tid >= distance ? shared[tid - distance] : 0;
        __syncthreads();
        shared[tid] += other;
        __syncthreads();
    }
    if (tid == 0) {
        int sum = shared[THREADS - 1], state = EMPTY;
        before = 0;
        tiles[tile].sum = sum;
        if (!fault)
            __threadfence();
        atomicExch(&tiles[tile].state, SUM);
        for (int look = tile - 1; look >= 0 && state != PREFIX; look--) {
            do
                state = atomicAdd(&tiles[look].state, 0);
            while (state == EMPTY);
            __threadfence();
            before += state == PREFIX ? tiles[look].prefix : tiles[look].sum;
        }
        tiles[tile].prefix = before + sum;
        __threadfence();
        atomicExch(&tiles[tile].state, PREFIX);
    }
    __syncthreads();
    data[tile * THREADS + tid] = before + shared[tid];
}

static bool run_look_back(int fault)
{
    enum { BLOCKS = 7, ALL = BLOCKS * THREADS };
    int in[ALL], result[ALL];
    for (int i = 0; i < ALL; i++)
        in[i] = i % 5;
    int *data = device_array(ALL, in), *next = device_array<int>(1);
    struct tile *tiles = device_array<struct tile>(BLOCKS);
    hipLaunchKernelGGL(look_back, dim3(BLOCKS), dim3(THREADS), 0, 0, data, tiles, next, fault);
    fetch(result, data, ALL);
    for (int i = 0, sum = 0; i < ALL; i++)
        if (result[i] != (sum += in[i]))
            return false;
    return true;
}

/* A hand-written grid barrier: threads poll a counter with an atomic operation that changes nothing. */
__global__ void barrier_by_hand(int *a, int *b, int *arrived, int fault)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), all = (int)(gridDim.x * blockDim.x);

    a[i] = i;
    __syncthreads();
    if (threadIdx.x == 0) {
        if (!fault)
            __threadfence();
        atomicAdd(arrived, 1);
        while (atomicAdd(arrived, 0) < (int)gridDim.x)
            ;
        __threadfence();
    }
    __syncthreads();
    b[i] = a[all - 1 - i];
}

static bool run_barrier_by_hand(int fault)
{
    enum { BLOCKS = 3, ALL = BLOCKS * THREADS };
    int *a = device_array<int>(ALL), *b = device_array<int>(ALL), *arrived = device_array<int>(1), result[ALL];
    void *arguments[] = {&a, &b, &arrived, &fault};
    must(hipLaunchCooperativeKernel(barrier_by_hand, dim3(BLOCKS), dim3(THREADS), arguments, 0, 0));
    fetch(result, b, ALL);
    for (int i = 0; i < ALL; i++)
        if (result[i] != ALL - 1 - i)
            return false;
    return true;
}

/* The last steps of a tree as written before 2017: volatile, by one warp. Volatile does not order lanes. */
__global__ void volatile_tree(const int *in, int *out, int fault)
{
    __shared__ volatile int shared[THREADS];
    unsigned tid = threadIdx.x, half = (unsigned)warpSize / 2;

    shared[tid] = in[tid];
    __syncthreads();
    for (; tid < (unsigned)warpSize && half > 0; half /= 2) {
        int other = tid < half ? shared[tid + half] : 0;
        if (!fault)
            __syncwarp();
        shared[tid] = shared[tid] + other;
        if (!fault)
            __syncwarp();
    }
    if (tid == 0)
        *out = shared[0];
}

static bool run_volatile_tree(int fault)
{
    int in[THREADS], *out = device_array<int>(1), result, want = 0;
    for (int i = 0; i < THREADS; i++) {
        in[i] = i;
        want += i < warpSize ? i : 0;
    }
    hipLaunchKernelGGL(volatile_tree, dim3(1), dim3(THREADS), 0, 0, device_array(THREADS, in), out, fault);
    fetch(&result, out, 1);
    return result == want;
}

const struct planted_case progress[] = {
    {"look-back", "no fence before the sum's mark", run_look_back},
    {"hand-written grid barrier", "no fence", run_barrier_by_hand},
    {"volatile tree", "volatile without warp syncs", run_volatile_tree},
    {NULL, NULL, NULL},
};
