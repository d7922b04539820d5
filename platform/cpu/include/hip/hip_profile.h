/* HIP for the CPU: hipProfilerStart and Stop.
 * SPDX-License-Identifier: MIT */
#include "hip_cpu/api/api.h"
