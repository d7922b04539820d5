/* HIP for the CPU: an old name.
 * SPDX-License-Identifier: MIT */
#include "hip_cpu/kernel/kernels.h"
