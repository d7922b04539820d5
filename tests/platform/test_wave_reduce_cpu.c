/* The suite of wave_reduce_cpu_kernels.hip.
 * Suite: kernels
 * SPDX-License-Identifier: MIT */
#include "suite.h"
