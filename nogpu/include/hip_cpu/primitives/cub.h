/* CUB as a whole.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_PRIMITIVES_CUB_H
#define HIP_CPU_PRIMITIVES_CUB_H

#include "hip_cpu/primitives/adjacent.h"
#include "hip_cpu/primitives/device.h"
#include "hip_cpu/primitives/exchange.h"
#include "hip_cpu/primitives/traits.h"
#include "hip_cpu/primitives/warp.h"

#endif
