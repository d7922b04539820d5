/* CUDA for the CPU: make_float4 and its like.
 * SPDX-License-Identifier: MIT */
#include "hip_cpu/api/vector.h"
