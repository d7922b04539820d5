/* Names in reports: each kernel has a race on a different kind of variable.
 * SPDX-License-Identifier: MIT */
#include "cases.h"

struct pair {
    float sum;
    int count;
};

__device__ unsigned total;
__device__ int table[4];

/* Two plain updates; an atomic in shared memory does not order blocks. */
__global__ void count_all(unsigned *count)
{
    __shared__ unsigned here;

    if (threadIdx.x == 0)
        here = 0;
    __syncthreads();
    atomicAdd(&here, 1u);
    __syncthreads();
    if (threadIdx.x == 0)
        *count += here;
    total++;
    table[threadIdx.x % 2 + 1] = 1;
}

constexpr int ROWS = 2 + 2;

template <typename T> __global__ void rows(T *out)
{
    __shared__ double tile[ROWS][16];
    __shared__ struct pair pairs[64];
    unsigned i = threadIdx.x;

    tile[i / 16][i % 16] = i;
    pairs[i].count = 1;
    out[i] = (T)tile[3 - i / 16][15 - i % 16] + (T)pairs[63 - i].count;
}

__global__ void bytes(unsigned char *flags) { flags[threadIdx.x / 2] = 1; }

struct queue {
    unsigned length;
    struct pair waiting[]; /* as long as the memory */
};

__global__ void wait_in_line(struct queue *queue) { queue->waiting[3 + threadIdx.x / 2].count = 1; }

int main(void)
{
    char *memory = device_array<char>(4096);

    hipLaunchKernelGGL(count_all, dim3(2), dim3(64), 0, 0, (unsigned *)memory);
    hipLaunchKernelGGL(rows<float>, dim3(1), dim3(64), 0, 0, (float *)memory);
    hipLaunchKernelGGL(bytes, dim3(1), dim3(64), 0, 0, (unsigned char *)memory);
    hipLaunchKernelGGL(wait_in_line, dim3(1), dim3(2), 0, 0, (struct queue *)memory);
    must(hipDeviceSynchronize());
}
