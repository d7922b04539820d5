/* Calls for memory that are second names of others, or hints.
 * SPDX-License-Identifier: MIT */
#include "../internal.h"

hipError_t hipExtMallocWithFlags(void **pointer, size_t bytes, unsigned flags)
{
    (void)flags;
    return hipMalloc(pointer, bytes);
}

hipError_t hipMallocHost(void **pointer, size_t bytes) { return hipHostMalloc(pointer, bytes, hipHostMallocDefault); }

hipError_t hipHostAlloc(void **pointer, size_t bytes, unsigned flags) { return hipHostMalloc(pointer, bytes, flags); }

hipError_t hipFreeHost(void *pointer) { return hipHostFree(pointer); }

hipError_t hipHostGetFlags(unsigned *flags, void *host)
{
    REFUSE_IF(!flags || !host, hipErrorInvalidValue);
    *flags = hipHostMallocDefault;
    return hip_cpu_error(hip_cpu_enter(__func__));
}

hipError_t hipMemAdvise(const void *pointer, size_t bytes, hipMemoryAdvise advice, int device)
{
    (void)bytes;
    (void)advice;
    (void)device;
    return hip_cpu_error(pointer ? hip_cpu_enter(__func__) : hipErrorInvalidValue);
}

hipError_t hipMemPrefetchAsync(const void *pointer, size_t bytes, int device, hipStream_t stream)
{
    (void)bytes;
    (void)device;
    (void)stream;
    return hip_cpu_error(pointer ? hip_cpu_enter(__func__) : hipErrorInvalidValue);
}

hipError_t hipStreamAttachMemAsync(hipStream_t stream, void *pointer, size_t bytes, unsigned flags)
{
    (void)stream;
    (void)bytes;
    (void)flags;
    return hip_cpu_error(pointer ? hip_cpu_enter(__func__) : hipErrorInvalidValue);
}

/* ---- copies ---- */

hipError_t hipMemcpyWithStream(void *to, const void *from, size_t bytes, hipMemcpyKind kind, hipStream_t stream)
{
    hipError_t error = hipMemcpyAsync(to, from, bytes, kind, stream);
    return error == hipSuccess ? hipStreamSynchronize(stream) : error;
}

hipError_t hipMemcpyHtoD(hipDeviceptr_t to, const void *from, size_t bytes)
{
    return hipMemcpy(to, from, bytes, hipMemcpyHostToDevice);
}

hipError_t hipMemcpyDtoH(void *to, hipDeviceptr_t from, size_t bytes)
{
    return hipMemcpy(to, from, bytes, hipMemcpyDeviceToHost);
}

hipError_t hipMemcpyDtoD(hipDeviceptr_t to, hipDeviceptr_t from, size_t bytes)
{
    return hipMemcpy(to, from, bytes, hipMemcpyDeviceToDevice);
}

hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t to, const void *from, size_t bytes, hipStream_t stream)
{
    return hipMemcpyAsync(to, from, bytes, hipMemcpyHostToDevice, stream);
}

hipError_t hipMemcpyDtoHAsync(void *to, hipDeviceptr_t from, size_t bytes, hipStream_t stream)
{
    return hipMemcpyAsync(to, from, bytes, hipMemcpyDeviceToHost, stream);
}

hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t to, hipDeviceptr_t from, size_t bytes, hipStream_t stream)
{
    return hipMemcpyAsync(to, from, bytes, hipMemcpyDeviceToDevice, stream);
}

hipError_t hipMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes,
                              hipStream_t stream)
{
    hipError_t error = hip_cpu_check_device(to_device);

    if (error == hipSuccess)
        error = hip_cpu_check_device(from_device);
    REFUSE_IF(error != hipSuccess, error);
    return hipMemcpyAsync(to, from, bytes, hipMemcpyDeviceToDevice, stream);
}

hipError_t hipMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
    hipError_t error = hipMemcpyPeerAsync(to, to_device, from, from_device, bytes, NULL);
    return error == hipSuccess ? hipStreamSynchronize(NULL) : error;
}

/* ---- fills, one element after the other ---- */

static hipError_t fill(void *to, unsigned value, unsigned element, size_t count, hipStream_t stream)
{
    return hip_cpu_fill_elements(
        &(hipMemsetParams){.dst = to, .elementSize = element, .height = 1, .value = value, .width = count}, stream);
}

#define FILL(name, T)                                                                                                  \
    hipError_t name##Async(hipDeviceptr_t to, T value, size_t count, hipStream_t stream)                               \
    {                                                                                                                  \
        return fill(to, (unsigned)value, sizeof value, count, stream);                                                 \
    }                                                                                                                  \
    hipError_t name(hipDeviceptr_t to, T value, size_t count)                                                          \
    {                                                                                                                  \
        hipError_t error = name##Async(to, value, count, NULL);                                                        \
        return error == hipSuccess ? hipStreamSynchronize(NULL) : error;                                               \
    }
FILL(hipMemsetD8, unsigned char)
FILL(hipMemsetD16, unsigned short)
FILL(hipMemsetD32, int)
