/* Sum, minimum or maximum by OPERATION; with MAGNITUDES of |x|.
 * SPDX-License-Identifier: MIT */
#define USES_Y false
#define LOADS  8

typedef value_t state_t;
typedef struct {
    value_t lane[LANES];
} thread_t;

static __device__ __forceinline__ thread_t thread_nothing(void)
{
    thread_t t;
#pragma unroll
    for (unsigned k = 0; k < LANES; k++)
        t.lane[k] = IDENTITY;
    return t;
}

static __device__ __forceinline__ state_t state_nothing(void)
{
    return IDENTITY;
}

static __device__ __forceinline__ state_t state_merge(state_t a, state_t b)
{
    return combine(a, b);
}

static __device__ __forceinline__ state_t state_of_one(value_t x, value_t, size_t)
{
    return combine(IDENTITY, MAGNITUDES ? fabsf(x) : x);
}

static __device__ __forceinline__ void thread_add(thread_t *t, const vector_t *x, const vector_t *,
                                                  const bool *there, unsigned)
{
#pragma unroll
    for (unsigned u = 0; u < LOADS; u++)
        if (there[u])
#pragma unroll
            for (unsigned k = 0; k < LANES; k++)
                t->lane[k] = combine(t->lane[k], state_of_one(widen(x[u].lane[k]), 0, 0));
}

static __device__ __forceinline__ state_t state_of_thread(thread_t t, struct place)
{
    value_t value = t.lane[0];
#pragma unroll
    for (unsigned k = 1; k < LANES; k++)
        value = combine(value, t.lane[k]);
    return value;
}

static __device__ void state_store(state_t value, const element_t *, size_t, void *result,
                                   int64_t *)
{
    *(value_t *)result = value;
}
