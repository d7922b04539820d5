/* The suite of wave_reduce_cpu_kernels.hip.
 * SPDX-License-Identifier: MIT */
#include "suite.h"
