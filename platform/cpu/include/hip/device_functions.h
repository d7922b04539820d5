/* HIP for the CPU: what kernels call.
 * SPDX-License-Identifier: MIT */
#include "hip_cpu/kernel/kernels.h"
