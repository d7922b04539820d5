/* HIP for the CPU: what it is.
 * SPDX-License-Identifier: MIT */
#include "hip_cpu/api/api.h"
