/* Replaces element.h by an operation that measures itself: a value is 0 for nothing, 1 for an element, and otherwise 1 more
 * than the longest chain of additions that led to it. Combining with nothing does not round, so it is not an addition. The
 * reduction of ones is therefore 1 + the longest chain in the variant's tree.
 * SPDX-License-Identifier: MIT */
#undef LARGEST
#undef LOWEST
#undef IDENTITY

#if VALUE_TYPE == TYPE_FLOAT
typedef float value_t;
typedef uint32_t bits_t;
#else
typedef double value_t;
typedef unsigned long long bits_t;
#endif

#define LARGEST  ((value_t)0)
#define LOWEST   ((value_t)0)
#define IDENTITY ((value_t)0)

__host__ __device__ static inline value_t combine(value_t a, value_t b)
{
    if (a == 0 || b == 0)
        return a + b;
    return (a > b ? a : b) + 1;
}

__host__ __device__ static inline value_t value_sum(value_t a, value_t b) { return combine(a, b); }

__host__ __device__ static inline value_t value_extreme(value_t a, value_t b, bool) { return combine(a, b); }

__host__ __device__ static inline value_t canonical(value_t value) { return value; }

#if defined(HAS_WAVE_REDUCE)
#include "wave_reduce.h"
#endif

#include "on_host.h"
