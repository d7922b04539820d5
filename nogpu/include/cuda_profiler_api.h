/* CUDA for the CPU: cudaProfilerStart and Stop.
 * SPDX-License-Identifier: MIT */
#include "hip_cpu/cuda/cuda.h"
