/* hipRAND: cuRAND under its names.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_RANDOM_HIPRAND_H
#define HIP_CPU_RANDOM_HIPRAND_H

#include "hip_cpu/random/generator.h"
#include "hip_cpu/hiprand_names.h" /* of names.txt */

#endif
