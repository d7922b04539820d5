/* cuda::std::span, which CUDA has for older standards, too.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_CUDA_SPAN_H
#define HIP_CPU_CUDA_SPAN_H

#if __cplusplus > 201703L
#include <span>
#else
#include <cstddef>
namespace std
{
template <typename T> class span
{
    T *from = nullptr;
    size_t count = 0;

  public:
    typedef T element_type;
    typedef size_t size_type;
    constexpr span() = default;
    constexpr span(T *data, size_t size) : from(data), count(size) {}
    template <size_t N> constexpr span(T (&array)[N]) : from(array), count(N) {}
    template <typename C> constexpr span(C &c) : from(c.data()), count(c.size()) {}
    constexpr T *data() const { return from; }
    constexpr size_t size() const { return count; }
    constexpr bool empty() const { return count == 0; }
    constexpr T *begin() const { return from; }
    constexpr T *end() const { return from + count; }
    constexpr T &operator[](size_t i) const { return from[i]; }
    constexpr span subspan(size_t offset, size_t size = (size_t)-1) const
    {
        return {from + offset, size < count - offset ? size : count - offset};
    }
};
} // namespace std
#endif

#include "hip_cpu/cuda/std.h"

#endif
