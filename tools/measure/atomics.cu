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

__global__ void s_same(u *out)
{
    __shared__ u w[1024];
    w[threadIdx.x] = 0;
    __syncthreads();
    for (int i = 0; i < ROUNDS; i++)
        atomicAdd(&w[0], threadIdx.x + i);
    __syncthreads();
    if (!threadIdx.x)
        out[blockIdx.x] = w[0];
}
__global__ void s_own(u *out)
{
    __shared__ u w[1024];
    w[threadIdx.x] = 0;
    __syncthreads();
    for (int i = 0; i < ROUNDS; i++)
        atomicAdd(&w[threadIdx.x], threadIdx.x + i);
    __syncthreads();
    if (!threadIdx.x)
        out[blockIdx.x] = w[0];
}
__global__ void s_pairs(u *out)
{
    __shared__ u w[1024];
    w[threadIdx.x] = 0;
    __syncthreads();
    for (int i = 0; i < ROUNDS; i++)
        atomicAdd(&w[threadIdx.x / 2], threadIdx.x + i);
    __syncthreads();
    if (!threadIdx.x)
        out[blockIdx.x] = w[0];
}
__global__ void s_banks(u *out)
{
    __shared__ u w[1024];
    for (int i = threadIdx.x; i < 1024; i += THREADS)
        w[i] = 0;
    __syncthreads();
    for (int i = 0; i < ROUNDS; i++)
        atomicAdd(&w[threadIdx.x % 32 * 32], threadIdx.x + i);
    __syncthreads();
    if (!threadIdx.x)
        out[blockIdx.x] = w[0];
}
__global__ void s_inc(u *out)
{
    __shared__ u w[1024];
    w[threadIdx.x] = 0;
    __syncthreads();
    for (int i = 0; i < ROUNDS; i++)
        atomicAdd(&w[0], 1u);
    __syncthreads();
    if (!threadIdx.x)
        out[blockIdx.x] = w[0];
}
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
__global__ void s_float(float *out)
{
    __shared__ float w[1024];
    w[threadIdx.x] = 0;
    __syncthreads();
    for (int i = 0; i < ROUNDS; i++)
        atomicAdd(&w[0], 1.0f + threadIdx.x);
    __syncthreads();
    if (!threadIdx.x)
        out[blockIdx.x] = w[0];
}
__global__ void s_max(int *out)
{
    __shared__ int w[1024];
    w[threadIdx.x] = 0;
    __syncthreads();
    for (int i = 0; i < ROUNDS; i++)
        atomicMax(&w[0], (int)threadIdx.x + i);
    __syncthreads();
    if (!threadIdx.x)
        out[blockIdx.x] = w[0];
}
__global__ void s_u64(unsigned long long *out)
{
    __shared__ unsigned long long w[512];
    w[threadIdx.x] = 0;
    __syncthreads();
    for (int i = 0; i < ROUNDS; i++)
        atomicAdd(&w[0], (unsigned long long)threadIdx.x + i);
    __syncthreads();
    if (!threadIdx.x)
        out[blockIdx.x] = w[0];
}

__global__ void g_same(u *out)
{
    for (int i = 0; i < ROUNDS; i++)
        atomicAdd(&out[0], threadIdx.x + i);
}
__global__ void g_own(u *out)
{
    for (int i = 0; i < ROUNDS; i++)
        atomicAdd(&out[blockIdx.x * THREADS + threadIdx.x], threadIdx.x + i);
}
__global__ void g_pairs(u *out)
{
    for (int i = 0; i < ROUNDS; i++)
        atomicAdd(&out[(blockIdx.x * THREADS + threadIdx.x) / 2], threadIdx.x + i);
}
__global__ void g_stride(u *out)
{
    for (int i = 0; i < ROUNDS; i++)
        atomicAdd(&out[(blockIdx.x * THREADS + threadIdx.x) * 8], threadIdx.x + i);
}
__global__ void g_inc(u *out)
{
    for (int i = 0; i < ROUNDS; i++)
        atomicAdd(&out[0], 1u);
}
__global__ void g_used(u *out)
{
    u s = 0;
    for (int i = 0; i < ROUNDS; i++)
        s += atomicAdd(&out[0], threadIdx.x + i);
    out[1 + blockIdx.x * THREADS + threadIdx.x] = s;
}
__global__ void g_float(float *out)
{
    for (int i = 0; i < ROUNDS; i++)
        atomicAdd(&out[0], 1.0f + threadIdx.x);
}
__global__ void g_one_lane(u *out)
{
    for (int i = 0; i < ROUNDS; i++) {
        u s = __reduce_add_sync(~0u, threadIdx.x + i);
        if (threadIdx.x % 32 == 0)
            atomicAdd(&out[0], s);
    }
}
#define RUN(k, T)                                                                                  \
    k<<<BLOCKS, THREADS>>>((T *)d);                                                                \
    if (cudaDeviceSynchronize()) {                                                                 \
        puts(#k " failed");                                                                        \
        return 3;                                                                                  \
    }
int main()
{
    void *d;
    cudaMalloc(&d, 1 << 20);
    cudaMemset(d, 0, 1 << 20);
    RUN(s_same, u)
    RUN(s_own, u) RUN(s_pairs, u) RUN(s_banks, u) RUN(s_inc, u) RUN(s_used, u) RUN(s_float, float)
        RUN(s_max, int) RUN(s_u64, unsigned long long) RUN(g_same, u) RUN(g_own, u) RUN(g_pairs, u)
            RUN(g_stride, u) RUN(g_inc, u) RUN(g_used, u) RUN(g_float, float) RUN(g_one_lane, u)
                puts("done");
    return 0;
}
