/* All that a kernel needs.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_KERNELS_H
#define HIP_CPU_KERNELS_H

#include "hip_cpu/api.h"

#ifdef __cplusplus
#include "hip_cpu/atomic.h"
#include "hip_cpu/barrier.h"
#include "hip_cpu/bits.h"
#include "hip_cpu/language.h"
#include "hip_cpu/launch.h"
#include "hip_cpu/launch_address.h"
#include "hip_cpu/refused.h"
#include "hip_cpu/math.h"
#include "hip_cpu/warp.h"
#ifndef __CUDACC__
#include "hip_cpu/vector_operators.h"
#endif
#endif

#endif
