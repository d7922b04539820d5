/* Mathematics that the host's library lacks; fast versions are no faster here.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_MATH_H
#define HIP_CPU_MATH_H

#include <fenv.h>
#include <limits>
#ifdef HIP_CPU_OWN_KERNELS /* std::riemann_zeta() and its like take half of the time to compile all these headers */
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#endif
#include <math.h>
#include <stdlib.h>
#include <type_traits>

#include "hip_cpu/language.h"
#include "hip_cpu/math/names.h"

/* The functions of names.h which a C library would declare in this way, perhaps behind these headers. */
extern "C" {
#define HIP_CPU_C_MATH(T, name, parameters, value)                                                                     \
    HIP_CPU_NUMERIC T name parameters noexcept { return value; }
HIP_CPU_C_MATH(float, rsqrtf, (float x), 1 / sqrtf(x))
HIP_CPU_C_MATH(double, rsqrt, (double x), 1 / sqrt(x))
HIP_CPU_C_MATH(float, rcbrtf, (float x), 1 / cbrtf(x))
HIP_CPU_C_MATH(double, rcbrt, (double x), 1 / cbrt(x))
HIP_CPU_C_MATH(float, rhypotf, (float x, float y), 1 / hypotf(x, y))
HIP_CPU_C_MATH(double, rhypot, (double x, double y), 1 / hypot(x, y))
HIP_CPU_C_MATH(float, normcdff, (float x), 0.5f * erfcf(x * -(float)M_SQRT1_2))
HIP_CPU_C_MATH(double, normcdf, (double x), 0.5 * erfc(x * -M_SQRT1_2))
}

#define HIP_CPU_MATH(T, name, parameters, value)                                                                       \
    HIP_CPU_NUMERIC T name parameters { return value; }
HIP_CPU_MATH(float, __fdividef, (float x, float y), x / y)
HIP_CPU_MATH(float, __saturatef, (float x), fminf(fmaxf(x, 0), 1))
HIP_CPU_MATH(float, __fsqrt_rn, (float x), sqrtf(x))
HIP_CPU_MATH(float, __frcp_rn, (float x), 1 / x)
HIP_CPU_MATH(float, __fmaf_rn, (float x, float y, float z), fmaf(x, y, z))
HIP_CPU_MATH(double, __fma_rn, (double x, double y, double z), fma(x, y, z))
HIP_CPU_MATH(int, __mul24, (int x, int y),
             (int)((unsigned)((int)((unsigned)x << 8) >> 8) * (unsigned)((int)((unsigned)y << 8) >> 8)))
HIP_CPU_MATH(unsigned, __umulhi, (unsigned x, unsigned y), (unsigned)((unsigned long long)x *y >> 32))
HIP_CPU_MATH(unsigned, __umul24, (unsigned x, unsigned y), (x & 0xffffff) * (y & 0xffffff))
HIP_CPU_MATH(int, __mulhi, (int x, int y), (int)((long long)x *y >> 32))
__extension__ typedef unsigned __int128 hip_cpu_wide;
__extension__ typedef __int128 hip_cpu_signed_wide;
HIP_CPU_MATH(unsigned long long, __umul64hi, (unsigned long long x, unsigned long long y),
             (unsigned long long)((hip_cpu_wide)x *y >> 64))
HIP_CPU_MATH(long long, __mul64hi, (long long x, long long y), (long long)((hip_cpu_signed_wide)x *y >> 64))
HIP_CPU_MATH(unsigned, __sad, (int x, int y, unsigned z),
             z + (x < y ? (unsigned)y - (unsigned)x : (unsigned)x - (unsigned)y))
