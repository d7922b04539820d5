/* The device and what it can do, errors, streams and events.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

/* ---- errors ---- */

static __thread hipError_t last_error;

hipError_t hip_cpu_error(hipError_t error)
{
    if (error != hipSuccess)
        last_error = error;
    return error;
}

hipError_t hipGetLastError(void)
{
    hipError_t error = last_error;
    last_error = hipSuccess;
    return error;
}

hipError_t hipPeekAtLastError(void)
{
    return last_error;
}

const char *hipGetErrorName(hipError_t error)
{
#define NAME(name, value, meaning)                                                                 \
    case name:                                                                                     \
        return #name;
    switch (error) {
        HIP_CPU_ERRORS(NAME)
    }
    return "hipErrorUnknown";
}

const char *hipGetErrorString(hipError_t error)
{
#define MEANING(name, value, meaning)                                                              \
    case name:                                                                                     \
        return meaning;
    switch (error) {
        HIP_CPU_ERRORS(MEANING)
    }
    return "unknown error";
}

/* ---- device ---- */

static hipError_t check_device(int device)
{
    if (!hip_cpu_config.visible)
        return hipErrorNoDevice;
    return device == 0 ? hipSuccess : hipErrorInvalidDevice;
}

/* The first value of `key` in /proc/cpuinfo, or false. */
static bool cpuinfo(const char *key, char *value, size_t size)
{
    char line[512];
    bool found = false;
    FILE *file = fopen("/proc/cpuinfo", "r");

    while (file && !found && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (!colon || strncmp(line, key, strlen(key)) != 0)
            continue;
        colon += 1 + strspn(colon + 1, " \t");
        colon[strcspn(colon, "\n")] = '\0';
        snprintf(value, size, "%s", colon);
        found = true;
    }
    if (file)
        fclose(file);
    return found;
}

static int clock_kilohertz(void)
{
    char text[64];
    return cpuinfo("cpu MHz", text, sizeof text) ? (int)(atof(text) * 1000) : 0;
}

static int l2_bytes(void)
{
#ifdef _SC_LEVEL2_CACHE_SIZE
    long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
    return bytes > 0 ? (int)bytes : 0;
#else
    return 0;
#endif
}

hipError_t hipInit(unsigned flags)
{
    return hip_cpu_error(flags == 0 ? check_device(0) : hipErrorInvalidValue);
}

hipError_t hipGetDeviceCount(int *count)
{
    if (hip_cpu_fails(__func__))
        return hip_cpu_error(hipErrorUnknown);
    if (!count)
        return hip_cpu_error(hipErrorInvalidValue);
    *count = hip_cpu_config.visible;
    return hip_cpu_error(check_device(0));
}

hipError_t hipSetDevice(int device)
{
    if (hip_cpu_fails(__func__))
        return hip_cpu_error(hipErrorUnknown);
    return hip_cpu_error(check_device(device));
}

hipError_t hipGetDevice(int *device)
{
    if (!device)
        return hip_cpu_error(hipErrorInvalidValue);
    *device = 0;
    return hip_cpu_error(check_device(0));
}

hipError_t hipDeviceGetAttribute(int *value, hipDeviceAttribute_t attribute, int device)
{
    if (hip_cpu_fails(__func__))
        return hip_cpu_error(hipErrorUnknown);
    if (!value)
        return hip_cpu_error(hipErrorInvalidValue);
    if (check_device(device) != hipSuccess)
        return hip_cpu_error(check_device(device));
    switch (attribute) {
    case hipDeviceAttributeEccEnabled:
    case hipDeviceAttributeConcurrentKernels:
    case hipDeviceAttributeManagedMemory:
    case hipDeviceAttributeMemoryBusWidth:
    case hipDeviceAttributeMemoryClockRate:
    case hipDeviceAttributeComputeCapabilityMajor:
    case hipDeviceAttributeComputeCapabilityMinor:
    case hipDeviceAttributeMaxRegistersPerBlock:
    case hipDeviceAttributeMaxRegistersPerMultiprocessor:
        *value = 0;
        break;
    case hipDeviceAttributeCooperativeLaunch:
    case hipDeviceAttributeIntegrated:
    case hipDeviceAttributeUnifiedAddressing:
        *value = 1;
        break;
    case hipDeviceAttributeClockRate:
        *value = clock_kilohertz();
        break;
    case hipDeviceAttributeWallClockRate:
        *value = 1000000;
        break;
    case hipDeviceAttributeL2CacheSize:
        *value = l2_bytes();
        break;
    case hipDeviceAttributeMaxBlockDimX:
    case hipDeviceAttributeMaxBlockDimY:
    case hipDeviceAttributeMaxBlockDimZ:
    case hipDeviceAttributeMaxThreadsPerBlock:
        *value = THREADS_MAX;
        break;
    /* A core runs one block at a time; but with more blocks each thread reads fewer elements before the next
     * thread reads the same cache lines. */
    case hipDeviceAttributeMaxThreadsPerMultiProcessor:
        *value = THREADS_PER_UNIT;
        break;
    case hipDeviceAttributeMaxGridDimX:
        *value = (int)GRID_X_MAX;
        break;
    case hipDeviceAttributeMaxGridDimY:
    case hipDeviceAttributeMaxGridDimZ:
        *value = (int)GRID_YZ_MAX;
        break;
    case hipDeviceAttributeMaxSharedMemoryPerBlock:
    case hipDeviceAttributeMaxSharedMemoryPerMultiprocessor:
        *value = (int)SHARED_BYTES_MAX;
        break;
    case hipDeviceAttributeMultiprocessorCount:
        *value = (int)hip_cpu_config.workers;
        break;
    case hipDeviceAttributeWarpSize:
        *value = warpSize;
        break;
    default:
        return hip_cpu_error(hipErrorInvalidValue);
    }
    return hipSuccess;
}

