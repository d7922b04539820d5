/* The device and its properties.
 * SPDX-License-Identifier: MIT */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../internal.h"

/* Programs ask whether a device can what they need: this one can what they were compiled for (hip_cpu/target.h), or what an
 * MI200 does and, for programs of CUDA, an A100, as HIP_CPU_CUDA_ARCH says. */
extern const int hip_cpu_target __attribute__((weak));
#define CAPABILITY       (&hip_cpu_target ? hip_cpu_target : hip_cpu_config.cuda ? 800 : 900)
#define CAPABILITY_MAJOR (CAPABILITY / 100)
#define CAPABILITY_MINOR (CAPABILITY / 10 % 10)
#define CONSTANT_BYTES   65536

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
    return hip_cpu_error(flags == 0 ? hip_cpu_check_device(0) : hipErrorInvalidValue);
}

hipError_t hipGetDeviceCount(int *count)
{
    REFUSE_IF(hip_cpu_fails(__func__), hipErrorUnknown);
    REFUSE_IF(!count, hipErrorInvalidValue);
    *count = (int)hip_cpu_config.devices;
    return hip_cpu_error(hip_cpu_check_device(0));
}

static __thread int current_device;

int hip_cpu_device(void) { return current_device; }

hipError_t hipSetDevice(int device)
{
    REFUSE_IF(hip_cpu_fails(__func__), hipErrorUnknown);
    TRY(hip_cpu_check_device(device));
    current_device = device;
    return hipSuccess;
}

hipError_t hipGetDevice(int *device)
{
    REFUSE_IF(!device, hipErrorInvalidValue);
    *device = current_device;
    return hip_cpu_error(hip_cpu_check_device(0));
}

/* Those that are not named: a CPU has none of it, or it is unknown. A core runs one block at a time; but with more blocks
 * (THREADS_PER_UNIT) each thread reads fewer elements before the next thread reads the same cache lines. */
static int fixed_attribute(hipDeviceAttribute_t attribute)
{
    const int values[hipDeviceAttributeVirtualMemoryManagementSupported + 1] = {
        [hipDeviceAttributeComputeCapabilityMajor] = CAPABILITY_MAJOR,
        [hipDeviceAttributeComputeCapabilityMinor] = CAPABILITY_MINOR,
        [hipDeviceAttributeAsyncEngineCount] = 1,
        [hipDeviceAttributeCooperativeLaunch] = 1,
        [hipDeviceAttributeImageSupport] = 1,
        [hipDeviceAttributeIntegrated] = 1,
        [hipDeviceAttributeUnifiedAddressing] = 1,
        [hipDeviceAttributeCanMapHostMemory] = 1,
        [hipDeviceAttributeCanUseHostPointerForRegisteredMem] = 1,
        [hipDeviceAttributeComputePreemptionSupported] = 1,
        [hipDeviceAttributeDirectManagedMemAccessFromHost] = 1,
        [hipDeviceAttributeFineGrainSupport] = 1,
        [hipDeviceAttributeHostNativeAtomicSupported] = 1,
        [hipDeviceAttributeHostRegisterSupported] = 1,
        [hipDeviceAttributeManagedMemory] = 1,
        [hipDeviceAttributeMemoryPoolsSupported] = 1,
        [hipDeviceAttributePageableMemoryAccess] = 1,
        [hipDeviceAttributePageableMemoryAccessUsesHostPageTables] = 1,
        [hipDeviceAttributeStreamPrioritiesSupported] = 1,
        [hipDeviceAttributeMaxBlocksPerMultiProcessor] = UNIT_BLOCKS_MAX,
        [hipDeviceAttributeMaxPitch] = INT_MAX,
        [hipDeviceAttributeTotalConstantMemory] = CONSTANT_BYTES,
        [hipDeviceAttributeWallClockRate] = 1000000,
        [hipDeviceAttributeMaxThreadsPerBlock] = THREADS_MAX,
        [hipDeviceAttributeMaxBlockDimX] = THREADS_MAX,
        [hipDeviceAttributeMaxBlockDimY] = THREADS_MAX,
        [hipDeviceAttributeMaxBlockDimZ] = BLOCK_Z_MAX,
        [hipDeviceAttributeMaxThreadsPerMultiProcessor] = THREADS_PER_UNIT,
        [hipDeviceAttributeMaxGridDimX] = (int)GRID_X_MAX,
        [hipDeviceAttributeMaxGridDimY] = (int)GRID_YZ_MAX,
        [hipDeviceAttributeMaxGridDimZ] = (int)GRID_YZ_MAX,
        [hipDeviceAttributeMaxSharedMemoryPerBlock] = (int)SHARED_BYTES_UNASKED,
        [hipDeviceAttributeMaxSharedMemoryPerMultiprocessor] = (int)SHARED_BYTES_MAX,
        [hipDeviceAttributeSharedMemPerBlockOptin] = (int)SHARED_BYTES_MAX,
        [hipDeviceAttributeMultiprocessorCount] = (int)hip_cpu_config.workers,
        [hipDeviceAttributeWarpSize] = warpSize,
    };

    return values[attribute];
}

hipError_t hipDeviceGetAttribute(int *value, hipDeviceAttribute_t attribute, int device)
{
    REFUSE_IF(hip_cpu_fails(__func__), hipErrorUnknown);
    REFUSE_IF(!value, hipErrorInvalidValue);
    TRY(hip_cpu_check_device(device));
    REFUSE_IF((unsigned)attribute > hipDeviceAttributeVirtualMemoryManagementSupported, hipErrorInvalidValue);
    *value = attribute == hipDeviceAttributeClockRate     ? clock_kilohertz()
             : attribute == hipDeviceAttributeL2CacheSize ? l2_bytes()
                                                          : fixed_attribute(attribute);
    return hipSuccess;
}

