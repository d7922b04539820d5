/* Binned sums on the device, for sums of float and of double; part of reproducible.hip and of multi_gpu.hip.
 * SPDX-License-Identifier: MIT */
static unsigned folds_of(const struct reduction *r)
{
    return r->option[FOLDS] == 0 ? 2 : 3;
}

#if OPERATION == OP_SUM && (VALUE_TYPE == TYPE_FLOAT || VALUE_TYPE == TYPE_DOUBLE)
#if VALUE_TYPE == TYPE_FLOAT
enum {
    LEAST = LEAST_FLOAT,
    DIGITS = 24,
    EXPONENT_SHIFT = 23,
    EXPONENT_MOST = 255
}; /* most: inf and NaN */
#else
enum {
    LEAST = LEAST_DOUBLE,
    DIGITS = 53,
    EXPONENT_SHIFT = 20 /* of the upper half */,
    EXPONENT_MOST = 2047
};
#endif
enum {
    BINNED_LOADS = 8,                  /* vectors of a thread in flight */
    BINNED_BLOCK = 512,                /* threads of a block at most; one block on a compute unit */
    SLICED = BINNED_LOADS * LANES,     /* elements between two checks of the counter */
    BIN_TURNS = BIN_DEPOSITS / SLICED, /* checks after which the sums are moved to the totals */
    HAS_BINS = true
};

typedef union {
    vector_t vector[BINNED_LOADS];
    value_t value[SLICED];
} slice_t;

/* A thread's part of a round: rows of GROUP vectors. */
static __device__ __forceinline__ void load_slice(slice_t *v, const value_t *from, bool streaming)
{
#pragma unroll
    for (unsigned u = 0; u < BINNED_LOADS; u++)
        v->vector[u].all = load_row(from, u, streaming);
}

/* The same element by element: at any alignment, and up to the end. */
static __device__ __forceinline__ void load_elements(slice_t *v, const value_t *input, size_t first,
                                                     size_t n)
{
#pragma unroll
    for (unsigned u = 0; u < BINNED_LOADS; u++)
#pragma unroll
        for (unsigned k = 0; k < LANES; k++) {
            size_t i = first + u * GROUP * LANES + k;
            v->vector[u].lane[k] = i < n ? input[i] : 0;
        }
}

/* A thread's state: its sums, and in shared memory the totals they are moved to. */
struct share {
    double sums[FOLDS_MAX];
    unsigned
        limit; /* magnitudes from here on are special: a higher bin, inf, NaN, or the scaled bin */
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
static __device__ __forceinline__ void share_begin(struct share *s, unsigned folds)
{
    int top = s->total->top;
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
        share_begin(s, folds);
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
                                                     uint64_t tie, const value_t *next, bool more,
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
                                                  const value_t *next, bool more, bool streaming)
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
        share_begin(s, folds);
    }
    if (may_skip && more)
        load_slice(v, next, streaming);
}

/* Shared memory of a block while its threads add up their totals. */
struct sums {
    int top;
    unsigned special; /* SPECIAL_*, and CARRIED if any total has a carry */
    int64_t low[FOLDS_MAX][BINNED_BLOCK / 32], high[FOLDS_MAX][BINNED_BLOCK / 32];
};
#define CARRIED 8u

#if defined(HAS_WARP_SUMS)
#include "nvidia_warp.h"
#endif
#if defined(HAS_WAVE_REDUCE)
namespace lane_sum
{
typedef int64_t value_t;
static __device__ __forceinline__ int64_t combine(int64_t a, int64_t b)
{
    return a + b;
}
#include "wave_reduce.h"
} // namespace lane_sum
namespace lane_max
{
typedef int value_t;
static __device__ __forceinline__ int combine(int a, int b)
{
    return a > b ? a : b;
}
#include "wave_reduce.h"
} // namespace lane_max
static __device__ __forceinline__ int64_t sum_lanes(int64_t value)
{
    return lane_sum::wave_reduce(value, warp_lanes());
}

