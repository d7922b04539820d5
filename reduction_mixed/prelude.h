/* What mixed.hip needs from outside of the namespaces of instantiate.hip: it has elements of two bytes, too, and half is
 * a type of the device. (Its header comes first: HIP over CUDA gives names of it another meaning.)
 * SPDX-License-Identifier: MIT */
#define HAS_NARROW

#include <hip/hip_fp16.h>

#include <hip/hip_runtime.h>
