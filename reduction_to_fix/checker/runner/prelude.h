/* Read before an exercise on the CPU platform. Its text stands in a namespace for each type and operation, where
 * a header that is read for the first time would declare what it has in that namespace alone.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>
#define REDUCTION_INSTANTIATE
#include "reduction.h"
#include "verdict/extras.h"

/* An exercise is the same text for each compiler, and whether it is traced or not. */
#undef HIP_CPU_TRACE
#undef __HIP_PLATFORM_CPU__
#undef HIP_CPU_CUDA_ARCH
#undef HIP_CPU_DEVICE_COMPILE
#pragma GCC poison HIP_CPU_TRACE __SANITIZE_THREAD__ __HIP_PLATFORM_CPU__ __HIP_PLATFORM_AMD__
#pragma GCC poison __HIP_PLATFORM_HCC__ __HIP_PLATFORM_NVIDIA__ __HIP_PLATFORM_NVCC__
#pragma GCC poison __HIP__ __HIPCC__ __HIP_DEVICE_COMPILE__ __AMDGCN__ __AMDGPU__
#pragma GCC poison __CUDA__ __CUDACC__ __CUDA_ARCH__ __NVCC__
#pragma GCC poison HIP_CPU_CUDA_ARCH HIP_CPU_DEVICE_COMPILE
#pragma GCC poison __builtin_return_address __builtin_frame_address _GLOBAL_OFFSET_TABLE_

/* What would hide accesses from the checker, and what belongs to checkers alone. */
#pragma GCC poison asm __asm __asm__
#pragma GCC poison no_sanitize __no_sanitize__ no_sanitize_thread __no_sanitize_thread__
#pragma GCC poison disable_sanitizer_instrumentation __disable_sanitizer_instrumentation__
#pragma GCC poison hip_cpu_look hip_cpu_current hip_cpu_know_symbol hip_cpu_run hip_cpu_late
#pragma GCC poison hip_cpu_set_late hip_cpu_set_schedule hip_cpu_set_warp_size hip_cpu_set_window
