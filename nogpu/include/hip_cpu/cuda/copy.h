/* Copies that CUDA calls asynchronous. Here the threads make them at once, each its part.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_CUDA_COPY_H
#define HIP_CPU_CUDA_COPY_H

#include <cstddef>

#include "hip_cpu/language.h"

namespace cuda
{
/* A number of bytes, of memory that is aligned so. */
template <::std::size_t Alignment> struct aligned_size_t {
    static constexpr ::std::size_t align = Alignment;
    ::std::size_t value;

    constexpr explicit aligned_size_t(::std::size_t bytes) : value(bytes)
    {
    }
    constexpr operator ::std::size_t() const
    {
        return value;
    }
};

template <typename T>
HIP_CPU_FORCED void hip_cpu_copy_units(void *to, const void *from, size_t bytes, size_t rank,
                                       size_t threads)
{
    typedef T __attribute__((may_alias)) unit;

    for (size_t i = rank; i < bytes / sizeof(T); i += threads)
        ((unit *)to)[i] = ((const unit *)from)[i];
}
/* In units as large as the addresses and the number allow. */
HIP_CPU_INLINE void hip_cpu_copy_part(void *to, const void *from, size_t bytes, size_t rank,
                                      size_t threads)
{
    uintptr_t all = (uintptr_t)to | (uintptr_t)from | bytes;

    if (all % 8 == 0)
        hip_cpu_copy_units<uint64_t>(to, from, bytes, rank, threads);
    else if (all % 4 == 0)
        hip_cpu_copy_units<uint32_t>(to, from, bytes, rank, threads);
    else
        hip_cpu_copy_units<uint8_t>(to, from, bytes, rank, threads);
}
} // namespace cuda

#endif
