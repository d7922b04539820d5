/* HIP for the CPU: types of the host.
 * SPDX-License-Identifier: MIT */
#include "hip_cpu/api/api.h"
