/* Many threads that hand over values: many each|fenced|ticket|reduced THREADS, for races.bats.
 * SPDX-License-Identifier: MIT */
#include "cases.h"

__global__ void each(unsigned *sum, int *data)
{
    (void)data;
    atomicAdd(sum, 1u);
}

__global__ void fenced(unsigned *sum, int *data)
{
    data[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = 1;
    __threadfence();
    atomicAdd(sum, 1u);
}

/* The last block reads what the others have written. */
__global__ void ticket(unsigned *sum, int *data)
{
    data[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        unsigned turn = atomicAdd(sum, 1u);
        __threadfence();
        for (unsigned i = 0; turn == gridDim.x - 1 && i < gridDim.x; i++)
            data[(size_t)i * blockDim.x + 5]++;
    }
}

__global__ void reduced(unsigned *sum, int *data)
{
    __shared__ int tree[256];

    tree[threadIdx.x] = data[(size_t)blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    for (unsigned distance = 128; distance > 0; distance /= 2) {
        if (threadIdx.x < distance)
            tree[threadIdx.x] += tree[threadIdx.x + distance];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(sum, (unsigned)tree[0]);
}

int main(int argc, char **argv)
{
    size_t threads = argc > 2 ? (size_t)atol(argv[2]) / 256 * 256 : 256;
    const char *name = argc > 1 ? argv[1] : "each";
    void (*kernel)(unsigned *, int *) = strcmp(name, "fenced") == 0    ? fenced
                                        : strcmp(name, "ticket") == 0  ? ticket
                                        : strcmp(name, "reduced") == 0 ? reduced
                                                                       : each;
    unsigned *sum = device_array<unsigned>(64);
    int *data = device_array<int>(threads);

    hipLaunchKernelGGL(kernel, dim3((unsigned)(threads / 256)), dim3(256), 0, 0, sum, data);
    must(hipDeviceSynchronize());
}