static __device__ __forceinline__ int max_lanes(int value)
{
    return lane_max::wave_reduce(value, warp_lanes());
}
#define HAS_LANE_SUMS
#endif
#if !defined(HAS_LANE_SUMS)
/* Over all lanes of a full warp; lane 0 holds the result. */
static __device__ __forceinline__ int64_t sum_lanes(int64_t value)
{
    for (unsigned distance = warp_lanes() / 2; distance > 0; distance /= 2)
        value += __shfl_down((long long)value, distance);
    return value;
}

static __device__ __forceinline__ int max_lanes(int value)
{
    for (unsigned distance = warp_lanes() / 2; distance > 0; distance /= 2) {
        int other = __shfl_down(value, distance);
        value = other > value ? other : value;
    }
    return value;
}
#endif

/* The sum of one total of every thread of the block; thread 0 holds the result, with the carries moved. *shared has
 * been emptied. */
static __device__ __forceinline__ struct binned reduce_totals(struct binned total,
                                                              struct sums *shared, unsigned folds)
{
    unsigned lane = threadIdx.x % warp_lanes(), warp = threadIdx.x / warp_lanes();

    /* one top for all */
    int top = max_lanes(total.top);
    if (lane == 0)
        atomicMax(&shared->top, top);
    for (unsigned k = 0; k < folds; k++)
        if (total.high[k] != 0)
            total.special |= CARRIED;
    if (total.special != 0)
        atomicOr(&shared->special, total.special);
    __syncthreads();
    binned_raise(&total, shared->top, folds);
    total.special = shared->special;
    bool carried = (total.special & CARRIED) != 0; /* rare: leave out half of the work */
    for (unsigned k = 0; k < folds; k++) {
        int64_t low = sum_lanes(total.low[k]);
        if (lane == 0)
            shared->low[k][warp] = low;
        if (carried) {
            int64_t high = sum_lanes(total.high[k]);
            if (lane == 0)
                shared->high[k][warp] = high;
        }
    }
    __syncthreads();
    if (warp == 0) {
        bool there = lane < blockDim.x / warp_lanes();
        for (unsigned k = 0; k < folds; k++) {
            total.low[k] = sum_lanes(there ? shared->low[k][lane] : 0);
            if (carried)
                total.high[k] = sum_lanes(there ? shared->high[k][lane] : 0);
        }
        total.special &= ~CARRIED;
        binned_carry(&total, folds);
    }
    return total;
}

/* Like slot_put() and slot_get(): each word has its own mark. */
static __device__ __forceinline__ void total_put(word_t *slot, const struct binned *total,
                                                 unsigned folds)
{
    uint32_t words[BINNED_WORDS(FOLDS_MAX)];
    binned_pack(total, folds, words);
#pragma unroll
    for (unsigned k = 0; k < BINNED_WORDS(folds); k++)
        word_store(slot + k, MARK | words[k]);
}

static __device__ __forceinline__ struct binned total_get(const word_t *slot, unsigned folds)
{
    word_t marked[BINNED_WORDS(FOLDS_MAX)];
    uint32_t words[BINNED_WORDS(FOLDS_MAX)];
    bool there;
    do {
        there = true;
#pragma unroll
        for (unsigned k = 0; k < BINNED_WORDS(folds); k++)
            marked[k] = word_load(slot + k);
#pragma unroll
        for (unsigned k = 0; k < BINNED_WORDS(folds); k++)
            there = there && marked[k] >= MARK;
        if (!there)
            poll_pause();
    } while (!there);
#pragma unroll
    for (unsigned k = 0; k < BINNED_WORDS(folds); k++)
        words[k] = (uint32_t)marked[k];
    return binned_unpack(words, folds);
}

