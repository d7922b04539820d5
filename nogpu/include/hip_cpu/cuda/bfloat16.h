/* CUDA's names for bfloat16.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_CUDA_BFLOAT16_H
#define HIP_CPU_CUDA_BFLOAT16_H

#include "hip_cpu/numbers/bfloat16.h"

typedef __hip_bfloat16_raw __nv_bfloat16_raw;
typedef __hip_bfloat16 __nv_bfloat16;
typedef __hip_bfloat162 __nv_bfloat162;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#define make_bfloat162 __halves2bfloat162

#endif