/* One device, which all processes of a machine share. */
hipError_t hipDeviceGetPCIBusId(char *id, int size, int device)
{
    if (hip_cpu_fails(__func__))
        return hip_cpu_error(hipErrorUnknown);
    if (check_device(device) != hipSuccess)
        return hip_cpu_error(check_device(device));
    if (!id || size <= 0)
        return hip_cpu_error(hipErrorInvalidValue);
    snprintf(id, (size_t)size, "cpu");
    return hipSuccess;
}

hipError_t hipDeviceGetName(char *name, int size, int device)
{
    char model[200];

    if (check_device(device) != hipSuccess)
        return hip_cpu_error(check_device(device));
    if (!name || size <= 0)
        return hip_cpu_error(hipErrorInvalidValue);
    if (!cpuinfo("model name", model, sizeof model))
        snprintf(model, sizeof model, "processor");
    snprintf(name, (size_t)size, "CPU: %s, %u worker%s", model, hip_cpu_config.workers,
             hip_cpu_config.workers == 1 ? "" : "s");
    return hipSuccess;
}

hipError_t hipGetDeviceProperties(hipDeviceProp_t *p, int device)
{
    if (hip_cpu_fails(__func__))
        return hip_cpu_error(hipErrorUnknown);
    if (check_device(device) != hipSuccess)
        return hip_cpu_error(check_device(device));
    if (!p)
        return hip_cpu_error(hipErrorInvalidValue);
    memset(p, 0, sizeof *p);
    (void)hipDeviceGetName(p->name, sizeof p->name, device);
    (void)hipDeviceTotalMem(&p->totalGlobalMem, device);
    strcpy(p->gcnArchName, "cpu");
    p->sharedMemPerBlock = SHARED_BYTES_MAX;
    p->maxSharedMemoryPerMultiProcessor = SHARED_BYTES_MAX;
    p->warpSize = warpSize;
    p->maxThreadsPerBlock = THREADS_MAX;
    p->maxThreadsPerMultiProcessor = THREADS_PER_UNIT;
    for (int i = 0; i < 3; i++) {
        p->maxThreadsDim[i] = THREADS_MAX;
        p->maxGridSize[i] = i == 0 ? (int)GRID_X_MAX : (int)GRID_YZ_MAX;
    }
    p->clockRate = clock_kilohertz();
    p->multiProcessorCount = (int)hip_cpu_config.workers;
    p->l2CacheSize = l2_bytes();
    p->cooperativeLaunch = 1;
    p->integrated = 1;
    p->canMapHostMemory = 1;
    return hipSuccess;
}

hipError_t hipDriverGetVersion(int *version)
{
    if (hip_cpu_fails(__func__))
        return hip_cpu_error(hipErrorUnknown);
    if (!version)
        return hip_cpu_error(hipErrorInvalidValue);
    *version = HIP_VERSION;
    return hipSuccess;
}

hipError_t hipRuntimeGetVersion(int *version)
{
    return hipDriverGetVersion(version);
}

hipError_t hipDeviceSynchronize(void)
{
    if (hip_cpu_fails(__func__))
        return hip_cpu_error(hipErrorUnknown);
    return hip_cpu_error(check_device(0));
}

hipError_t hipDeviceReset(void)
{
    return hip_cpu_error(check_device(0));
}

hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel,
                                                        int block_size, size_t shared_bytes)
{
    if (hip_cpu_fails(__func__))
        return hip_cpu_error(hipErrorUnknown);
    if (check_device(0) != hipSuccess)
        return hip_cpu_error(check_device(0));
    if (!blocks || !kernel || block_size <= 0)
        return hip_cpu_error(hipErrorInvalidValue);
    *blocks = block_size <= THREADS_MAX && shared_bytes <= SHARED_BYTES_MAX &&
              !hip_cpu_fails("occupancy");
    return hipSuccess;
}

