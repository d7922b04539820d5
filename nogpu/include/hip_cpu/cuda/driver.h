/* The types of CUDA's driver interface, which headers name beside the runtime. Who calls one of its functions reads that the
 * platform has none.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_CUDA_DRIVER_H
#define HIP_CPU_CUDA_DRIVER_H

#include "hip_cpu/refused.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cudaError_enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_DEINITIALIZED = 4,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_INVALID_CONTEXT = 201,
    CUDA_ERROR_INVALID_HANDLE = 400,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_NOT_READY = 600,
    CUDA_ERROR_LAUNCH_FAILED = 719,
    CUDA_ERROR_NOT_SUPPORTED = 801,
    CUDA_ERROR_UNKNOWN = 999
} CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef hipStream_t CUstream;
typedef hipEvent_t CUevent;

#define HIP_CPU_NO_DRIVER(name)                                                                                        \
    __attribute__((error(HIP_CPU_HAS_NO "driver interface of CUDA (cu...): " HIP_CPU_ELSEWHERE))) CUresult name(...);
#ifdef __cplusplus
HIP_CPU_DRIVER_FUNCTIONS(HIP_CPU_NO_DRIVER)
}
#endif

#endif
