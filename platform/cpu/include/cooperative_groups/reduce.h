/* CUDA for the CPU: reductions of groups.
 * SPDX-License-Identifier: MIT */
#include "hip_cpu/cuda.h"
#include "hip_cpu/cooperative_groups.h"
