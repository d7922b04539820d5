/* The largest element that is not NaN, and its first index.
 * SPDX-License-Identifier: MIT */
#ifndef IN_NAMESPACE
#define FUNCTION      nanargmax
#define FUNCTION_FILE "functions/nanargmax.hip"
#define LOADS         8
#define TYPES_WHOLE   0
#define SMALLEST      false
#define SKIPS_NAN     true
#define MAGNITUDES    false
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define HAS_WARP_MERGE /* in extreme.h, by instructions of NVIDIA */
#endif
#include "kernels/function.h"
#else
#include "kernels/extreme.h"
#endif
