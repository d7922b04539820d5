/* CUDA's functions of two halves or four bytes in a word: __vadd2(), __vmaxs4() ..., and dot products of them.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_SIMD_H
#define HIP_CPU_SIMD_H

#include <limits>
#include <type_traits>

#include "hip_cpu/api/vector.h"

template <typename T, typename F> HIP_CPU_NUMERIC unsigned hip_cpu_lanes(unsigned a, unsigned b, F f)
{
    typedef typename std::make_unsigned<T>::type bits;
    unsigned result = 0;
    for (unsigned at = 0; at < 32; at += 8 * sizeof(T))
        result |= (unsigned)(bits)f((int)(T)(a >> at), (int)(T)(b >> at)) << at;
    return result;
}
template <typename T> HIP_CPU_NUMERIC int hip_cpu_saturated(int x)
{
    typedef std::numeric_limits<T> of;
    return x < of::min() ? of::min() : x > of::max() ? of::max() : x;
}

/* Of x and y, numbers of type T. */
#define HIP_CPU_LANES_OF(name, type, value)                                                                            \
    HIP_CPU_NUMERIC unsigned name(unsigned a, unsigned b)                                                              \
    {                                                                                                                  \
        typedef type T;                                                                                                \
        return hip_cpu_lanes<T>(a, b, [](int x, int y) { return value; });                                             \
    }
#define HIP_CPU_LANES(name, sign, value)                                                                               \
    HIP_CPU_LANES_OF(name##2, sign short, value)                                                                       \
    HIP_CPU_LANES_OF(name##4, sign char, value)
#define HIP_CPU_LANES_COMPARE(name, sign, value)                                                                       \
    HIP_CPU_LANES(__vcmp##name, sign, value ? -1 : 0)                                                                  \
    HIP_CPU_LANES(__vset##name, sign, value)
#define HIP_CPU_LANES_BOTH(letter, sign)                                                                               \
    HIP_CPU_LANES(__vabsdiff##letter, sign, x > y ? x - y : y - x)                                                     \
    HIP_CPU_LANES(__vadd##letter##s, sign, hip_cpu_saturated<T>(x + y))                                                \
    HIP_CPU_LANES(__vsub##letter##s, sign, hip_cpu_saturated<T>(x - y))                                                \
    HIP_CPU_LANES(__vmax##letter, sign, x > y ? x : y)                                                                 \
    HIP_CPU_LANES(__vmin##letter, sign, x < y ? x : y)                                                                 \
    HIP_CPU_LANES_COMPARE(ge##letter, sign, x >= y)                                                                    \
    HIP_CPU_LANES_COMPARE(gt##letter, sign, x > y)                                                                     \
    HIP_CPU_LANES_COMPARE(le##letter, sign, x <= y)                                                                    \
    HIP_CPU_LANES_COMPARE(lt##letter, sign, x < y)
HIP_CPU_LANES_BOTH(s, signed)
HIP_CPU_LANES_BOTH(u, unsigned)
HIP_CPU_LANES_COMPARE(eq, signed, x == y)
HIP_CPU_LANES_COMPARE(ne, signed, x != y)
HIP_CPU_LANES(__vadd, signed, x + y)
HIP_CPU_LANES(__vsub, signed, x - y)
HIP_CPU_LANES(__vavgs, signed, (x + y + (x + y >= 0)) >> 1)
HIP_CPU_LANES(__vavgu, unsigned, (x + y + 1) >> 1)
HIP_CPU_LANES(__vhaddu, unsigned, (x + y) >> 1)

#define HIP_CPU_LANES_ONE(name, of, a, b)                                                                              \
    HIP_CPU_NUMERIC unsigned name##2(unsigned x) { return of##2(a, b); }                                               \
    HIP_CPU_NUMERIC unsigned name##4(unsigned x) { return of##4(a, b); }
HIP_CPU_LANES_ONE(__vneg, __vsub, 0, x)
HIP_CPU_LANES_ONE(__vnegss, __vsubss, 0, x)
HIP_CPU_LANES_ONE(__vabs, __vabsdiffs, x, 0)

/* c + the products of the bytes, or of two halves with two of the bytes. */
#define HIP_CPU_DOT(T, byte, half)                                                                                     \
    HIP_CPU_NUMERIC T __dp4a(T a, T b, T c)                                                                            \
    {                                                                                                                  \
        for (int at = 0; at < 32; at += 8)                                                                             \
            c += (T)((int)(byte)(a >> at) * (int)(byte)(b >> at));                                                     \
        return c;                                                                                                      \
    }                                                                                                                  \
    HIP_CPU_NUMERIC T __dp2a_lo(T a, T b, T c)                                                                         \
    {                                                                                                                  \
        return c + (T)((half)a * (byte)b) + (T)((half)(a >> 16) * (byte)(b >> 8));                                     \
    }                                                                                                                  \
    HIP_CPU_NUMERIC T __dp2a_hi(T a, T b, T c) { return __dp2a_lo(a, (T)(b >> 16), c); }
HIP_CPU_DOT(int, signed char, short)
HIP_CPU_DOT(unsigned, unsigned char, unsigned short)
HIP_CPU_NUMERIC int __dp4a(char4 a, char4 b, int c) { return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
HIP_CPU_NUMERIC unsigned __dp4a(uchar4 a, uchar4 b, unsigned c)
{
    return c + (unsigned)(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
}

#endif
