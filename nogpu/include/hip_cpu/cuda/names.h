/* CUDA's names for HIP's. Meanings are HIP's, which are CUDA's. names.txt has those that differ by their beginning alone.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_CUDA_NAMES_H
#define HIP_CPU_CUDA_NAMES_H

#include "hip_cpu/cuda_names.h"

#define cudaDevP2PAttrCudaArrayAccessSupported hipDevP2PAttrHipArrayAccessSupported
#define cudaGraphAddNode_v2                    hipGraphAddNode
#define cudaGraphAddDependencies_v2            hipGraphAddDependencies
#define cudaStreamGetCaptureInfo_v2            hipStreamGetCaptureInfo
#define cudaStreamGetCaptureInfo_v3            hipStreamGetCaptureInfo
#define cudaStreamUpdateCaptureDependencies_v2 hipStreamUpdateCaptureDependencies
#define cudaStreamAttrID                       hipLaunchAttributeID
#define cudaStreamAttrValue                    hipLaunchAttributeValue
#define cudaStreamAttributeAccessPolicyWindow  hipLaunchAttributeAccessPolicyWindow

/* ---- under another one ---- */
#define cudaMemAdvise_v2        hipMemAdvise
#define cudaMemPrefetchAsync_v2 hipMemPrefetchAsync
#define cudaError               hipError_t
#define cudaDeviceProp          hipDeviceProp_t
#define cudaDeviceAttr          hipDeviceAttribute_t
#define cudaPointerAttributes   hipPointerAttribute_t
#define cudaFuncCache           hipFuncCache_t
#define cudaLimit               hipLimit_t
#define cudaUUID_t              hipUUID
#define CUDART_CB
#define make_cudaExtent                 make_hipExtent
#define make_cudaPos                    make_hipPos
#define make_cudaPitchedPtr             make_hipPitchedPtr
#define cudaErrorInitializationError    hipErrorNotInitialized
#define cudaErrorCudartUnloading        hipErrorDeinitialized
#define cudaErrorNoKernelImageForDevice hipErrorNoBinaryForGpu
#define cudaErrorInvalidResourceHandle  hipErrorInvalidHandle
#define cudaErrorSymbolNotFound         hipErrorNotFound
#define cudaErrorLaunchTimeout          hipErrorLaunchTimeOut
#define cudaErrorDeviceUninitialized    hipErrorInvalidContext
#define cudaErrorMapBufferObjectFailed  hipErrorMapFailed
#define cudaThreadSynchronize           hipDeviceSynchronize
#define cudaThreadExit                  hipDeviceReset
#define cudaStreamPerThread             ((hipStream_t)0)
#define cudaStreamLegacy                ((hipStream_t)0)
#define cudaStreamFireAndForget         ((hipStream_t)0)
#define cudaStreamTailLaunch            HIP_CPU_TAIL
#define cudaSharedmemCarveoutMaxShared  100
#define cudaOccupancyDefault            0
#define cudaDeviceBlockingSync          hipDeviceScheduleBlockingSync

/* ---- attributes of a device ---- */
#define cudaDevAttrMultiProcessorCount          hipDeviceAttributeMultiprocessorCount
#define cudaDevAttrGlobalMemoryBusWidth         hipDeviceAttributeMemoryBusWidth
#define cudaDevAttrMaxSharedMemoryPerBlockOptin hipDeviceAttributeSharedMemPerBlockOptin
#define cudaDevAttrGpuOverlap                   hipDeviceAttributeAsyncEngineCount
#define cudaDevAttrMaxBlocksPerMultiprocessor   hipDeviceAttributeMaxBlocksPerMultiProcessor
#define cudaDevAttrPciDomainId                  hipDeviceAttributePciDomainID

#endif
