/* HIP over CUDA: half has the same names in both.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_NVIDIA_FP16_H
#define HIP_NVIDIA_FP16_H

#include <cuda_fp16.h>

#endif
