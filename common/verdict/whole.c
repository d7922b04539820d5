/* SPDX-License-Identifier: MIT */
#include "whole.h"

#include <stdlib.h>

#include "types.h"

#define LESSER(a, b)  ((int64_t)(a) < (int64_t)(b) ? (a) : (b))
#define GREATER(a, b) ((int64_t)(a) > (int64_t)(b) ? (a) : (b))

int64_t whole_combine(int op, int64_t value, const int64_t *x, size_t n)
{
    uint64_t a = (uint64_t)value; /* because signed overflow is undefined */

    switch (op) {
#define COMBINE(none, number, name, combined, ...)                                                                     \
    case number:                                                                                                       \
        for (size_t i = 0; i < n; i++) {                                                                               \
            const uint64_t b = (uint64_t)x[i];                                                                         \
            a = combined;                                                                                              \
        }                                                                                                              \
        return (int64_t)a;
        OPERATIONS(COMBINE, )
    }
    abort();
}
