/* HIP over CUDA: cooperative groups have the same names in both.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_NVIDIA_COOPERATIVE_GROUPS_H
#define HIP_NVIDIA_COOPERATIVE_GROUPS_H

#include "hip_runtime.h"

/* CUDA's headers use these names for something else. */
#undef HIP_NVIDIA_ALL_LANES
#undef __shfl
#undef __shfl_up
#undef __shfl_down
#undef __shfl_xor
#undef __any
#undef __all
#undef __ballot
#include <cooperative_groups.h>
#include "hip_warp.h"

#endif
