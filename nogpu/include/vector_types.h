/* CUDA for the CPU: float4 and its like.
 * SPDX-License-Identifier: MIT */
#include "hip_cpu/api/vector.h"
