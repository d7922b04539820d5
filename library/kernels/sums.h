/* thread_t and its functions, if a thread adds each element to one of SUMS states. The including function
 * defines state_t, state_nothing(), state_merge(), state_add(state, x, y) and SUMS. No include guard: once for each type.
 * SPDX-License-Identifier: MIT */
typedef struct {
    state_t sum[SUMS];
} thread_t;

static __device__ __forceinline__ thread_t thread_nothing(void)
{
    thread_t t;
#pragma unroll
    for (unsigned k = 0; k < SUMS; k++)
        t.sum[k] = state_nothing();
    return t;
}

static __device__ __forceinline__ void thread_add(thread_t *t, const vector_t *x, const vector_t *y, const bool *there,
                                                  unsigned, unsigned vectors)
{
#pragma unroll
    for (unsigned u = 0; u < LOADS; u++)
        if (u < vectors && there[u])
#pragma unroll
            for (unsigned k = 0; k < LANES; k++)
                state_add(&t->sum[k % SUMS], widen(x[u].lane[k]), widen(y[u].lane[k]));
}

static __device__ __forceinline__ state_t state_of_thread(thread_t t, struct place)
{
    state_t s = t.sum[0];
#pragma unroll
    for (unsigned k = 1; k < SUMS; k++)
        s = state_merge(s, t.sum[k]);
    return s;
}

static __device__ __forceinline__ state_t state_of_one(operand_t x, operand_t y, size_t)
{
    state_t s = state_nothing();
    state_add(&s, x, y);
    return s;
}
