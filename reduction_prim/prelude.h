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

#endif
