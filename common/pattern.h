/* Input data: pattern_double(p, i) and its siblings are one C function for the device and for the host.
 *
 * Every value depends on its position and is computed with operations that are exact in its type, so the
 * GPU and the host agree bit by bit, whatever the compiler contracts or reorders, and an array of 2^33
 * elements is verified without a copy of it on the host.
 *
 * A C++ source (kernels) includes hip/hip_runtime.h first.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_PATTERN_H
#define REDUCTION_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "types.h"

#define PATTERN_RANDOM   0 /* uniform: [0, 1) for floating point, the full range for integers */
#define PATTERN_ONES     1
#define PATTERN_CONSTANT 2 /* 0.1 rounded to the type; 1 for integers */
#define PATTERN_RAMP     3 /* i mod PATTERN_PRIME; for elements of two bytes a smaller prime */
#define PATTERN_MIXED    4 /* both signs over a wide range of magnitudes; the sum nearly cancels */
#define PATTERN_ONEHOT   5 /* 0, and one other value at index hot */
#define PATTERN_COUNT    6

/* The largest prime below 2^16: exact in a float, and no block or grid size divides it. */
#define PATTERN_PRIME 65521

#define PATTERN_HOT_LAST UINT64_MAX /* hot: the last element, whatever n is; see pattern_for() */

struct pattern {
    int kind;       /* PATTERN_* */
    uint64_t seed;  /* for random and mixed */
    uint64_t hot;   /* index for onehot */
    int hot_value;  /* of the hot element, which decides the result */
    int cold_value; /* of all others */
};

#ifdef __cplusplus
#define PATTERN_FUNCTION __host__ __device__ static inline
#else
#define PATTERN_FUNCTION static inline

/* "random", "ones", "constant", "ramp", "mixed", "onehot" */
const char *pattern_name(int kind);
/* The pattern for one array: PATTERN_HOT_LAST becomes the index of the last of n elements, and hot_value
 * is set for the operation. A hot index of n or more is kept: then all elements are 0. */
struct pattern pattern_for(const struct pattern *p, int op, size_t n);
#endif

/* 64 random bits for position i: output i of the generator splitmix64.
 * Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014; the constants of the
 * two multiplications are David Stafford's "Mix13". */
