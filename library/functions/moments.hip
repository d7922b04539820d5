/* Count, mean, variance, minimum and maximum. A thread computes the deviations of the elements that it loads together from
 * one of them, so that their squares do not cancel. Then states are merged (T. F. Chan, G. H. Golub, R. J. LeVeque:
 * Updating formulae and a pairwise algorithm for computing sample variances, COMPSTAT 1982), as in reduction_statistics.
 * A mean is the sum of two doubles: the difference of two means is as precise as if they were small, however far from 0 the
 * elements are.
 * SPDX-License-Identifier: MIT */
#ifndef IN_NAMESPACE
#define FUNCTION       moments
#define FUNCTION_FILE  "functions/moments.hip"
#define LOADS          8
#define TYPES_WHOLE    1
#define RESULT_T       struct lr_moments_t
#define HAS_WARP_MERGE /* merge_warp() is here */
#define HEAVY_STATE
#define DEVIATES (!TWO_BYTES)
#define SMALLER  (VALUE_TYPE == TYPE_DOUBLE ? 0x1p-7 : 1)
#include "kernels/function.h"
#else
typedef struct {
    double mean, rest, variance; /* mean + rest is the mean; variance: the mean of (x - mean)^2 */
    value_t min, max;
    uint32_t low, high; /* of the count */
} state_t;
typedef state_t thread_t;

static __device__ __forceinline__ state_t state_nothing(void)
{
    state_t s = {0, 0, 0, LARGEST, LOWEST, 0, 0};
    return s;
}

static __device__ __forceinline__ thread_t thread_nothing(void) { return state_nothing(); }

static __device__ __forceinline__ uint64_t count_of(const state_t *s) { return (uint64_t)s->high << 32 | s->low; }

/* Half of b - a: the difference itself may overflow. */
static __device__ __forceinline__ double half_between(double a, double a_rest, double b, double b_rest)
{
    return 0.5 * b - 0.5 * a + (0.5 * b_rest - 0.5 * a_rest);
}

/* Adds step to *mean + *rest. What rounding takes from *mean goes to *rest. (D. E. Knuth, The Art of Computer Programming,
 * volume 2, 4.2.2, theorem B) */
static __device__ __forceinline__ void add_to_mean(double *mean, double *rest, double step)
{
    double sum = *mean + step, part = sum - *mean;

    *rest += (*mean - (sum - part)) + (step - part);
    *mean = sum;
}

static __device__ __forceinline__ state_t state_merge(state_t a, state_t b)
{
    uint64_t of_a = count_of(&a), of_b = count_of(&b), count = of_a + of_b;

    if (of_a == 0 || of_b == 0)
        return of_a == 0 ? b : a;
    double part = 1 / (double)count, share_a = (double)of_a * part, share_b = (double)of_b * part;
    double half = half_between(a.mean, a.rest, b.mean, b.rest), step = half * share_b;

    add_to_mean(&a.mean, &a.rest, step);
    add_to_mean(&a.mean, &a.rest, step);
    a.variance = a.variance * share_a + b.variance * share_b + 4 * step * (half * share_a);
    a.min = value_extreme(a.min, b.min, true);
    a.max = value_extreme(a.max, b.max, false);
    a.low = (uint32_t)count;
    a.high = (uint32_t)(count >> 32);
    return a;
}

/* 2^(exponent - 1023). */
static __device__ __forceinline__ double power_of(uint64_t exponent)
{
    union {
        uint64_t bits;
        double value;
    } power = {exponent << 52};
    return power.value;
}

/* All lanes get the result. Deviations are from the mean of lane 0, which has about as many elements as any: little
 * cancels, and all sums go through the lanes at once. With state_merge() each step would wait for a division. */
static __device__ state_t merge_warp(state_t s)
{
    double mine = (double)count_of(&s), from = __shfl(s.mean, 0), rest = __shfl(s.rest, 0);
    union {
        double value;
        uint64_t bits;
    } first = {__shfl(mine, 0)};
    double weight = mine * power_of(2039 - (first.bits >> 52)); /* so that no sum overflows */
    double half = half_between(from, rest, s.mean, s.rest);
    double sum = weight * half, squares = fma(sum, half, weight * (0.25 * s.variance));

    for (int distance = (int)warp_lanes() / 2; distance > 0; distance /= 2) {
        weight += __shfl_xor(weight, distance);
        sum += __shfl_xor(sum, distance);
        squares += __shfl_xor(squares, distance);
        s.min = value_extreme(s.min, __shfl_xor(s.min, distance), true);
        s.max = value_extreme(s.max, __shfl_xor(s.max, distance), false);
    }
    double part = 1 / (weight > 0 ? weight : 1), mean = sum * part, square = squares * part;
    double variance = isinf(square) ? square : 4 * fma(-mean, mean, square);
    unsigned long long count = (unsigned long long)(weight * power_of((first.bits >> 52) + 7));
    add_to_mean(&from, &rest, mean);
    add_to_mean(&from, &rest, mean);
    s.mean = from;
    s.rest = rest;
    s.variance = variance < 0 ? 0 : variance;
    s.low = (uint32_t)count;
    s.high = (uint32_t)(count >> 32);
    return s;
}

