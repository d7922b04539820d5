/* The smallest element and its first index.
 * SPDX-License-Identifier: MIT */
#ifndef IN_NAMESPACE
#define FUNCTION      argmin
#define FUNCTION_FILE "functions/argmin.hip"
#define LOADS         8
#define TYPES_WHOLE   1
#define SMALLEST      true
#define SKIPS_NAN     false
#define MAGNITUDES    false
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define HAS_WARP_MERGE /* in extreme.h, by instructions of NVIDIA */
#endif
#include "kernels/function.h"
#else
#include "kernels/extreme.h"
#endif
