/* The current thread and its observer, which kernels and the whole runtime refer to.
 * SPDX-License-Identifier: MIT */
#include "internal.h"

__thread struct hip_cpu_thread *hip_cpu_current, *hip_cpu_straight;
__thread struct worker *hip_cpu_worker;
__thread uint3 threadIdx, blockIdx;
__thread dim3 blockDim, gridDim;

/* Global, because kernels that report to it are passed nothing. */
const struct hip_cpu_observer *hip_cpu_observer;

bool hip_cpu_is_here(const void *address)
{
#define IS_IN(variable) ((uintptr_t)address - (uintptr_t) & (variable) < sizeof(variable))
    return IS_IN(hip_cpu_current) || IS_IN(hip_cpu_straight) || IS_IN(hip_cpu_worker) || IS_IN(threadIdx) ||
           IS_IN(blockIdx) || IS_IN(blockDim) || IS_IN(gridDim) || IS_IN(hip_cpu_late);
}
