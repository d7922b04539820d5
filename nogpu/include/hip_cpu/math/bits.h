/* Bits of numbers.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_BITS_H
#define HIP_CPU_BITS_H

#include <string.h>

#include "hip_cpu/language.h"

HIP_CPU_NUMERIC int __popc(unsigned x) { return __builtin_popcount(x); }
HIP_CPU_NUMERIC int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
HIP_CPU_NUMERIC int __ffs(int x) { return __builtin_ffs(x); }
template <typename T> HIP_CPU_NUMERIC int __ffsll(T x) { return __builtin_ffsll((long long)x); }
HIP_CPU_NUMERIC int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
HIP_CPU_NUMERIC int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }

HIP_CPU_NUMERIC unsigned __brev(unsigned x)
{
    unsigned reversed = 0;
    for (int i = 0; i < 32; i++)
        reversed |= (x >> i & 1) << (31 - i);
    return reversed;
}
HIP_CPU_NUMERIC unsigned long long __brevll(unsigned long long x)
{
    return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
/* Four of the eight bytes of y and x: each digit of the selector names one; 8 and more repeat its sign. */
HIP_CPU_NUMERIC unsigned __byte_perm(unsigned x, unsigned y, unsigned selector)
{
    unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned chosen = 0;
    for (int i = 0; i < 4; i++) {
        unsigned digit = selector >> 4 * i & 15;
        unsigned byte = (unsigned)(bytes >> (digit & 7) * 8) & 255;
        chosen |= (digit < 8 ? byte : byte >> 7 ? 255u : 0u) << 8 * i;
    }
    return chosen;
}
HIP_CPU_NUMERIC unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)((((unsigned long long)high << 32 | low) << (shift & 31)) >> 32);
}
HIP_CPU_NUMERIC unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
/* A shift of more than 32 is one of 32. */
HIP_CPU_NUMERIC unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift)
{
    return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
HIP_CPU_NUMERIC unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift)
{
    return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}
/* The n-th set bit from `base` on: n > 0 upwards, n < 0 downwards, n = 0 the bit itself; -1: there is none. As in HIP, the
 * number in the name is none of bits: masks of AMD's warps have 64. */
HIP_CPU_NUMERIC int __fns64(unsigned long long mask, unsigned base, int n)
{
    int step = n < 0 ? -1 : 1, left = n < 0 ? -n : n == 0 ? 1 : n;
    for (int bit = (int)base; bit >= 0 && bit < 64; bit += step)
        if ((mask >> bit & 1) && --left == 0)
            return bit;
        else if (n == 0)
            break;
    return -1;
}
HIP_CPU_NUMERIC int __fns32(unsigned long long mask, unsigned base, int n) { return __fns64(mask, base, n); }
HIP_CPU_NUMERIC unsigned __fns(unsigned mask, unsigned base, int n) { return (unsigned)__fns64(mask, base, n); }
/* The lowest set bit; -1: there is none. */
HIP_CPU_NUMERIC int __lastbit_u32_u32(unsigned x) { return __builtin_ffs((int)x) - 1; }
HIP_CPU_NUMERIC int __lastbit_u32_u64(unsigned long long x) { return __builtin_ffsll((long long)x) - 1; }
HIP_CPU_NUMERIC unsigned __bitextract_u32(unsigned x, unsigned offset, unsigned width)
{
    return x >> (offset & 31) & (width >= 32 ? ~0u : (1u << width) - 1);
}
HIP_CPU_NUMERIC unsigned __bitinsert_u32(unsigned x, unsigned y, unsigned offset, unsigned width)
{
    unsigned mask = (width & 31) ? (1u << (width & 31)) - 1 : ~0u;
    return (x & ~(mask << (offset & 31))) | (y & mask) << (offset & 31);
}
HIP_CPU_NUMERIC int __double2hiint(double x)
{
    long long bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return (int)(bits >> 32);
}
HIP_CPU_NUMERIC int __double2loint(double x)
{
    long long bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return (int)bits;
}
HIP_CPU_NUMERIC double __hiloint2double(int high, int low)
{
    long long bits = (long long)high << 32 | (unsigned)low;
    double x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

#define HIP_CPU_BITS_AS(name, From, To)                                                                                \
    HIP_CPU_NUMERIC To name(From x)                                                                                    \
    {                                                                                                                  \
        static_assert(sizeof(From) == sizeof(To), "only the type changes");                                            \
        To y;                                                                                                          \
        __builtin_memcpy(&y, &x, sizeof y);                                                                            \
        return y;                                                                                                      \
    }
HIP_CPU_BITS_AS(__float_as_uint, float, unsigned)
HIP_CPU_BITS_AS(__uint_as_float, unsigned, float)
HIP_CPU_BITS_AS(__float_as_int, float, int)
HIP_CPU_BITS_AS(__int_as_float, int, float)
HIP_CPU_BITS_AS(__double_as_longlong, double, long long)
HIP_CPU_BITS_AS(__longlong_as_double, long long, double)
HIP_CPU_BITS_AS(__double_as_ulonglong, double, unsigned long long)
HIP_CPU_BITS_AS(__ulonglong_as_double, unsigned long long, double)

#endif
