/* The sum with the same bits in every order, as reproducible's binned sums have it: in three bins below the largest
 * magnitude. A thread adds to its bins as doubles, and moves them into integers before a bin could round.
 * SPDX-License-Identifier: MIT */
#ifndef IN_NAMESPACE
#define FUNCTION      sum_binned
#define FUNCTION_FILE "functions/sum_binned.hip"
#define LOADS         4
#define TYPES_WHOLE   0
#define ONLY_LINES    /* reproducible has whole arrays */
#define HEAVY_STATE
#include "library/checks.h"
#include "reduction_reproducible/binned_value.h"
#include "kernels/function.h"
#else
#undef LEAST
#undef FOLDS
#define LEAST (VALUE_TYPE == TYPE_FLOAT ? LEAST_FLOAT : LEAST_DOUBLE)
#define FOLDS FOLDS_MAX
typedef struct binned state_t;

typedef struct {
    double sums[FOLDS];
    int limit;         /* bins from here on are special: above the top, inf, NaN, or scaled */
    unsigned deposits; /* left before the sums must be moved */
    state_t total;
} thread_t;

static __device__ __forceinline__ state_t state_nothing(void)
{
    state_t s = {FOLDS - 1, 0, {0, 0, 0}, {0, 0, 0}};
    return s;
}

static __device__ __forceinline__ state_t state_merge(state_t a, state_t b)
{
    binned_add(&a, &b, FOLDS);
    return a;
}

static __device__ __forceinline__ bool is_scaled(int top) { return LEAST == LEAST_DOUBLE && top == BIN_SCALED; }

static __device__ __forceinline__ void sums_begin(thread_t *t)
{
    for (int k = 0; k < FOLDS; k++)
        t->sums[k] = binned_anchor(t->total.top - k - is_scaled(t->total.top), LEAST);
    t->limit = is_scaled(t->total.top) ? 0 : t->total.top + 1;
    t->deposits = BIN_DEPOSITS;
}

/* A sum and its anchor have the same exponent: the difference of their bits is a number of grids. */
static __device__ __forceinline__ void sums_move(thread_t *t)
{
    int top = t->total.top - is_scaled(t->total.top);

    for (int k = 0; k < FOLDS; k++)
        t->total.low[k] += (int64_t)(binned_bits(t->sums[k]) - binned_bits(binned_anchor(top - k, LEAST)));
    binned_carry(&t->total, FOLDS);
}

static __device__ __forceinline__ thread_t thread_nothing(void)
{
    thread_t t;
    t.total = state_nothing();
    sums_begin(&t);
    return t;
}

/* The bin of an element; of inf and NaN beyond all others. */
static __device__ __forceinline__ int bin_of(value_t x)
{
#if VALUE_TYPE == TYPE_FLOAT
    unsigned exponent = __float_as_uint(x) >> 23 & 0xff;
    return exponent == 0xff ? INT32_MAX : binned_bin(exponent, LEAST);
#else
    unsigned exponent = (unsigned)(binned_bits(x) >> 52) & 0x7ff;
    return exponent == 0x7ff ? INT32_MAX : binned_bin(exponent, LEAST);
#endif
}

/* An element from t->limit on: what is to be added instead. */
static __device__ double add_special(thread_t *t, value_t x, int bin)
{
    if (bin == INT32_MAX) {
        t->total.special |= x != x ? SPECIAL_NAN : x > 0 ? SPECIAL_ABOVE : SPECIAL_BELOW;
        return 0;
    }
    if (bin > t->total.top) {
        sums_move(t);
        binned_raise(&t->total, bin, FOLDS);
        sums_begin(t);
    }
    return is_scaled(t->total.top) ? (double)x * binned_from_bits((uint64_t)(1023 - BIN_WIDTH) << 52) : (double)x;
}

static __device__ __forceinline__ void add_one(thread_t *t, value_t x)
{
    int bin = bin_of(x);
    double y = bin >= t->limit ? add_special(t, x, bin) : (double)x;

    binned_deposit(t->sums, y, FOLDS, LEAST == LEAST_FLOAT || t->total.top > FOLDS - 1);
    if (--t->deposits == 0) {
        sums_move(t);
        sums_begin(t);
    }
}

static __device__ __forceinline__ void thread_add(thread_t *t, const vector_t *x, const vector_t *, const bool *there,
                                                  unsigned, unsigned vectors)
{
#pragma unroll
    for (unsigned u = 0; u < LOADS; u++)
        if (u < vectors && there[u])
#pragma unroll
            for (unsigned k = 0; k < LANES; k++)
                add_one(t, widen(x[u].lane[k]));
}

static __device__ __forceinline__ state_t state_of_thread(thread_t t, struct place)
{
    sums_move(&t);
    return t.total;
}

static __device__ __forceinline__ state_t state_of_one(value_t x, value_t, size_t)
{
    thread_t t = thread_nothing();
    add_one(&t, x);
    return state_of_thread(t, (struct place){});
}

static __device__ void state_store(state_t state, size_t, result_t *result, int64_t *, int)
{
    *result = canonical((value_t)binned_value(&state, FOLDS, LEAST));
}
#endif
