/* 1 if no element is 0, else 0.
 * SPDX-License-Identifier: MIT */
#ifndef IN_NAMESPACE
#define FUNCTION       all
#define FUNCTION_FILE  "functions/all.hip"
#define FUNCTION_WORDS "1 if no element is 0"
#define USES_Y         false
#define FINDS          false
#define COUNTS         true
#define LOADS          8
#define TYPES_WHOLE    1 /* it takes integers */
#define RESULT_T       int64_t
#include "kernels/function.h"
#else
typedef unsigned long long state_t;
enum { SUMS = 1 };

static __device__ __forceinline__ state_t state_nothing(void)
{
    return 0;
}

static __device__ __forceinline__ state_t state_merge(state_t a, state_t b)
{
    return a + b;
}

static __device__ __forceinline__ void state_add(state_t *state, value_t x, value_t)
{
    *state += x != 0;
}

#include "kernels/sums.h"

static __device__ void state_store(state_t state, size_t n, result_t *result, int64_t *)
{
    *result = state == n;
}
#endif
