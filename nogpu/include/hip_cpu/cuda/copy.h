/* Asynchronous copies: the threads make them when they wait for them, each its part.
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

    constexpr explicit aligned_size_t(::std::size_t bytes) : value(bytes) {}
    constexpr operator ::std::size_t() const { return value; }
};

template <typename T>
HIP_CPU_FORCED void hip_cpu_copy_units(void *to, const void *from, size_t bytes, size_t rank, size_t threads)
{
    typedef T __attribute__((may_alias)) unit;

    for (size_t i = rank; i < bytes / sizeof(T); i += threads)
        ((unit *)to)[i] = ((const unit *)from)[i];
}
/* In units as large as the addresses and the number allow. */
HIP_CPU_INLINE void hip_cpu_copy_part(void *to, const void *from, size_t bytes, size_t rank, size_t threads)
{
    uintptr_t all = (uintptr_t)to | (uintptr_t)from | bytes;

    if (all % 8 == 0)
        hip_cpu_copy_units<uint64_t>(to, from, bytes, rank, threads);
    else if (all % 4 == 0)
        hip_cpu_copy_units<uint32_t>(to, from, bytes, rank, threads);
    else
        hip_cpu_copy_units<uint8_t>(to, from, bytes, rank, threads);
}
/* Until at most so many batches of this thread are left. */
HIP_CPU_INLINE void hip_cpu_copy_until(unsigned left)
{
    struct hip_cpu_pending c;

    while (hip_cpu_copy_next(left, &c))
        hip_cpu_copy_part(c.to, c.from, c.bytes, c.part, c.parts);
}
/* All, before this thread arrives. */
HIP_CPU_INLINE void hip_cpu_copy_all()
{
    hip_cpu_copy_commit();
    hip_cpu_copy_until(0);
}
} // namespace cuda

#endif
