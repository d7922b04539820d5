/* Binned sums: floating-point addition made associative.
 *
 * The number line of exponents is cut into bins of BIN_WIDTH bits. Every x is cut at the same places: its slice
 * in a bin is a whole multiple of the bin's grid, and depends on x alone. Slices of one bin add up without
 * rounding, so their order does not matter. Only the highest `folds` bins below the largest |x| are kept.
 *
 *   bin b            holds 2^(low + WIDTH b) <= |x| < 2^(low + WIDTH (b + 1)) as its first slice
 *   its grid         2^(low + 1 + WIDTH b): twice the smallest such |x|, so that an element of a lower bin
 *                    leaves exactly 0 here, and a sum need not know the bins above its own largest |x|
 *   the cut          sum + x - sum, where sum is near 1.5 x 2^52 grids: its unit in the last place is the grid.
 *                    Setting the last bit of x first makes sure that nothing lies halfway between two multiples,
 *                    where the direction would depend on sum
 *
 * When to carry: a slice is at most 2^(WIDTH - 1) grids, so BIN_DEPOSITS = 2^(51 - WIDTH) of them change a sum by
 * at most 2^50 grids, and it stays between 2^52 and 2^53 grids, where its last place equals the grid. Then the sum is
 * moved into a total of two 64-bit integers, which hold 2^95 grids and more: 2^56 slices.
 *
 * When to carry in a total: its lower integer begins below 2^50, and a move changes it by at most 2^50. Until the
 * next carry a bin is moved at most FOLDS_MAX times: a raise of the top is a move and takes the bin one place nearer
 * to being dropped; the last move is the end, or one followed by a carry. So it stays within 2^52, and the sum of
 * 1024 threads within 2^62.
 *
 * J. Demmel, P. Ahrens, H. D. Nguyen: Efficient Reproducible Floating Point Summation and BLAS, EECS-2016-121;
 * P. Ahrens, J. Demmel, H. D. Nguyen: Algorithms for Efficient Reproducible Floating Point Summation, ACM TOMS 46,
 * 2020. There a bin carries into a second floating-point number; here into integers.
 *
 * All sums are doubles, also for floats. Needs IEEE arithmetic in the order of the source.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_BINNED_H
#define REDUCTION_BINNED_H

#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__)
#error "binned sums need exact IEEE additions: build without -ffast-math and -fassociative-math"
#endif

#include <stdint.h>

#ifdef __cplusplus /* hip/hip_runtime.h comes first */
#define BINNED_FUNCTION __host__ __device__ static inline
#else
#define BINNED_FUNCTION static inline
#endif

#ifndef BIN_WIDTH
#define BIN_WIDTH 40 /* the tests use 46, so that every carry happens */
#endif
#define BIN_DEPOSITS (1u << (51 - BIN_WIDTH))
#define FOLDS_MAX    3

/* The effect of an inf or NaN element on a sum. */
#define SPECIAL_ABOVE 1u
#define SPECIAL_BELOW 2u
#define SPECIAL_NAN   4u

/* A sum, complete: bin top - k holds high[k] x 2^50 + low[k] grids. */
struct binned {
    int32_t top;      /* the bin of the largest |x|, at least folds - 1 */
    uint32_t special; /* SPECIAL_* */
    int64_t low[FOLDS_MAX], high[FOLDS_MAX];
};

/* The exponent of the smallest number of a type, and of the grid of bin 0. */
#define LEAST_DOUBLE (-1074)
#define LEAST_FLOAT  (-149)

BINNED_FUNCTION double binned_from_bits(uint64_t bits)
{
    union {
        uint64_t bits;
        double value;
    } u;
    u.bits = bits;
    return u.value;
}

BINNED_FUNCTION uint64_t binned_bits(double value)
{
    union {
        double value;
        uint64_t bits;
    } u;
    u.value = value;
    return u.bits;
}

/* The bin for elements with this exponent field: 11 bits of a double, 8 of a float. */
BINNED_FUNCTION int binned_bin(unsigned exponent, int least)
{
    return ((int)exponent + (least == LEAST_DOUBLE ? 52 : 23)) / BIN_WIDTH;
}

