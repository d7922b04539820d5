/* The current thread and its observer, which kernels and the whole runtime refer to.
 * SPDX-License-Identifier: MIT */
#include "internal.h"

__thread struct hip_cpu_thread *hip_cpu_current;
__thread struct worker *hip_cpu_worker;
__thread uint3 threadIdx, blockIdx;
__thread dim3 blockDim, gridDim;

/* Global, because kernels that report to it are passed nothing. */
const struct hip_cpu_observer *hip_cpu_observer;

bool hip_cpu_is_here(const void *address)
{
    const struct {
        const void *start;
        size_t bytes;
    } variables[] = {
        {&hip_cpu_current, sizeof hip_cpu_current},
        {&hip_cpu_worker, sizeof hip_cpu_worker},
        {&threadIdx, sizeof threadIdx},
        {&blockIdx, sizeof blockIdx},
        {&blockDim, sizeof blockDim},
        {&gridDim, sizeof gridDim},
        {&hip_cpu_late, sizeof hip_cpu_late},
    };

    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        if ((uintptr_t)address - (uintptr_t)variables[i].start < variables[i].bytes)
            return true;
    }
    return false;
}
