/* Complex numbers: float2 and double2 under further names, and functions with CUDA's meaning.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_COMPLEX_H
#define HIP_CPU_COMPLEX_H

#include <math.h>

#include "hip_cpu/kernel/kernels.h"

typedef float2 hipFloatComplex;
typedef double2 hipDoubleComplex;
typedef hipFloatComplex hipComplex;

#define HIP_CPU_COMPLEX(C, T, suffix)                                                                                  \
    static inline C make_hip##suffix##Complex(T x, T y)                                                                \
    {                                                                                                                  \
        C z;                                                                                                           \
        z.x = x;                                                                                                       \
        z.y = y;                                                                                                       \
        return z;                                                                                                      \
    }
HIP_CPU_COMPLEX(hipFloatComplex, float, Float)
HIP_CPU_COMPLEX(hipDoubleComplex, double, Double)

#define HIP_CPU_COMPLEX_FUNCTIONS(C, T, Name, prefix, f)                                                               \
    static inline T prefix##real##f(C z) { return z.x; }                                                               \
    static inline T prefix##imag##f(C z) { return z.y; }                                                               \
    static inline C prefix##onj##f(C z) { return make_hip##Name##Complex(z.x, -z.y); }                                 \
    static inline C prefix##add##f(C a, C b) { return make_hip##Name##Complex(a.x + b.x, a.y + b.y); }                 \
    static inline C prefix##sub##f(C a, C b) { return make_hip##Name##Complex(a.x - b.x, a.y - b.y); }                 \
    static inline C prefix##mul##f(C a, C b)                                                                           \
    {                                                                                                                  \
        return make_hip##Name##Complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                  \
    }                                                                                                                  \
    static inline C prefix##div##f(C a, C b)                                                                           \
    {                                                                                                                  \
        T norm = b.x * b.x + b.y * b.y;                                                                                \
        return make_hip##Name##Complex((a.x * b.x + a.y * b.y) / norm, (a.y * b.x - a.x * b.y) / norm);                \
    }                                                                                                                  \
    static inline T prefix##abs##f(C z) { return hypot##f(z.x, z.y); }                                                 \
    static inline C prefix##fma##f(C a, C b, C c) { return prefix##add##f(prefix##mul##f(a, b), c); }
HIP_CPU_COMPLEX_FUNCTIONS(hipFloatComplex, float, Float, hipC, f)
HIP_CPU_COMPLEX_FUNCTIONS(hipDoubleComplex, double, Double, hipC, )

#define make_hipComplex make_hipFloatComplex

#endif
