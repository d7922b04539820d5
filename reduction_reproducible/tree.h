/* Evaluates the canonical tree (tree_order.h) on the device: a column by one thread, a unit by one block. Included for
 * each type and operation.
 * SPDX-License-Identifier: MIT */
#include "widen.h"

#define LANES  ((unsigned)(16 / sizeof(value_t))) /* elements of a vector, 16 bytes */
#define HALVES ((unsigned)(sizeof(value_t) / 4))  /* words per value in a slot */

typedef union {
    bytes16_t all;
    value_t lane[LANES];
} vector_t;

/* A value sent to another block or to the host, as in single_pass: each 32 bits of it in a word with a mark in the
 * upper half. */
typedef union {
    value_t value;
    uint32_t half[HALVES];
} halves_t;

/* Combines one value of each of GROUP neighbouring lanes; the first of them holds the result. */
static __device__ __forceinline__ value_t reduce_group(value_t value)
{
#if defined(HAS_WAVE_REDUCE)
    return wave_tree_32(value);
#else
    for (unsigned distance = GROUP / 2; distance > 0; distance /= 2)
        value = combine(value, __shfl_down(value, distance));
    return value;
#endif
}

/* Combines the values of `count` groups; thread 0 holds the result. Missing groups count as IDENTITY, so a
 * unit with fewer groups has the same tree. */
static __device__ __forceinline__ value_t reduce_groups(const value_t *groups, unsigned count)
{
    value_t value = IDENTITY;
    count = not_kept(count);
    if (threadIdx.x < warp_lanes()) {
        if (threadIdx.x < count)
            value = groups[threadIdx.x];
#if defined(HAS_WAVE_REDUCE)
        value = wave_tree_16(value, count);
#else
        for (unsigned distance = GROUPS_MAX / 2; distance > 0; distance /= 2)
            if (distance < count)
                value = combine(value, __shfl_down(value, distance));
#endif
    }
    return value;
}

/* One of the rows of GROUP vectors that a thread has in flight. */
static __device__ __forceinline__ bytes16_t load_row(const element_t *from, unsigned row,
                                                     bool streaming)
{
    return load_values(from + row * GROUP * LANES, streaming);
}

static __device__ __forceinline__ void add_loaded(value_t *sums, const vector_t *v)
{
#pragma unroll
    for (unsigned u = 0; u < LOADS; u++)
#pragma unroll
        for (unsigned k = 0; k < LANES; k++)
            sums[k] = combine(sums[k], v[u].lane[k]);
}

/* One column of a unit, by one thread. */
static __device__ __forceinline__ value_t reduce_column(const element_t *input, size_t n,
                                                        bool aligned, struct order o, unsigned unit,
                                                        unsigned column, bool streaming)
{
    size_t tile = (size_t)o.columns * LOADS * LANES; /* elements of a round */
    size_t step = o.side_by_side ? o.units * tile : tile;
    size_t begin = (size_t)unit * (o.side_by_side ? 1 : o.rounds) * tile;
    size_t first = begin + ((size_t)(column / GROUP) * GROUP * LOADS + column % GROUP) * LANES;
    const size_t row = GROUP * LANES;
    size_t edge = n - n % LANES; /* loaded early, and added last */
    bool at_edge = unit == o.edge_unit && column == o.edge_column;
    value_t sums[LANES], rest[LANES];
    vector_t nothing;

#pragma unroll
    for (unsigned k = 0; k < LANES; k++) {
        sums[k] = nothing.lane[k] = IDENTITY;
        rest[k] = at_edge && edge + k < n ? widen(input[edge + k]) : IDENTITY;
    }
    nothing.all = whole_16(nothing.all);
    size_t round = 0, end = begin + (size_t)(column / GROUP + 1) * GROUP * LOADS * LANES;
    vector_t v[LOADS];
    if (aligned) { /* where the whole group has its vectors, without guards */
#pragma unroll 1
        for (; round < o.rounds && end <= edge; round++, first += step, end += step) {
#pragma unroll
            for (unsigned u = 0; u < LOADS; u++)
                v[u].all = load_row(input + first, u, streaming);
            loads_first();
            add_loaded(sums, v);
        }
    }
#pragma unroll 1
    for (; round < o.rounds && first < n; round++, first += step) {
        if (aligned) {
#pragma unroll
            for (unsigned u = 0; u < LOADS; u++) {
                v[u] = nothing;
                if (first + u * row < edge)
                    v[u].all = load_row(input + first, u, streaming);
            }
        } else {
#pragma unroll
            for (unsigned u = 0; u < LOADS; u++)
#pragma unroll
                for (unsigned k = 0; k < LANES; k++)
                    v[u].lane[k] =
                        first + u * row < edge ? widen(input[first + u * row + k]) : IDENTITY;
        }
        add_loaded(sums, v);
    }
#pragma unroll
    for (unsigned k = 0; k < LANES; k++)
        sums[k] = combine(sums[k], rest[k]);
    value_t value = sums[0];
#pragma unroll
    for (unsigned k = 1; k < LANES; k++)
        value = combine(value, sums[k]);
    return value;
}

/* Into result, in device memory; NULL: in words to report. */
static __device__ void deliver(value_t value, value_t *result, word_t *report)
{
    if (result != NULL) {
        *result = canonical(value);
        return;
    }
    halves_t halves;
    halves.value = canonical(value);
    for (unsigned k = 0; k < HALVES; k++)
        word_report(report + k, MARK | halves.half[k]);
}

/* Device memory of one reduction. All but result is zero before a launch, and again after it. */
typedef struct {
    unsigned ticket;
    /* if it stays here: a value, or the words of bins. A cache line that no slot shares */
    word_t result[15];
    word_t slots[]; /* HALVES for each unit, or BINNED_WORDS for each block */
} workspace_t;

static unsigned round_up(size_t count, unsigned to, unsigned least, unsigned most)
{
    size_t rounded = ceil_div(count, to) * to;
    return rounded < least ? least : rounded > most ? most : (unsigned)rounded;
}
