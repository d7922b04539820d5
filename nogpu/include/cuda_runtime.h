/* CUDA for the CPU: what hosts and kernels use.
 * SPDX-License-Identifier: MIT */
#include "hip_cpu/cuda/cuda.h"
