/* What samples keep temporary storage in, and check calls with.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_PRIMITIVES_ALLOCATOR_H
#define HIP_CPU_PRIMITIVES_ALLOCATOR_H

#include "hip_cpu/primitives/operators.h"

namespace cub
{
struct CachingDeviceAllocator {
    template <typename... Settings> CachingDeviceAllocator(Settings...) {}
    hipError_t DeviceAllocate(void **pointer, size_t bytes, hipStream_t = 0) { return hipMalloc(pointer, bytes); }
    hipError_t DeviceFree(void *pointer) { return hipFree(pointer); }
    hipError_t FreeAllCached() { return hipSuccess; }
};
static inline hipError_t hip_cpu_debug(hipError_t error, const char *file, int line)
{
    if (error != hipSuccess)
        fprintf(stderr, "%s:%d: %s\n", file, line, hipGetErrorString(error));
    return error;
}
} // namespace cub

#define CubDebug(call)     cub::hip_cpu_debug(call, __FILE__, __LINE__)
#define CubDebugExit(call) (CubDebug(call) != hipSuccess ? exit(1) : (void)0)
#define HipcubDebug(call)  CubDebug(call)
#define HIPCUB_RUNTIME_FUNCTION
#define CUB_RUNTIME_FUNCTION

#endif
