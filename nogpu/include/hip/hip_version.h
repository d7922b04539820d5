/* HIP for the CPU: its version.
 * SPDX-License-Identifier: MIT */
#include "hip_cpu/api/api.h"
