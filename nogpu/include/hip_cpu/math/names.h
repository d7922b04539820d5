/* Mathematics of GPUs under plain names. A C library may declare any of them as well, today or in its next release, and
 * other than static: so the functions here have a prefix, and these names lead to them. They are no macros with
 * parameters, so that programs may take an address, or write using. min, max and norm are names of C++, too: they
 * stay.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_MATH_NAMES_H
#define HIP_CPU_MATH_NAMES_H

#define cospi          hip_cpu_cospi
#define cospif         hip_cpu_cospif
#define cyl_bessel_i0  hip_cpu_cyl_bessel_i0
#define cyl_bessel_i0f hip_cpu_cyl_bessel_i0f
#define cyl_bessel_i1  hip_cpu_cyl_bessel_i1
#define cyl_bessel_i1f hip_cpu_cyl_bessel_i1f
#define erfcinv        hip_cpu_erfcinv
#define erfcinvf       hip_cpu_erfcinvf
#define erfcx          hip_cpu_erfcx
#define erfcxf         hip_cpu_erfcxf
#define erfinv         hip_cpu_erfinv
#define erfinvf        hip_cpu_erfinvf
#define fdividef       hip_cpu_fdividef
#define float2int      hip_cpu_float2int
#define llmax          hip_cpu_llmax
#define llmin          hip_cpu_llmin
#define norm3d         hip_cpu_norm3d
#define norm3df        hip_cpu_norm3df
#define norm4d         hip_cpu_norm4d
#define norm4df        hip_cpu_norm4df
#define normcdf        hip_cpu_normcdf
#define normcdff       hip_cpu_normcdff
#define normcdfinv     hip_cpu_normcdfinv
#define normcdfinvf    hip_cpu_normcdfinvf
#define normf          hip_cpu_normf
#define rcbrt          hip_cpu_rcbrt
#define rcbrtf         hip_cpu_rcbrtf
#define rhypot         hip_cpu_rhypot
#define rhypotf        hip_cpu_rhypotf
#define rnorm          hip_cpu_rnorm
#define rnorm3d        hip_cpu_rnorm3d
#define rnorm3df       hip_cpu_rnorm3df
#define rnorm4d        hip_cpu_rnorm4d
#define rnorm4df       hip_cpu_rnorm4df
#define rnormf         hip_cpu_rnormf
#define rsqrt          hip_cpu_rsqrt
#define rsqrtf         hip_cpu_rsqrtf
#define sincospi       hip_cpu_sincospi
#define sincospif      hip_cpu_sincospif
#define sinpi          hip_cpu_sinpi
#define sinpif         hip_cpu_sinpif
#define ullmax         hip_cpu_ullmax
#define ullmin         hip_cpu_ullmin
#define umax           hip_cpu_umax
#define umin           hip_cpu_umin

#endif
