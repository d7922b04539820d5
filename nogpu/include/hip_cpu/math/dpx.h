/* CUDA's instructions for dynamic programming: sums, minima and maxima of two or three numbers, of 32 bits or of both halves.
 * relu: at least 0.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_MATH_DPX_H
#define HIP_CPU_MATH_DPX_H

#include <stdint.h>

#include "hip_cpu/language.h"

#define HIP_CPU_OF_TWO(name, T, expression)                                                                            \
    HIP_CPU_NUMERIC T name(T a, T b) { return expression; }
#define HIP_CPU_OF_THREE(name, T, expression)                                                                          \
    HIP_CPU_NUMERIC T name(T a, T b, T c) { return expression; }
/* The same for both halves of a word, which are of type H. */
#define HIP_CPU_OF_HALVES(name, H, of_one)                                                                             \
    HIP_CPU_NUMERIC unsigned name(unsigned a, unsigned b, unsigned c)                                                  \
    {                                                                                                                  \
        return (uint16_t)of_one((H)a, (H)b, (H)c) |                                                                    \
               (unsigned)(uint16_t)of_one((H)(a >> 16), (H)(b >> 16), (H)(c >> 16)) << 16;                             \
    }

template <typename T> HIP_CPU_NUMERIC T hip_cpu_most(T a, T b) { return a > b ? a : b; }
template <typename T> HIP_CPU_NUMERIC T hip_cpu_least(T a, T b) { return a < b ? a : b; }
/* They wrap, as the sums of GPUs do. */
template <typename T> HIP_CPU_NUMERIC T hip_cpu_plus(T a, T b) { return (T)((uint64_t)a + (uint64_t)b); }

#define HIP_CPU_DPX(max, least_or_most, T, H, s32, s16x2)                                                              \
    HIP_CPU_OF_THREE(__vi##max##3##s32, T, least_or_most(least_or_most(a, b), c))                                      \
    HIP_CPU_OF_THREE(__viadd##max##s32, T, least_or_most(hip_cpu_plus(a, b), c))                                       \
    HIP_CPU_OF_THREE(hip_cpu_##max##3##s16x2, H, least_or_most(least_or_most(a, b), c))                                \
    HIP_CPU_OF_THREE(hip_cpu_add##max##s16x2, H, least_or_most(hip_cpu_plus(a, b), c))                                 \
    HIP_CPU_OF_HALVES(__vi##max##3##s16x2, H, hip_cpu_##max##3##s16x2)                                                 \
    HIP_CPU_OF_HALVES(__viadd##max##s16x2, H, hip_cpu_add##max##s16x2)                                                 \
    HIP_CPU_INLINE T __vib##max##s32(T a, T b, bool *first)                                                            \
    {                                                                                                                  \
        *first = least_or_most(a, b) == a;                                                                             \
        return least_or_most(a, b);                                                                                    \
    }
HIP_CPU_DPX(max, hip_cpu_most, int, int16_t, _s32, _s16x2)
HIP_CPU_DPX(min, hip_cpu_least, int, int16_t, _s32, _s16x2)
HIP_CPU_DPX(max, hip_cpu_most, unsigned, uint16_t, _u32, _u16x2)
HIP_CPU_DPX(min, hip_cpu_least, unsigned, uint16_t, _u32, _u16x2)

#define HIP_CPU_DPX_RELU(max, least_or_most)                                                                           \
    HIP_CPU_OF_TWO(__vi##max##_s32_relu, int, hip_cpu_most(least_or_most(a, b), 0))                                    \
    HIP_CPU_OF_THREE(__vi##max##3_s32_relu, int, hip_cpu_most(__vi##max##3_s32(a, b, c), 0))                           \
    HIP_CPU_OF_THREE(__viadd##max##_s32_relu, int, hip_cpu_most(__viadd##max##_s32(a, b, c), 0))                       \
    HIP_CPU_OF_THREE(hip_cpu_##max##3_relu, int16_t, hip_cpu_most(hip_cpu_##max##3_s16x2(a, b, c), (int16_t)0))        \
    HIP_CPU_OF_THREE(hip_cpu_add##max##_relu, int16_t, hip_cpu_most(hip_cpu_add##max##_s16x2(a, b, c), (int16_t)0))    \
    HIP_CPU_OF_HALVES(__vi##max##3_s16x2_relu, int16_t, hip_cpu_##max##3_relu)                                         \
    HIP_CPU_OF_HALVES(__viadd##max##_s16x2_relu, int16_t, hip_cpu_add##max##_relu)
HIP_CPU_DPX_RELU(max, hip_cpu_most)
HIP_CPU_DPX_RELU(min, hip_cpu_least)

#endif
