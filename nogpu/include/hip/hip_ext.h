/* HIP for the CPU: launches with events before and behind them.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_EXT_H
#define HIP_CPU_EXT_H

#include "hip_cpu/kernel/kernels.h"

#ifdef __cplusplus
/* launch() between two events, which may be NULL. */
template <typename Launch>
static inline hipError_t hip_cpu_between(hipEvent_t before, hipEvent_t behind, hipStream_t stream, const Launch &launch)
{
    hipError_t error = before ? hipEventRecord(before, stream) : hipSuccess;
    if (error == hipSuccess)
        error = launch();
    return error == hipSuccess && behind ? hipEventRecord(behind, stream) : error;
}
#define hipExtLaunchKernelGGL(kernel, grid, block, shared_bytes, stream, before, behind, flags, ...)                   \
    ((void)hip_cpu_between(before, behind, stream, [&] {                                                               \
        HIP_CPU_LAUNCH(kernel)(grid, block, shared_bytes, stream)(__VA_ARGS__);                                        \
        return hipSuccess;                                                                                             \
    }))
#define hipExtLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream, before, behind, flags)                \
    hip_cpu_between(before, behind, stream,                                                                            \
                    [&] { return hipLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream); })
#endif

#endif