/* Any grid of blocks of whole warps. */
static __device__ __forceinline__ void reduce_bins(const value_t *input, workspace_t *workspace,
                                                   word_t *report, size_t n, unsigned folds,
                                                   bool streaming)
{
    HIP_DYNAMIC_SHARED(struct binned, totals);
    __shared__ struct sums shared[2]; /* for the block, and for the grid */
    __shared__ bool last;

    struct share s = {{0, 0, 0}, 0, 0, 1, 0, &totals[threadIdx.x]};
    s.total->top = -1; /* the first element decides */
    s.total->special = 0;
    for (unsigned k = 0; k < folds; k++)
        s.total->low[k] = s.total->high[k] = 0;

    unsigned ticket = 0; /* taken early: the answer comes while the block reads */
    if (threadIdx.x == 0 && gridDim.x > 1)
        ticket = atomicInc(&workspace->ticket, gridDim.x - 1);

    bool aligned = (size_t)input % 16 == 0;
    size_t step = (size_t)gridDim.x * blockDim.x * SLICED;
    size_t first = ((size_t)blockIdx.x * blockDim.x + threadIdx.x / GROUP * GROUP) * SLICED +
                   threadIdx.x % GROUP * LANES;
    /* In vectors up to `whole`. The rest, less than a slice of GROUP threads, by elements; misaligned, everything. */
    size_t whole = aligned ? n - n % (GROUP * SLICED) : 0;
    size_t rest = first;
    if (aligned)
        rest = blockIdx.x == gridDim.x - 1 && threadIdx.x < GROUP ? whole + threadIdx.x * LANES : n;

    slice_t v, by_elements;
    bool more = first < whole;
    if (more)
        load_slice(&v, input + first, streaming);
    if (threadIdx.x < 2) {
        shared[threadIdx.x].top = (int)folds - 1;
        shared[threadIdx.x].special = 0;
    }
    __syncthreads();
#pragma unroll 1
    for (; rest < n; rest += step) {
        load_elements(&by_elements, input, rest, n);
        share_take(&s, &by_elements, folds, NULL, false, false);
    }
#pragma unroll 1
    while (more) {
        first += step;
        more = first < whole;
        share_take(&s, &v, folds, input + first, more, streaming);
    }
    if (s.total->top >= 0)
        share_move(&s, folds);
    struct binned total = {s.total->top, s.total->special, {0, 0, 0}, {0, 0, 0}};
    for (unsigned k = 0; k < folds; k++) {
        total.low[k] = s.total->low[k];
        total.high[k] = s.total->high[k];
    }
    total = reduce_totals(total, &shared[0], folds);

    if (gridDim.x > 1) {
        if (threadIdx.x == 0) {
            total_put(workspace->slots + (size_t)blockIdx.x * BINNED_WORDS(folds), &total, folds);
            last = ticket == gridDim.x - 1;
        }
        __syncthreads();
        if (!last)
            return;
        struct binned sum = {(int)folds - 1, 0, {0, 0, 0}, {0, 0, 0}};
#pragma unroll 1
        for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) {
            struct binned other =
                total_get(workspace->slots + (size_t)b * BINNED_WORDS(folds), folds);
            binned_add(&sum, &other, folds);
        }
        total = reduce_totals(sum, &shared[1], folds);
        for (size_t w = threadIdx.x; w < (size_t)gridDim.x * BINNED_WORDS(folds); w += blockDim.x)
            word_store(workspace->slots + w, 0);
    }
    if (threadIdx.x == 0) {
        uint32_t words[BINNED_WORDS(FOLDS_MAX)];
        binned_pack(&total, folds, words);
#pragma unroll
        for (unsigned k = 0; k < BINNED_WORDS(folds); k++)
            word_report(report + k, MARK | words[k]);
    }
}

__global__ void LAUNCH_BOUNDS(BINNED_BLOCK)
    reduce_bins_2(const value_t *input, workspace_t *workspace, word_t *report, size_t n)
{
    reduce_bins(input, workspace, report, n, 2, false);
}

__global__ void LAUNCH_BOUNDS(BINNED_BLOCK)
    reduce_bins_3(const value_t *input, workspace_t *workspace, word_t *report, size_t n)
{
    reduce_bins(input, workspace, report, n, 3, false);
}

