/* Calls for memory that are second names of others, or hints.
 * SPDX-License-Identifier: MIT */
#include "../internal.h"

hipError_t hipExtMallocWithFlags(void **pointer, size_t bytes, UNUSED unsigned flags)
{
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

hipError_t hipMemAdvise(const void *pointer, UNUSED size_t bytes, UNUSED hipMemoryAdvise advice, UNUSED int device)
{
    return hip_cpu_error(pointer ? hip_cpu_enter(__func__) : hipErrorInvalidValue);
}

hipError_t hipMemPrefetchAsync(const void *pointer, UNUSED size_t bytes, UNUSED int device, UNUSED hipStream_t stream)
{
    return hip_cpu_error(pointer ? hip_cpu_enter(__func__) : hipErrorInvalidValue);
}

hipError_t hipStreamAttachMemAsync(UNUSED hipStream_t stream, void *pointer, UNUSED size_t bytes, UNUSED unsigned flags)
{
    return hip_cpu_error(pointer ? hip_cpu_enter(__func__) : hipErrorInvalidValue);
}

/* ---- copies ---- */

hipError_t hipMemcpyWithStream(void *to, const void *from, size_t bytes, hipMemcpyKind kind, hipStream_t stream)
{
    return hip_cpu_finish(hipMemcpyAsync(to, from, bytes, kind, stream), stream);
}

#define COPY(name, To, From, kind)                                                                                     \
    hipError_t hipMemcpy##name(To to, From from, size_t bytes) { return hipMemcpy(to, from, bytes, kind); }            \
    hipError_t hipMemcpy##name##Async(To to, From from, size_t bytes, hipStream_t stream)                              \
    {                                                                                                                  \
        return hipMemcpyAsync(to, from, bytes, kind, stream);                                                          \
    }
COPY(HtoD, hipDeviceptr_t, const void *, hipMemcpyHostToDevice)
COPY(DtoH, void *, hipDeviceptr_t, hipMemcpyDeviceToHost)
COPY(DtoD, hipDeviceptr_t, hipDeviceptr_t, hipMemcpyDeviceToDevice)

hipError_t hipMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes,
                              hipStream_t stream)
{
    TRY(hip_cpu_check_device(to_device));
    TRY(hip_cpu_check_device(from_device));
    return hipMemcpyAsync(to, from, bytes, hipMemcpyDeviceToDevice, stream);
}

hipError_t hipMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
    return hip_cpu_finish(hipMemcpyPeerAsync(to, to_device, from, from_device, bytes, NULL), NULL);
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
        return hip_cpu_finish(name##Async(to, value, count, NULL), NULL);                                              \
    }
FILL(hipMemsetD8, unsigned char)
FILL(hipMemsetD16, unsigned short)
FILL(hipMemsetD32, int)
