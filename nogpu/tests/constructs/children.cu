/* Launches from kernels. nvcc wants -rdc=true.
 * SPDX-License-Identifier: MIT */
#include <cuda_runtime.h>

#include "construct.h"

__device__ int sum, leaves, last;

__global__ void add(int value) { atomicAdd(&sum, value); }
__global__ void twice(int *values) { values[threadIdx.x] *= 2; }
__global__ void end(int expected) { last = sum == expected; }

template <typename T> __global__ void tree(T depth)
{
    if (depth == 0) {
        atomicAdd(&leaves, 1);
        return;
    }
    tree<<<1, 2>>>((T)(depth - 1));
}

struct pair {
    int *values;
    double weight;
};
__global__ void by_struct(pair p) { p.values[threadIdx.x] += (int)(p.weight * threadIdx.x); }

/* What a thread has written before a launch is there for it, and those of a block into one stream keep their order. */
__global__ void parent(int *values)
{
    cudaStream_t stream;

    values[blockIdx.x * blockDim.x + threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    twice<<<1, blockDim.x>>>(values + blockIdx.x * blockDim.x);
    by_struct<<<1, blockDim.x>>>({values + blockIdx.x * blockDim.x, 3});
    end<<<1, 1, 0, cudaStreamTailLaunch>>>(40);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    add<<<dim3(1, 2), 5, 0, stream>>>(1);
    cudaStreamDestroy(stream);
}

int main()
{
    int *values, host[4][64], number = 0;

    OK(cudaMalloc(&values, sizeof host));
    parent<<<4, 64>>>(values);
    OK(cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost));
    for (int b = 0; b < 4; b++)
        for (int i = 0; i < 64; i++)
            EXPECT(host[b][i] == 5 * i);
    OK(cudaMemcpyFromSymbol(&number, last, sizeof number));
    EXPECT(number == 1);
    tree<<<1, 1>>>((short)5);
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpyFromSymbol(&number, leaves, sizeof number));
    EXPECT(number == 32);
    OK(cudaFree(values));
}
