/* Memory that the host and the device both see, and kernels that are loops on the CPU, so that an example is one source for
 * CUDA (nvcc -x cu -DUSE_CUDA), HIP (hipcc -x hip -DUSE_HIP) and the CPU.
 * SPDX-License-Identifier: MIT */
#ifndef EXAMPLES_MEMORY_H
#define EXAMPLES_MEMORY_H

#include <stdio.h>
#include <stdlib.h>

#if defined(USE_CUDA)
#include <cuda_runtime_api.h>
#define wait_for_device()      cudaDeviceSynchronize()
#define release_memory(memory) cudaFree(memory)
#elif defined(USE_HIP)
#include <hip/hip_runtime_api.h>
#define wait_for_device()      hipDeviceSynchronize()
#define release_memory(memory) hipFree(memory)
#else
#define wait_for_device()      ((void)0)
#define release_memory(memory) free(memory)
#endif

/* KERNEL name(...) { FOR_EACH(i, n) ... }, started by START(name, ...) in the cudaStream_t or hipStream_t `stream`. */
#if defined(USE_CUDA) || defined(USE_HIP)
#define KERNEL __global__ static void
#define FOR_EACH(i, n)                                                                             \
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < (n);                        \
         i += (size_t)gridDim.x * blockDim.x)
#define START(kernel, ...) kernel<<<256, 256, 0, stream>>>(__VA_ARGS__)
#else
#define KERNEL             static void
#define FOR_EACH(i, n)     for (size_t i = 0; i < (n); i++)
#define START(kernel, ...) kernel(__VA_ARGS__)
#endif

static inline void *shared_memory(size_t bytes)
{
    void *memory = NULL;
#if defined(USE_CUDA)
    if (cudaMallocManaged(&memory, bytes, cudaMemAttachGlobal) != cudaSuccess)
        memory = NULL;
#elif defined(USE_HIP)
    if (hipMallocManaged(&memory, bytes, hipMemAttachGlobal) != hipSuccess)
        memory = NULL;
#else
    memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
#endif
    if (memory == NULL) {
        fprintf(stderr, "no memory for %zu bytes\n", bytes);
        exit(EXIT_FAILURE);
    }
    return memory;
}

#endif
