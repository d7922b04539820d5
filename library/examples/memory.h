/* Memory that the host and the device both see, so that an example is one source for CUDA (-DUSE_CUDA), HIP (-DUSE_HIP)
 * and the CPU.
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
