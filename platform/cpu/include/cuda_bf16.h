/* CUDA for the CPU: bfloat16.
 * SPDX-License-Identifier: MIT */
#include "hip_cpu/cuda.h"
#include "hip_cpu/cuda_bfloat16.h"
