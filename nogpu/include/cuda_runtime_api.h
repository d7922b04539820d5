/* CUDA for the CPU: what hosts use.
 * SPDX-License-Identifier: MIT */
#include "hip_cpu/cuda/cuda.h"