HIP_CPU_MATH(unsigned, __usad, (unsigned x, unsigned y, unsigned z), z + (x < y ? y - x : x - y))
HIP_CPU_MATH(int, __hadd, (int x, int y), (int)(((long long)x + y) >> 1))
HIP_CPU_MATH(int, __rhadd, (int x, int y), (int)(((long long)x + y + 1) >> 1))
HIP_CPU_MATH(unsigned, __uhadd, (unsigned x, unsigned y), (unsigned)(((unsigned long long)x + y) >> 1))
HIP_CPU_MATH(float, rsqrt, (float x), 1 / sqrtf(x))
HIP_CPU_MATH(float, __frsqrt_rn, (float x), 1 / sqrtf(x))
HIP_CPU_MATH(double, __dsqrt_rn, (double x), sqrt(x))
HIP_CPU_MATH(double, __drcp_rn, (double x), 1 / x)
HIP_CPU_MATH(unsigned, __urhadd, (unsigned x, unsigned y), (unsigned)(((unsigned long long)x + y + 1) >> 1))
HIP_CPU_MATH(float, fdividef, (float x, float y), x / y)

/* Operations that name how they round: to nearest as the host does anyway, or in a direction. */
/* A value that the compiler cannot compute with before it is here. */
template <typename T> static inline T hip_cpu_late_value(T x)
{
    __asm__ volatile("" : "+m"(x));
    return x;
}
template <typename T, typename F> static inline T hip_cpu_round(int direction, F f)
{
    int before = fegetround();
    fesetround(direction);
    T value = hip_cpu_late_value<T>(f());
    fesetround(before);
    return value;
}
#define HIP_CPU_ROUNDED(T, prefix, name, op)                                                                           \
    HIP_CPU_MATH(T, __##prefix##name##_rn, (T x, T y), x op y)                                                         \
    HIP_CPU_MATH(T, __##prefix##name##_rz, (T x, T y),                                                                 \
                 hip_cpu_round<T>(FE_TOWARDZERO, [=]() { return hip_cpu_late_value(x) op y; }))                        \
    HIP_CPU_MATH(T, __##prefix##name##_ru, (T x, T y),                                                                 \
                 hip_cpu_round<T>(FE_UPWARD, [=]() { return hip_cpu_late_value(x) op y; }))                            \
    HIP_CPU_MATH(T, __##prefix##name##_rd, (T x, T y),                                                                 \
                 hip_cpu_round<T>(FE_DOWNWARD, [=]() { return hip_cpu_late_value(x) op y; }))
#define HIP_CPU_ROUNDED_ALL(T, prefix)                                                                                 \
    HIP_CPU_ROUNDED(T, prefix, add, +)                                                                                 \
    HIP_CPU_ROUNDED(T, prefix, sub, -)                                                                                 \
    HIP_CPU_ROUNDED(T, prefix, mul, *)                                                                                 \
    HIP_CPU_ROUNDED(T, prefix, div, /)
HIP_CPU_ROUNDED_ALL(float, f)
HIP_CPU_ROUNDED_ALL(double, d)
#define HIP_CPU_DIRECTED(T, name, way, direction)                                                                      \
    HIP_CPU_MATH(T, name##sqrt_##way, (T x),                                                                           \
                 hip_cpu_round<T>(direction, [=]() { return std::sqrt(hip_cpu_late_value(x)); }))                      \
    HIP_CPU_MATH(T, name##rcp_##way, (T x), hip_cpu_round<T>(direction, [=]() { return 1 / hip_cpu_late_value(x); }))
#define HIP_CPU_DIRECTED_FMA(T, name, way, direction)                                                                  \
    HIP_CPU_MATH(T, name##_##way, (T x, T y, T z),                                                                     \
                 hip_cpu_round<T>(direction, [=]() { return std::fma(hip_cpu_late_value(x), y, z); }))
#define HIP_CPU_DIRECTIONS(WITH, T, name)                                                                              \
    WITH(T, name, rz, FE_TOWARDZERO)                                                                                   \
    WITH(T, name, ru, FE_UPWARD)                                                                                       \
    WITH(T, name, rd, FE_DOWNWARD)
HIP_CPU_DIRECTIONS(HIP_CPU_DIRECTED, float, __f)
HIP_CPU_DIRECTIONS(HIP_CPU_DIRECTED, double, __d)
HIP_CPU_DIRECTIONS(HIP_CPU_DIRECTED_FMA, float, __fmaf)
HIP_CPU_DIRECTIONS(HIP_CPU_DIRECTED_FMA, double, __fma)

/* Conversions: out of range they saturate, and NaN is 0; on NVIDIA's GPUs, where either type has 64 bits, the highest bit
 * alone (PTX ISA, cvt). */
template <typename I, typename T> static inline I hip_cpu_integer(T x)
{
    constexpr T above = (T)((I)1 << (sizeof(I) * 8 - 2)) * (std::is_signed<I>::value ? 2 : 4);
    constexpr T below = std::is_signed<I>::value ? -above : (T)0;
#ifdef __CUDACC__
    constexpr bool is_wide = sizeof(I) == 8 || sizeof(T) == 8;
#else
    constexpr bool is_wide = false;
#endif
    if (x != x)
        return is_wide ? (I)((uint64_t)1 << (sizeof(I) * 8 - 1)) : 0;
    return x >= above ? std::numeric_limits<I>::max() : x <= below ? std::numeric_limits<I>::min() : (I)x;
}
#define HIP_CPU_TO(I, to, T, from)                                                                                     \
    HIP_CPU_MATH(I, __##from##2##to##_rn, (T x), hip_cpu_integer<I>(nearbyint(x)))                                     \
    HIP_CPU_MATH(I, __##from##2##to##_rz, (T x), hip_cpu_integer<I>(x))                                                \
    HIP_CPU_MATH(I, __##from##2##to##_ru, (T x), hip_cpu_integer<I>(ceil(x)))                                          \
    HIP_CPU_MATH(I, __##from##2##to##_rd, (T x), hip_cpu_integer<I>(floor(x)))                                         \
    HIP_CPU_MATH(T, __##to##2##from##_rn, (I x), (T)x)                                                                 \
    HIP_CPU_FROM(T, __##to##2##from, I)
#define HIP_CPU_FROM(T, name, I)                                                                                       \
    HIP_CPU_FROM_DIRECTED(T, name##_rz, I, FE_TOWARDZERO)                                                              \
    HIP_CPU_FROM_DIRECTED(T, name##_ru, I, FE_UPWARD)                                                                  \
    HIP_CPU_FROM_DIRECTED(T, name##_rd, I, FE_DOWNWARD)
#define HIP_CPU_FROM_DIRECTED(T, name, I, direction)                                                                   \
    HIP_CPU_MATH(T, name, (I x), hip_cpu_round<T>(direction, [=]() { return (T)hip_cpu_late_value(x); }))
#define HIP_CPU_TO_ALL(T, from)                                                                                        \
    HIP_CPU_TO(int, int, T, from)                                                                                      \
    HIP_CPU_TO(unsigned, uint, T, from)                                                                                \
    HIP_CPU_TO(long long, ll, T, from)                                                                                 \
    HIP_CPU_TO(unsigned long long, ull, T, from)
HIP_CPU_TO_ALL(float, float)
HIP_CPU_TO_ALL(double, double)
HIP_CPU_MATH(float, __double2float_rn, (double x), (float)x)
HIP_CPU_FROM(float, __double2float, double)
HIP_CPU_MATH(int, float2int, (float x), __float2int_rz(x))

/* glibc declares functions of these names and has none. */
#define __expf    expf
#define __logf    logf
#define __log2f   log2f
#define __powf    powf
#define __sinf    sinf
#define __cosf    cosf
#define __tanf    tanf
#define __log10f  log10f
#define __exp10f  exp10f
#define __sincosf sincosf

/* ---- the rest ---- */

template <typename T> HIP_CPU_INLINE T __ldg(const T *address) { return *address; }
/* Loads and stores that say which caches to use. */
#define HIP_CPU_LOAD(name)                                                                                             \
    template <typename T> HIP_CPU_INLINE T name(const T *address) { return *address; }
#define HIP_CPU_STORE(name)                                                                                            \
    template <typename T, typename V> HIP_CPU_INLINE void name(T *address, V value) { *address = value; }
HIP_CPU_LOAD(__ldca)
HIP_CPU_LOAD(__ldcg)
HIP_CPU_LOAD(__ldcs)
HIP_CPU_LOAD(__ldlu)
HIP_CPU_LOAD(__ldcv)
HIP_CPU_STORE(__stwb)
HIP_CPU_STORE(__stcg)
HIP_CPU_STORE(__stcs)
HIP_CPU_STORE(__stwt)
#if !__has_builtin(__builtin_nontemporal_load) /* clang has them, gcc does not */
#define __builtin_nontemporal_load(address)         (*(address))
#define __builtin_nontemporal_store(value, address) ((void)(*(address) = (value)))
#endif

/* Nanoseconds. A CPU has no counter that all its cores share. */
HIP_CPU_INLINE long long wall_clock64(void) { return (long long)hip_cpu_nanoseconds(); }
HIP_CPU_INLINE long long clock64(void) { return (long long)hip_cpu_nanoseconds(); }

HIP_CPU_INLINE long long __clock64(void) { return clock64(); }
HIP_CPU_INLINE long long __clock(void) { return clock64(); }
HIP_CPU_INLINE void __nanosleep(unsigned) { hip_cpu_pause(nullptr, nullptr, 0); }
HIP_CPU_INLINE void __trap(void) { abort(); }

#define HIP_CPU_MIN_MAX(T)                                                                                             \
    HIP_CPU_NUMERIC T min(T a, T b) { return b < a ? b : a; }                                                          \
    HIP_CPU_NUMERIC T max(T a, T b) { return a < b ? b : a; }
HIP_CPU_MIN_MAX(int)
HIP_CPU_MIN_MAX(unsigned)
HIP_CPU_MIN_MAX(long)
HIP_CPU_MIN_MAX(unsigned long)
HIP_CPU_MIN_MAX(long long)
HIP_CPU_MIN_MAX(unsigned long long)
HIP_CPU_NUMERIC unsigned umin(unsigned a, unsigned b) { return min(a, b); }
HIP_CPU_NUMERIC unsigned umax(unsigned a, unsigned b) { return max(a, b); }
HIP_CPU_NUMERIC long long llmin(long long a, long long b) { return min(a, b); }
HIP_CPU_NUMERIC long long llmax(long long a, long long b) { return max(a, b); }
HIP_CPU_NUMERIC unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
HIP_CPU_NUMERIC unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }
HIP_CPU_NUMERIC float min(float a, float b) { return fminf(a, b); }
HIP_CPU_NUMERIC float max(float a, float b) { return fmaxf(a, b); }
HIP_CPU_NUMERIC double min(double a, double b) { return fmin(a, b); }
HIP_CPU_NUMERIC double max(double a, double b) { return fmax(a, b); }

/* Of different types, as usual arithmetic converts them. */
#define HIP_CPU_MIN_MAX_MIXED(A, B, T)                                                                                 \
    HIP_CPU_NUMERIC T min(A a, B b) { return min((T)a, (T)b); }                                                        \
    HIP_CPU_NUMERIC T min(B a, A b) { return min((T)a, (T)b); }                                                        \
    HIP_CPU_NUMERIC T max(A a, B b) { return max((T)a, (T)b); }                                                        \
    HIP_CPU_NUMERIC T max(B a, A b) { return max((T)a, (T)b); }
HIP_CPU_MIN_MAX_MIXED(int, unsigned, unsigned)
HIP_CPU_MIN_MAX_MIXED(long, unsigned long, unsigned long)
HIP_CPU_MIN_MAX_MIXED(long long, unsigned long long, unsigned long long)
HIP_CPU_MIN_MAX_MIXED(float, double, double)

#endif
