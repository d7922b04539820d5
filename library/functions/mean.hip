/* The mean, added as doubles. NaN for no elements.
 * SPDX-License-Identifier: MIT */
#ifndef IN_NAMESPACE
#define FUNCTION      mean
#define FUNCTION_FILE "functions/mean.hip"
#define LOADS         8
#define TYPES_WHOLE   1
#define RESULT_T      double
#include "kernels/function.h"
#else
typedef double state_t;
enum { SUMS = LANES < 8 ? LANES : 8 };

static __device__ __forceinline__ state_t state_nothing(void) { return 0; }

static __device__ __forceinline__ state_t state_merge(state_t a, state_t b) { return a + b; }

static __device__ __forceinline__ void state_add(state_t *state, value_t x, value_t) { *state += (double)x; }

#include "kernels/sums.h"

static __device__ void state_store(state_t state, size_t n, result_t *result, int64_t *, int)
{
    double mean = state / (double)n;
    *result = mean == mean ? mean : (double)NAN;
}
#endif
