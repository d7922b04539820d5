/* The largest magnitude and its first index.
 * SPDX-License-Identifier: MIT */
#ifndef IN_NAMESPACE
#define FUNCTION      iamax
#define FUNCTION_FILE "functions/iamax.hip"
#define LOADS         8
#define TYPES_WHOLE   0
#define SMALLEST      false
#define SKIPS_NAN     false
#define MAGNITUDES    true
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define HAS_WARP_MERGE /* in extreme.h, by instructions of NVIDIA */
#endif
#include "kernels/function.h"
#else
#include "kernels/extreme.h"
#endif
