/* Declarations that hipcc and nvcc include implicitly, for programs that expect one of them: the drivers in nogpu/bin say so by
 * __HIPCC__ or __CUDACC__. Our own kernels need none of it, and compile faster without.
 * SPDX-License-Identifier: MIT */
#if !defined(HIP_CPU_HOSTED) && (defined(__HIPCC__) || defined(__CUDACC__))
#define HIP_CPU_HOSTED 1

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __cplusplus
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
#endif

#endif
