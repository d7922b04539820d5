/* HIP over CUDA: the part of the API that host code uses, in C11 and C++. CUDA 11.8 to 13.
 *
 * Names only. A function is a macro for its CUDA counterpart, so that CUDA's C++ overloads and default arguments stay
 * available; the few that CUDA lacks are small functions at the end. For meanings see
 * https://rocm.docs.amd.com/projects/HIP and https://docs.nvidia.com/cuda/cuda-runtime-api
 * SPDX-License-Identifier: MIT */
#ifndef HIP_NVIDIA_RUNTIME_API_H
#define HIP_NVIDIA_RUNTIME_API_H

#include <stddef.h>
#include <string.h>

#include <cuda_runtime_api.h>

#ifndef __HIP_PLATFORM_NVIDIA__
#define __HIP_PLATFORM_NVIDIA__
#endif

/* ---- types ---- */
typedef cudaError_t hipError_t;
typedef cudaStream_t hipStream_t;
typedef cudaEvent_t hipEvent_t;
typedef enum cudaMemcpyKind hipMemcpyKind;
typedef enum cudaDeviceAttr hipDeviceAttribute_t;
typedef struct cudaDeviceProp hipDeviceProp_t; /* CUDA 13 has no clockRate and memoryClockRate: ask
                                                  hipDeviceGetAttribute, which works everywhere */
typedef struct cudaFuncAttributes hipFuncAttributes;
typedef enum cudaFuncAttribute hipFuncAttribute;

/* ---- errors ---- */
#define hipSuccess                        cudaSuccess
#define hipErrorInvalidValue              cudaErrorInvalidValue
#define hipErrorOutOfMemory               cudaErrorMemoryAllocation
#define hipErrorMemoryAllocation          cudaErrorMemoryAllocation
#define hipErrorNotInitialized            cudaErrorInitializationError
#define hipErrorDeinitialized             cudaErrorCudartUnloading
#define hipErrorInvalidConfiguration      cudaErrorInvalidConfiguration
#define hipErrorInvalidSymbol             cudaErrorInvalidSymbol
#define hipErrorInvalidDevicePointer      cudaErrorInvalidDevicePointer
#define hipErrorInvalidMemcpyDirection    cudaErrorInvalidMemcpyDirection
#define hipErrorInsufficientDriver        cudaErrorInsufficientDriver
#define hipErrorInvalidDeviceFunction     cudaErrorInvalidDeviceFunction
#define hipErrorNoDevice                  cudaErrorNoDevice
#define hipErrorInvalidDevice             cudaErrorInvalidDevice
#define hipErrorInvalidContext            cudaErrorDeviceUninitialized
#define hipErrorNoBinaryForGpu            cudaErrorNoKernelImageForDevice
#define hipErrorInvalidHandle             cudaErrorInvalidResourceHandle
#define hipErrorNotFound                  cudaErrorSymbolNotFound
#define hipErrorNotReady                  cudaErrorNotReady
#define hipErrorIllegalAddress            cudaErrorIllegalAddress
#define hipErrorLaunchOutOfResources      cudaErrorLaunchOutOfResources
#define hipErrorLaunchTimeOut             cudaErrorLaunchTimeout
#define hipErrorAssert                    cudaErrorAssert
#define hipErrorLaunchFailure             cudaErrorLaunchFailure
#define hipErrorCooperativeLaunchTooLarge cudaErrorCooperativeLaunchTooLarge
#define hipErrorNotSupported              cudaErrorNotSupported
#define hipErrorUnknown                   cudaErrorUnknown

#define hipGetErrorName    cudaGetErrorName
#define hipGetErrorString  cudaGetErrorString
#define hipGetLastError    cudaGetLastError
#define hipPeekAtLastError cudaPeekAtLastError

/* ---- devices ---- */
#define hipGetDeviceCount      cudaGetDeviceCount
#define hipGetDevice           cudaGetDevice
#define hipSetDevice           cudaSetDevice
#define hipDeviceSynchronize   cudaDeviceSynchronize
#define hipDeviceReset         cudaDeviceReset
#define hipDeviceGetAttribute  cudaDeviceGetAttribute
#define hipDeviceGetPCIBusId   cudaDeviceGetPCIBusId
#define hipGetDeviceProperties cudaGetDeviceProperties
#define hipDriverGetVersion    cudaDriverGetVersion
#define hipRuntimeGetVersion   cudaRuntimeGetVersion

