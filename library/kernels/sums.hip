/* The variants of which the library needs only sums: reproducible; and single_pass with a different ELEMENT, magnitudes.h,
 * for two types (states.hip has half and bfloat16).
 * SPDX-License-Identifier: MIT */
#include "library/checks.h"
#include "instances.h"

#ifdef ELEMENT
#define OTHERS
#endif

#define SUMS_ALONE
#define VALUE_TYPE       TYPE_DOUBLE
#define NAMED(operation) double##operation
#include "operations.h"
#define VALUE_TYPE       TYPE_FLOAT
#define NAMED(operation) float##operation
#include "operations.h"

#ifndef OTHERS
#define VALUE_TYPE       TYPE_INT
#define NAMED(operation) int##operation
#include "operations.h"
#define VALUE_TYPE       TYPE_LONG
#define NAMED(operation) long##operation
#include "operations.h"

#undef ELEMENT_TYPE
#define ELEMENT_TYPE     TYPE_HALF
#define VALUE_TYPE       TYPE_FLOAT
#define NAMED(operation) half##operation
#include "operations.h"
#undef ELEMENT_TYPE
#define ELEMENT_TYPE     TYPE_BFLOAT16
#define VALUE_TYPE       TYPE_FLOAT
#define NAMED(operation) bfloat16##operation
#include "operations.h"

#define OTHERS                                                                                     \
    , {int_sum::entry}, {long_sum::entry}, {half_sum::entry},                                      \
    {                                                                                              \
        bfloat16_sum::entry                                                                        \
    }
#endif

extern "C" const struct variant *VARIANT_NAME(void)
{
    static const struct variant variant =
        VARIANT_OF(double_sum, {float_sum::entry}, {double_sum::entry} OTHERS);
    return &variant;
}
