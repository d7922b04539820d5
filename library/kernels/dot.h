/* The sum of x[i] y[i]. Products of floats are exact in double, and are added there; products of two halves or bfloat16 are
 * exact in float, which is cheaper to convert. Integers wrap.
 * SPDX-License-Identifier: MIT */
#define USES_Y true
#define LOADS  4                       /* of each array */
#define SUMS   (LANES < 4 ? LANES : 4) /* of a thread; more would not fit its registers */

#if VALUE_TYPE == TYPE_FLOAT || VALUE_TYPE == TYPE_DOUBLE
typedef double state_t;
#else
typedef bits_t state_t;
#endif
typedef struct {
    state_t sum[SUMS];
} thread_t;

static __device__ __forceinline__ thread_t thread_nothing(void)
{
    thread_t t;
#pragma unroll
    for (unsigned k = 0; k < SUMS; k++)
        t.sum[k] = 0;
    return t;
}

static __device__ __forceinline__ state_t state_nothing(void)
{
    return 0;
}

static __device__ __forceinline__ state_t state_merge(state_t a, state_t b)
{
    return a + b;
}

/* sum + x y */
static __device__ __forceinline__ state_t add_product(state_t sum, value_t x, value_t y)
{
#if ELEMENT_TYPE != VALUE_TYPE
    return sum + (double)(x * y);
#elif VALUE_TYPE == TYPE_FLOAT || VALUE_TYPE == TYPE_DOUBLE
    return fma((double)x, (double)y, sum);
#else
    return sum + (bits_t)x * (bits_t)y;
#endif
}

static __device__ __forceinline__ state_t state_of_one(value_t x, value_t y, size_t)
{
    return add_product(0, x, y);
}

static __device__ __forceinline__ void thread_add(thread_t *t, const vector_t *x, const vector_t *y,
                                                  const bool *there, unsigned)
{
#pragma unroll
    for (unsigned u = 0; u < LOADS; u++)
        if (there[u])
#pragma unroll
            for (unsigned k = 0; k < LANES; k++)
                t->sum[k % SUMS] =
                    add_product(t->sum[k % SUMS], widen(x[u].lane[k]), widen(y[u].lane[k]));
}

static __device__ __forceinline__ state_t state_of_thread(thread_t t, struct place)
{
    state_t sum = t.sum[0];
#pragma unroll
    for (unsigned k = 1; k < SUMS; k++)
        sum += t.sum[k];
    return sum;
}

static __device__ void state_store(state_t sum, const element_t *, size_t, void *result, int64_t *)
{
    *(value_t *)result = (value_t)sum;
}
#undef SUMS
