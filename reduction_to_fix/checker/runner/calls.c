/* Between the exercise and the runtime: records launches, copies and allocations. While the runtime works it may use the
 * device's memory.
 * SPDX-License-Identifier: MIT */
#include "observe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef ON_CPU

/* Work for which launch() or the reduction's stream waits is between the events. */
static void join(bool whether) { observation.joined |= whether && !observation.finish; }

/* joins: whether this call waits for such work. */
#define WRAP(name, parameters, arguments, joins)                                                                       \
    hipError_t __real_##name parameters;                                                                               \
    hipError_t __wrap_##name parameters;                                                                               \
    hipError_t __wrap_##name parameters                                                                                \
    {                                                                                                                  \
        bool exercise = observe_runtime_begins();                                                                      \
        join(exercise && (joins));                                                                                     \
        hipError_t error = __real_##name arguments;                                                                    \
        observe_runtime_ends(exercise);                                                                                \
        return error;                                                                                                  \
    }
WRAP(hipMemset, (void *to, int byte, size_t bytes), (to, byte, bytes), false)
WRAP(hipMemsetAsync, (void *to, int byte, size_t bytes, hipStream_t stream), (to, byte, bytes, stream), false)
WRAP(hipMemsetD8, (hipDeviceptr_t to, unsigned char value, size_t count), (to, value, count), false)
WRAP(hipMemsetD16, (hipDeviceptr_t to, unsigned short value, size_t count), (to, value, count), false)
WRAP(hipMemsetD32, (hipDeviceptr_t to, int value, size_t count), (to, value, count), false)
WRAP(hipMemsetD32Async, (hipDeviceptr_t to, int value, size_t count, hipStream_t stream), (to, value, count, stream),
     false)
WRAP(hipStreamSynchronize, (hipStream_t stream), (stream), true)
WRAP(hipStreamQuery, (hipStream_t stream), (stream), false)
WRAP(hipStreamWaitEvent, (hipStream_t stream, hipEvent_t event, unsigned flags), (stream, event, flags),
     stream == observation.stream)
WRAP(hipDeviceSynchronize, (void), (), true)
WRAP(hipEventSynchronize, (hipEvent_t event), (event), true)
WRAP(hipEventQuery, (hipEvent_t event), (event), false)
WRAP(hipStreamDestroy, (hipStream_t stream), (stream), false)
WRAP(hipEventDestroy, (hipEvent_t event), (event), false)

#define DECLARE(name, parameters)                                                                                      \
    hipError_t __real_##name parameters;                                                                               \
    hipError_t __wrap_##name parameters;
DECLARE(hip_cpu_run, (const struct hip_cpu_launch *launch))
DECLARE(hipFree, (void *pointer))
DECLARE(hipFreeAsync, (void *pointer, hipStream_t stream))
DECLARE(hipHostFree, (void *pointer))
DECLARE(hipMemcpy, (void *to, const void *from, size_t bytes, hipMemcpyKind kind))
DECLARE(hipMemcpyAsync, (void *to, const void *from, size_t bytes, hipMemcpyKind kind, hipStream_t stream))

