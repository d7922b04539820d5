/* What hosts ask about kernels.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "../internal.h"

unsigned hip_cpu_blocks_per_unit(size_t threads, size_t shared_bytes)
{
    size_t room = WORKERS_MAX / hip_cpu_config.workers, blocks = UNIT_BLOCKS_MAX;

    if (threads == 0 || threads > THREADS_MAX || shared_bytes > SHARED_BYTES_MAX)
        return 0;
    if (blocks > UNIT_THREADS_MAX / threads)
        blocks = UNIT_THREADS_MAX / threads;
    if (shared_bytes > 0 && blocks > SHARED_BYTES_MAX / shared_bytes)
        blocks = SHARED_BYTES_MAX / shared_bytes;
    return (unsigned)(blocks < room ? blocks : room);
}

hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int block_size,
                                                        size_t shared_bytes)
{
    REFUSE_IF(hip_cpu_fails(__func__), hipErrorUnknown);
    TRY(hip_cpu_check_device(0));
    REFUSE_IF(!blocks || !kernel || block_size <= 0, hipErrorInvalidValue);
    *blocks = hip_cpu_fails("occupancy") ? 0 : (int)hip_cpu_blocks_per_unit((size_t)block_size, shared_bytes);
    return hipSuccess;
}

/* ---- shared memory that has been asked for ---- */

struct asked {
    struct asked *next;
    const void *kernel;
    size_t bytes;
};
static _Atomic(struct asked *) asked; /* the latest first; none is ever removed */

static bool ask(const void *kernel, size_t bytes)
{
    struct asked *one = malloc(sizeof *one);

    if (!one)
        return false;
    *one = (struct asked){asked, kernel, bytes};
    while (!atomic_compare_exchange_weak(&asked, &one->next, one))
        ;
    return true;
}

size_t hip_cpu_shared_limit(const void *kernel)
{
    size_t most = SHARED_BYTES_UNASKED;

    for (const struct asked *a = asked; a; a = a->next) {
        if (a->kernel == kernel)
            return a->bytes > most ? a->bytes : most;
        if (!kernel && a->bytes > most)
            most = a->bytes;
    }
    return most;
}

hipError_t hipFuncSetAttribute(const void *kernel, hipFuncAttribute attribute, int value)
{
    REFUSE_IF(hip_cpu_fails(__func__), hipErrorUnknown);
    REFUSE_IF(!kernel || (attribute == hipFuncAttributeMaxDynamicSharedMemorySize &&
                          (value < 0 || (size_t)value > SHARED_BYTES_MAX)),
              hipErrorInvalidValue);
    REFUSE_IF(attribute == hipFuncAttributeMaxDynamicSharedMemorySize && !ask(kernel, (size_t)value),
              hipErrorOutOfMemory);
    return hipSuccess;
}

/* A kernel that waits for nothing runs as well with any block. */
hipError_t hipOccupancyMaxPotentialBlockSize(int *grid, int *block, const void *kernel, size_t shared_bytes, int limit)
{
    int blocks = 0, size = limit > 0 && limit < THREADS_MAX ? limit : THREADS_MAX;

    REFUSE_IF(!grid || !block, hipErrorInvalidValue);
    hipError_t error = hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, size, shared_bytes);
    if (error == hipSuccess) {
        *block = size;
        *grid = blocks * (int)hip_cpu_config.workers;
    }
    return error;
}

hipError_t hipFuncGetAttributes(hipFuncAttributes *attributes, const void *kernel)
{
    TRY(hip_cpu_enter(__func__));
    REFUSE_IF(!attributes || !kernel, hipErrorInvalidValue);
    *attributes = (hipFuncAttributes){.maxThreadsPerBlock = THREADS_MAX,
                                      .maxDynamicSharedSizeBytes = (int)hip_cpu_shared_limit(kernel)};
    return hipSuccess;
}

static hipError_t accept(const char *call, const void *kernel)
{
    TRY(hip_cpu_enter(call));
    return hip_cpu_error(kernel ? hipSuccess : hipErrorInvalidDeviceFunction);
}

hipError_t hipFuncSetCacheConfig(const void *kernel, UNUSED hipFuncCache_t config) { return accept(__func__, kernel); }

hipError_t hipFuncSetSharedMemConfig(const void *kernel, UNUSED hipSharedMemConfig config)
{
    return accept(__func__, kernel);
}
