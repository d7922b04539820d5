/* Memory of the device, and of the host for the device.
 * SPDX-License-Identifier: MIT */
#include "heap.h"

static hipError_t allocate(void **pointer, size_t bytes, enum hip_cpu_kind kind)
{
    if (hip_cpu_config.devices == 0)
        return hipErrorNoDevice;
    if (!pointer)
        return hipErrorInvalidValue;
    *pointer = NULL;
    if (bytes == 0)
        return hipSuccess;
    hip_cpu_catch_faults();
    return hip_cpu_heap_take(pointer, bytes, kind);
}

static hipError_t release(void *pointer, bool host)
{
    if (hip_cpu_config.devices == 0)
        return hipErrorNoDevice;
    hipError_t error = hip_cpu_may_wait();
    if (error != hipSuccess || !pointer)
        return error;
    error = hip_cpu_wait(); /* work may use it */
    return error == hipSuccess ? hip_cpu_heap_return(pointer, host) : error;
}

static hipError_t allocate_at_once(void **pointer, size_t bytes, enum hip_cpu_kind kind)
{
    hipError_t error = hip_cpu_may_wait();

    return hip_cpu_error(error == hipSuccess ? allocate(pointer, bytes, kind) : error);
}

hipError_t hipMalloc(void **pointer, size_t bytes)
{
    REFUSE_IF(hip_cpu_fails(__func__), hipErrorOutOfMemory);
    return allocate_at_once(pointer, bytes, KIND_DEVICE);
}

hipError_t hip_cpu_allocate(void **pointer, size_t bytes)
{
    REFUSE_IF(hip_cpu_fails("hipMalloc"), hipErrorOutOfMemory);
    return hip_cpu_error(allocate(pointer, bytes, KIND_DEVICE));
}

hipError_t hipFree(void *pointer)
{
    REFUSE_IF(hip_cpu_fails(__func__), hipErrorUnknown);
    return hip_cpu_error(release(pointer, false));
}

hipError_t hipHostMalloc(void **pointer, size_t bytes, UNUSED unsigned flags)
{
    REFUSE_IF(hip_cpu_fails(__func__), hipErrorOutOfMemory);
    return allocate_at_once(pointer, bytes, KIND_HOST);
}

hipError_t hipHostFree(void *pointer)
{
    REFUSE_IF(hip_cpu_fails(__func__), hipErrorUnknown);
    return hip_cpu_error(release(pointer, true));
}

hipError_t hipHostGetDevicePointer(void **device, void *host, UNUSED unsigned flags)
{
    REFUSE_IF(hip_cpu_fails(__func__), hipErrorUnknown);
    REFUSE_IF(!device || !host, hipErrorInvalidValue);
    *device = host;
    return hipSuccess;
}

/* Memory of another allocator, such as malloc(), counts as memory of the device from now on. */
hipError_t hipHostRegister(void *host, size_t bytes, UNUSED unsigned flags)
{
    REFUSE_IF(hip_cpu_fails(__func__), hipErrorUnknown);
    REFUSE_IF(!host || bytes == 0, hipErrorInvalidValue);
    hip_cpu_know_symbol(host, bytes);
    OBSERVE(host_registered, host, bytes);
    return hipSuccess;
}

hipError_t hipHostUnregister(void *host)
{
    REFUSE_IF(hip_cpu_fails(__func__), hipErrorUnknown);
    return host ? hipSuccess : hip_cpu_error(hipErrorInvalidValue);
}

hipError_t hipMallocManaged(void **pointer, size_t bytes, UNUSED unsigned flags)
{
    REFUSE_IF(hip_cpu_fails(__func__), hipErrorOutOfMemory);
    return allocate_at_once(pointer, bytes, KIND_MANAGED);
}

hipError_t hipPointerGetAttributes(hipPointerAttribute_t *attributes, const void *pointer)
{
    static const hipMemoryType types[] = {
        [KIND_DEVICE] = hipMemoryTypeDevice,
        [KIND_HOST] = hipMemoryTypeHost,
        [KIND_MANAGED] = hipMemoryTypeManaged,
    };
    struct hip_cpu_span found;

    TRY(hip_cpu_enter(__func__));
    REFUSE_IF(!attributes || !pointer, hipErrorInvalidValue);
    *attributes = (hipPointerAttribute_t){.type = hipMemoryTypeUnregistered};
    /* For unknown memory CUDA reports "unregistered"; HIP refuses. */
    if (hip_cpu_config.cuda && !hip_cpu_heap_find(pointer, &found)) {
        attributes->hostPointer = (void *)pointer;
        return hipSuccess;
    }
    REFUSE_IF(!hip_cpu_heap_find(pointer, &found), hipErrorInvalidValue);
    *attributes = (hipPointerAttribute_t){.type = types[found.kind],
                                          .devicePointer = (void *)pointer,
                                          .hostPointer = found.kind == KIND_DEVICE ? NULL : (void *)pointer,
                                          .isManaged = found.kind == KIND_MANAGED};
    return hipSuccess;
}

hipError_t hipMemGetAddressRange(hipDeviceptr_t *start, size_t *bytes, hipDeviceptr_t pointer)
{
    struct hip_cpu_span found;

    TRY(hip_cpu_enter(__func__));
    REFUSE_IF(!hip_cpu_heap_find(pointer, &found), hipErrorInvalidValue);
    if (start)
        *start = found.start;
    if (bytes)
        *bytes = found.bytes;
    return hipSuccess;
}

hipError_t hipMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    TRY(hip_cpu_enter(__func__));
    REFUSE_IF(!free_bytes || !total_bytes, hipErrorInvalidValue);
    *free_bytes = hip_cpu_heap_free();
    *total_bytes = hip_cpu_heap_total();
    return hipSuccess;
}

hipError_t hipDeviceTotalMem(size_t *bytes, int device)
{
    TRY(hip_cpu_check_device(device));
    REFUSE_IF(!bytes, hipErrorInvalidValue);
    *bytes = hip_cpu_heap_total();
    return hipSuccess;
}