#if defined(HAS_STREAMING)
__global__ void LAUNCH_BOUNDS(BINNED_BLOCK)
    reduce_bins_2_streaming(const value_t *input, workspace_t *workspace, word_t *report, size_t n)
{
    reduce_bins(input, workspace, report, n, 2, true);
}

__global__ void LAUNCH_BOUNDS(BINNED_BLOCK)
    reduce_bins_3_streaming(const value_t *input, workspace_t *workspace, word_t *report, size_t n)
{
    reduce_bins(input, workspace, report, n, 3, true);
}
#else
#define reduce_bins_2_streaming reduce_bins_2
#define reduce_bins_3_streaming reduce_bins_3
#endif

static void launch_bins(const struct reduction *r, const value_t *input, word_t *report)
{
    void (*kernel)(const value_t *, workspace_t *, word_t *, size_t) = reduce_bins_2;

    if (streaming_pays(r->n * sizeof(value_t)))
        kernel = folds_of(r) == 2 ? reduce_bins_2_streaming : reduce_bins_3_streaming;
    else if (folds_of(r) == 3)
        kernel = reduce_bins_3;
    hipLaunchKernelGGL(kernel, dim3(r->grid), dim3(r->block), r->block * sizeof(struct binned),
                       r->stream, input, (workspace_t *)r->workspace, report, r->n);
}

/* The order does not matter: one block on each compute unit, if it has work. */
static void plan_bins(struct reduction *r)
{
    size_t vectors = ceil_div(r->n, LANES);
    size_t fill = r->grid != 0 ? r->grid : r->compute_units;

    if (r->grid == 0 && vectors <= (size_t)BINNED_BLOCK * BINNED_LOADS)
        fill = 1; /* nothing to collect */
    size_t rounds = ceil_div(vectors, fill * BINNED_BLOCK * BINNED_LOADS);
    if (r->block == 0) /* the same work for every block in every round */
        r->block = round_up(ceil_div(vectors, fill * BINNED_LOADS * (rounds > 0 ? rounds : 1)),
                            r->warp_size, r->warp_size, BINNED_BLOCK);
    else
        r->block = round_up(r->block, r->warp_size, r->warp_size, BINNED_BLOCK);
    if (r->grid == 0)
        r->grid = round_up(ceil_div(vectors, r->block * BINNED_LOADS), 1, 1, (unsigned)fill);
    r->host_bytes = BINNED_WORDS(folds_of(r)) * sizeof(word_t);
    r->workspace_bytes = sizeof(workspace_t) + r->grid * r->host_bytes;
    /* Each element loses at most half a grid of the last bin, which is 2^(-WIDTH (folds - 1)) of the largest
     * value. As a chain: that loss in unit roundoffs, plus the final rounding. */
    r->chain = 2 + (size_t)ldexp((double)r->n, DIGITS - BIN_WIDTH * ((int)folds_of(r) - 1));
}

/* Two folds of doubles hold 79 bits, and the largest element may use only the upper 39: then a sum that another
 * order computes exactly is rounded, and each element loses up to 2^-40 of the largest, more than additions
 * do. */
static bool bins_round(const struct reduction *r)
{
    return folds_of(r) == 2 && VALUE_TYPE == TYPE_DOUBLE;
}

/* The bound of a binned sum is the worst case for every pattern. largest: a magnitude that no element exceeds, in units
 * of 2^expected->exponent. */
static void bound_bins(struct reference *expected, bool rounds, double largest)
{
    expected->kind = -1;
    if (expected->n == 0 || !rounds)
        return;
    double lost = ldexp(largest, -BIN_WIDTH) * (double)expected->n;

    expected->exact = false;
    expected->lost = isfinite(lost) ? lost : 0; /* inf and NaN are right or wrong */
}

#else /* exact in any order */
enum { HAS_BINS = false, LEAST = 0, DIGITS = 0 };
static void plan_bins(struct reduction *)
{
}
static void launch_bins(const struct reduction *, const value_t *, word_t *)
{
}
static bool bins_round(const struct reduction *)
{
    return false;
}
static void bound_bins(struct reference *, bool, double)
{
}
#endif
