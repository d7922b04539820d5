/* HIP over CUDA: float4, double2 and so on have the same names in both.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_NVIDIA_VECTOR_TYPES_H
#define HIP_NVIDIA_VECTOR_TYPES_H

#include <vector_types.h>

#endif
