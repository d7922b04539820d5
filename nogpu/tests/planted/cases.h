/* Small kernels for races.bats, each in a right version and one with a fault.
 * SPDX-License-Identifier: MIT */
#ifndef PLANTED_CASES_H
#define PLANTED_CASES_H

#include <hip/hip_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct planted_case {
    const char *name;
    const char *fault;      /* the fault; NULL: there is only a right version */
    bool (*run)(int fault); /* whether the result was right */
};
/* Both end with a name of NULL. */
extern const struct planted_case wide[], algorithms[], scopes[], streams[], pairs[];

static inline void must(hipError_t error)
{
    if (error == hipSuccess)
        return;
    fprintf(stderr, "%s\n", hipGetErrorString(error));
    exit(3);
}

/* Device memory, filled with 0, or with a copy of the host's. */
template <typename T> static inline T *device_array(size_t count, const T *from = NULL)
{
    T *memory;
    must(hipMalloc(&memory, count * sizeof(T)));
    must(hipMemset(memory, 0, count * sizeof(T)));
    if (from != NULL)
        must(hipMemcpy(memory, from, count * sizeof(T), hipMemcpyHostToDevice));
    return memory;
}

template <typename T> static inline void fetch(T *to, const T *device, size_t count)
{
    must(hipGetLastError());
    must(hipDeviceSynchronize());
    must(hipMemcpy(to, device, count * sizeof(T), hipMemcpyDeviceToHost));
}

#endif