PATTERN_FUNCTION uint64_t pattern_hash(uint64_t seed, uint64_t i)
{
    uint64_t z = seed + (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Mixed: elements i and i + 4096 share one random magnitude with opposite signs, except for a difference
 * of 0 to 3 in the last place. Partners are that far apart so that a block that a kernel omits, or adds
 * twice, does not contain both. */
#define PATTERN_PARTNER UINT64_C(4096)

PATTERN_FUNCTION uint64_t pattern_mixed_hash(const struct pattern *p, uint64_t i)
{
    return pattern_hash(p->seed, i & ~PATTERN_PARTNER);
}

/* Sign from bit 0 of the hash, the difference from bits 1 and 2; without branches, which would be taken
 * at random. */
PATTERN_FUNCTION int64_t pattern_mixed(uint64_t hash, int64_t magnitude, uint64_t i)
{
    int64_t partner = (i & PATTERN_PARTNER) != 0;
    int64_t negative = (int64_t)(hash & 1) ^ partner;
    magnitude -= (int64_t)(hash >> 1 & 3) & -partner;
    return (magnitude ^ -negative) + negative;
}

PATTERN_FUNCTION float pattern_float(const struct pattern *p, uint64_t i)
{
    switch (p->kind) {
    case PATTERN_ONES:
        return 1.0f;
    case PATTERN_CONSTANT:
        return 0.1f;
    case PATTERN_RAMP:
        return (float)(int32_t)(i % PATTERN_PRIME);
    case PATTERN_MIXED: { /* 24 bits, times 2^0 to 2^-15 */
        uint64_t hash = pattern_mixed_hash(p, i);
        float scale = (float)(32768 >> (hash >> 3 & 15)) * 0x1p-15f;
        return (float)(int32_t)pattern_mixed(hash, (int64_t)(hash >> 40 | 0x800000), i) * scale;
    }
    case PATTERN_ONEHOT:
        return i == p->hot ? (float)p->hot_value : (float)p->cold_value;
    default:
        return (float)(int32_t)(pattern_hash(p->seed, i) >> 40) * 0x1p-24f;
    }
}

PATTERN_FUNCTION double pattern_double(const struct pattern *p, uint64_t i)
{
    switch (p->kind) {
    case PATTERN_ONES:
        return 1.0;
    case PATTERN_CONSTANT:
        return 0.1;
    case PATTERN_RAMP:
        return (double)(int32_t)(i % PATTERN_PRIME);
    case PATTERN_MIXED: { /* 53 bits, times 2^0 to 2^-31 */
        uint64_t hash = pattern_mixed_hash(p, i);
        double scale = (double)(INT64_C(1) << (31 - (hash >> 3 & 31))) * 0x1p-31;
        int64_t magnitude = (int64_t)(hash >> 11 | UINT64_C(1) << 52);
        return (double)pattern_mixed(hash, magnitude, i) * scale;
    }
    case PATTERN_ONEHOT:
        return i == p->hot ? (double)p->hot_value : (double)p->cold_value;
    default:
        return (double)(int64_t)(pattern_hash(p->seed, i) >> 11) * 0x1p-53;
    }
}

PATTERN_FUNCTION int64_t pattern_long(const struct pattern *p, uint64_t i)
{
    switch (p->kind) {
    case PATTERN_ONES:
    case PATTERN_CONSTANT:
        return 1;
    case PATTERN_RAMP:
        return (int64_t)(i % PATTERN_PRIME);
    case PATTERN_MIXED: { /* 32 to 62 bits */
        uint64_t hash = pattern_mixed_hash(p, i);
        int64_t magnitude = (int64_t)((hash >> 2 | UINT64_C(1) << 61) >> (hash >> 3 & 31));
        return pattern_mixed(hash, magnitude, i);
    }
    case PATTERN_ONEHOT:
        return i == p->hot ? p->hot_value : p->cold_value;
    default:
        return (int64_t)pattern_hash(p->seed, i);
    }
}

PATTERN_FUNCTION int32_t pattern_int(const struct pattern *p, uint64_t i)
{
    switch (p->kind) {
    case PATTERN_MIXED: { /* 15 to 30 bits */
        uint64_t hash = pattern_mixed_hash(p, i);
        int64_t magnitude = (int64_t)((hash >> 34 | UINT64_C(1) << 29) >> (hash >> 3 & 15));
        return (int32_t)pattern_mixed(hash, magnitude, i);
    }
    case PATTERN_RANDOM:
        return (int32_t)(pattern_hash(p->seed, i) >> 32);
    default:
        return (int32_t)pattern_long(p, i);
    }
}

/* An element of two bytes, as the float that it stands for: numbers of so many digits, in short ramps. */
PATTERN_FUNCTION float pattern_narrow(const struct pattern *p, uint64_t i, int digits, int prime, float tenth)
{
    switch (p->kind) {
    case PATTERN_ONES:
        return 1.0f;
    case PATTERN_CONSTANT:
        return tenth;
    case PATTERN_RAMP:
        return (float)(int32_t)(i % (unsigned)prime);
    case PATTERN_MIXED: { /* that many digits, times 2^0 to 2^-7 */
        uint64_t hash = pattern_mixed_hash(p, i);
        float scale = (float)(128 >> (hash >> 3 & 7)) * 0x1p-7f;
        int64_t magnitude = (int64_t)(hash >> (64 - digits) | UINT64_C(1) << (digits - 1));
        return (float)(int32_t)pattern_mixed(hash, magnitude, i) * scale;
    }
    case PATTERN_ONEHOT:
        return i == p->hot ? (float)p->hot_value : (float)p->cold_value;
    default:
        return (float)(int32_t)(pattern_hash(p->seed, i) >> (64 - digits)) * (1.0f / (float)(1 << digits));
    }
}

PATTERN_FUNCTION float pattern_half(const struct pattern *p, uint64_t i)
{
    return pattern_narrow(p, i, 11, 2039, 0x1.998p-4f);
}

PATTERN_FUNCTION float pattern_bfloat16(const struct pattern *p, uint64_t i)
{
    return pattern_narrow(p, i, 8, 251, 0x1.9ap-4f);
}

#endif
