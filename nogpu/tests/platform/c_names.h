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
FORM(double, frexp, double, int *) FORM(float, frexpf, float, int *) FORM(double, modf, double, double *)
FORM(float, modff, float, float *) FORM(double, ldexp, double, int) FORM(float, ldexpf, float, int)
FORM(int, ilogb, double) FORM(int, ilogbf, float) FORM(long, llogb, double) FORM(long, llogbf, float)
FORM(double, scalbn, double, int) FORM(float, scalbnf, float, int) FORM(double, scalbln, double, long)
FORM(float, scalblnf, float, long) FORM(double, compoundn, double, long long) FORM(float, compoundnf, float, long long)
FORM(double, pown, double, long long) FORM(float, pownf, float, long long) FORM(double, rootn, double, long long)
FORM(float, rootnf, float, long long) FORM(long, lrint, double) FORM(long, lrintf, float) FORM(long, lround, double)
FORM(long, lroundf, float) FORM(long long, llrint, double) FORM(long long, llrintf, float)
FORM(long long, llround, double) FORM(long long, llroundf, float) FORM(double, remquo, double, double, int *)
FORM(float, remquof, float, float, int *) FORM(double, nan, const char *) FORM(float, nanf, const char *)
FORM(double, nexttoward, double, long double) FORM(float, nexttowardf, float, long double)
FORM(double, fma, double, double, double) FORM(float, fmaf, float, float, float)
FORM(int, canonicalize, double *, const double *) FORM(int, canonicalizef, float *, const float *)
FORM(int, totalorder, const double *, const double *) FORM(int, totalorderf, const float *, const float *)
FORM(int, totalordermag, const double *, const double *) FORM(int, totalordermagf, const float *, const float *)
FORM(double, getpayload, const double *) FORM(float, getpayloadf, const float *) FORM(int, setpayload, double *, double)
FORM(int, setpayloadf, float *, float) FORM(int, setpayloadsig, double *, double)
FORM(int, setpayloadsigf, float *, float) FORM(float, fadd, double, double) FORM(float, fsub, double, double)
FORM(float, fmul, double, double) FORM(float, fdiv, double, double) FORM(float, fsqrt, double)
FORM(float, ffma, double, double, double) FORM(double, daddl, long double, long double)
FORM(double, dsubl, long double, long double) FORM(double, dmull, long double, long double)
FORM(double, ddivl, long double, long double) FORM(double, dsqrtl, long double)
FORM(double, dfmal, long double, long double, long double)
#ifndef __GLIBC__ /* whose results were integers before 2.43, as in the draft */
FORM(double, fromfp, double, int, unsigned) FORM(double, fromfpx, double, int, unsigned)
FORM(double, ufromfp, double, int, unsigned) FORM(double, ufromfpx, double, int, unsigned)
#endif
/* ---- POSIX, and older systems ---- */
FORM(double, j0, double) FORM(double, j1, double) FORM(double, jn, int, double) FORM(double, y0, double)
FORM(double, y1, double) FORM(double, yn, int, double) FORM(float, j0f, float) FORM(float, j1f, float)
FORM(float, jnf, int, float) FORM(float, y0f, float) FORM(float, y1f, float) FORM(float, ynf, int, float)
extern int signgam; XY(drem) XY(scalb) X(significand) X(gamma) FORM(void, sincos, double, double *, double *)
FORM(void, sincosf, float, float *, float *) FORM(void, sincospi, double, double *, double *)
FORM(void, sincospif, float, float *, float *)
/* clang-format on */
#undef X
#undef XY
#undef FORM
#undef NOTHROW
#ifdef __cplusplus
}
#endif