#define hipDeviceAttributeClockRate                        cudaDevAttrClockRate
#define hipDeviceAttributeComputeCapabilityMajor           cudaDevAttrComputeCapabilityMajor
#define hipDeviceAttributeComputeCapabilityMinor           cudaDevAttrComputeCapabilityMinor
#define hipDeviceAttributeConcurrentKernels                cudaDevAttrConcurrentKernels
#define hipDeviceAttributeCooperativeLaunch                cudaDevAttrCooperativeLaunch
#define hipDeviceAttributeEccEnabled                       cudaDevAttrEccEnabled
#define hipDeviceAttributeIntegrated                       cudaDevAttrIntegrated
#define hipDeviceAttributeL2CacheSize                      cudaDevAttrL2CacheSize
#define hipDeviceAttributeManagedMemory                    cudaDevAttrManagedMemory
#define hipDeviceAttributeMaxBlockDimX                     cudaDevAttrMaxBlockDimX
#define hipDeviceAttributeMaxBlockDimY                     cudaDevAttrMaxBlockDimY
#define hipDeviceAttributeMaxBlockDimZ                     cudaDevAttrMaxBlockDimZ
#define hipDeviceAttributeMaxGridDimX                      cudaDevAttrMaxGridDimX
#define hipDeviceAttributeMaxGridDimY                      cudaDevAttrMaxGridDimY
#define hipDeviceAttributeMaxGridDimZ                      cudaDevAttrMaxGridDimZ
#define hipDeviceAttributeMaxRegistersPerBlock             cudaDevAttrMaxRegistersPerBlock
#define hipDeviceAttributeMaxRegistersPerMultiprocessor    cudaDevAttrMaxRegistersPerMultiprocessor
#define hipDeviceAttributeMaxSharedMemoryPerBlock          cudaDevAttrMaxSharedMemoryPerBlock
#define hipDeviceAttributeMaxSharedMemoryPerMultiprocessor cudaDevAttrMaxSharedMemoryPerMultiprocessor
#define hipDeviceAttributeMaxThreadsPerBlock               cudaDevAttrMaxThreadsPerBlock
#define hipDeviceAttributeMaxThreadsPerMultiProcessor      cudaDevAttrMaxThreadsPerMultiProcessor
#define hipDeviceAttributeMemoryBusWidth                   cudaDevAttrGlobalMemoryBusWidth
#define hipDeviceAttributeMemoryClockRate                  cudaDevAttrMemoryClockRate
#define hipDeviceAttributeMultiprocessorCount              cudaDevAttrMultiProcessorCount
#define hipDeviceAttributePageableMemoryAccess             cudaDevAttrPageableMemoryAccess
#define hipDeviceAttributeSharedMemPerBlockOptin           cudaDevAttrMaxSharedMemoryPerBlockOptin
#define hipDeviceAttributeUnifiedAddressing                cudaDevAttrUnifiedAddressing
#define hipDeviceAttributeWarpSize                         cudaDevAttrWarpSize

/* ---- memory ---- */
#define hipMalloc               cudaMalloc
#define hipFree                 cudaFree
#define hipHostFree             cudaFreeHost
#define hipHostRegister         cudaHostRegister
#define hipHostUnregister       cudaHostUnregister
#define hipHostGetDevicePointer cudaHostGetDevicePointer
#define hipMemGetInfo           cudaMemGetInfo
#define hipMemcpy               cudaMemcpy
#define hipMemcpyAsync          cudaMemcpyAsync
#define hipMemset               cudaMemset
#define hipMemsetAsync          cudaMemsetAsync
#define hipMemcpyFromSymbol     cudaMemcpyFromSymbol
#define hipMemcpyToSymbol       cudaMemcpyToSymbol

#define hipPointerAttribute_t   struct cudaPointerAttributes
#define hipPointerGetAttributes cudaPointerGetAttributes

#define hipMemcpyHostToHost     cudaMemcpyHostToHost
#define hipMemcpyHostToDevice   cudaMemcpyHostToDevice
#define hipMemcpyDeviceToHost   cudaMemcpyDeviceToHost
#define hipMemcpyDeviceToDevice cudaMemcpyDeviceToDevice
#define hipMemcpyDefault        cudaMemcpyDefault

