/* HIP for the CPU: float4, double2 and their like.
 * SPDX-License-Identifier: MIT */
#include "hip_cpu/api/vector.h"
