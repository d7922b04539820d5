/* Before an exercise that clang reads as code for a GPU (-x hip --cuda-device-only -fsyntax-only): it says what no GPU
 * takes, such as a host function, a host variable or a host builtin in a kernel. No ROCm is needed: what our headers declare
 * counts as code for host and device, and what the C library declares as host code. Nothing here is ever run.
 * SPDX-License-Identifier: MIT */
#undef __HIPCC__ /* else they include C++ headers unasked */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

/* Where a thread is, and what the runtime's functions use. */
#define __thread
#define tls_model(kind) device
extern "C" {
extern __attribute__((device)) const int warpSize;
extern __attribute__((device)) bool hip_cpu_late;
}
#pragma clang force_cuda_host_device begin
#include <math.h>
#include <cmath>
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>
#define HIP_CPU_CUDA_H
#include <hip_cpu/cuda/names.h>
#define REDUCTION_INSTANTIATE
#include "reduction.h"
#include "verdict/extras.h"

template <typename... P> struct gpu_parameters {
    static constexpr bool are_values = (!std::is_reference<P>::value && ...);
};
template <typename... P, typename... A> void gpu_launch(void (*)(P...), dim3, dim3, size_t, hipStream_t, A...)
{
    static_assert(gpu_parameters<P...>::are_values, "a kernel has a parameter that is a reference: "
                                                    "it would refer to host memory");
    static_assert(sizeof...(P) == sizeof...(A), "a launch has as many arguments as the kernel has parameters");
}
extern "C" int __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0, hipStream_t stream = 0);
#pragma clang force_cuda_host_device end
#undef __thread
#undef tls_model
#define __HIPCC__ 1

/* These few of the C library are on GPUs, too. */
extern "C" {
__attribute__((device)) int printf(const char *, ...);
__attribute__((device)) void *memcpy(void *, const void *, size_t);
__attribute__((device)) void *memset(void *, int, size_t);
__attribute__((device)) void *malloc(size_t);
__attribute__((device)) void free(void *);
__attribute__((device)) void abort(void);
__attribute__((device)) void __assert_fail(const char *, const char *, unsigned, const char *);
}

/* A stack that grows at run time: AMD's compilers refuse it, or did until ROCm 7. */
void *alloca_is_for_hosts(size_t);
#undef alloca
#define alloca           alloca_is_for_hosts
#define __builtin_alloca alloca_is_for_hosts

#undef hipLaunchKernelGGL
#define hipLaunchKernelGGL(kernel, ...) gpu_launch(kernel, __VA_ARGS__)

#undef __global__
#undef __device__
#undef __host__
#undef __shared__
#undef __constant__
#undef __managed__
#undef __launch_bounds__
#undef HIP_DYNAMIC_SHARED
#define __global__                     __attribute__((global))
#define __device__                     __attribute__((device))
#define __host__                       __attribute__((host))
#define __shared__                     __attribute__((shared))
#define __constant__                   __attribute__((constant))
#define __managed__                    __attribute__((managed))
#define __launch_bounds__(...)         __attribute__((launch_bounds(__VA_ARGS__)))
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
