/* CUDA for the CPU: scans of groups.
 * SPDX-License-Identifier: MIT */
#include "hip_cpu/cuda/cuda.h"
#include "hip_cpu/groups/cooperative_groups.h"
