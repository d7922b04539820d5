/* What atomic operations on one word cost an NVIDIA GPU: one kernel for each question, so that a row of ncu is an answer.
 *
 *   nvcc -O3 -arch=sm_90 tools/measure/atomics.cu -o atomics && ncu --csv --metrics ... ./atomics
 *
 * The metrics are named in results/h200/atomics.txt. Shared memory: s_; global memory: g_. SPDX-License-Identifier: MIT */
#include <stdio.h>
#define BLOCKS  16
#define THREADS 256
#define ROUNDS  16
typedef unsigned u;
typedef unsigned long long ull;

/* ATOMIC on words w[] of a block, in each round i; global thread t. */
#define SHARED(NAME, TYPE, WORDS, ATOMIC)                                                          \
    __global__ void NAME(TYPE *out)                                                                \
    {                                                                                              \
        __shared__ TYPE w[1024];                                                                   \
        for (int i = 0; i < WORDS; i += THREADS)                                                   \
            w[i + threadIdx.x] = 0;                                                                \
        __syncthreads();                                                                           \
        for (int i = 0; i < ROUNDS; i++)                                                           \
            ATOMIC;                                                                                \
        __syncthreads();                                                                           \
        if (!threadIdx.x)                                                                          \
            out[blockIdx.x] = w[0];                                                                \
    }
SHARED(s_same, u, THREADS, atomicAdd(&w[0], threadIdx.x + i))
SHARED(s_own, u, THREADS, atomicAdd(&w[threadIdx.x], threadIdx.x + i))
SHARED(s_pairs, u, THREADS, atomicAdd(&w[threadIdx.x / 2], threadIdx.x + i))
SHARED(s_banks, u, 1024, atomicAdd(&w[threadIdx.x % 32 * 32], threadIdx.x + i))
SHARED(s_inc, u, THREADS, atomicAdd(&w[0], 1u))
SHARED(s_float, float, THREADS, atomicAdd(&w[0], 1.0f + threadIdx.x))
SHARED(s_max, int, THREADS, atomicMax(&w[0], (int)threadIdx.x + i))
SHARED(s_u64, ull, THREADS, atomicAdd(&w[0], (ull)threadIdx.x + i))

__global__ void s_used(u *out)
{
    __shared__ u w[1024];
    w[threadIdx.x] = 0;
    __syncthreads();
    u s = 0;
    for (int i = 0; i < ROUNDS; i++)
        s += atomicAdd(&w[0], threadIdx.x + i);
    __syncthreads();
    out[blockIdx.x * THREADS + threadIdx.x] = w[0] + s;
}

#define GLOBAL(NAME, TYPE, ATOMIC)                                                                 \
    __global__ void NAME(TYPE *out)                                                                \
    {                                                                                              \
        u t __attribute__((unused)) = blockIdx.x * THREADS + threadIdx.x;                          \
        for (int i = 0; i < ROUNDS; i++)                                                           \
            ATOMIC;                                                                                \
    }
GLOBAL(g_same, u, atomicAdd(&out[0], threadIdx.x + i))
GLOBAL(g_own, u, atomicAdd(&out[t], threadIdx.x + i))
GLOBAL(g_pairs, u, atomicAdd(&out[t / 2], threadIdx.x + i))
GLOBAL(g_stride, u, atomicAdd(&out[t * 8], threadIdx.x + i))
GLOBAL(g_inc, u, atomicAdd(&out[0], 1u))
GLOBAL(g_float, float, atomicAdd(&out[0], 1.0f + threadIdx.x))

__global__ void g_used(u *out)
{
    u s = 0;
    for (int i = 0; i < ROUNDS; i++)
        s += atomicAdd(&out[0], threadIdx.x + i);
    out[1 + blockIdx.x * THREADS + threadIdx.x] = s;
}
__global__ void g_one_lane(u *out)
{
    for (int i = 0; i < ROUNDS; i++) {
        u s = __reduce_add_sync(~0u, threadIdx.x + i);
        if (threadIdx.x % 32 == 0)
            atomicAdd(&out[0], s);
    }
}

template <typename T> static void run(const char *name, void (*kernel)(T *), void *d)
{
    kernel<<<BLOCKS, THREADS>>>((T *)d);
    if (cudaDeviceSynchronize() != cudaSuccess)
        printf("%s failed\n", name);
}
#define RUN(KERNEL) run(#KERNEL, KERNEL, d)
int main()
{
    void *d;
    cudaMalloc(&d, 1 << 20);
    cudaMemset(d, 0, 1 << 20);
    RUN(s_same), RUN(s_own), RUN(s_pairs), RUN(s_banks), RUN(s_inc), RUN(s_used), RUN(s_float);
    RUN(s_max), RUN(s_u64), RUN(g_same), RUN(g_own), RUN(g_pairs), RUN(g_stride), RUN(g_inc);
    RUN(g_used), RUN(g_float), RUN(g_one_lane);
    puts("done");
    return 0;
}
