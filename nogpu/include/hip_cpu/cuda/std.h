/* cuda::std, which is the host's std here, and the small functions of namespace cuda.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_CUDA_STD_H
#define HIP_CPU_CUDA_STD_H

#include <algorithm>
#include <functional>

#include "hip_cpu/cuda/cuda.h"

namespace cuda
{
namespace std = ::std;

template <typename T = void> struct maximum {
    constexpr T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
template <> struct maximum<void> {
    template <typename T> constexpr T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
template <typename T = void> struct minimum {
    constexpr T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
template <> struct minimum<void> {
    template <typename T> constexpr T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
template <typename A, typename B> constexpr auto ceil_div(A a, B b) { return (decltype(a + b))((a + b - 1) / b); }
template <typename A, typename B> constexpr auto round_up(A a, B b) { return ceil_div(a, b) * b; }
template <typename R, typename F> F proclaim_return_type(F f) { return f; }
} // namespace cuda

#endif
