/* CUDA for the CPU: its kernels are HIP's, under other names for the host. A warp has 32 lanes.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_CUDA_H
#define HIP_CPU_CUDA_H

#define CUDART_VERSION 12000
#define CUDA_VERSION   12000
/* By which programs know that they have been included. */
#define __DRIVER_TYPES_H__ 1
#define __CUDA_RUNTIME_H__ 1

#include <stdio.h>
#include <string.h>

#include "hip_cpu/cuda/names.h"
/* A source of the host alone may have functions of its own under the names of the device's. */
#if !defined(__CUDACC__) && !defined(__HIPCC__)
#include "hip_cpu/api/api.h"
#include "hip_cpu/kernel/refused_types.h"
#include "hip_cpu/language.h"
#else
#include "hip_cpu/kernel/kernels.h"
#endif
#if defined(__cplusplus) && (defined(__CUDACC__) || defined(__HIPCC__))
#include "hip_cpu/cuda/nv_atomic.h"
#include "hip_cpu/math/simd.h"
/* A kernel begins when the one before it on the stream has ended. */
HIP_CPU_INLINE void cudaGridDependencySynchronize() {}
HIP_CPU_INLINE void cudaTriggerProgrammaticLaunchCompletion() {}
#endif

#ifdef __cplusplus
extern "C" {
#endif
/* An error's name with "cuda" for "hip". */
const char *hip_cpu_cuda_name(hipError_t error);
/* What HIP_CPU_WARP_SIZE is for programs that have this header. */
extern const int hip_cpu_default_warp_size __attribute__((weak));
const int hip_cpu_default_warp_size = 32;
#ifdef __cplusplus
}
#endif

static inline const char *cudaGetErrorName(hipError_t error)
{
    return error == hipErrorOutOfMemory      ? "cudaErrorMemoryAllocation"
           : error == hipErrorNotInitialized ? "cudaErrorInitializationError"
           : error == hipErrorInvalidHandle  ? "cudaErrorInvalidResourceHandle"
           : error == hipErrorNotFound       ? "cudaErrorSymbolNotFound"
                                             : hip_cpu_cuda_name(error);
}

#include "hip_cpu/cuda/driver.h"

#endif
