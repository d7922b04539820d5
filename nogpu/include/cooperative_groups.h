/* CUDA for the CPU: cooperative groups.
 * SPDX-License-Identifier: MIT */
#include "hip_cpu/cuda/cuda.h"
#include "hip_cpu/groups/cooperative_groups.h"
