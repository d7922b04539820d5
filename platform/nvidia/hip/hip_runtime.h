/* HIP over CUDA: the part of the API that kernels use; for nvcc. The rest (threadIdx, __syncthreads, atomicAdd,
 * warpSize ...) has the same name in CUDA.
 *
 * CUDA's C++ libraries use some of these names for other things: include them before this header.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_NVIDIA_RUNTIME_H
#define HIP_NVIDIA_RUNTIME_H

#include <cuda_runtime.h>

#include "hip_runtime_api.h"

#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define hipLaunchKernelGGL(kernel, grid, block, shared_bytes, stream, ...)                                             \
    (kernel)<<<(grid), (block), (shared_bytes), (stream)>>>(__VA_ARGS__)
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];

#include "hip_warp.h"

static __device__ inline unsigned __lane_id(void)
{
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

/* On AMD this is a hardware atomic that skips some checks; on NVIDIA every atomicAdd is a hardware atomic. */
#define unsafeAtomicAdd(address, value) atomicAdd(address, value)

/* Loads and stores of data that will not be needed again: evicted from the caches first. */
#define __builtin_nontemporal_load(address)         __ldcs(address)
#define __builtin_nontemporal_store(value, address) __stcs(address, value)

#endif
