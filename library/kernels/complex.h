/* The state of a sum of complex numbers, which are added as doubles. No include guard: once for each type.
 * SPDX-License-Identifier: MIT */
typedef struct {
    double re, im;
} state_t;
enum { SUMS = LANES };

static __device__ __forceinline__ state_t state_nothing(void)
{
    state_t s = {0, 0};
    return s;
}

static __device__ __forceinline__ state_t state_merge(state_t a, state_t b)
{
    a.re += b.re;
    a.im += b.im;
    return a;
}

static __device__ void state_store(state_t state, size_t, result_t *result, int64_t *, int)
{
    result->re = canonical((value_t)state.re);
    result->im = canonical((value_t)state.im);
}
