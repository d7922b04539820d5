/* CUDA for the CPU: threadIdx and its like.
 * SPDX-License-Identifier: MIT */
#include "hip_cpu/cuda/cuda.h"
