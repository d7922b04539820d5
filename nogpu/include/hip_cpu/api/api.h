/* HIP for the CPU: the part of the API that hosts use, in C11 and C++.
 *
 * Names, values and meanings are HIP's (https://rocm.docs.amd.com/projects/HIP). Every call returns
 * hipSuccess or an error, which hipGetLastError() also keeps for the calling thread. There is one
 * device, the CPU; all work is complete when a call returns, also the Async ones.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_API_H
#define HIP_CPU_API_H

#include <stddef.h>
#include <stdint.h>

#include "hip_cpu/api/properties.h"
#include "hip_cpu/api/vector.h"

#define __HIP_PLATFORM_CPU__ 1

#define HIP_VERSION_MAJOR 6
#define HIP_VERSION_MINOR 0
#define HIP_VERSION_PATCH 0
#define HIP_VERSION       (HIP_VERSION_MAJOR * 10000000 + HIP_VERSION_MINOR * 100000)

/* CUDA's programs often ignore errors. */
#if defined(__cplusplus) && !defined(__CUDACC__) && !defined(HIP_CPU_CUDA_H)
#define HIP_CPU_NODISCARD [[nodiscard]]
#else
#define HIP_CPU_NODISCARD
#endif
#ifdef __cplusplus
#define HIP_CPU_DEFAULT(value) = value
#else
#define HIP_CPU_DEFAULT(value)
#endif
#ifdef __cplusplus
extern "C" {
#endif

/* X(name, value, meaning) for every error: the enumeration and its texts come from this list. */
#define HIP_CPU_ERRORS(X)                                                                                              \
    X(hipSuccess, 0, "no error")                                                                                       \
    X(hipErrorInvalidValue, 1, "invalid argument")                                                                     \
    X(hipErrorOutOfMemory, 2, "out of memory")                                                                         \
    X(hipErrorNotInitialized, 3, "initialization error")                                                               \
    X(hipErrorDeinitialized, 4, "driver shutting down")                                                                \
    X(hipErrorProfilerDisabled, 5, "profiler disabled while using external profiling tool")                            \
    X(hipErrorInvalidConfiguration, 9, "invalid configuration argument")                                               \
    X(hipErrorInvalidPitchValue, 12, "invalid pitch argument")                                                         \
    X(hipErrorInvalidSymbol, 13, "invalid device symbol")                                                              \
    X(hipErrorInvalidDevicePointer, 17, "invalid device pointer")                                                      \
    X(hipErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                                         \
    X(hipErrorInsufficientDriver, 35, "driver version is insufficient for runtime version")                            \
    X(hipErrorMissingConfiguration, 52, "__global__ function call is not configured")                                  \
    X(hipErrorPriorLaunchFailure, 53, "unspecified launch failure in prior launch")                                    \
    X(hipErrorInvalidDeviceFunction, 98, "invalid device function")                                                    \
    X(hipErrorNoDevice, 100, "no ROCm-capable device is detected")                                                     \
    X(hipErrorInvalidDevice, 101, "invalid device ordinal")                                                            \
    X(hipErrorInvalidImage, 200, "device kernel image is invalid")                                                     \
    X(hipErrorInvalidContext, 201, "invalid device context")                                                           \
    X(hipErrorNoBinaryForGpu, 209, "no kernel image is available for execution on the device")                         \
    X(hipErrorMapFailed, 205, "mapping of buffer object failed")                                                       \
    X(hipErrorUnmapFailed, 206, "unmapping of buffer object failed")                                                   \
    X(hipErrorArrayIsMapped, 207, "array is mapped")                                                                   \
    X(hipErrorAlreadyMapped, 208, "resource already mapped")                                                           \
    X(hipErrorAlreadyAcquired, 210, "resource already acquired")                                                       \
    X(hipErrorNotMapped, 211, "resource not mapped")                                                                   \
    X(hipErrorECCNotCorrectable, 214, "uncorrectable ECC error encountered")                                           \
    X(hipErrorUnsupportedLimit, 215, "limit is not supported on this architecture")                                    \
    X(hipErrorContextAlreadyInUse, 216,                                                                                \
      "exclusive-thread device already in use by a "                                                                   \
      "different thread")                                                                                              \
    X(hipErrorPeerAccessUnsupported, 217, "peer access is not supported between these two devices")                    \
    X(hipErrorInvalidKernelFile, 218, "invalid kernel file")                                                           \
    X(hipErrorInvalidSource, 300, "device kernel image is invalid")                                                    \
    X(hipErrorFileNotFound, 301, "file not found")                                                                     \
    X(hipErrorSharedObjectSymbolNotFound, 302, "shared object symbol not found")                                       \
    X(hipErrorSharedObjectInitFailed, 303, "shared object initialization failed")                                      \
    X(hipErrorOperatingSystem, 304, "OS call failed or operation not supported on this OS")                            \
    X(hipErrorInvalidHandle, 400, "invalid resource handle")                                                           \
    X(hipErrorNotFound, 500, "named symbol not found")                                                                 \
    X(hipErrorNotReady, 600, "device not ready")                                                                       \
    X(hipErrorIllegalAddress, 700, "an illegal memory access was encountered")                                         \
    X(hipErrorLaunchOutOfResources, 701, "too many resources requested for launch")                                    \
    X(hipErrorLaunchTimeOut, 702, "the launch timed out and was terminated")                                           \
    X(hipErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")                                         \
    X(hipErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")                                           \
    X(hipErrorSetOnActiveProcess, 708, "cannot set while device is active in this process")                            \
    X(hipErrorContextIsDestroyed, 709, "context is destroyed")                                                         \
    X(hipErrorAssert, 710, "device-side assert triggered")                                                             \
    X(hipErrorHostMemoryAlreadyRegistered, 712, "part or all of the requested memory range is already mapped")         \
    X(hipErrorHostMemoryNotRegistered, 713, "pointer does not correspond to a registered memory region")               \
    X(hipErrorLaunchFailure, 719, "unspecified launch failure")                                                        \
    X(hipErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")                                 \
    X(hipErrorNotSupported, 801, "operation not supported")                                                            \
    X(hipErrorStreamCaptureUnsupported, 900, "operation not permitted when stream is capturing")                       \
    X(hipErrorStreamCaptureInvalidated, 901, "operation failed due to a previous error during capture")                \
    X(hipErrorStreamCaptureUnmatched, 903, "capture was not initiated in this stream")                                 \
    X(hipErrorStreamCaptureUnjoined, 904, "capturing stream has unjoined work")                                        \
    X(hipErrorStreamCaptureImplicit, 906,                                                                              \
      "operation would make the legacy stream depend on a capturing blocking stream")                                  \
    X(hipErrorCapturedEvent, 907,                                                                                      \
      "operation not permitted on an event last recorded in a "                                                        \
      "capturing stream")                                                                                              \
    X(hipErrorIllegalState, 401, "the operation cannot be performed in the present state")                             \
    X(hipErrorUnknown, 999, "unknown error")

#define HIP_CPU_ENUMERATOR(name, value, meaning) name = value,
typedef enum HIP_CPU_NODISCARD hipError_t {
    HIP_CPU_ERRORS(HIP_CPU_ENUMERATOR) hipErrorMemoryAllocation = hipErrorOutOfMemory
} hipError_t;

#define HIP_SUCCESS                       hipSuccess
#define HIP_ERROR_INVALID_VALUE           hipErrorInvalidValue
#define HIP_ERROR_NOT_INITIALIZED         hipErrorNotInitialized
#define HIP_ERROR_LAUNCH_OUT_OF_RESOURCES hipErrorLaunchOutOfResources
#define hipErrorInitializationError       hipErrorNotInitialized
#define hipErrorMapBufferObjectFailed     hipErrorMapFailed
#define hipErrorInvalidResourceHandle     hipErrorInvalidHandle

typedef struct dim3 {
    uint32_t x, y, z;
#ifdef __cplusplus
    constexpr dim3(uint32_t x_ = 1, uint32_t y_ = 1, uint32_t z_ = 1) : x(x_), y(y_), z(z_) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
} dim3;

typedef struct hip_cpu_stream *hipStream_t;
typedef struct hip_cpu_event *hipEvent_t;

typedef enum hipMemcpyKind {
    hipMemcpyHostToHost = 0,
    hipMemcpyHostToDevice = 1,
    hipMemcpyDeviceToHost = 2,
    hipMemcpyDeviceToDevice = 3,
    hipMemcpyDefault = 4
} hipMemcpyKind;

/* Errors. hipGetLastError() also forgets the error, hipPeekAtLastError() keeps it. */
const char *hipGetErrorName(hipError_t error);
const char *hipGetErrorString(hipError_t error);
hipError_t hipGetLastError(void);
hipError_t hipPeekAtLastError(void);

/* Device. There is device 0; with HIP_VISIBLE_DEVICES empty or -1, none (hipErrorNoDevice); with 0,1 two, ... */
hipError_t hipInit(unsigned flags);
hipError_t hipGetDeviceCount(int *count);
hipError_t hipSetDevice(int device);
hipError_t hipGetDevice(int *device);
hipError_t hipDeviceGetAttribute(int *value, hipDeviceAttribute_t attribute, int device);
hipError_t hipDeviceGetName(char *name, int size, int device);
hipError_t hipDeviceGetPCIBusId(char *id, int size, int device);
hipError_t hipDeviceTotalMem(size_t *bytes, int device);
hipError_t hipGetDeviceProperties(hipDeviceProp_t *properties, int device);
hipError_t hipDriverGetVersion(int *version);
hipError_t hipRuntimeGetVersion(int *version);
hipError_t hipDeviceSynchronize(void);
hipError_t hipDeviceReset(void);

/* Memory. Pointers are aligned to 16 bytes and end directly before an inaccessible page; fresh memory
 * holds a pattern that is NaN for floating-point types (README.md). Copies and fills that exceed their
 * allocation return hipErrorInvalidValue. */
#define hipHostMallocDefault       0x0
#define hipHostMallocPortable      0x1
#define hipHostMallocMapped        0x2
#define hipHostMallocWriteCombined 0x4
hipError_t hipMemGetInfo(size_t *free_bytes, size_t *total_bytes);
hipError_t hipMalloc(void **pointer, size_t bytes);
hipError_t hipFree(void *pointer);
hipError_t hipHostMalloc(void **pointer, size_t bytes, unsigned flags);
hipError_t hipHostFree(void *pointer);
#define hipHostRegisterPortable 0x1
#define hipHostRegisterMapped   0x2
hipError_t hipHostRegister(void *host, size_t bytes, unsigned flags);
hipError_t hipHostUnregister(void *host);
hipError_t hipHostGetDevicePointer(void **device, void *host, unsigned flags);
hipError_t hipMemcpy(void *to, const void *from, size_t bytes, hipMemcpyKind kind);
hipError_t hipMemcpyAsync(void *to, const void *from, size_t bytes, hipMemcpyKind kind,
                          hipStream_t stream HIP_CPU_DEFAULT(0));
hipError_t hipMemset(void *to, int byte, size_t bytes);
hipError_t hipMemsetAsync(void *to, int byte, size_t bytes, hipStream_t stream HIP_CPU_DEFAULT(0));

/* Streams and events. */
#define hipStreamDefault     0x0
#define hipStreamNonBlocking 0x1
hipError_t hipStreamCreate(hipStream_t *stream);
hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned flags);
hipError_t hipStreamDestroy(hipStream_t stream);
hipError_t hipStreamSynchronize(hipStream_t stream);
hipError_t hipStreamQuery(hipStream_t stream);
hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags HIP_CPU_DEFAULT(0));

#define hipEventDefault       0x0
#define hipEventBlockingSync  0x1
#define hipEventDisableTiming 0x2
hipError_t hipEventCreate(hipEvent_t *event);
hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned flags);
hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream HIP_CPU_DEFAULT(0));
#define hipEventRecordDefault  0x0
#define hipEventRecordExternal 0x1 /* in a capture it is a node of the graph */
#define hipEventWaitDefault    0x0
#define hipEventWaitExternal   0x1 /* so is the wait */
hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream HIP_CPU_DEFAULT(0),
                                   unsigned flags HIP_CPU_DEFAULT(0));
hipError_t hipEventSynchronize(hipEvent_t event);
hipError_t hipEventQuery(hipEvent_t event);
hipError_t hipEventElapsedTime(float *milliseconds, hipEvent_t start, hipEvent_t stop);
hipError_t hipEventDestroy(hipEvent_t event);

#ifdef __cplusplus
}

/* HIP's additions for C++: typed pointers, default arguments. */
template <typename T> static inline hipError_t hipMalloc(T **pointer, size_t bytes)
{
    return hipMalloc((void **)pointer, bytes);
}
template <typename T> static inline hipError_t hipHostMalloc(T **pointer, size_t bytes, unsigned flags = 0)
{
    return hipHostMalloc((void **)pointer, bytes, flags);
}
static inline hipError_t hipEventCreate(hipEvent_t *event, unsigned flags)
{
    return hipEventCreateWithFlags(event, flags);
}
#endif

#include "hip_cpu/api/kernel.h"
#include "hip_cpu/api/memory.h"
#include "hip_cpu/api/texture.h"
#include "hip_cpu/api/device.h"
#include "hip_cpu/api/stream.h"
#include "hip_cpu/api/graph_nodes.h"

#endif
