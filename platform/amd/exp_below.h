/* exp() of numbers that are not above 0, AMD only: without the tests of the range and the special cases of the device
 * library's, which for many elements at a time need more masks of lanes than there are registers.
 *
 * Right within 2 ulps. What is below the normal numbers may become 0, and that of -infinity is 0; that of NaN is any
 * number: the caller sees to it. The numbers are split so that one fma() each leaves nothing but the last rounding.
 * tests/platform/test_exp_below.c computes them on the CPU.
 * SPDX-License-Identifier: MIT */
#ifndef EXP_BELOW_H
#define EXP_BELOW_H

/* One instruction: 2^x within 1 ulp, what is below the normal numbers as 0. */
#ifndef EXP2_INSTRUCTION
#if __has_builtin(__builtin_amdgcn_exp2f)
#define EXP2_INSTRUCTION(x) __builtin_amdgcn_exp2f(x)
#else
#define EXP2_INSTRUCTION(x) __builtin_exp2f(x) /* the same, in LLVM 15 */
#endif
#endif

/* exp(x) = 2^p exp(x - p ln 2), where p = x log2(e) is rounded and the second factor is 1 + rest, very nearly. */
static __device__ __forceinline__ float exp_float_below_0(float x)
{
    x = fmaxf(x, -200.0f); /* -infinity would leave infinity - infinity */
    float p = x * 0x1.715476p+0f;
    float rest = fmaf(p, -0x1.62e43p-1f, x);
    rest = fmaf(p, 0x1.05c610p-29f, rest); /* ln 2 = 0x1.62e43p-1 - 0x1.05c610p-29 */
    float power = EXP2_INSTRUCTION(p);
    return fmaf(power, rest, power);
}

/* exp(x) = 2^k exp(t), where t = x - k ln 2 is at most ln 2 / 2. Its polynomial, 1 + t + t^2 (...), interpolates
 * exp(t) where the Chebyshev polynomial of degree 10 is 0, which is off by less than 2^-55. */
static __device__ __forceinline__ double exp_double_below_0(double x)
{
    x = fmax(x, -800.0);
    double k = rint(x * 0x1.71547652b82fep+0);
    double t = fma(k, -0x1.62e42fefa39efp-1, x);
    t = fma(k, -0x1.abc9e3b39803fp-56, t);
    double e = 0x1.af389ed28db09p-26;
    e = fma(e, t, 0x1.28917c8be7ad6p-22);
    e = fma(e, t, 0x1.71de0db2f585ep-19);
    e = fma(e, t, 0x1.a019b914985a9p-16);
    e = fma(e, t, 0x1.a01a01a7c2f03p-13);
    e = fma(e, t, 0x1.6c16c17889ef9p-10);
    e = fma(e, t, 0x1.11111111109b5p-7);
    e = fma(e, t, 0x1.5555555553d68p-5);
    e = fma(e, t, 0x1.5555555555556p-3);
    e = fma(e, t, 0.5);
    e = fma(e, t, 1.0);
    return ldexp(fma(e, t, 1.0), (int)k);
}

#endif
