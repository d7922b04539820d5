/* Floating-point numbers of 16 bits: half and bfloat16, one by one and in pairs. They are computed as float and rounded
 * to nearest, which for + - * / and the square root is exact rounding.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_FLOAT16_H
#define HIP_CPU_FLOAT16_H

#include <math.h>
#include <string.h>
#include <type_traits>

#include "hip_cpu/kernel/atomic.h"
#include "hip_cpu/math/math.h"
#include "hip_cpu/api/vector.h"
#include "hip_cpu/kernel/warp.h"

/* ---- formats ---- */

static inline uint32_t hip_cpu_float_bits(float x)
{
    uint32_t bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}
static inline float hip_cpu_float_of(uint32_t bits)
{
    float x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

struct hip_cpu_half_format {
    struct raw {
        unsigned short x;
    };
    static float widen(uint16_t h)
    {
        uint32_t sign = (uint32_t)(h & 0x8000) << 16, size = (uint32_t)(h & 0x7fff) << 13;
        uint32_t tiny = hip_cpu_float_bits(hip_cpu_float_of(size + 0x38800000) - 0x1p-14f);
        return hip_cpu_float_of(sign |
                                (size < 0x00800000 ? tiny : size + (size < 0x0f800000 ? 0x38000000 : 0x70000000)));
    }
    static uint16_t narrow(float x)
    {
        uint32_t bits = hip_cpu_float_bits(x), sign = bits >> 16 & 0x8000, size = bits & 0x7fffffff;
        if (size > 0x7f800000)
            return 0x7fff;
        if (size >= 0x47800000)
            return (uint16_t)(sign | 0x7c00);
        if (size < 0x38800000) /* no exponent: the last bit of a half is that of 0.5f */
            return (uint16_t)(sign | (hip_cpu_float_bits(hip_cpu_float_of(size) + 0.5f) - 0x3f000000));
        size += 0xfff + (size >> 13 & 1);
        return (uint16_t)(sign | (size - 0x38000000) >> 13);
    }
};

struct hip_cpu_bfloat_format {
    struct raw {
        unsigned short x;
    };
    static float widen(uint16_t b) { return hip_cpu_float_of((uint32_t)b << 16); }
    static uint16_t narrow(float x)
    {
        uint32_t bits = hip_cpu_float_bits(x);
        if ((bits & 0x7fffffff) > 0x7f800000)
            return 0x7fff;
        return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
    }
};

/* A number that will be rounded once more: an odd last bit keeps what float has no room for from looking like a tie. */
template <typename T> static inline float hip_cpu_odd(T x)
{
    float near = (float)x;
    if constexpr (std::numeric_limits<T>::digits > 24) {
        long double exact = (long double)x;
        uint32_t bits = hip_cpu_float_bits(near);
        if (near != exact && exact == exact)
            near = hip_cpu_float_of((bits - (fabsl(near) > fabsl(exact))) | 1);
    }
    return near;
}

/* ---- one number ---- */

/* Functions of both formats are friends: they take what converts to one. */
#define HIP_CPU_FRIEND(R, name, parameters, value)                                                                     \
    friend HIP_CPU_FRIEND_INLINE R name parameters { return value; }
#define HIP_CPU_FRIEND_INLINE inline __attribute__((always_inline))
#define HIP_CPU_ARITHMETIC(op, name)                                                                                   \
    HIP_CPU_FRIEND(number, operator op, (number a, number b), number((float)a op(float) b))                            \
    HIP_CPU_FRIEND(number, name, (number a, number b), number((float)a op(float) b))                                   \
    HIP_CPU_FRIEND(number, name##_rn, (number a, number b), a op b)                                                    \
    HIP_CPU_FRIEND(number, name##_sat, (number a, number b), __saturatef(a op b))                                      \
    HIP_CPU_FRIEND(number &, operator op##=, (number & a, number b), a = a op b)
#define HIP_CPU_COMPARISON(op, name)                                                                                   \
    HIP_CPU_FRIEND(bool, operator op, (number a, number b), (float)a op(float) b)                                      \
    HIP_CPU_FRIEND(bool, name, (number a, number b), (float)a op(float) b)                                             \
    HIP_CPU_FRIEND(bool, name##u, (number a, number b), __hisnan(a) || __hisnan(b) || name(a, b))
#define HIP_CPU_FUNCTION(name, value) HIP_CPU_FRIEND(number, name, (number a), number(value))

template <typename Format> struct hip_cpu_float16 {
    typedef hip_cpu_float16 number;
    uint16_t bits;

    hip_cpu_float16() = default;
    template <typename T, typename = typename std::enable_if<std::is_arithmetic<T>::value>::type>
    HIP_CPU_FRIEND_INLINE hip_cpu_float16(T x) : bits(Format::narrow(hip_cpu_odd(x)))
    {
    }
    template <typename Other>
    HIP_CPU_FRIEND_INLINE explicit hip_cpu_float16(hip_cpu_float16<Other> x) : bits(Format::narrow((float)x))
    {
    }
    HIP_CPU_FRIEND_INLINE hip_cpu_float16(typename Format::raw x) : bits(x.x) {}
    HIP_CPU_FRIEND_INLINE operator typename Format::raw() const { return {bits}; }
    static number of_bits(uint16_t bits)
    {
        number x;
        x.bits = bits;
        return x;
    }
    HIP_CPU_FRIEND_INLINE operator float() const { return Format::widen(bits); }

    HIP_CPU_ARITHMETIC(+, __hadd)
    HIP_CPU_ARITHMETIC(-, __hsub)
    HIP_CPU_ARITHMETIC(*, __hmul)
    HIP_CPU_ARITHMETIC(/, __hdiv)
    HIP_CPU_COMPARISON(==, __heq)
    HIP_CPU_COMPARISON(!=, __hne)
    HIP_CPU_COMPARISON(<, __hlt)
    HIP_CPU_COMPARISON(<=, __hle)
    HIP_CPU_COMPARISON(>, __hgt)
    HIP_CPU_COMPARISON(>=, __hge)
    HIP_CPU_FRIEND(number, operator-, (number a), of_bits((uint16_t)(a.bits ^ 0x8000)))
    HIP_CPU_FRIEND(number, __hneg, (number a), -a)
    HIP_CPU_FRIEND(number, __habs, (number a), of_bits((uint16_t)(a.bits & 0x7fff)))
    HIP_CPU_FRIEND(number, __hfma, (number a, number b, number c),
                   number((float)fma((double)(float)a, (float)b, (float)c)))
    HIP_CPU_FRIEND(number, __hmin, (number a, number b), number(fminf(a, b)))
    HIP_CPU_FRIEND(number, __hmax, (number a, number b), number(fmaxf(a, b)))
    HIP_CPU_FRIEND(number, __hmin_nan, (number a, number b),
                   __hisnan(a) || __hisnan(b) ? of_bits(0x7fff) : __hmin(a, b))
    HIP_CPU_FRIEND(number, __hmax_nan, (number a, number b),
                   __hisnan(a) || __hisnan(b) ? of_bits(0x7fff) : __hmax(a, b))
    HIP_CPU_FRIEND(number, __hfma_sat, (number a, number b, number c), __saturatef(__hfma(a, b, c)))
    HIP_CPU_FRIEND(number, __hfma_relu, (number a, number b, number c), __hmax_nan(__hfma(a, b, c), number(0)))
    HIP_CPU_FRIEND(bool, __hisnan, (number a), (float)a != (float)a)
    HIP_CPU_FRIEND(int, __hisinf, (number a), isinf((float)a) ? (a.bits >> 15 ? -1 : 1) : 0)
    HIP_CPU_FUNCTION(hsqrt, sqrtf(a))
    HIP_CPU_FUNCTION(hrsqrt, 1 / sqrtf(a))
    HIP_CPU_FUNCTION(hrcp, 1 / (float)a)
    HIP_CPU_FUNCTION(hexp, expf(a))
    HIP_CPU_FUNCTION(hexp2, exp2f(a))
    HIP_CPU_FUNCTION(hexp10, powf(10, a))
    HIP_CPU_FUNCTION(hlog, logf(a))
    HIP_CPU_FUNCTION(hlog2, log2f(a))
    HIP_CPU_FUNCTION(hlog10, log10f(a))
    HIP_CPU_FUNCTION(hsin, sinf(a))
    HIP_CPU_FUNCTION(hcos, cosf(a))
    HIP_CPU_FUNCTION(htanh, tanhf(a))
    HIP_CPU_FUNCTION(htanh_approx, tanhf(a))
    HIP_CPU_FUNCTION(hfloor, floorf(a))
    HIP_CPU_FUNCTION(hceil, ceilf(a))
    HIP_CPU_FUNCTION(htrunc, truncf(a))
    HIP_CPU_FUNCTION(hrint, rintf(a))

    HIP_CPU_FRIEND(number, __shfl, (number a, int lane, int width = warpSize, HIP_CPU_PLACE),
                   of_bits((uint16_t)hip_cpu_shuffle(HIP_CPU_SHFL, a.bits, (unsigned)lane, width, file, line)))
    HIP_CPU_FRIEND(number, __shfl_up, (number a, unsigned n, int width = warpSize, HIP_CPU_PLACE),
                   of_bits((uint16_t)hip_cpu_shuffle(HIP_CPU_SHFL_UP, a.bits, n, width, file, line)))
    HIP_CPU_FRIEND(number, __shfl_down, (number a, unsigned n, int width = warpSize, HIP_CPU_PLACE),
                   of_bits((uint16_t)hip_cpu_shuffle(HIP_CPU_SHFL_DOWN, a.bits, n, width, file, line)))
    HIP_CPU_FRIEND(number, __shfl_xor, (number a, int lanes, int width = warpSize, HIP_CPU_PLACE),
                   of_bits((uint16_t)hip_cpu_shuffle(HIP_CPU_SHFL_XOR, a.bits, (unsigned)lanes, width, file, line)))
};

/* ---- a pair ---- */

#define HIP_CPU_PAIR_OPERATOR(op, name)                                                                                \
    HIP_CPU_FRIEND(pair, operator op, (pair a, pair b), pair(a.x op b.x, a.y op b.y))                                  \
    HIP_CPU_FRIEND(pair, name, (pair a, pair b), pair(a.x op b.x, a.y op b.y))                                         \
    HIP_CPU_FRIEND(pair, name##_rn, (pair a, pair b), a op b)                                                          \
    HIP_CPU_FRIEND(pair, name##_sat, (pair a, pair b), pair(__saturatef(a.x op b.x), __saturatef(a.y op b.y)))         \
    HIP_CPU_FRIEND(pair &, operator op##=, (pair & a, pair b), a = a op b)
#define HIP_CPU_PAIR_COMPARISON(op, name)                                                                              \
    HIP_CPU_FRIEND(pair, __h##name##2, (pair a, pair b), pair(a.x op b.x, a.y op b.y))                                 \
    HIP_CPU_FRIEND(bool, __hb##name##2, (pair a, pair b), (a.x op b.x) && (a.y op b.y))                                \
    HIP_CPU_FRIEND(pair, __h##name##u2, (pair a, pair b), pair(__h##name##u(a.x, b.x), __h##name##u(a.y, b.y)))        \
    HIP_CPU_FRIEND(bool, __hb##name##u2, (pair a, pair b), __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y))           \
    HIP_CPU_FRIEND(unsigned, __h##name##2_mask, (pair a, pair b), (a.x op b.x) * 0xffffu | (a.y op b.y) * 0xffff0000u) \
    HIP_CPU_FRIEND(unsigned, __h##name##u2_mask, (pair a, pair b),                                                     \
                   __h##name##u(a.x, b.x) * 0xffffu | __h##name##u(a.y, b.y) * 0xffff0000u)
#define HIP_CPU_PAIR_OF(name, of) HIP_CPU_FRIEND(pair, name, (pair a, pair b), pair(of(a.x, b.x), of(a.y, b.y)))
#define HIP_CPU_PAIR_FMA(name, of)                                                                                     \
    HIP_CPU_FRIEND(pair, name, (pair a, pair b, pair c), pair(of(a.x, b.x, c.x), of(a.y, b.y, c.y)))
#define HIP_CPU_PAIR_FUNCTION(name, of) HIP_CPU_FRIEND(pair, name, (pair a), pair(of(a.x), of(a.y)))

template <typename Format> struct alignas(4) hip_cpu_pair16 {
    typedef hip_cpu_float16<Format> number;
    typedef hip_cpu_pair16 pair;
    number x, y;

    hip_cpu_pair16() = default;
    HIP_CPU_FRIEND_INLINE hip_cpu_pair16(number a, number b) : x(a), y(b) {}
    explicit HIP_CPU_FRIEND_INLINE hip_cpu_pair16(number a) : x(a), y(a) {}

    HIP_CPU_PAIR_OPERATOR(+, __hadd2)
    HIP_CPU_PAIR_OPERATOR(-, __hsub2)
    HIP_CPU_PAIR_OPERATOR(*, __hmul2)
    HIP_CPU_PAIR_OPERATOR(/, __h2div)
    HIP_CPU_PAIR_COMPARISON(==, eq)
    HIP_CPU_PAIR_COMPARISON(!=, ne)
    HIP_CPU_PAIR_COMPARISON(<, lt)
    HIP_CPU_PAIR_COMPARISON(<=, le)
    HIP_CPU_PAIR_COMPARISON(>, gt)
    HIP_CPU_PAIR_COMPARISON(>=, ge)
    HIP_CPU_FRIEND(bool, operator==, (pair a, pair b), a.x == b.x && a.y == b.y)
    HIP_CPU_FRIEND(bool, operator!=, (pair a, pair b), !(a == b))
    HIP_CPU_FRIEND(pair, operator-, (pair a), pair(-a.x, -a.y))
    HIP_CPU_FRIEND(pair, __hneg2, (pair a), -a)
    HIP_CPU_FRIEND(pair, __habs2, (pair a), pair(__habs(a.x), __habs(a.y)))
    HIP_CPU_FRIEND(pair, __hisnan2, (pair a), pair(__hisnan(a.x), __hisnan(a.y)))
    HIP_CPU_PAIR_FMA(__hfma2, __hfma)
    HIP_CPU_PAIR_FMA(__hfma2_sat, __hfma_sat)
    HIP_CPU_PAIR_FMA(__hfma2_relu, __hfma_relu)
    HIP_CPU_FRIEND(pair, __hcmadd, (pair a, pair b, pair c),
                   pair(__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))))
    HIP_CPU_PAIR_OF(__hmin2, __hmin)
    HIP_CPU_PAIR_OF(__hmax2, __hmax)
    HIP_CPU_PAIR_OF(__hmin2_nan, __hmin_nan)
    HIP_CPU_PAIR_OF(__hmax2_nan, __hmax_nan)
    HIP_CPU_PAIR_FUNCTION(h2sqrt, hsqrt)
    HIP_CPU_PAIR_FUNCTION(h2rsqrt, hrsqrt)
    HIP_CPU_PAIR_FUNCTION(h2rcp, hrcp)
    HIP_CPU_PAIR_FUNCTION(h2exp, hexp)
    HIP_CPU_PAIR_FUNCTION(h2exp2, hexp2)
    HIP_CPU_PAIR_FUNCTION(h2exp10, hexp10)
    HIP_CPU_PAIR_FUNCTION(h2log, hlog)
    HIP_CPU_PAIR_FUNCTION(h2log2, hlog2)
    HIP_CPU_PAIR_FUNCTION(h2log10, hlog10)
    HIP_CPU_PAIR_FUNCTION(h2tanh, htanh)
    HIP_CPU_PAIR_FUNCTION(h2tanh_approx, htanh)
    HIP_CPU_PAIR_FUNCTION(h2sin, hsin)
    HIP_CPU_PAIR_FUNCTION(h2cos, hcos)
    HIP_CPU_PAIR_FUNCTION(h2floor, hfloor)
    HIP_CPU_PAIR_FUNCTION(h2ceil, hceil)
    HIP_CPU_PAIR_FUNCTION(h2trunc, htrunc)
    HIP_CPU_PAIR_FUNCTION(h2rint, hrint)

    static uint32_t bits_of(pair a) { return (uint32_t)a.y.bits << 16 | a.x.bits; }
    static pair of_bits(uint64_t bits)
    {
        return pair(number::of_bits((uint16_t)bits), number::of_bits((uint16_t)(bits >> 16)));
    }
    HIP_CPU_FRIEND(pair, __shfl, (pair a, int lane, int width = warpSize, HIP_CPU_PLACE),
                   of_bits(hip_cpu_shuffle(HIP_CPU_SHFL, bits_of(a), (unsigned)lane, width, file, line)))
    HIP_CPU_FRIEND(pair, __shfl_up, (pair a, unsigned n, int width = warpSize, HIP_CPU_PLACE),
                   of_bits(hip_cpu_shuffle(HIP_CPU_SHFL_UP, bits_of(a), n, width, file, line)))
    HIP_CPU_FRIEND(pair, __shfl_down, (pair a, unsigned n, int width = warpSize, HIP_CPU_PLACE),
                   of_bits(hip_cpu_shuffle(HIP_CPU_SHFL_DOWN, bits_of(a), n, width, file, line)))
    HIP_CPU_FRIEND(pair, __shfl_xor, (pair a, int lanes, int width = warpSize, HIP_CPU_PLACE),
                   of_bits(hip_cpu_shuffle(HIP_CPU_SHFL_XOR, bits_of(a), (unsigned)lanes, width, file, line)))

    HIP_CPU_FRIEND(number, __low2half, (pair a), a.x)
    HIP_CPU_FRIEND(number, __high2half, (pair a), a.y)
    HIP_CPU_FRIEND(pair, __lowhigh2highlow, (pair a), pair(a.y, a.x))
    HIP_CPU_FRIEND(pair, __low2half2, (pair a), pair(a.x, a.x))
    HIP_CPU_FRIEND(pair, __high2half2, (pair a), pair(a.y, a.y))
    HIP_CPU_FRIEND(float, __low2float, (pair a), (float)a.x)
    HIP_CPU_FRIEND(float, __high2float, (pair a), (float)a.y)
};

/* ---- mixed with other numbers: a real number makes it float, an integer is converted ---- */

#define HIP_CPU_MIXED(op, R, I)                                                                                        \
    HIP_CPU_MIXED_WITH(op, is_floating_point, R, (T)(float)a op b, a op(T)(float) b)                                   \
    HIP_CPU_MIXED_WITH(op, is_integral, I, a op hip_cpu_float16<F>(b), hip_cpu_float16<F>(a) op b)
#define HIP_CPU_MIXED_WITH(op, is, R, first, second)                                                                   \
    template <typename F, typename T>                                                                                  \
    HIP_CPU_INLINE typename std::enable_if<std::is<T>::value, R>::type operator op(hip_cpu_float16<F> a, T b)          \
    {                                                                                                                  \
        return first;                                                                                                  \
    }                                                                                                                  \
    template <typename F, typename T>                                                                                  \
    HIP_CPU_INLINE typename std::enable_if<std::is<T>::value, R>::type operator op(T a, hip_cpu_float16<F> b)          \
    {                                                                                                                  \
        return second;                                                                                                 \
    }
HIP_CPU_MIXED(+, T, hip_cpu_float16<F>)
HIP_CPU_MIXED(-, T, hip_cpu_float16<F>)
HIP_CPU_MIXED(*, T, hip_cpu_float16<F>)
HIP_CPU_MIXED(/, T, hip_cpu_float16<F>)
HIP_CPU_MIXED(==, bool, bool)
HIP_CPU_MIXED(!=, bool, bool)
HIP_CPU_MIXED(<, bool, bool)
HIP_CPU_MIXED(<=, bool, bool)
HIP_CPU_MIXED(>, bool, bool)
HIP_CPU_MIXED(>=, bool, bool)

/* ---- atomics: of the 2 or 4 bytes ---- */

template <typename Bits, typename V> HIP_CPU_INLINE V hip_cpu_atomic_add16(V *address, V value)
{
    Bits *word = (Bits *)address, old = __atomic_load_n(word, __ATOMIC_RELAXED), next;
    V before, after;
    do {
        __builtin_memcpy((void *)&before, &old, sizeof before);
        after = before + value;
        __builtin_memcpy(&next, (const void *)&after, sizeof next);
    } while (!__atomic_compare_exchange_n(word, &old, next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return before;
}
template <typename F> HIP_CPU_INLINE hip_cpu_float16<F> atomicAdd(hip_cpu_float16<F> *address, hip_cpu_float16<F> value)
{
    return hip_cpu_atomic_add16<uint16_t>(address, value);
}
template <typename F> HIP_CPU_INLINE hip_cpu_pair16<F> atomicAdd(hip_cpu_pair16<F> *address, hip_cpu_pair16<F> value)
{
    return hip_cpu_atomic_add16<uint32_t>(address, value);
}
template <typename F>
HIP_CPU_INLINE hip_cpu_pair16<F> unsafeAtomicAdd(hip_cpu_pair16<F> *address, hip_cpu_pair16<F> value)
{
    return hip_cpu_atomic_add16<uint32_t>(address, value);
}

/* ---- from other numbers and to integers, by the names of CUDA: __float2half_rz(), __half2int_rn() ... ---- */

/* The nearest number; the one beside it, if that is on the wrong side; and none beyond the largest towards zero. */
enum hip_cpu_direction { HIP_CPU_TO_ZERO, HIP_CPU_UP, HIP_CPU_DOWN };
template <typename N, typename V> static inline N hip_cpu_directed16(V x, hip_cpu_direction way)
{
    N nearest = N(x);
    long double is = (float)nearest, wanted = (long double)x;
    bool up = way == HIP_CPU_UP || (way == HIP_CPU_TO_ZERO && wanted < 0);

    if (is != is || is == wanted || (is > wanted) == up)
        return nearest;
    if (is == 0)
        return N::of_bits(up ? 1 : 0x8001);
    return N::of_bits((uint16_t)(nearest.bits + ((is > 0) == up ? 1 : -1)));
}
#define HIP_CPU_FROM16(T, to, V)                                                                                       \
    HIP_CPU_MATH(T, to##_rn, (V x), T(x))                                                                              \
    HIP_CPU_MATH(T, to##_rz, (V x), hip_cpu_directed16<T>(x, HIP_CPU_TO_ZERO))                                         \
    HIP_CPU_MATH(T, to##_ru, (V x), hip_cpu_directed16<T>(x, HIP_CPU_UP))                                              \
    HIP_CPU_MATH(T, to##_rd, (V x), hip_cpu_directed16<T>(x, HIP_CPU_DOWN))
#define HIP_CPU_INTEGER(T, name, I, to)                                                                                \
    HIP_CPU_MATH(I, __##name##2##to##_rn, (T x), hip_cpu_integer<I>(nearbyintf(x)))                                    \
    HIP_CPU_MATH(I, __##name##2##to##_rz, (T x), hip_cpu_integer<I>((float)x))                                         \
    HIP_CPU_MATH(I, __##name##2##to##_ru, (T x), hip_cpu_integer<I>(ceilf(x)))                                         \
    HIP_CPU_MATH(I, __##name##2##to##_rd, (T x), hip_cpu_integer<I>(floorf(x)))                                        \
    HIP_CPU_FROM16(T, __##to##2##name, I)
#define HIP_CPU_CONVERSIONS(T, name)                                                                                   \
    HIP_CPU_FROM16(T, __float2##name, float)                                                                           \
    HIP_CPU_MATH(T, __float2##name, (float x), T(x))                                                                   \
    HIP_CPU_MATH(T, __double2##name, (double x), T(x))                                                                 \
    HIP_CPU_MATH(signed char, __##name##2char_rz, (T x), hip_cpu_integer<signed char>((float)x))                       \
    HIP_CPU_MATH(unsigned char, __##name##2uchar_rz, (T x), hip_cpu_integer<unsigned char>((float)x))                  \
    HIP_CPU_INTEGER(T, name, int, int)                                                                                 \
    HIP_CPU_INTEGER(T, name, unsigned, uint)                                                                           \
    HIP_CPU_INTEGER(T, name, short, short)                                                                             \
    HIP_CPU_INTEGER(T, name, unsigned short, ushort)                                                                   \
    HIP_CPU_INTEGER(T, name, long long, ll)                                                                            \
    HIP_CPU_INTEGER(T, name, unsigned long long, ull)

#endif
