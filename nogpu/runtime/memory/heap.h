/* The heap of the device, for the calls of memory.c.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_HEAP_H
#define HIP_CPU_HEAP_H

#include "../internal.h"

/* What a call asked for: hipMalloc, hipHostMalloc, hipMallocManaged. */
enum hip_cpu_kind { KIND_DEVICE, KIND_HOST, KIND_MANAGED };

hipError_t hip_cpu_heap_take(void **pointer, size_t bytes, enum hip_cpu_kind kind);
/* host: memory that the host can access; hipFree() takes any, as HIP's does. */
hipError_t hip_cpu_heap_return(void *pointer, bool host);
/* What a graph allocates: at each launch at the same address, also where the program has freed it in between. */
hipError_t hip_cpu_heap_again(void *pointer);

/* The allocation that holds an address; false: none. */
struct hip_cpu_span {
    char *start;
    size_t bytes;
    enum hip_cpu_kind kind;
};
bool hip_cpu_heap_find(const void *address, struct hip_cpu_span *found);

size_t hip_cpu_heap_total(void);
/* Free physical memory, minus what is allocated but not touched yet. */
size_t hip_cpu_heap_free(void);

#endif
