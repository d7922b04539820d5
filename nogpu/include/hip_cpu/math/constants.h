/* Constants of mathematics under HIP's and CUDA's names.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_CONSTANTS_H
#define HIP_CPU_CONSTANTS_H

#include <math.h>

#define HIP_INF_F    ((float)INFINITY)
#define HIP_NAN_F    ((float)NAN)
#define HIP_PI_F     3.141592654f
#define HIP_INF      ((double)INFINITY)
#define HIP_NAN      ((double)NAN)
#define HIP_PI       3.1415926535897931e+0
#define CUDART_INF_F HIP_INF_F
#define CUDART_NAN_F HIP_NAN_F
#define CUDART_PI_F  HIP_PI_F
#define CUDART_INF   HIP_INF
#define CUDART_NAN   HIP_NAN
#define CUDART_PI    HIP_PI

#endif
