/* Stream-ordered memory. Allocation is immediate; a pool keeps nothing.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "heap.h"

struct hip_cpu_pool {
    uint64_t release_threshold;
};
static struct hip_cpu_pool default_pool, *current_pool = &default_pool;

static _Atomic uint64_t graph_bytes; /* what graphs have allocated: it stays */

/* A stream-ordered allocation or free. */
struct span {
    void *start;
    size_t bytes;
    void *code; /* behind the program's call */
};

hipError_t hip_cpu_do_begin(const void *work)
{
    const struct span *s = work;
    hipError_t error = hip_cpu_heap_again(s->start);

    OBSERVE(memory, s->start, s->bytes, true, s->code);
    return error;
}

static hipError_t begin(const void *work)
{
    const struct span *s = work;

    OBSERVE(memory, s->start, s->bytes, true, s->code);
    return hipSuccess;
}

static hipError_t end(const void *work)
{
    const struct span *s = work;

    OBSERVE(memory, s->start, s->bytes, false, s->code);
    return hip_cpu_heap_return(s->start, false);
}

/* A graph may be launched again: its memory keeps its address and is never freed. */
hipError_t hip_cpu_do_end(const void *work)
{
    const struct span *s = work;

    OBSERVE(memory, s->start, s->bytes, false, s->code);
    return hipSuccess;
}

hipError_t hip_cpu_keep_memory(hipStream_t keeper, void *pointer, bool begins)
{
    struct hip_cpu_span found;

    if (!hip_cpu_heap_find(pointer, &found) || found.start != pointer)
        return hipErrorInvalidValue;
    struct span s = {pointer, found.bytes, __builtin_return_address(0)};
    graph_bytes += begins ? found.bytes : 0;
    return hip_cpu_capture(keeper, begins ? hip_cpu_do_begin : hip_cpu_do_end, &s, sizeof s);
}

hipError_t hipMallocAsync(void **pointer, size_t bytes, hipStream_t stream)
{
    REFUSE_IF(!hip_cpu_is_stream(stream), hipErrorInvalidHandle);
    hipError_t error = hip_cpu_allocate(pointer, bytes);
    bool captured = hip_cpu_captures(stream);

    if ((!OBSERVER && !captured) || error != hipSuccess || bytes == 0)
        return error;
    struct span s = {*pointer, bytes, __builtin_return_address(0)};
    graph_bytes += captured ? bytes : 0;
    return hip_cpu_error(hip_cpu_on_stream(stream, captured ? hip_cpu_do_begin : begin, &s, sizeof s));
}

hipError_t hipMallocFromPoolAsync(void **pointer, size_t bytes, hipMemPool_t pool, hipStream_t stream)
{
    return pool ? hipMallocAsync(pointer, bytes, stream) : hip_cpu_error(hipErrorInvalidValue);
}

/* Earlier work of the stream may still use it. */
hipError_t hipFreeAsync(void *pointer, hipStream_t stream)
{
    struct hip_cpu_span found;

    TRY(hip_cpu_enter_stream(__func__, stream));
    if (!pointer)
        return hipSuccess;
    if (!hip_cpu_heap_find(pointer, &found) || found.start != pointer) {
        OBSERVE(not_freed, pointer, false);
        return hip_cpu_error(hipErrorInvalidValue);
    }
    struct span s = {pointer, found.bytes, __builtin_return_address(0)};
    return hip_cpu_error(hip_cpu_on_stream(stream, hip_cpu_captures(stream) ? hip_cpu_do_end : end, &s, sizeof s));
}

static hipError_t give_pool(const char *call, hipMemPool_t *pool, int device, hipMemPool_t which)
{
    TRY(hip_cpu_enter(call));
    TRY(pool ? hip_cpu_check_device(device) : hipErrorInvalidValue);
    *pool = which;
    return hipSuccess;
}

hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t *pool, int device)
{
    return give_pool(__func__, pool, device, &default_pool);
}

hipError_t hipDeviceGetMemPool(hipMemPool_t *pool, int device)
{
    return give_pool(__func__, pool, device, current_pool);
}

hipError_t hipDeviceSetMemPool(int device, hipMemPool_t pool)
{
    TRY(hip_cpu_check_device(device));
    REFUSE_IF(!pool, hipErrorInvalidValue);
    current_pool = pool;
    return hipSuccess;
}

hipError_t hipMemPoolCreate(hipMemPool_t *pool, const hipMemPoolProps *properties)
{
    TRY(hip_cpu_enter(__func__));
    REFUSE_IF(!pool || !properties, hipErrorInvalidValue);
    return hip_cpu_error((*pool = calloc(1, sizeof **pool)) ? hipSuccess : hipErrorOutOfMemory);
}

hipError_t hipMemPoolDestroy(hipMemPool_t pool)
{
    REFUSE_IF(!pool || pool == &default_pool, hipErrorInvalidValue);
    if (pool == current_pool)
        current_pool = &default_pool;
    free(pool);
    return hipSuccess;
}

hipError_t hipMemPoolTrimTo(hipMemPool_t pool, UNUSED size_t bytes)
{
    return pool ? hipSuccess : hip_cpu_error(hipErrorInvalidValue);
}

hipError_t hipMemPoolSetAccess(hipMemPool_t pool, const hipMemAccessDesc *list, size_t count)
{
    REFUSE_IF(!pool || (count > 0 && !list), hipErrorInvalidValue);
    for (size_t i = 0; i < count; i++) {
        REFUSE_IF(list[i].location.type != hipMemLocationTypeDevice || list[i].flags != hipMemAccessFlagsProtReadWrite,
                  hipErrorInvalidValue);
        REFUSE_IF(hip_cpu_check_device(list[i].location.id) != hipSuccess, hipErrorInvalidDevice);
    }
    return hipSuccess;
}

hipError_t hipMemPoolSetAttribute(hipMemPool_t pool, hipMemPoolAttr attribute, void *value)
{
    REFUSE_IF(!pool || !value, hipErrorInvalidValue);
    if (attribute == hipMemPoolAttrReleaseThreshold)
        pool->release_threshold = *(uint64_t *)value;
    return hipSuccess;
}

/* A pool keeps nothing, whatever its threshold. */
hipError_t hipMemPoolGetAttribute(hipMemPool_t pool, hipMemPoolAttr attribute, void *value)
{
    REFUSE_IF(!pool || !value, hipErrorInvalidValue);
    if (attribute < hipMemPoolAttrReleaseThreshold)
        *(int *)value = 1;
    else
        *(uint64_t *)value = attribute == hipMemPoolAttrReleaseThreshold ? pool->release_threshold : 0;
    return hipSuccess;
}

hipError_t hipDeviceGetGraphMemAttribute(int device, hipGraphMemAttributeType attribute, void *value)
{
    TRY(hip_cpu_check_device(device));
    REFUSE_IF(!value || (unsigned)attribute > hipGraphMemAttrReservedMemHigh, hipErrorInvalidValue);
    *(uint64_t *)value = graph_bytes;
    return hipSuccess;
}

hipError_t hipDeviceGraphMemTrim(int device) { return hip_cpu_error(hip_cpu_check_device(device)); }
