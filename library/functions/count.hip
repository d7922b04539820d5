/* How many elements are not 0 (count); whether that is one at least (any), or all of them (all). NaN is not 0.
 * SPDX-License-Identifier: MIT */
#ifndef IN_NAMESPACE
#define FUNCTION      count
#define FUNCTION_FILE "functions/count.hip"
#define LOADS         8
#define TYPES_WHOLE   1
#define RESULT_T      int64_t
#include "kernels/function.h"
#else
typedef unsigned long long state_t;
enum { SUMS = 1 };

static __device__ __forceinline__ state_t state_nothing(void) { return 0; }

static __device__ __forceinline__ state_t state_merge(state_t a, state_t b) { return a + b; }

static __device__ __forceinline__ void state_add(state_t *state, value_t x, value_t) { *state += x != 0; }

#include "kernels/sums.h"

static __device__ void state_store(state_t state, size_t n, result_t *result, int64_t *, int function)
{
    *result = function == LR_OP_ANY ? state > 0 : function == LR_OP_ALL ? state == n : (int64_t)state;
}
#endif
