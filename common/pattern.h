/* Input data: value(pattern, i) is one C function for the device and for the host.
 *
 * Every value depends on its position and is computed with operations that are exact in its type, so the
 * GPU and the host agree to the bit whatever the compiler contracts or reorders, and an array of 2^33
 * elements is verified without a copy of it on the host.
 */
#ifndef REDUCTION_PATTERN_H
#define REDUCTION_PATTERN_H

#include <stdint.h>

#include "types.h"

#define PATTERN_RANDOM   0 /* uniform: [0, 1) for floating point, the full range for integers */
#define PATTERN_ONES     1
#define PATTERN_CONSTANT 2 /* 0.1 rounded to the type; 1 for integers */
#define PATTERN_RAMP     3 /* i mod a prime */
#define PATTERN_MIXED    4 /* both signs over a wide range of magnitudes; the sum nearly cancels */
#define PATTERN_ONEHOT   5 /* 0, and one other value at index hot */
#define PATTERN_COUNT    6

struct pattern {
    int kind;      /* PATTERN_* */
    uint64_t seed; /* for random and mixed */
    uint64_t hot;  /* index for onehot */
    int hot_value; /* 1; -1 for min, so that the hot element decides the result */
};

