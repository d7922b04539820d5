/* Memory of the device, and of the host for the device.
 * SPDX-License-Identifier: MIT */
#include "heap.h"

static hipError_t allocate(void **pointer, size_t bytes, enum hip_cpu_kind kind)
{
    if (!hip_cpu_config.visible)
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
    if (!hip_cpu_config.visible)
        return hipErrorNoDevice;
    if (!pointer)
        return hipSuccess;
    hipError_t error = hip_cpu_wait(); /* work may use it */
    return error == hipSuccess ? hip_cpu_heap_return(pointer, host) : error;
}

hipError_t hipMalloc(void **pointer, size_t bytes)
{
    if (hip_cpu_fails(__func__))
        return hip_cpu_error(hipErrorOutOfMemory);
    return hip_cpu_error(allocate(pointer, bytes, KIND_DEVICE));
}

hipError_t hipFree(void *pointer)
{
    if (hip_cpu_fails(__func__))
        return hip_cpu_error(hipErrorUnknown);
    return hip_cpu_error(release(pointer, false));
}

hipError_t hipHostMalloc(void **pointer, size_t bytes, unsigned flags)
{
    if (hip_cpu_fails(__func__))
        return hip_cpu_error(hipErrorOutOfMemory);
    (void)flags;
    return hip_cpu_error(allocate(pointer, bytes, KIND_HOST));
}

hipError_t hipHostFree(void *pointer)
{
    if (hip_cpu_fails(__func__))
        return hip_cpu_error(hipErrorUnknown);
    return hip_cpu_error(release(pointer, true));
}

hipError_t hipHostGetDevicePointer(void **device, void *host, unsigned flags)
{
    if (hip_cpu_fails(__func__))
        return hip_cpu_error(hipErrorUnknown);
    (void)flags;
    if (!device || !host)
        return hip_cpu_error(hipErrorInvalidValue);
    *device = host;
    return hipSuccess;
}

/* Memory that another allocated is memory of the device, too. */
hipError_t hipHostRegister(void *host, size_t bytes, unsigned flags)
{
    if (hip_cpu_fails(__func__))
        return hip_cpu_error(hipErrorUnknown);
    (void)flags;
    if (!host || bytes == 0)
        return hip_cpu_error(hipErrorInvalidValue);
    hip_cpu_know_symbol(host, bytes);
    OBSERVE(host_registered);
    return hipSuccess;
}

hipError_t hipHostUnregister(void *host)
{
    if (hip_cpu_fails(__func__))
        return hip_cpu_error(hipErrorUnknown);
    return host ? hipSuccess : hip_cpu_error(hipErrorInvalidValue);
}

hipError_t hipMallocManaged(void **pointer, size_t bytes, unsigned flags)
{
    if (hip_cpu_fails(__func__))
        return hip_cpu_error(hipErrorOutOfMemory);
    (void)flags;
    return hip_cpu_error(allocate(pointer, bytes, KIND_MANAGED));
}

hipError_t hipPointerGetAttributes(hipPointerAttribute_t *attributes, const void *pointer)
{
    static const hipMemoryType types[] = {
        [KIND_DEVICE] = hipMemoryTypeDevice,
        [KIND_HOST] = hipMemoryTypeHost,
        [KIND_MANAGED] = hipMemoryTypeManaged,
    };
    hipError_t error = hip_cpu_enter(__func__);
    struct hip_cpu_span found;

    if (error != hipSuccess || !attributes || !pointer)
        return hip_cpu_error(error != hipSuccess ? error : hipErrorInvalidValue);
    *attributes = (hipPointerAttribute_t){.type = hipMemoryTypeUnregistered};
    if (!hip_cpu_heap_find(pointer, &found))
        return hip_cpu_error(hipErrorInvalidValue);
    *attributes =
        (hipPointerAttribute_t){.type = types[found.kind],
                                .devicePointer = (void *)pointer,
                                .hostPointer = found.kind == KIND_DEVICE ? NULL : (void *)pointer,
                                .isManaged = found.kind == KIND_MANAGED};
    return hipSuccess;
}

hipError_t hipMemGetAddressRange(hipDeviceptr_t *start, size_t *bytes, hipDeviceptr_t pointer)
{
    hipError_t error = hip_cpu_enter(__func__);
    struct hip_cpu_span found;

    if (error == hipSuccess && !hip_cpu_heap_find(pointer, &found))
        error = hipErrorInvalidValue;
    if (error == hipSuccess && start)
        *start = found.start;
    if (error == hipSuccess && bytes)
        *bytes = found.bytes;
    return hip_cpu_error(error);
}

hipError_t hipMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    hipError_t error = hip_cpu_enter(__func__);

    if (error != hipSuccess)
        return hip_cpu_error(error);
    if (!free_bytes || !total_bytes)
        return hip_cpu_error(hipErrorInvalidValue);
    *free_bytes = hip_cpu_heap_free();
    *total_bytes = hip_cpu_heap_total();
    return hipSuccess;
}

hipError_t hipDeviceTotalMem(size_t *bytes, int device)
{
    hipError_t error = hip_cpu_check_device(device);

    if (error != hipSuccess)
        return hip_cpu_error(error);
    if (!bytes)
        return hip_cpu_error(hipErrorInvalidValue);
    *bytes = hip_cpu_heap_total();
    return hipSuccess;
}
