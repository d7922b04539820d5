/* Elements of any type, for suites in C.
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_ELEMENTS_H
#define TESTS_ELEMENTS_H

#include <stdlib.h>

#include <check.h>

#include "values/narrow.h"
#include "pattern.h"
#include "values/scalar.h"

/* Element i of an array. */
static inline long double element_at(int type, const void *from, size_t i)
{
    switch (type) {
    case TYPE_FLOAT:
        return (long double)((const float *)from)[i];
    case TYPE_DOUBLE:
        return (long double)((const double *)from)[i];
    case TYPE_INT:
        return (long double)((const int32_t *)from)[i];
    case TYPE_LONG:
        return (long double)((const int64_t *)from)[i];
    default:
        return (long double)narrow_widen(type, ((const uint16_t *)from)[i]);
    }
}

/* n elements of the pattern in memory that the caller frees. */
static inline void *elements_of(int type, const struct pattern *p, uint64_t first, size_t n)
{
    char *data = malloc(n * type_size(type) + 1);
    ck_assert_ptr_nonnull(data);
    for (size_t i = 0; i < n; i++) {
        if (type == TYPE_FLOAT)
            ((float *)(void *)data)[i] = pattern_float(p, first + i);
        else if (type == TYPE_DOUBLE)
            ((double *)(void *)data)[i] = pattern_double(p, first + i);
        else if (type == TYPE_HALF)
            ((uint16_t *)(void *)data)[i] = half_narrow(pattern_half(p, first + i));
        else if (type == TYPE_BFLOAT16)
            ((uint16_t *)(void *)data)[i] = bfloat16_narrow(pattern_bfloat16(p, first + i));
        else if (type == TYPE_INT)
            ((int32_t *)(void *)data)[i] = pattern_int(p, first + i);
        else
            ((int64_t *)(void *)data)[i] = pattern_long(p, first + i);
    }
    return data;
}

#endif
