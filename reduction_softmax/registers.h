/* Elements of a row in the registers of a thread: a part of softmax.hip, inside its namespace, and therefore without an include
 * guard.
 * SPDX-License-Identifier: MIT */

#if defined(HAS_FEW_MASKS) && IS_FLOATING(VALUE_TYPE)
/* Where infinity is the largest, those that equal it count as much, and all others nothing: infinity - infinity is NaN. */
static __device__ __forceinline__ value_t without_infinity(value_t *x, value_t largest, int kept)
{
    if (!isinf(largest))
        return largest;
#pragma unroll
    for (int u = 0; u < MOST; u++)
        if (u < kept)
            x[u] = x[u] == largest ? 0 : LOWEST;
    return 0;
}
#define WEIGHT weight_of_finite
#else
static __device__ __forceinline__ value_t without_infinity(value_t *, value_t largest, int)
{
    return largest;
}
#define WEIGHT weight /* with a comparison for each element, but no second piece of code */
#endif

/* The largest of them, or NaN. */
static __device__ __forceinline__ value_t largest_of(const value_t *x, int kept)
{
#if defined(HAS_MAX_OF_NUMBERS) && IS_FLOATING(VALUE_TYPE)
    value_t largest = x[0];
    bool nan = false;
#pragma unroll
    for (int u = 0; u < MOST; u += 2) {
        if (u < kept) {
            int v = u + 1 < kept ? u + 1 : u;
            largest = max_of_numbers(largest, x[u], x[v]);
            nan |= __builtin_isunordered(x[u], x[v]);
        }
    }
    return nan ? NAN : largest;
#else
    value_t largest = x[0];
#pragma unroll
    for (int u = 1; u < MOST; u++)
        if (u < kept)
            largest = value_extreme(largest, x[u], false);
    return largest;
#endif
}

/* Loads `kept` elements, `stride` apart, from `from` on, and leaves their exp(x - largest of them) in w. `left` are in
 * the row, the first `before` are not. In place of others an element of the row is loaded, without a branch: all loads are
 * in flight together. `whole`: all are in the row. */
static __device__ __forceinline__ struct state take(real_t *w, const element_t *from, int before,
                                                    int left, int stride, int kept, bool whole)
{
    value_t x[MOST];

#pragma unroll
    for (int u = 0; u < MOST; u++)
        if (u < kept)
            x[u] = widen(from[whole                  ? u * stride
                              : u == 0 && before > 0 ? before
                                                     : min_int(u * stride, left - 1)]);
    struct state s = {largest_of(x, kept), 0};
    value_t finite = without_infinity(x, s.largest, kept);
    left = (int)lane_not_kept((unsigned)left); /* otherwise all tests are kept until put() */
#pragma unroll
    for (int u = 0; u < MOST; u++) {
        if (u < kept) {
            w[u] = WEIGHT(x[u], finite);
            s.sum += whole || (u * stride < left && (u > 0 || before <= 0)) ? w[u] : 0;
        }
    }
    return s;
}

/* The sum of a row; NaN if that is the largest, of which the exp() may have lost it. */
static __device__ __forceinline__ real_t sum_of(struct state row)
{
#if defined(HAS_FEW_MASKS) && IS_FLOATING(VALUE_TYPE)
    return isnan(row.largest) ? row.largest : row.sum;
#else
    return row.sum;
#endif
}

/* What makes an output of exp(x - mine.largest): it becomes exp(x - row.largest) / row.sum. */
static __device__ __forceinline__ real_t scale_of(struct state mine, struct state row)
{
    return weight(mine.largest, row.largest) / sum_of(row);
}

/* The outputs of these elements. */
static __device__ __forceinline__ void put(output_t *outputs, const real_t *w, int before, int left,
                                           int stride, int kept, bool whole, real_t scale)
{
    left = (int)lane_not_kept((unsigned)left);
#pragma unroll
    for (int u = 0; u < MOST; u++)
        if (u < kept && (whole || (u * stride < left && (u > 0 || before <= 0))))
            outputs[u * stride] = output_of(w[u] * scale);
}

#if defined(HAS_BOUNDED) && ELEMENT_TYPE == VALUE_TYPE && IS_FLOATING(VALUE_TYPE)
/* As take(), of a row that all lanes of the warp share: its `before` and `columns` elements begin at `from`. What is behind the
 * end is not loaded, and counts as LOWEST. */
static __device__ __forceinline__ struct state take_bounded(value_t *w, const value_t *from,
                                                            int first, int before, int columns,
                                                            int stride, int kept)
{
    bounded_t row = bounded_of(from, (size_t)(before + columns) * sizeof(value_t));
    value_t x[MOST];
    int left = before + columns - first;

    first = (int)lane_not_kept((unsigned)first);
#pragma unroll
    for (int u = 0; u < MOST; u++) {
        int offset = (first + u * stride) * (int)sizeof(value_t);
        if (u < kept)
            bounded_load(&x[u], row, u == 0 && first < before ? BOUNDED_NOWHERE : offset);
    }
    left = (int)lane_not_kept((unsigned)left);
#pragma unroll
    for (int u = 0; u < MOST; u++)
        if (u < kept)
            x[u] = u * stride < left && (u > 0 || first >= before) ? x[u] : LOWEST;
    struct state s = {largest_of(x, kept), 0};
    value_t finite = without_infinity(x, s.largest, kept);
#pragma unroll
    for (int u = 0; u < MOST; u++) {
        if (u < kept) {
            w[u] = WEIGHT(x[u], finite);
            s.sum += w[u];
        }
    }
    /* Of nothing but -infinity all were counted. */
    if (s.largest == LOWEST)
        s.sum = left <= 0 ? 0 : min_int((left + stride - 1) / stride, kept) - (first < before);
    return s;
}
#endif

#if defined(HAS_BOUNDED) && ELEMENT_TYPE == VALUE_TYPE
/* As put(), of a row that all lanes of the warp share: its `before` and `columns` elements begin at `outputs`. */
static __device__ __forceinline__ void put_bounded(real_t *outputs, const real_t *w, int first,
                                                   int before, int columns, int stride, int kept,
                                                   real_t scale)
{
    bounded_t row = bounded_of(outputs, (size_t)(before + columns) * sizeof(real_t));

    first =
        (int)lane_not_kept((unsigned)first); /* otherwise all offsets are kept from row to row */
#pragma unroll
    for (int u = 0; u < MOST; u++) {
        int offset = (first + u * stride) * (int)sizeof(real_t);
        if (u < kept)
            bounded_store(row, u == 0 && first < before ? BOUNDED_NOWHERE : offset, w[u] * scale);
    }
}
#endif

#undef WEIGHT
