/* Binned sums on the device, for sums of float and of double; part of reproducible.hip and of multi_gpu.hip.
 * SPDX-License-Identifier: MIT */
static inline unsigned folds_of(const struct reduction *r)
{
    return r->option[FOLDS] == 0 ? 2 : 3;
}

#if OPERATION == OP_SUM && IS_FLOATING(VALUE_TYPE)
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

#include "binned_share.h"
#include "binned_total.h"

/* Any grid of blocks of whole warps. */
static __device__ __forceinline__ void reduce_bins(const element_t *input, workspace_t *workspace,
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

    bool aligned = (size_t)input % VECTOR_BYTES == 0;
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
    reduce_bins_2(const element_t *input, workspace_t *workspace, word_t *report, size_t n)
{
    reduce_bins(input, workspace, report, n, 2, false);
}

__global__ void LAUNCH_BOUNDS(BINNED_BLOCK)
    reduce_bins_3(const element_t *input, workspace_t *workspace, word_t *report, size_t n)
{
    reduce_bins(input, workspace, report, n, 3, false);
}

#if defined(HAS_STREAMING)
__global__ void LAUNCH_BOUNDS(BINNED_BLOCK)
    reduce_bins_2_streaming(const element_t *input, workspace_t *workspace, word_t *report,
                            size_t n)
{
    reduce_bins(input, workspace, report, n, 2, true);
}

__global__ void LAUNCH_BOUNDS(BINNED_BLOCK)
    reduce_bins_3_streaming(const element_t *input, workspace_t *workspace, word_t *report,
                            size_t n)
{
    reduce_bins(input, workspace, report, n, 3, true);
}
#else
#define reduce_bins_2_streaming reduce_bins_2
#define reduce_bins_3_streaming reduce_bins_3
#endif

static void launch_bins(const struct reduction *r, const element_t *input, word_t *report)
{
    void (*kernel)(const element_t *, workspace_t *, word_t *, size_t) = reduce_bins_2;

    if (streaming_pays(r->n * sizeof(element_t)))
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
    if (r->block == 0) { /* the same work for every block in every round */
        r->block = round_up(ceil_div(vectors, fill * BINNED_LOADS * (rounds > 0 ? rounds : 1)),
                            r->warp_size, r->warp_size, BINNED_BLOCK);
        /* The last block reads as many slots at once as it has threads: one round trip to memory, and not several. */
        while (r->grid == 0 && r->block < BINNED_BLOCK &&
               min_size(fill, ceil_div(vectors, (size_t)r->block * BINNED_LOADS)) > r->block)
            r->block = round_up(r->block + 1, r->warp_size, r->warp_size, BINNED_BLOCK);
    } else {
        r->block = round_up(r->block, r->warp_size, r->warp_size, BINNED_BLOCK);
    }
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
