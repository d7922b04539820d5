/* What thrust::device_malloc() returns is device memory, too.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_THRUST_MALLOC_H
#define HIP_CPU_THRUST_MALLOC_H

#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/system/detail/sequential/execution_policy.h>

#include "hip_cpu/api/api.h"

THRUST_NAMESPACE_BEGIN
namespace system
{
namespace detail
{
namespace sequential
{
template <typename Policy> inline void *malloc(execution_policy<Policy> &, std::size_t bytes)
{
    void *memory = nullptr;

    return hipMalloc(&memory, bytes ? bytes : 1) == hipSuccess ? memory : nullptr;
}

template <typename Policy, typename Pointer> inline void free(execution_policy<Policy> &, Pointer memory)
{
    (void)hipFree(thrust::raw_pointer_cast(memory));
}
} // namespace sequential
} // namespace detail
} // namespace system
THRUST_NAMESPACE_END

#endif
