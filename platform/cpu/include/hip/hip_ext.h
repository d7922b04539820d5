/* HIP for the CPU: launches with more arguments.
 * SPDX-License-Identifier: MIT */
#include "hip_cpu/kernel/kernels.h"
