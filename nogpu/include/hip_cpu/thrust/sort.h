/* The radix sort of Thrust's hosts extends the sign of an int to 64 bits and sorts negative numbers wrongly (CUDA 13.0): ints
 * take its merge sort.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_THRUST_SORT_H
#define HIP_CPU_THRUST_SORT_H

#include <thrust/system_error.h> /* as in CUDA's headers */

#include_next <thrust/system/detail/sequential/sort.inl>

THRUST_NAMESPACE_BEGIN
namespace system
{
namespace detail
{
namespace sequential
{
namespace sort_detail
{
template <> struct use_primitive_sort<int, thrust::less<int>> : thrust::detail::false_type {
};
template <> struct use_primitive_sort<int, thrust::greater<int>> : thrust::detail::false_type {
};
} // namespace sort_detail
} // namespace sequential
} // namespace detail
} // namespace system
THRUST_NAMESPACE_END

#endif
