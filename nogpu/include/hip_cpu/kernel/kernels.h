/* All that a kernel needs.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_KERNELS_H
#define HIP_CPU_KERNELS_H

#include "hip_cpu/api/api.h"

#ifdef __cplusplus
#include "hip_cpu/kernel/atomic.h"
#include "hip_cpu/kernel/barrier.h"
#include "hip_cpu/math/bits.h"
#include "hip_cpu/math/dpx.h"
#include "hip_cpu/language.h"
#include "hip_cpu/kernel/launch.h"
#include "hip_cpu/kernel/launch_address.h"
#include "hip_cpu/kernel/refused_types.h"
#include "hip_cpu/kernel/spaces.h"
#include "hip_cpu/math/math.h"
#include "hip_cpu/math/special.h"
#include "hip_cpu/kernel/texture.h"
#include "hip_cpu/kernel/warp.h"
#ifndef __CUDACC__
#include "hip_cpu/math/vector_operators.h"
#endif
#endif

#endif
