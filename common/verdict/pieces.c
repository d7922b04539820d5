/* SPDX-License-Identifier: MIT */
#include "pieces.h"

/* Baseline x86-64 has no vector multiplication of 64 bits, and clang replaces it at twice the cost. */
#ifdef __clang__
#define ONE_BY_ONE _Pragma("clang loop vectorize(disable)")
#else
#define ONE_BY_ONE
#endif

/* The kind is a constant in each of the loops, so the compiler removes the switch. */
#define GENERATE_KIND(KIND, T, VALUE)                                                                                  \
    case KIND:                                                                                                         \
        local.kind = KIND;                                                                                             \
        ONE_BY_ONE for (size_t i = 0; i < n; i++) { ((T *)x)[i] = VALUE(&local, first + i); }                          \
        break;

#define GENERATE(T, VALUE)                                                                                             \
    switch (p->kind) {                                                                                                 \
        GENERATE_KIND(PATTERN_RANDOM, T, VALUE)                                                                        \
        GENERATE_KIND(PATTERN_ONES, T, VALUE)                                                                          \
        GENERATE_KIND(PATTERN_CONSTANT, T, VALUE)                                                                      \
        GENERATE_KIND(PATTERN_RAMP, T, VALUE)                                                                          \
        GENERATE_KIND(PATTERN_MIXED, T, VALUE)                                                                         \
        GENERATE_KIND(PATTERN_ONEHOT, T, VALUE)                                                                        \
    }

void piece_generate(void *x, int type, const struct pattern *p, uint64_t first, size_t n)
{
    struct pattern local = *p;

    switch (type) {
#define GENERATE_TYPE(x, number, name, element, result, value, ...)                                                    \
    case number:                                                                                                       \
        GENERATE(value, pattern_##name)                                                                                \
        return;
        TYPES(GENERATE_TYPE, )
    }
}
