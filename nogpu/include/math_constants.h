/* CUDA for the CPU: constants.
 * SPDX-License-Identifier: MIT */
#include "hip_cpu/math/constants.h"
