/* half and half2.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_HALF_H
#define HIP_CPU_HALF_H

#include "hip_cpu/numbers/float16.h"
#include "hip_cpu/math/math.h"

typedef hip_cpu_float16<hip_cpu_half_format> __half;
typedef hip_cpu_pair16<hip_cpu_half_format> __half2;
typedef hip_cpu_half_format::raw __half_raw;
typedef __half half;
typedef __half2 half2;

HIP_CPU_CONVERSIONS(__half, half)
HIP_CPU_MATH(float, __half2float, (__half x), (float)x)
HIP_CPU_MATH(__half2, __floats2half2_rn, (float x, float y), __half2(x, y))
HIP_CPU_MATH(__half2, __float2half2_rn, (float x), __half2(x, x))
HIP_CPU_MATH(__half2, __float22half2_rn, (float2 x), __half2(x.x, x.y))
HIP_CPU_MATH(float2, __half22float2, (__half2 x), make_float2(x.x, x.y))
HIP_CPU_MATH(__half2, __halves2half2, (__half x, __half y), __half2(x, y))
HIP_CPU_MATH(__half2, make_half2, (__half x, __half y), __half2(x, y))
HIP_CPU_MATH(__half2, __half2half2, (__half x), __half2(x, x))
HIP_CPU_MATH(__half2, __lows2half2, (__half2 a, __half2 b), __half2(a.x, b.x))
HIP_CPU_MATH(__half2, __highs2half2, (__half2 a, __half2 b), __half2(a.y, b.y))
HIP_CPU_MATH(__half, __ushort_as_half, (unsigned short bits), __half::of_bits(bits))
HIP_CPU_MATH(__half, __short_as_half, (short bits), __half::of_bits((uint16_t)bits))
HIP_CPU_MATH(unsigned short, __half_as_ushort, (__half x), x.bits)
HIP_CPU_MATH(short, __half_as_short, (__half x), (short)x.bits)

#endif