hipError_t __wrap_hip_cpu_run(const struct hip_cpu_launch *launch)
{
    uint64_t blocks = (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
    bool exercise = observe_runtime_begins();
    struct observed *seen = observe_note();

    seen->launches += !observation.finish;
    observation.elsewhere += !observation.finish && launch->stream != NULL && launch->stream != observation.stream;
    seen->launches_in_finish += observation.finish;
    if (blocks > seen->blocks) {
        seen->blocks = blocks;
        seen->threads = (uint64_t)launch->block.x * launch->block.y * launch->block.z;
    }
    /* A window leaves small launches whole: they initialize a result. */
    bool whole = observation.window_count > 0 && blocks * launch->block.x <= 64;
    if (whole)
        hip_cpu_set_window(0, 0);
    hipError_t error = __real_hip_cpu_run(launch);
    if (whole)
        hip_cpu_set_window(observation.window_first, observation.window_count);
    observe_runtime_ends(exercise);
    return error;
}

static hipError_t allocated(hipError_t error, void *memory, size_t bytes, bool host, bool exercise)
{
    if (error == hipSuccess && bytes > 0) {
        observe_remember(memory, bytes, host, false);
        observation.bytes += (int64_t)bytes;
        if (observation.counts && exercise)
            observe_note()->moved += bytes;
    }
    return error;
}

#define ALLOCATE(name, parameters, arguments, host)                                                                    \
    DECLARE(name, parameters)                                                                                          \
    hipError_t __wrap_##name parameters                                                                                \
    {                                                                                                                  \
        bool exercise = observe_runtime_begins();                                                                      \
        hipError_t error = __real_##name arguments;                                                                    \
        error = allocated(error, *pointer, bytes, host, exercise);                                                     \
        observe_runtime_ends(exercise);                                                                                \
        return error;                                                                                                  \
    }
ALLOCATE(hipMalloc, (void **pointer, size_t bytes), (pointer, bytes), false)
ALLOCATE(hipMallocAsync, (void **pointer, size_t bytes, hipStream_t stream), (pointer, bytes, stream), false)
ALLOCATE(hipMallocFromPoolAsync, (void **pointer, size_t bytes, hipMemPool_t pool, hipStream_t stream),
         (pointer, bytes, pool, stream), false)
ALLOCATE(hipMallocManaged, (void **pointer, size_t bytes, unsigned flags), (pointer, bytes, flags), true)
ALLOCATE(hipHostMalloc, (void **pointer, size_t bytes, unsigned flags), (pointer, bytes, flags), true)

/* Waits for the device before it frees, as HIP does. */
static hipError_t release(hipError_t (*real)(void *), void *pointer)
{
    bool exercise = observe_runtime_begins();

    observe_forget(pointer);
    hipError_t error = real(pointer);
    observe_runtime_ends(exercise);
    return error;
}

hipError_t __wrap_hipFree(void *pointer) { return release(__real_hipFree, pointer); }

hipError_t __wrap_hipFreeAsync(void *pointer, hipStream_t stream)
{
    bool exercise = observe_runtime_begins();

    observe_forget(pointer);
    hipError_t error = __real_hipFreeAsync(pointer, stream);
    observe_runtime_ends(exercise);
    return error;
}

hipError_t __wrap_hipHostFree(void *pointer) { return release(__real_hipHostFree, pointer); }

/* Copying elements of the input to the host counts as the host reading them. */
static void note_copy(void *to, const void *from, size_t bytes)
{
    const struct memory *target = observe_memory_at(to), *source = observe_memory_at(from);

    if (!observation.counts || source == NULL || source->host)
        return;
    struct observed *seen = observe_note();
    if (target != NULL && !target->host) {
        seen->moved += bytes;
    } else {
        seen->to_host += bytes;
        seen->host_reads |= observe_in_input(from);
    }
}

/* The runtime does not know sparse memory. */
static bool is_sparse(const void *from)
{
    const struct memory *source = observe_memory_at(from);

    return source != NULL && source->sparse;
}

/* A window of blocks leaves most pages of the partials as they are: zeros that are copied to zeros. */
static void copy_pages(char *to, const char *from, size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), length;
    unsigned char *source = observe_pages(from, bytes), *target = observe_pages(to, bytes);

    for (size_t done = 0; done < bytes; done += length) {
        size_t at = ((uintptr_t)from % page + done) / page;
        size_t first = ((uintptr_t)to % page + done) / page;
        length = page - ((uintptr_t)from + done) % page;
        length = length < bytes - done ? length : bytes - done;
        size_t last = ((uintptr_t)to % page + done + length - 1) / page;
        if (source == NULL || target == NULL || source[at] || target[first] || target[last])
            memcpy(to + done, from + done, length);
    }
    free(source);
    free(target);
}

static hipError_t copy_sparse(void *to, const void *from, size_t bytes)
{
    hipError_t error = __real_hipDeviceSynchronize();

    copy_pages(to, from, bytes);
    return error;
}

hipError_t __wrap_hipMemcpy(void *to, const void *from, size_t bytes, hipMemcpyKind kind)
{
    bool exercise = observe_runtime_begins();
    note_copy(to, from, bytes);
    hipError_t error = is_sparse(from) ? copy_sparse(to, from, bytes) : __real_hipMemcpy(to, from, bytes, kind);
    observe_runtime_ends(exercise);
    return error;
}

hipError_t __wrap_hipMemcpyAsync(void *to, const void *from, size_t bytes, hipMemcpyKind kind, hipStream_t stream)
{
    bool exercise = observe_runtime_begins();
    note_copy(to, from, bytes);
    hipError_t error =
        is_sparse(from) ? copy_sparse(to, from, bytes) : __real_hipMemcpyAsync(to, from, bytes, kind, stream);
    observe_runtime_ends(exercise);
    return error;
}

#endif
