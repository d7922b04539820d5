/* bfloat16, one by one and in pairs.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_BFLOAT16_H
#define HIP_CPU_BFLOAT16_H

#include "hip_cpu/numbers/float16.h"
#include "hip_cpu/math/math.h"

typedef hip_cpu_bfloat_format::raw __hip_bfloat16_raw;
typedef hip_cpu_float16<hip_cpu_bfloat_format> __hip_bfloat16;
typedef hip_cpu_pair16<hip_cpu_bfloat_format> __hip_bfloat162;
typedef __hip_bfloat16 hip_bfloat16;

HIP_CPU_CONVERSIONS(__hip_bfloat16, bfloat16)
HIP_CPU_MATH(float, __bfloat162float, (__hip_bfloat16 x), (float)x)
HIP_CPU_MATH(__hip_bfloat162, __floats2bfloat162_rn, (float x, float y), __hip_bfloat162(x, y))
HIP_CPU_MATH(__hip_bfloat162, __float2bfloat162_rn, (float x), __hip_bfloat162(x, x))
HIP_CPU_MATH(__hip_bfloat162, __float22bfloat162_rn, (float2 x), __hip_bfloat162(x.x, x.y))
HIP_CPU_MATH(float2, __bfloat1622float2, (__hip_bfloat162 x), make_float2(x.x, x.y))
HIP_CPU_MATH(__hip_bfloat162, __halves2bfloat162, (__hip_bfloat16 x, __hip_bfloat16 y), __hip_bfloat162(x, y))
HIP_CPU_MATH(__hip_bfloat162, __bfloat162bfloat162, (__hip_bfloat16 x), __hip_bfloat162(x, x))
HIP_CPU_MATH(__hip_bfloat16, __low2bfloat16, (__hip_bfloat162 x), x.x)
HIP_CPU_MATH(__hip_bfloat16, __high2bfloat16, (__hip_bfloat162 x), x.y)
HIP_CPU_MATH(__hip_bfloat162, __low2bfloat162, (__hip_bfloat162 x), __hip_bfloat162(x.x, x.x))
HIP_CPU_MATH(__hip_bfloat162, __high2bfloat162, (__hip_bfloat162 x), __hip_bfloat162(x.y, x.y))
HIP_CPU_MATH(__hip_bfloat16, __ushort_as_bfloat16, (unsigned short bits), __hip_bfloat16::of_bits(bits))
HIP_CPU_MATH(unsigned short, __bfloat16_as_ushort, (__hip_bfloat16 x), x.bits)
HIP_CPU_MATH(__hip_bfloat16, __short_as_bfloat16, (short bits), __hip_bfloat16::of_bits((uint16_t)bits))
HIP_CPU_MATH(short, __bfloat16_as_short, (__hip_bfloat16 x), (short)x.bits)
HIP_CPU_MATH(__hip_bfloat162, __lows2bfloat162, (__hip_bfloat162 a, __hip_bfloat162 b), __hip_bfloat162(a.x, b.x))
HIP_CPU_MATH(__hip_bfloat162, __highs2bfloat162, (__hip_bfloat162 a, __hip_bfloat162 b), __hip_bfloat162(a.y, b.y))

#endif