/* An element as a mean. */
static __device__ __forceinline__ state_t state_of_one(value_t x, value_t, size_t)
{
    state_t s = {(double)x, 0, 0, x, x, 1, 0};
#if VALUE_TYPE == TYPE_LONG /* has more digits than a double */
    s.mean = (double)(x >> 32) * 0x1p32;
    add_to_mean(&s.mean, &s.rest, (double)(x & 0xffffffff));
#endif
    return s;
}

/* Deviations of doubles are scaled down by a power of two, so that no sum of them overflows unless their mean does. Two-byte
 * elements need no deviations: elements so close that their squares could cancel have so few bits, at most 11, that both
 * sums are exact. */

static __device__ __forceinline__ double deviation_of(value_t x, value_t from)
{
#if VALUE_TYPE == TYPE_LONG
    value_t difference = (value_t)((bits_t)x - (bits_t)from);
    bool wraps = ((x ^ from) & (x ^ difference)) < 0;
    return wraps ? (double)x - (double)from : (double)difference;
#else
    return fma((double)x, SMALLER, -(double)from * SMALLER);
#endif
}

#undef PAIRED
#if defined(HAS_PAIR_EXTREMES) && TWO_BYTES
#define PAIRED /* minimum and maximum of two elements at once */
#endif

#if defined(PAIRED)
static __device__ __forceinline__ value_t pair_value(unsigned pair, bool min)
{
    return value_extreme(widen((element_t)pair), widen((element_t)(pair >> 16)), min);
}
#endif

static __device__ __forceinline__ void thread_add(thread_t *t, const vector_t *x, const vector_t *, const bool *there,
                                                  unsigned, unsigned vectors)
{
    state_t now = state_nothing();
    value_t from = DEVIATES ? widen(x[0].lane[0]) : 0;
    double sum = 0, squares = 0;

    if (!there[0]) /* then the others are missing, too */
        return;
#if defined(PAIRED)
    unsigned least = narrow(LARGEST) * 0x10001u, most = narrow(LOWEST) * 0x10001u;
#endif
#pragma unroll
    for (unsigned u = 0; u < LOADS; u++)
        if (u < vectors && there[u]) {
#pragma unroll
            for (unsigned k = 0; k < LANES; k++) {
                value_t e = widen(x[u].lane[k]);
                double deviation = DEVIATES ? deviation_of(e, from) : (double)e;
                sum += deviation;
                squares = fma(deviation, deviation, squares);
#if !defined(PAIRED)
                now.min = value_extreme(now.min, e, true);
                now.max = value_extreme(now.max, e, false);
#endif
            }
#if defined(PAIRED)
            least = pairs_extreme(least, x[u].all, true, ELEMENT_TYPE == TYPE_BFLOAT16);
            most = pairs_extreme(most, x[u].all, false, ELEMENT_TYPE == TYPE_BFLOAT16);
#endif
            now.low += LANES;
        }
#if defined(PAIRED)
    now.min = pair_value(least, true);
    now.max = pair_value(most, false);
#endif
    double count = now.low, part = 1 / count, mean = sum * part;
    double variance = DEVIATES ? fma(-mean, mean, squares * part) : fma(-sum, sum, count * squares) * part * part;
    state_t middle = state_of_one(from, 0, 0);
    now.mean = middle.mean;
    now.rest = middle.rest;
    for (int k = 0; k < 2; k++) /* twice the half: the mean itself does not overflow */
        add_to_mean(&now.mean, &now.rest, mean * (0.5 / SMALLER));
    now.variance = variance < 0 ? 0 : variance / (SMALLER * SMALLER);
    *t = state_merge(*t, now);
}

static __device__ __forceinline__ state_t state_of_thread(thread_t t, struct place) { return t; }

static __device__ void state_store(state_t s, size_t, result_t *result, int64_t *, int)
{
    struct lr_moments_t *to = result;
    bool known = count_of(&s) > 0 && isfinite(s.mean);
    double mean = s.mean + s.rest, min = (double)canonical(s.min), max = (double)canonical(s.max);

    to->count = (int64_t)count_of(&s);
    to->mean = !known ? (double)NAN : mean < min ? min : mean > max ? max : mean;
    to->variance = known ? s.variance : (double)NAN;
    to->min = min;
    to->max = max;
}
#endif
