/* hipCUB's names: CUB's, in another namespace.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_PRIMITIVES_HIPCUB_H
#define HIP_CPU_PRIMITIVES_HIPCUB_H

#include "hip_cpu/primitives/cub.h"

namespace hipcub = cub;

#endif
