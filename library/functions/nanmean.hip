/* The mean of the elements that are not NaN, a double. NaN if there is none.
 * SPDX-License-Identifier: MIT */
#ifndef IN_NAMESPACE
#define FUNCTION      nanmean
#define FUNCTION_FILE "functions/nanmean.hip"
#define LOADS         8
#define TYPES_WHOLE   0
#define RESULT_T      double
#include "kernels/function.h"
#else
typedef struct {
    double sum;
    unsigned long long count;
} state_t;
enum { SUMS = 2 };

static __device__ __forceinline__ state_t state_nothing(void)
{
    state_t s = {0, 0};
    return s;
}

static __device__ __forceinline__ state_t state_merge(state_t a, state_t b)
{
    a.sum += b.sum;
    a.count += b.count;
    return a;
}

static __device__ __forceinline__ void state_add(state_t *state, value_t x, value_t)
{
    if (x == x) {
        state->sum += (double)x;
        state->count++;
    }
}

#include "kernels/sums.h"

static __device__ void state_store(state_t state, size_t, result_t *result, int64_t *, int)
{
    double mean = state.sum / (double)state.count;
    *result = mean == mean ? mean : (double)NAN;
}
#endif
