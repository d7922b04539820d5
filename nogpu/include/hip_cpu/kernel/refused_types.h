/* Declares the types that this platform has not, so that the compiler says so: textures and surfaces, modules, the driver
 * interface.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_REFUSED_TYPES_H
#define HIP_CPU_REFUSED_TYPES_H

#include "hip_cpu/refused.h"

#if defined(__has_attribute)
#if __has_attribute(unavailable)
#define HIP_CPU_UNAVAILABLE(name, what)                                                                                \
    typedef struct hip_cpu_no_##name *name __attribute__((unavailable(HIP_CPU_HAS_NO what ": " HIP_CPU_ELSEWHERE)));
HIP_CPU_REFUSED_TYPES(HIP_CPU_UNAVAILABLE)
#if defined(__CUDACC__) || defined(HIP_CPU_CUDA_H)
HIP_CPU_REFUSED_CUDA_TYPES(HIP_CPU_UNAVAILABLE)
#endif
#endif
#endif

#endif