#define hipHostMallocDefault       cudaHostAllocDefault
#define hipHostMallocPortable      cudaHostAllocPortable
#define hipHostMallocMapped        cudaHostAllocMapped
#define hipHostMallocWriteCombined cudaHostAllocWriteCombined
#define hipHostRegisterPortable    cudaHostRegisterPortable
#define hipHostRegisterMapped      cudaHostRegisterMapped

/* ---- streams and events ---- */
#define hipStreamCreate          cudaStreamCreate
#define hipStreamCreateWithFlags cudaStreamCreateWithFlags
#define hipStreamDestroy         cudaStreamDestroy
#define hipStreamQuery           cudaStreamQuery
#define hipStreamSynchronize     cudaStreamSynchronize
#define hipStreamWaitEvent       cudaStreamWaitEvent
#define hipStreamDefault         cudaStreamDefault
#define hipStreamNonBlocking     cudaStreamNonBlocking

#define hipEventCreate          cudaEventCreate
#define hipEventCreateWithFlags cudaEventCreateWithFlags
#define hipEventDestroy         cudaEventDestroy
#define hipEventElapsedTime     cudaEventElapsedTime
#define hipEventQuery           cudaEventQuery
#define hipEventRecord          cudaEventRecord
#define hipEventSynchronize     cudaEventSynchronize
#define hipEventDefault         cudaEventDefault
#define hipEventBlockingSync    cudaEventBlockingSync
#define hipEventDisableTiming   cudaEventDisableTiming

/* ---- kernels ---- */
#define hipFuncGetAttributes                          cudaFuncGetAttributes
#define hipFuncSetAttribute                           cudaFuncSetAttribute
#define hipFuncAttributeMaxDynamicSharedMemorySize    cudaFuncAttributeMaxDynamicSharedMemorySize
#define hipFuncAttributePreferredSharedMemoryCarveout cudaFuncAttributePreferredSharedMemoryCarveout
#define hipLaunchKernel                               cudaLaunchKernel
/* CUDA 11 takes the kernel's address without its type. */
#define hipLaunchCooperativeKernel(kernel, ...)      cudaLaunchCooperativeKernel((const void *)(kernel), __VA_ARGS__)
#define hipOccupancyMaxActiveBlocksPerMultiprocessor cudaOccupancyMaxActiveBlocksPerMultiprocessor
#define hipOccupancyMaxPotentialBlockSize            cudaOccupancyMaxPotentialBlockSize

/* ---- graphs ---- */
typedef cudaGraph_t hipGraph_t;
typedef cudaGraphExec_t hipGraphExec_t;
#define hipStreamBeginCapture              cudaStreamBeginCapture
#define hipStreamEndCapture                cudaStreamEndCapture
#define hipStreamCaptureModeGlobal         cudaStreamCaptureModeGlobal
#define hipStreamCaptureModeThreadLocal    cudaStreamCaptureModeThreadLocal
#define hipStreamCaptureModeRelaxed        cudaStreamCaptureModeRelaxed
#define hipStreamCaptureMode               enum cudaStreamCaptureMode
#define hipThreadExchangeStreamCaptureMode cudaThreadExchangeStreamCaptureMode
#define hipGraphInstantiateWithFlags       cudaGraphInstantiateWithFlags
#define hipGraphLaunch                     cudaGraphLaunch
#define hipGraphExecDestroy                cudaGraphExecDestroy
#define hipGraphDestroy                    cudaGraphDestroy

/* ---- functions that CUDA lacks ---- */

#ifdef __cplusplus
template <typename T>
static inline hipError_t hipHostMalloc(T **pointer, size_t bytes, unsigned flags = hipHostMallocDefault)
{
    return cudaHostAlloc((void **)pointer, bytes, flags);
}
#else
#define hipHostMalloc cudaHostAlloc
#endif

static inline hipError_t hipInit(unsigned flags)
{
    int count;
    (void)flags;
    return cudaGetDeviceCount(&count);
}

static inline hipError_t hipDeviceGetName(char *name, int length, int device)
{
    struct cudaDeviceProp properties;
    hipError_t error = cudaGetDeviceProperties(&properties, device);
    if (error == hipSuccess && length > 0) {
        strncpy(name, properties.name, (size_t)length - 1);
        name[length - 1] = '\0';
    }
    return error;
}

static inline hipError_t hipDeviceTotalMem(size_t *bytes, int device)
{
    struct cudaDeviceProp properties;
    hipError_t error = cudaGetDeviceProperties(&properties, device);
    if (error == hipSuccess)
        *bytes = properties.totalGlobalMem;
    return error;
}

#endif