hipError_t hipFuncSetAttribute(const void *kernel, hipFuncAttribute attribute, int value)
{
    if (hip_cpu_fails(__func__))
        return hip_cpu_error(hipErrorUnknown);
    if (!kernel || (attribute == hipFuncAttributeMaxDynamicSharedMemorySize &&
                    (value < 0 || (size_t)value > SHARED_BYTES_MAX)))
        return hip_cpu_error(hipErrorInvalidValue);
    return hipSuccess;
}

/* ---- streams: all work is done when a call returns, so they hold nothing ---- */

struct hip_cpu_stream {
    unsigned flags;
};

hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned flags)
{
    if (hip_cpu_fails(__func__))
        return hip_cpu_error(hipErrorOutOfMemory);
    if (check_device(0) != hipSuccess)
        return hip_cpu_error(check_device(0));
    if (!stream || flags > hipStreamNonBlocking)
        return hip_cpu_error(hipErrorInvalidValue);
    *stream = malloc(sizeof **stream);
    if (!*stream)
        return hip_cpu_error(hipErrorOutOfMemory);
    (*stream)->flags = flags;
    return hipSuccess;
}

hipError_t hipStreamCreate(hipStream_t *stream)
{
    return hipStreamCreateWithFlags(stream, hipStreamDefault);
}

hipError_t hipStreamDestroy(hipStream_t stream)
{
    if (hip_cpu_fails(__func__))
        return hip_cpu_error(hipErrorUnknown);
    if (!stream)
        return hip_cpu_error(hipErrorInvalidHandle);
    free(stream);
    return hipSuccess;
}

hipError_t hipStreamSynchronize(hipStream_t stream)
{
    if (hip_cpu_fails(__func__))
        return hip_cpu_error(hipErrorUnknown);
    (void)stream;
    return hip_cpu_error(check_device(0));
}

hipError_t hipStreamQuery(hipStream_t stream)
{
    return hipStreamSynchronize(stream);
}

/* ---- events ---- */

struct hip_cpu_event {
    uint64_t nanoseconds; /* 0: not recorded */
    unsigned flags;
};

uint64_t hip_cpu_nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned flags)
{
    if (hip_cpu_fails(__func__))
        return hip_cpu_error(hipErrorOutOfMemory);
    if (check_device(0) != hipSuccess)
        return hip_cpu_error(check_device(0));
    if (!event)
        return hip_cpu_error(hipErrorInvalidValue);
    *event = calloc(1, sizeof **event);
    if (!*event)
        return hip_cpu_error(hipErrorOutOfMemory);
    (*event)->flags = flags;
    return hipSuccess;
}

hipError_t hipEventCreate(hipEvent_t *event)
{
    return hipEventCreateWithFlags(event, hipEventDefault);
}

hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream)
{
    if (hip_cpu_fails(__func__))
        return hip_cpu_error(hipErrorUnknown);
    (void)stream;
    if (!event)
        return hip_cpu_error(hipErrorInvalidHandle);
    event->nanoseconds = hip_cpu_nanoseconds();
    return hipSuccess;
}

hipError_t hipEventSynchronize(hipEvent_t event)
{
    if (hip_cpu_fails(__func__))
        return hip_cpu_error(hipErrorUnknown);
    return event ? hipSuccess : hip_cpu_error(hipErrorInvalidHandle);
}

hipError_t hipEventQuery(hipEvent_t event)
{
    return hipEventSynchronize(event);
}

hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags)
{
    (void)stream;
    (void)flags;
    return hipEventSynchronize(event);
}

hipError_t hipEventElapsedTime(float *milliseconds, hipEvent_t start, hipEvent_t stop)
{
    if (hip_cpu_fails(__func__))
        return hip_cpu_error(hipErrorUnknown);
    if (!milliseconds)
        return hip_cpu_error(hipErrorInvalidValue);
    if (!start || !stop || (start->flags | stop->flags) & hipEventDisableTiming ||
        start->nanoseconds == 0 || stop->nanoseconds == 0)
        return hip_cpu_error(hipErrorInvalidHandle);
    int64_t elapsed = (int64_t)(stop->nanoseconds - start->nanoseconds);
    *milliseconds = (float)((double)elapsed * 1e-6);
    return hipSuccess;
}

hipError_t hipEventDestroy(hipEvent_t event)
{
    if (hip_cpu_fails(__func__))
        return hip_cpu_error(hipErrorUnknown);
    if (!event)
        return hip_cpu_error(hipErrorInvalidHandle);
    free(event);
    return hipSuccess;
}
