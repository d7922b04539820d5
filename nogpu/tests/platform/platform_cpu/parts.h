/* Shared by the parts of test_platform_cpu.c.
 * SPDX-License-Identifier: MIT */
#ifndef PLATFORM_CPU_PARTS_H
#define PLATFORM_CPU_PARTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <hip/hip_runtime_api.h>

#include "suite.h"

#define POISON 0x7ff77ff77ff77ff7ull
/* Check writes to a file for every assertion, even if it holds: too slow inside of loops. */
#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            ck_abort_msg("%s", #condition);                                                                            \
    } while (0)
#define OK(call) MUST((call) == hipSuccess)

extern int warp, workers; /* of this run */

static inline void *device_bytes(size_t bytes)
{
    void *memory = NULL;
    OK(hipMalloc(&memory, bytes));
    OK(hipMemset(memory, 0, bytes));
    return memory;
}

#ifdef __cplusplus
template <typename T> static inline T *device_alloc(size_t count) { return (T *)device_bytes(count * sizeof(T)); }

/* The error of a launch. */
#define LAUNCH(kernel, grid, block, shared_bytes, ...)                                                                 \
    (hipLaunchKernelGGL(kernel, dim3(grid), dim3(block), shared_bytes, 0, __VA_ARGS__), hipGetLastError())

extern "C" {
#endif
/* Adds 1 to seen[] of every thread of the grid and checks its indices; wrong[0] counts mistakes. */
hipError_t run_indices(dim3 grid, dim3 block, int *seen, int *wrong);
/* first[t] = byte t of shared memory, which has not been written */
hipError_t run_shared_bytes(unsigned block, size_t bytes, unsigned char *first);

/* The tests of outside_kernels.hip start this program (here) again; probe() is what it then does. NULL: not a probe. */
extern char *outside;
int probe(int which);
#ifdef __cplusplus
}
#endif

#endif
