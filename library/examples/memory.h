/* Memory that both host and device can access, and kernels that are loops on the CPU, so that an example is a single source
 * for CUDA (nvcc -x cu -DUSE_CUDA), HIP (hipcc -x hip -DUSE_HIP) and the CPU.
 * SPDX-License-Identifier: MIT */
#ifndef EXAMPLES_MEMORY_H
#define EXAMPLES_MEMORY_H

#include <stdio.h>
#include <stdlib.h>

#if defined(USE_CUDA)
#include <cuda_runtime.h>
#define GPU(name) cuda##name
#elif defined(USE_HIP)
#include <hip/hip_runtime.h>
#define GPU(name) hip##name
#endif

/* KERNEL name(...) { FOR_EACH(i, n) ... }, started by START(name, ...) in the stream_t `stream`. */
#if defined(GPU)
typedef GPU(Stream_t) stream_t;
#define wait_for_device()      GPU(DeviceSynchronize)()
#define release_memory(memory) GPU(Free)(memory)
#define KERNEL                 __global__ static void
#define FOR_EACH(i, n)                                                                                                 \
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += (size_t)gridDim.x * blockDim.x)
#define START(kernel, ...) kernel<<<256, 256, 0, stream>>>(__VA_ARGS__)
#else
typedef void *stream_t;
#define wait_for_device()      ((void)0)
#define release_memory(memory) free(memory)
#define KERNEL                 static void
#define FOR_EACH(i, n)         for (size_t i = 0; i < (n); i++)
#define START(kernel, ...)     ((void)stream, kernel(__VA_ARGS__))
#endif

static inline void *shared_memory(size_t bytes)
{
    void *memory = NULL;
#if defined(GPU)
    if (GPU(MallocManaged)(&memory, bytes, GPU(MemAttachGlobal)) != GPU(Success))
        memory = NULL;
#else
    memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
#endif
    if (memory == NULL) {
        fprintf(stderr, "cannot allocate %zu bytes\n", bytes);
        exit(EXIT_FAILURE);
    }
    return memory;
}

#endif
