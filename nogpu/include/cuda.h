/* CUDA for the CPU: the runtime; modules and contexts are refused where they are used.
 * SPDX-License-Identifier: MIT */
#include "hip_cpu/cuda/cuda.h"