/* All processes of a machine share a device. */
hipError_t hipDeviceGetPCIBusId(char *id, int size, int device)
{
    REFUSE_IF(hip_cpu_fails(__func__), hipErrorUnknown);
    TRY(hip_cpu_check_device(device));
    REFUSE_IF(!id || size <= 0, hipErrorInvalidValue);
    snprintf(id, (size_t)size, device == 0 ? "cpu" : "cpu%d", device);
    return hipSuccess;
}

hipError_t hipDeviceGetName(char *name, int size, int device)
{
    char model[200];

    TRY(hip_cpu_check_device(device));
    REFUSE_IF(!name || size <= 0, hipErrorInvalidValue);
    if (!cpuinfo("model name", model, sizeof model))
        snprintf(model, sizeof model, "processor");
    snprintf(name, (size_t)size, "CPU: %s, %u worker%s", model, hip_cpu_config.workers,
             hip_cpu_config.workers == 1 ? "" : "s");
    return hipSuccess;
}

hipError_t hipGetDeviceProperties(hipDeviceProp_t *p, int device)
{
    REFUSE_IF(hip_cpu_fails(__func__), hipErrorUnknown);
    TRY(hip_cpu_check_device(device));
    REFUSE_IF(!p, hipErrorInvalidValue);
    memset(p, 0, sizeof *p);
    (void)hipDeviceGetName(p->name, sizeof p->name, device);
    (void)hipDeviceTotalMem(&p->totalGlobalMem, device);
    strcpy(p->gcnArchName, "cpu");
    p->sharedMemPerBlock = SHARED_BYTES_UNASKED;
    p->maxSharedMemoryPerMultiProcessor = SHARED_BYTES_MAX;
    p->warpSize = warpSize;
    p->maxThreadsPerBlock = THREADS_MAX;
    p->maxThreadsPerMultiProcessor = THREADS_PER_UNIT;
    for (int i = 0; i < 3; i++) {
        p->maxThreadsDim[i] = i == 2 ? BLOCK_Z_MAX : THREADS_MAX;
        p->maxGridSize[i] = i == 0 ? (int)GRID_X_MAX : (int)GRID_YZ_MAX;
    }
    p->clockRate = clock_kilohertz();
    p->multiProcessorCount = (int)hip_cpu_config.workers;
    p->l2CacheSize = l2_bytes();
    p->major = CAPABILITY_MAJOR;
    p->minor = CAPABILITY_MINOR;
    p->sharedMemPerBlockOptin = p->sharedMemPerMultiprocessor = SHARED_BYTES_MAX;
    p->totalConstMem = CONSTANT_BYTES;
    p->memPitch = INT_MAX;
    p->maxBlocksPerMultiProcessor = UNIT_BLOCKS_MAX;
    p->asyncEngineCount = p->deviceOverlap = 1; /* without, many programs with streams stop */
    p->cooperativeLaunch = p->computePreemptionSupported = 1;
    p->streamPrioritiesSupported = p->memoryPoolsSupported = 1;
    p->integrated = p->unifiedAddressing = 1;
    p->canMapHostMemory = p->canUseHostPointerForRegisteredMem = p->hostRegisterSupported = 1;
    p->hostNativeAtomicSupported = p->directManagedMemAccessFromHost = 1;
    p->managedMemory = 1;
    p->pageableMemoryAccess = p->pageableMemoryAccessUsesHostPageTables = 1;
    p->clockInstructionRate = 1000000; /* of clock64(), in kHz */
    p->arch = (hipDeviceArch_t){.hasGlobalInt32Atomics = 1,
                                .hasGlobalFloatAtomicExch = 1,
                                .hasSharedInt32Atomics = 1,
                                .hasSharedFloatAtomicExch = 1,
                                .hasFloatAtomicAdd = 1,
                                .hasGlobalInt64Atomics = 1,
                                .hasSharedInt64Atomics = 1,
                                .hasDoubles = 1,
                                .hasWarpVote = 1,
                                .hasWarpBallot = 1,
                                .hasWarpShuffle = 1,
                                .hasFunnelShift = 1,
                                .hasThreadFenceSystem = 1,
                                .hasSyncThreadsExt = 1,
                                .has3dGrid = 1};
    return hipSuccess;
}

hipError_t hipDriverGetVersion(int *version)
{
    REFUSE_IF(hip_cpu_fails(__func__), hipErrorUnknown);
    REFUSE_IF(!version, hipErrorInvalidValue);
    *version = HIP_VERSION;
    return hipSuccess;
}

hipError_t hipRuntimeGetVersion(int *version) { return hipDriverGetVersion(version); }

hipError_t hipDeviceSynchronize(void)
{
    hipError_t error = hip_cpu_enter(__func__);
    char who[512];

    if (hip_cpu_current) {
        hip_cpu_describe_thread(who, sizeof who);
        hip_cpu_fatal("%s, waits for the device, which no kernel can (CUDA 12): put what follows "
                      "into a kernel, "
                      "and launch that into cudaStreamTailLaunch\n",
                      who);
    }
    if (error == hipSuccess)
        error = hip_cpu_may_wait_for_all();
    return hip_cpu_error(error == hipSuccess ? hip_cpu_wait() : error);
}

hipError_t hipDeviceReset(void) { return hip_cpu_error(hip_cpu_check_device(0)); }
