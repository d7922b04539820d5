/* CUDA for the CPU: bfloat16.
 * SPDX-License-Identifier: MIT */
#include "hip_cpu/cuda/cuda.h"
#include "hip_cpu/cuda/bfloat16.h"
