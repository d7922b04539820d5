/* HIP for the CPU: complex numbers.
 * SPDX-License-Identifier: MIT */
#include "hip_cpu/numbers/complex.h"
