/* Every function of mathematics of C23 (with its annex F) and of POSIX, and what C libraries and IEEE 754 have beside them,
 * as the next C library may declare it: read before HIP's headers, so that none of our names is one of theirs.
 * SPDX-License-Identifier: MIT */
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define NOTHROW noexcept
#else
#define NOTHROW
#endif
/* For each type: a function and its variants for float and long double. */
#define X(name)                                                                                                        \
    double name(double) NOTHROW;                                                                                       \
    float name##f(float) NOTHROW;                                                                                      \
    long double name##l(long double) NOTHROW;
#define XY(name)                                                                                                       \
    double name(double, double) NOTHROW;                                                                               \
    float name##f(float, float) NOTHROW;                                                                               \
    long double name##l(long double, long double) NOTHROW;
#define FORM(result, name, ...) result name(__VA_ARGS__) NOTHROW;

/* clang-format off */
/* ---- C23 ---- */
X(acos) X(asin) X(atan) X(acospi) X(asinpi) X(atanpi) X(cos) X(sin) X(tan) X(cospi) X(sinpi) X(tanpi) X(acosh) X(asinh)
X(atanh) X(cosh) X(sinh) X(tanh) X(exp) X(exp10) X(exp10m1) X(exp2) X(exp2m1) X(expm1) X(log) X(log10) X(log10p1)
X(log1p) X(logp1) X(log2) X(log2p1) X(logb) X(cbrt) X(fabs) X(rsqrt) X(sqrt) X(erf) X(erfc) X(lgamma) X(tgamma) X(ceil)
X(floor) X(nearbyint) X(rint) X(round) X(roundeven) X(trunc) X(nextup) X(nextdown) XY(atan2) XY(atan2pi) XY(hypot)
XY(pow) XY(powr) XY(fmod) XY(remainder) XY(copysign) XY(nextafter) XY(fdim) XY(fmax) XY(fmin) XY(fmaximum) XY(fminimum)
XY(fmaximum_mag) XY(fminimum_mag) XY(fmaximum_num) XY(fminimum_num) XY(fmaximum_mag_num) XY(fminimum_mag_num)
#define FORMS(T, f) \
    FORM(T, frexp##f, T, int *) FORM(T, modf##f, T, T *) FORM(T, ldexp##f, T, int) FORM(int, ilogb##f, T) \
    FORM(long, llogb##f, T) FORM(T, scalbn##f, T, int) FORM(T, scalbln##f, T, long) \
    FORM(T, compoundn##f, T, long long) FORM(T, pown##f, T, long long) FORM(T, rootn##f, T, long long) \
    FORM(long, lrint##f, T) FORM(long, lround##f, T) FORM(long long, llrint##f, T) FORM(long long, llround##f, T) \
    FORM(T, remquo##f, T, T, int *) FORM(T, nan##f, const char *) FORM(T, nexttoward##f, T, long double) \
    FORM(T, fma##f, T, T, T) FORM(int, canonicalize##f, T *, const T *) \
    FORM(int, totalorder##f, const T *, const T *) FORM(int, totalordermag##f, const T *, const T *) \
    FORM(T, getpayload##f, const T *) FORM(int, setpayload##f, T *, T) FORM(int, setpayloadsig##f, T *, T) \
    FORM(T, j0##f, T) FORM(T, j1##f, T) FORM(T, jn##f, int, T) FORM(T, y0##f, T) FORM(T, y1##f, T) \
    FORM(T, yn##f, int, T) FORM(void, sincos##f, T, T *, T *) FORM(void, sincospi##f, T, T *, T *)
FORMS(double, ) FORMS(float, f)
FORM(float, fadd, double, double) FORM(float, fsub, double, double) FORM(float, fmul, double, double)
FORM(float, fdiv, double, double) FORM(float, fsqrt, double) FORM(float, ffma, double, double, double)
FORM(double, daddl, long double, long double) FORM(double, dsubl, long double, long double)
FORM(double, dmull, long double, long double) FORM(double, ddivl, long double, long double)
FORM(double, dsqrtl, long double) FORM(double, dfmal, long double, long double, long double)
#ifndef __GLIBC__ /* whose results were integers before 2.43, as in the draft */
FORM(double, fromfp, double, int, unsigned) FORM(double, fromfpx, double, int, unsigned)
FORM(double, ufromfp, double, int, unsigned) FORM(double, ufromfpx, double, int, unsigned)
#endif
/* ---- POSIX, and older systems, beside j0 to sincospi above ---- */
extern int signgam; XY(drem) XY(scalb) X(significand) X(gamma)
/* clang-format on */
#undef X
#undef XY
#undef FORM
#undef FORMS
#undef NOTHROW
#ifdef __cplusplus
}
#endif
