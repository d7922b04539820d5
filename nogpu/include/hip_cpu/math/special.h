/* Functions of mathematics that GPUs have and the C library has not: norms, inverse error functions, Bessel functions. Those
 * of floats are those of doubles, rounded.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_SPECIAL_H
#define HIP_CPU_SPECIAL_H

#include "hip_cpu/math/math.h"

#define HIP_CPU_SPECIAL(name, parameters, names, value)                                                                \
    HIP_CPU_C_MATH(double, name, parameters(double), value)                                                            \
    HIP_CPU_C_MATH(float, name##f, parameters(float), (float)name names)
#define HIP_CPU_X(T)    (T x)
#define HIP_CPU_XYZ(T)  (T x, T y, T z)
#define HIP_CPU_XYZW(T) (T x, T y, T z, T w)
#define HIP_CPU_NX(T)   (int n, const T *x)

/* ---- norms ---- */

template <typename T> static inline double hip_cpu_norm(int n, const T *x)
{
    double norm = 0;
    for (int i = 0; i < n; i++)
        norm = hypot(norm, (double)x[i]);
    return norm;
}
extern "C" {
HIP_CPU_SPECIAL(norm3d, HIP_CPU_XYZ, (x, y, z), hypot(hypot(x, y), z))
HIP_CPU_SPECIAL(rnorm3d, HIP_CPU_XYZ, (x, y, z), 1 / hypot(hypot(x, y), z))
HIP_CPU_SPECIAL(norm4d, HIP_CPU_XYZW, (x, y, z, w), hypot(hypot(x, y), hypot(z, w)))
HIP_CPU_SPECIAL(rnorm4d, HIP_CPU_XYZW, (x, y, z, w), 1 / norm4d(x, y, z, w))
}
template <typename T> HIP_CPU_INLINE T norm(int n, const T *x) { return (T)hip_cpu_norm(n, x); }
HIP_CPU_MATH(float, normf, (int n, const float *x), (float)hip_cpu_norm(n, x))
HIP_CPU_MATH(double, rnorm, (int n, const double *x), 1 / hip_cpu_norm(n, x))
HIP_CPU_MATH(float, rnormf, (int n, const float *x), (float)(1 / hip_cpu_norm(n, x)))

/* ---- error functions ---- */

/* x of erf(x) = p and erfc(x) = q, p + q = 1, by Newton and Halley: the smaller of the two keeps its digits. A start by
 * Winitzki, "A handy approximation for the error function and its inverse" (2008). */
static inline double hip_cpu_inverse_error(double p, double q)
{
    if (!(p >= -1 && p <= 1))
        return NAN;
    if (q == 0 || p == -1)
        return p < 0 ? -HUGE_VAL : HUGE_VAL;
    double log = (p < 0 ? log1p(p) + log1p(-p) : std::log(q) + log1p(p)), b = 4.3307 + log / 2;
    double x = copysign(sqrt(sqrt(b * b - log / 0.147) - b), p);
    for (int i = 0; i < 4; i++) {
        double error = p > 0.5 ? q - erfc(x) : erf(x) - p;
        double step = error / (M_2_SQRTPI * exp(-x * x));
        x -= step / (1 + x * step);
    }
    return x;
}
extern "C" {
HIP_CPU_SPECIAL(erfinv, HIP_CPU_X, (x), hip_cpu_inverse_error(x, 1 - x))
HIP_CPU_SPECIAL(erfcinv, HIP_CPU_X, (x), hip_cpu_inverse_error(1 - x, x))
HIP_CPU_SPECIAL(normcdfinv, HIP_CPU_X, (x), -M_SQRT2 *erfcinv(2 * x))
}
/* exp(x^2) erfc(x); from 10 on by its asymptotic series. */
static inline double hip_cpu_scaled_error(double x)
{
    double sum = 1, term = 1;
    if (x < 10)
        return exp(x * x) * erfc(x);
    for (int k = 1; k < 12; k++)
        sum += term *= -(2 * k - 1) / (2 * x * x);
    return sum * M_2_SQRTPI / 2 / x;
}
extern "C" {
HIP_CPU_SPECIAL(erfcx, HIP_CPU_X, (x), hip_cpu_scaled_error(x))
}

/* ---- modified Bessel functions: sums of positive terms ---- */

static inline double hip_cpu_bessel(int order, double x)
{
    double term = order ? x / 2 : 1, sum = term;
    for (int k = 1; k < 2000 && sum + term != sum; k++)
        sum += term *= x * x / 4 / k / (k + order);
    return sum;
}
extern "C" {
HIP_CPU_SPECIAL(cyl_bessel_i0, HIP_CPU_X, (x), hip_cpu_bessel(0, x))
HIP_CPU_SPECIAL(cyl_bessel_i1, HIP_CPU_X, (x), hip_cpu_bessel(1, x))
}

/* ---- sine and cosine of pi x: exact where they are 0 or 1 ---- */

/* The sine of pi x, so many quarters of a turn later. */
static inline double hip_cpu_sine(double x, int quarters)
{
    double turn = fmod(x, 2), quarter = rint(turn * 2), rest = (turn - quarter / 2) * M_PI;
    if (turn != turn)
        return turn;
    quarters += (int)quarter;
    double sine = quarters & 1 ? cos(rest) : sin(rest);
    return quarters & 2 ? -sine : sine;
}
extern "C" {
HIP_CPU_SPECIAL(sinpi, HIP_CPU_X, (x), x == trunc(x) ? x * 0 : hip_cpu_sine(x, 0))
HIP_CPU_SPECIAL(cospi, HIP_CPU_X, (x), hip_cpu_sine(x, 1) + 0) /* -0 + 0 is 0 */
HIP_CPU_INLINE void sincospi(double x, double *sine, double *cosine) noexcept
{
    *sine = sinpi(x);
    *cosine = cospi(x);
}
HIP_CPU_INLINE void sincospif(float x, float *sine, float *cosine) noexcept
{
    *sine = sinpif(x);
    *cosine = cospif(x);
}
}

#endif
