/* log(exp(x[0]) + exp(x[1]) + ...), which overflows nowhere between. -inf for no elements.
 * SPDX-License-Identifier: MIT */
#ifndef IN_NAMESPACE
#define FUNCTION      logsumexp
#define FUNCTION_FILE "functions/logsumexp.hip"
#define LOADS         2
#define TYPES_WHOLE   0
#define HEAVY_STATE
#include "kernels/function.h"
#else
/* sum is that of exp(x - most). */
typedef struct {
    value_t most;
    uint32_t padding; /* the state consists of whole words on both sides */
    double sum;
} state_t;
enum { SUMS = 2 };

/* exp(x - most), where most is at least x; 1 for two equal infinities. */
static __device__ __forceinline__ double share(value_t x, value_t most)
{
#if VALUE_TYPE == TYPE_FLOAT
    return x == most ? 1 : (double)expf(x - most);
#else
    return x == most ? 1 : exp(x - most);
#endif
}

static __device__ __forceinline__ state_t state_nothing(void)
{
    state_t s = {LOWEST, 0, 0};
    return s;
}

static __device__ __forceinline__ state_t state_merge(state_t a, state_t b)
{
    value_t most = a.most > b.most || a.most != a.most ? a.most : b.most;

    a.sum = (a.sum == 0 ? 0 : a.sum * share(a.most, most)) + (b.sum == 0 ? 0 : b.sum * share(b.most, most));
    a.most = most;
    return a;
}

static __device__ __forceinline__ void state_add(state_t *state, value_t x, value_t)
{
    if (x > state->most || x != x) {
        state->sum = (state->sum == 0 ? 0 : state->sum * share(state->most, x)) + 1;
        state->most = x;
    } else {
        state->sum += share(x, state->most);
    }
}

#include "kernels/sums.h"

static __device__ void state_store(state_t state, size_t, result_t *result, int64_t *, int)
{
    *result = canonical(state.sum == 0 ? (value_t)LOWEST : (value_t)((double)state.most + log(state.sum)));
}
#endif
