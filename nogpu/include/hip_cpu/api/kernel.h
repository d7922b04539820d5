/* What hosts ask about kernels, and launches by address; part of api.h.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_API_KERNEL_H
#define HIP_CPU_API_KERNEL_H

typedef enum hipFuncAttribute {
    hipFuncAttributeMaxDynamicSharedMemorySize = 8,
    hipFuncAttributePreferredSharedMemoryCarveout = 9
} hipFuncAttribute;

typedef struct hipFuncAttributes {
    int binaryVersion, cacheModeCA;
    size_t constSizeBytes, localSizeBytes;
    int maxDynamicSharedSizeBytes, maxThreadsPerBlock, numRegs, preferredShmemCarveout, ptxVersion;
    size_t sharedSizeBytes;
} hipFuncAttributes;

typedef enum hipFuncCache_t {
    hipFuncCachePreferNone,
    hipFuncCachePreferShared,
    hipFuncCachePreferL1,
    hipFuncCachePreferEqual
} hipFuncCache_t;
typedef enum hipSharedMemConfig {
    hipSharedMemBankSizeDefault,
    hipSharedMemBankSizeFourByte,
    hipSharedMemBankSizeEightByte
} hipSharedMemConfig;

#ifdef __cplusplus
extern "C" {
#endif

/* Of a cooperative launch: then a multiprocessor, which here is a worker thread, has several blocks. */
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int block_size,
                                                        size_t shared_bytes);
hipError_t hipOccupancyMaxPotentialBlockSize(int *grid, int *block, const void *kernel, size_t shared_bytes, int limit);
hipError_t hipFuncGetAttributes(hipFuncAttributes *attributes, const void *kernel);
hipError_t hipFuncSetAttribute(const void *kernel, hipFuncAttribute attribute, int value);
hipError_t hipFuncSetCacheConfig(const void *kernel, hipFuncCache_t config);
hipError_t hipFuncSetSharedMemConfig(const void *kernel, hipSharedMemConfig config);
hipError_t hipDeviceSetCacheConfig(hipFuncCache_t config);
hipError_t hipDeviceGetCacheConfig(hipFuncCache_t *config);
hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig config);
hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig *config);

#ifdef __cplusplus
}

/* The kernel itself, also a template with its arguments. */
template <typename... P>
static inline hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void (*kernel)(P...), int block_size,
                                                                      size_t shared_bytes)
{
    return hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, block_size, shared_bytes);
}
template <typename K>
static inline hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, K kernel, int block_size,
                                                                               size_t shared_bytes, unsigned = 0)
{
    return hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, block_size, shared_bytes);
}
template <typename... P>
static inline hipError_t hipOccupancyMaxPotentialBlockSize(int *grid, int *block, void (*kernel)(P...),
                                                           size_t shared_bytes = 0, int limit = 0)
{
    return hipOccupancyMaxPotentialBlockSize(grid, block, (const void *)kernel, shared_bytes, limit);
}
template <typename K, typename S>
static inline hipError_t hipOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, K kernel, S,
                                                                       int limit = 0)
{
    return hipOccupancyMaxPotentialBlockSize(grid, block, (const void *)kernel, 0, limit);
}
template <typename... P>
static inline hipError_t hipFuncGetAttributes(hipFuncAttributes *attributes, void (*kernel)(P...))
{
    return hipFuncGetAttributes(attributes, (const void *)kernel);
}
template <typename... P>
static inline hipError_t hipFuncSetAttribute(void (*kernel)(P...), hipFuncAttribute attribute, int value)
{
    return hipFuncSetAttribute((const void *)kernel, attribute, value);
}
template <typename... P> static inline hipError_t hipFuncSetCacheConfig(void (*kernel)(P...), hipFuncCache_t config)
{
    return hipFuncSetCacheConfig((const void *)kernel, config);
}
template <typename... P>
static inline hipError_t hipFuncSetSharedMemConfig(void (*kernel)(P...), hipSharedMemConfig config)
{
    return hipFuncSetSharedMemConfig((const void *)kernel, config);
}
#endif

#endif
