/* HIP for the CPU: the part of the API that kernels use, in C++.
 *
 * Kernels are ordinary functions here; hipLaunchKernelGGL runs one for every thread of the grid. The
 * functions have HIP's names and meanings; README.md says what differs from a GPU.
 * SPDX-License-Identifier: MIT */
#include "hip_cpu/kernel/kernels.h"
