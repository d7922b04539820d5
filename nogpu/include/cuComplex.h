/* CUDA for the CPU: complex numbers.
 * SPDX-License-Identifier: MIT */
#include "hip_cpu/cuda/complex.h"
