/* Included before an exercise on the CPU platform, and precompiled once for all of them. An exercise's text is inside a
 * namespace for each type and operation, where a header included for the first time would declare everything in that
 * namespace alone.
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
#include <time.h>
#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>
#define HIP_CPU_CUDA_H /* CUDA's names, and not its size of a warp, which cuda_runtime.h would bring */
#include <hip_cpu/cuda/names.h>
#define REDUCTION_INSTANTIATE
#include "reduction.h"
#include "verdict/extras.h"

/* A launch of a function takes a fifth less time to compile than one of what may be a template; compile.sh tries the latter
 * if this fails. */
#if !defined ANY_KERNEL && !defined HIP_CPU_CALLS
#undef hipLaunchKernelGGL
#define hipLaunchKernelGGL(kernel, grid, block, shared_bytes, stream, ...)                                             \
    (void)hip_cpu_launch_kernel(#kernel, 0, kernel, grid, block, shared_bytes, stream, __VA_ARGS__)
#endif
