/* HIP for the CPU: cooperative groups.
 * SPDX-License-Identifier: MIT */
#include "hip_cpu/groups/cooperative_groups.h"
