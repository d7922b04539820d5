/* CUDA for the CPU: half and half2.
 * SPDX-License-Identifier: MIT */
#include "hip_cpu/cuda/cuda.h"
#include "hip_cpu/numbers/half.h"
