/* CUDA for the CPU: what kernels call.
 * SPDX-License-Identifier: MIT */
#include "hip_cpu/cuda/cuda.h"
