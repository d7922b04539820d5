/* HIP for the CPU: launches with events before and behind them.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_EXT_H
#define HIP_CPU_EXT_H

#include "hip_cpu/kernel/kernels.h"

#ifdef __cplusplus
#define hipExtLaunchKernelGGL(kernel, grid, block, shared_bytes, stream, before, behind, flags,    \
                              ...)                                                                 \
    do {                                                                                           \
        hipEvent_t hip_cpu_before = before, hip_cpu_behind = behind;                               \
        if (hip_cpu_before)                                                                        \
            (void)hipEventRecord(hip_cpu_before, stream);                                          \
        HIP_CPU_LAUNCH(kernel)(grid, block, shared_bytes, stream)(__VA_ARGS__);                    \
        if (hip_cpu_behind)                                                                        \
            (void)hipEventRecord(hip_cpu_behind, stream);                                          \
    } while (0)
#endif

#endif
