/* The smallest element that is not NaN.
 * SPDX-License-Identifier: MIT */
#ifndef IN_NAMESPACE
#define FUNCTION       nanmin
#define FUNCTION_FILE  "functions/nanmin.hip"
#define FUNCTION_WORDS "the smallest element that is not NaN"
#define USES_Y         false
#define FINDS          false
#define COUNTS         false
#define LOADS          8
#define TYPES_WHOLE    0 /* it takes integers */
#define OPERATION      OP_MIN
#include "kernels/function.h"
#else
typedef value_t state_t;
enum { SUMS = LANES < 8 ? LANES : 8 };

static __device__ __forceinline__ state_t state_nothing(void)
{
    return IDENTITY;
}

static __device__ __forceinline__ state_t state_merge(state_t a, state_t b)
{
    return combine(a, b);
}

static __device__ __forceinline__ void state_add(state_t *state, value_t x, value_t)
{
    if (x == x)
        *state = combine(*state, x);
}

#include "kernels/sums.h"

static __device__ void state_store(state_t state, size_t, result_t *result, int64_t *)
{
    *result = state;
}
#endif
