/* The vendor's library for prim.hip. These headers are C++, so they come before the namespaces of
 * instantiate.hip.
 * SPDX-License-Identifier: MIT */
#ifndef PRIM_PRELUDE_H
#define PRIM_PRELUDE_H

#if defined(__HIP_PLATFORM_AMD__)
#include <iostream> /* used and not included by the header below in ROCm 5.2 */
#include <rocprim/device/device_reduce.hpp>
#elif defined(__HIP_PLATFORM_NVIDIA__)
#include <cub/device/device_reduce.cuh>
#include <cub/version.cuh>
#endif

/* CUB 3.1 and newer let the caller choose what a sum may depend on; 3.4 and newer for 64-bit sizes in this way. */
#if defined(__HIP_PLATFORM_NVIDIA__) && CUB_VERSION >= 300400
#define HAS_DETERMINISM 1
#include <cuda/memory_resource>
#include <new>

#include "verdict/extras.h"

/* Such a sum asks a memory resource for its storage: this one gives what the caller has. Without any it notes how
 * much is needed and refuses, so that nothing is launched. */
struct given_memory {
    void *memory;
    size_t *bytes;

    void *allocate_sync(size_t wanted, size_t)
    {
        *bytes = wanted;
        if (memory == NULL)
            throw std::bad_alloc();
        return memory;
    }
    void deallocate_sync(void *, size_t, size_t) noexcept
    {
    }
    void *allocate(cuda::stream_ref, size_t wanted, size_t alignment = 256)
    {
        return allocate_sync(wanted, alignment);
    }
    void deallocate(cuda::stream_ref, void *, size_t, size_t = 256) noexcept
    {
    }
    bool operator==(const given_memory &other) const
    {
        return memory == other.memory;
    }
    bool operator!=(const given_memory &other) const
    {
        return memory != other.memory;
    }
};
#endif

#endif
