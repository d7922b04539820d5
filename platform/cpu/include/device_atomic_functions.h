/* CUDA for the CPU: atomics.
 * SPDX-License-Identifier: MIT */
#include "hip_cpu/cuda/cuda.h"
