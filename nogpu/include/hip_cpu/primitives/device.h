/* Whole arrays, as CUB and hipCUB have them.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_PRIMITIVES_DEVICE_H
#define HIP_CPU_PRIMITIVES_DEVICE_H

#include "hip_cpu/primitives/allocator.h"
#include "hip_cpu/primitives/reduce.h"
#include "hip_cpu/primitives/scan.h"
#include "hip_cpu/primitives/select.h"
#include "hip_cpu/primitives/sort.h"

#endif
