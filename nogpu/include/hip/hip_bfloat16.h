/* HIP for the CPU: bfloat16.
 * SPDX-License-Identifier: MIT */
#include "hip_cpu/numbers/bfloat16.h"
