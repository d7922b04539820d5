/* What programs ask about a device: attributes one by one, and all at once in hipDeviceProp_t.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_PROPERTIES_H
#define HIP_CPU_PROPERTIES_H

#include <stddef.h>

typedef enum hipDeviceAttribute_t {
    hipDeviceAttributeEccEnabled,
    hipDeviceAttributeClockRate, /* kHz; 0: unknown */
    hipDeviceAttributeComputeCapabilityMajor,
    hipDeviceAttributeComputeCapabilityMinor,
    hipDeviceAttributeConcurrentKernels,
    hipDeviceAttributeCooperativeLaunch,
    hipDeviceAttributeIntegrated,
    hipDeviceAttributeL2CacheSize, /* bytes; 0: unknown */
    hipDeviceAttributeManagedMemory,
    hipDeviceAttributeMaxBlockDimX,
    hipDeviceAttributeMaxBlockDimY,
    hipDeviceAttributeMaxBlockDimZ,
    hipDeviceAttributeMaxGridDimX,
    hipDeviceAttributeMaxGridDimY,
    hipDeviceAttributeMaxGridDimZ,
    hipDeviceAttributeMaxRegistersPerBlock,
    hipDeviceAttributeMaxRegistersPerMultiprocessor,
    hipDeviceAttributeMaxSharedMemoryPerBlock,
    hipDeviceAttributeMaxSharedMemoryPerMultiprocessor,
    hipDeviceAttributeMaxThreadsPerBlock,
    hipDeviceAttributeMaxThreadsPerMultiProcessor,
    hipDeviceAttributeMemoryBusWidth,  /* bits; 0: unknown, as on every CPU */
    hipDeviceAttributeMemoryClockRate, /* kHz; 0: unknown, as on every CPU */
    hipDeviceAttributeMultiprocessorCount,
    hipDeviceAttributeUnifiedAddressing,
    hipDeviceAttributeWallClockRate, /* kHz of wall_clock64() */
    hipDeviceAttributeWarpSize,
    hipDeviceAttributeAsyncEngineCount,
    hipDeviceAttributeCanMapHostMemory,
    hipDeviceAttributeCanUseHostPointerForRegisteredMem,
    hipDeviceAttributeComputeMode,
    hipDeviceAttributeComputePreemptionSupported,
    hipDeviceAttributeConcurrentManagedAccess,
    hipDeviceAttributeCooperativeMultiDeviceLaunch,
    hipDeviceAttributeDirectManagedMemAccessFromHost,
    hipDeviceAttributeFineGrainSupport,
    hipDeviceAttributeGlobalL1CacheSupported,
    hipDeviceAttributeHostNativeAtomicSupported,
    hipDeviceAttributeHostRegisterSupported,
    hipDeviceAttributeKernelExecTimeout,
    hipDeviceAttributeMaxBlocksPerMultiProcessor,
    hipDeviceAttributeMaxPitch,
    hipDeviceAttributeMemoryPoolsSupported,
    hipDeviceAttributePageableMemoryAccess,
    hipDeviceAttributePageableMemoryAccessUsesHostPageTables,
    hipDeviceAttributePciBusId,
    hipDeviceAttributePciDeviceId,
    hipDeviceAttributePciDomainID,
    hipDeviceAttributeSharedMemPerBlockOptin,
    hipDeviceAttributeStreamPrioritiesSupported,
    hipDeviceAttributeImageSupport,
    hipDeviceAttributeTextureAlignment,
    hipDeviceAttributeTotalConstantMemory,
    hipDeviceAttributeVirtualMemoryManagementSupported
} hipDeviceAttribute_t;

/* Which of them a GPU of AMD's older ones might lack: all are there. */
typedef struct hipDeviceArch_t {
    unsigned hasGlobalInt32Atomics : 1, hasGlobalFloatAtomicExch : 1, hasSharedInt32Atomics : 1,
        hasSharedFloatAtomicExch : 1, hasFloatAtomicAdd : 1, hasGlobalInt64Atomics : 1, hasSharedInt64Atomics : 1,
        hasDoubles : 1, hasWarpVote : 1, hasWarpBallot : 1, hasWarpShuffle : 1, hasFunnelShift : 1,
        hasThreadFenceSystem : 1, hasSyncThreadsExt : 1, hasSurfaceFuncs : 1, has3dGrid : 1, hasDynamicParallelism : 1;
} hipDeviceArch_t;

typedef struct hipUUID_t {
    char bytes[16];
} hipUUID;

/* 0: unknown, or a CPU has none of it. */
typedef struct hipDeviceProp_t {
    char name[256];
    char gcnArchName[256]; /* "cpu" */
    hipUUID uuid;
    size_t totalGlobalMem;
    size_t sharedMemPerBlock, sharedMemPerBlockOptin, sharedMemPerMultiprocessor;
    size_t reservedSharedMemPerBlock;
    size_t maxSharedMemoryPerMultiProcessor;
    size_t totalConstMem;
    size_t memPitch;
    size_t textureAlignment, texturePitchAlignment, surfaceAlignment;
    int regsPerBlock, regsPerMultiprocessor;
    int warpSize;
    int maxThreadsPerBlock;
    int maxThreadsDim[3];
    int maxGridSize[3];
    int clockRate;       /* kHz */
    int memoryClockRate; /* kHz */
    int memoryBusWidth;  /* bits */
    int clockInstructionRate;
    int major, minor; /* of the instruction set: as a GPU that can what this platform can */
    int gcnArch;
    int multiProcessorCount;
    int maxThreadsPerMultiProcessor, maxBlocksPerMultiProcessor;
    int l2CacheSize, persistingL2CacheMaxSize, accessPolicyMaxWindowSize;
    int globalL1CacheSupported, localL1CacheSupported;
    int computeMode, computePreemptionSupported;
    int deviceOverlap, asyncEngineCount, concurrentKernels;
    int cooperativeLaunch, cooperativeMultiDeviceLaunch;
    int streamPrioritiesSupported, memoryPoolsSupported;
    int integrated, isLargeBar, isMultiGpuBoard, multiGpuBoardGroupID, tccDriver, asicRevision;
    int canMapHostMemory, canUseHostPointerForRegisteredMem, hostRegisterSupported;
    int hostNativeAtomicSupported, singleToDoublePrecisionPerfRatio;
    int managedMemory, concurrentManagedAccess, directManagedMemAccessFromHost;
    int pageableMemoryAccess, pageableMemoryAccessUsesHostPageTables;
    int unifiedAddressing;
    int ECCEnabled, kernelExecTimeoutEnabled;
    int pciDomainID, pciBusID, pciDeviceID;
    int maxTexture1D, maxTexture1DLinear, maxTexture2D[2], maxTexture3D[3];
    int maxTexture1DLayered[2], maxTexture2DLayered[3];
    hipDeviceArch_t arch;
} hipDeviceProp_t;

#endif
