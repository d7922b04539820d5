/* The library's HIP_CHECK, which keeps the first error of a call; include it before reduction.h. A launch has its own error:
 * hipGetLastError() may have an older one, which is the program's.
 * SPDX-License-Identifier: MIT */
#ifndef LIBRARY_CHECKS_H
#define LIBRARY_CHECKS_H

#include <hip/hip_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* This thread's first error since errors_forget(). */
void lr_check(hipError_t error);

#ifdef __cplusplus
}
#endif

#define HIP_CHECK(call)    lr_check(call)
#define HIP_CHECK_LAUNCH() ((void)0)

#ifdef __cplusplus        /* for kernels */
#include <hip/hip_fp16.h> /* before hip_runtime.h: on NVIDIA it declares shuffles by names of CUDA */

#include <hip/hip_runtime.h>
#include "launch.h"
#undef hipLaunchKernelGGL
#define hipLaunchKernelGGL(...) lr_check(LAUNCH(__VA_ARGS__))
#endif

#endif
