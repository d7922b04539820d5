/* What a thread does with its share of the elements of a binned sum: it loads slices, checks them, adds them up; part of
 * binned_kernel.h.
 * SPDX-License-Identifier: MIT */
typedef union {
    vector_t vector[BINNED_LOADS];
    value_t value[SLICED];
} slice_t;

/* A thread's part of a round: rows of GROUP vectors. */
static __device__ __forceinline__ void load_slice(slice_t *v, const element_t *from, bool streaming)
{
#pragma unroll
    for (unsigned u = 0; u < BINNED_LOADS; u++)
        v->vector[u].all = load_row(from, u, streaming);
}

/* The same element by element: at any alignment, and up to the end. */
static __device__ __forceinline__ void load_elements(slice_t *v, const element_t *input,
                                                     size_t first, size_t n)
{
#pragma unroll
    for (unsigned u = 0; u < BINNED_LOADS; u++)
#pragma unroll
        for (unsigned k = 0; k < LANES; k++) {
            size_t i = first + u * GROUP * LANES + k;
            v->vector[u].lane[k] = i < n ? widen(input[i]) : 0;
        }
}

/* A thread's state: its sums, and in shared memory the totals they are moved to. */
struct share {
    double sums[FOLDS_MAX];
    /* magnitudes from here on are special: a higher bin, inf, NaN, or the scaled bin */
    unsigned limit;
    unsigned whole; /* floats above this magnitude are multiples of the second bin's grid */
    unsigned turns; /* left before the sums must be moved */
    uint64_t tie;
    struct binned *total;
};

/* The exponent and some bits below it: increases with |x|. */
static __device__ __forceinline__ unsigned magnitude(value_t x)
{
    union {
        value_t value;
        unsigned word[HALVES];
    } u;
    u.value = x;
    return u.word[HALVES - 1] & 0x7fffffff;
}

/* Resets the sums: their anchors, the limits and the tie follow from the total's top. */
static __device__ __forceinline__ void share_begin(struct share *s, int top, unsigned folds)
{
    bool scaled = LEAST == LEAST_DOUBLE && top == BIN_SCALED;
    unsigned above = (unsigned)(BIN_WIDTH * (top + 1)) - (LEAST == LEAST_DOUBLE ? 52 : 23);

    for (unsigned k = 0; k < folds; k++)
        s->sums[k] = binned_anchor(top - (int)k - scaled, LEAST);
    s->limit =
        scaled ? 0 : (above < EXPONENT_MOST ? above : (unsigned)EXPONENT_MOST) << EXPONENT_SHIFT;
    s->whole = ((unsigned)(BIN_WIDTH * (top - 1) + 1) << EXPONENT_SHIFT) - 1;
    s->turns = BIN_TURNS;
    s->tie = LEAST == LEAST_FLOAT || top > (int)folds - 1;
}

/* Moves the sums into the total. A sum and its anchor have the same exponent: the difference of their bits is a
 * number of grids. */
static __device__ __forceinline__ void share_move(struct share *s, unsigned folds)
{
    int top = s->total->top - (LEAST == LEAST_DOUBLE && s->total->top == BIN_SCALED);

    for (unsigned k = 0; k < folds; k++)
        s->total->low[k] +=
            (int64_t)(binned_bits(s->sums[k]) - binned_bits(binned_anchor(top - (int)k, LEAST)));
}

/* For a slice whose largest magnitude is not below the limit. inf and NaN are counted apart; a higher bin becomes
 * the top. */
static __device__ __forceinline__ void share_raise(struct share *s, value_t *x, unsigned largest,
                                                   unsigned folds)
{
    if (largest >= EXPONENT_MOST << EXPONENT_SHIFT) {
        largest = 0;
#pragma unroll
        for (unsigned i = 0; i < SLICED; i++) {
            if (magnitude(x[i]) >= EXPONENT_MOST << EXPONENT_SHIFT) {
                s->total->special |= x[i] != x[i] ? SPECIAL_NAN
                                     : x[i] > 0   ? SPECIAL_ABOVE
                                                  : SPECIAL_BELOW;
                x[i] = 0;
            }
            largest = magnitude(x[i]) > largest ? magnitude(x[i]) : largest;
        }
    }
    int top = binned_bin(largest >> EXPONENT_SHIFT, LEAST);
    top = top > (int)folds - 1 ? top : (int)folds - 1;
    if (top > s->total->top) {
        if (s->total->top >= 0)
            share_move(s, folds);
        binned_raise(s->total, top, folds);
        share_begin(s, top, folds);
    }
    if (LEAST == LEAST_DOUBLE && s->limit == 0) {
#pragma unroll
        for (unsigned i = 0; i < SLICED; i++)
            x[i] *= (value_t)binned_from_bits((uint64_t)(1023 - BIN_WIDTH) << 52);
    }
}

/* Adds a slice. With `more`, each vector is replaced by one at `next` as soon as it has been added: memory is never
 * idle. */
static __device__ __forceinline__ void share_deposit(struct share *s, slice_t *v, unsigned folds,
                                                     uint64_t tie, const element_t *next, bool more,
                                                     bool streaming)
{
#pragma unroll
    for (unsigned u = 0; u < BINNED_LOADS; u++) {
#pragma unroll
        for (unsigned k = 0; k < LANES; k++)
            binned_deposit(s->sums, (double)v->vector[u].lane[k], folds, tie);
        if (more)
            v->vector[u].all = load_row(next, u, streaming);
    }
}

/* Adds a slice and, with `more`, loads the one at `next` into its place. */
static __device__ __forceinline__ void share_take(struct share *s, slice_t *v, unsigned folds,
                                                  const element_t *next, bool more, bool streaming)
{
    /* A float has bits in two neighbouring bins at most: the third gets nothing unless an element reaches below the
     * second. Then there are two ways to add, which need more registers; with loads in both, there would not be
     * enough. */
    const bool may_skip = LEAST == LEAST_FLOAT && folds == 3 && LOADED_BYTES_MAX >= 256;
    value_t *x = v->value;
    unsigned largest = 0, least = ~0u;

#pragma unroll
    for (unsigned i = 0; i < SLICED; i++)
        largest = magnitude(x[i]) > largest ? magnitude(x[i]) : largest;
    if (largest >= s->limit)
        share_raise(s, x, largest, folds);

    if (may_skip) {
#pragma unroll
        for (unsigned i = 0; i < SLICED; i++) /* 0 has no bits: it becomes the largest number */
            least = magnitude(x[i]) - 1 < least ? magnitude(x[i]) - 1 : least;
    }
    if (may_skip && least >= s->whole) {
        share_deposit(s, v, 2, 1, NULL, false, false);
        loads_first(); /* keeps the calls apart: of one for both, sums[folds - 1] would be local memory */
    } else
        share_deposit(s, v, folds, s->tie, next, more && !may_skip, streaming);
    if (--s->turns == 0) {
        share_move(s, folds);
        binned_carry(s->total, folds);
        share_begin(s, s->total->top, folds);
    }
    if (may_skip && more)
        load_slice(v, next, streaming);
}