/* 1.5 x 2^52 grids of a bin: a sum of slices that is still 0. */
BINNED_FUNCTION double binned_anchor(int bin, int least)
{
    return binned_from_bits((uint64_t)(1023 + 52 + least + BIN_WIDTH * bin) << 52 | (uint64_t)1
                                                                                        << 51);
}

/* The highest bin of doubles would need an anchor beyond the largest double: its elements are scaled by 2^-WIDTH,
 * and the sums use the anchors of the bins below. */
#define BIN_SCALED ((1022 - 52 - LEAST_DOUBLE) / BIN_WIDTH + 1)

/* Adds x, which must not belong to a bin above that of sums[0]. tie: 1, but 0 if the last bin is bin 0 of doubles,
 * where nothing is rounded. */
BINNED_FUNCTION void binned_deposit(double *sums, double x, unsigned folds, uint64_t tie)
{
    for (unsigned k = 0; k + 1 < folds; k++) {
        double before = sums[k];
        sums[k] = before + binned_from_bits(binned_bits(x) | 1);
        x -= sums[k] - before;
    }
    sums[folds - 1] += binned_from_bits(binned_bits(x) | tie);
}

/* Moves the carries of low into high: afterwards 0 <= low < 2^50. */
BINNED_FUNCTION void binned_carry(struct binned *t, unsigned folds)
{
    for (unsigned k = 0; k < folds; k++) {
        t->high[k] += t->low[k] >> 50;
        t->low[k] &= ((int64_t)1 << 50) - 1;
    }
}

/* Raises the top; bins that fall below the last one are dropped. */
BINNED_FUNCTION void binned_raise(struct binned *t, int top, unsigned folds)
{
    int by = top - t->top;

    if (by <= 0)
        return;
    /* No index that depends on data: it would cost local memory. A comparison of indices is no way around it,
     * compilers make such an index of it; a mask is. */
    for (int k = (int)folds - 1; k >= 0; k--) {
        int64_t low = 0, high = 0;
        for (int from = 0; from < k; from++) {
            int64_t mask = -(int64_t)(from == k - by);
            low |= t->low[from] & mask;
            high |= t->high[from] & mask;
        }
        t->low[k] = low;
        t->high[k] = high;
    }
    t->top = top;
}

/* Adds b to a, exactly and in any order. */
BINNED_FUNCTION void binned_add(struct binned *a, const struct binned *b, unsigned folds)
{
    struct binned other = *b;

    binned_raise(a, other.top, folds);
    binned_raise(&other, a->top, folds);
    a->special |= other.special;
    for (unsigned k = 0; k < folds; k++) {
        a->low[k] += other.low[k];
        a->high[k] += other.high[k];
    }
    binned_carry(a, folds);
}

/* A sum in a slot: the top and SPECIAL_*, and each bin as a number of 96 bits. */
#define BINNED_WORDS(folds) (1 + 3 * (folds))

/* The carries have been moved. */
BINNED_FUNCTION void binned_pack(const struct binned *t, unsigned folds, uint32_t *words)
{
    words[0] = (uint32_t)t->top << 3 | t->special;
    for (unsigned k = 0; k < folds; k++) {
        words[3 * k + 1] = (uint32_t)t->low[k];
        words[3 * k + 2] = (uint32_t)(t->low[k] >> 32) | (uint32_t)t->high[k] << 18;
        words[3 * k + 3] = (uint32_t)(t->high[k] >> 14);
    }
}

BINNED_FUNCTION struct binned binned_unpack(const uint32_t *words, unsigned folds)
{
    struct binned t = {(int32_t)(words[0] >> 3), words[0] & 7, {0, 0, 0}, {0, 0, 0}};

    for (unsigned k = 0; k < folds; k++) {
        t.low[k] = (int64_t)((uint64_t)(words[3 * k + 2] & 0x3ffff) << 32 | words[3 * k + 1]);
        t.high[k] = (int64_t)(int32_t)words[3 * k + 3] * 16384 + (words[3 * k + 2] >> 18);
    }
    return t;
}

#endif
