/* HIP for the CPU: the part of the API that hosts use, in C11 and C++.
 * SPDX-License-Identifier: MIT */
#include "hip_cpu/api/api.h"
