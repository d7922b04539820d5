/* CUDA for the CPU: words of the language.
 * SPDX-License-Identifier: MIT */
#include "hip_cpu/cuda/cuda.h"
