/* The totals of a binned sum: over the threads of a block, and from block to block; part of binned_kernel.h.
 * SPDX-License-Identifier: MIT */
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
