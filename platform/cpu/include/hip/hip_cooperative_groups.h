/* HIP for the CPU: cooperative groups.
 * SPDX-License-Identifier: MIT */
#include "hip_cpu/cooperative_groups.h"
