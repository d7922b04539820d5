/* The variants of which the library needs only sums: reproducible; and single_pass with a different ELEMENT, magnitudes.h,
 * for two types (functions/asum.hip has half and bfloat16).
 * SPDX-License-Identifier: MIT */
#include "library/checks.h"
#include "instances/instances.h"

#ifdef ELEMENT
#define OTHERS
#endif

#define VALUE_TYPE TYPE_DOUBLE
#define OPERATION  OP_SUM
#define INSTANCE   double_sum
#include "instances/instance.h"
#undef VALUE_TYPE
#define VALUE_TYPE TYPE_FLOAT
#define OPERATION  OP_SUM
#define INSTANCE   float_sum
#include "instances/instance.h"
#undef VALUE_TYPE

#ifndef OTHERS
#define VALUE_TYPE TYPE_INT
#define OPERATION  OP_SUM
#define INSTANCE   int_sum
#include "instances/instance.h"
#undef VALUE_TYPE
#define VALUE_TYPE TYPE_LONG
#define OPERATION  OP_SUM
#define INSTANCE   long_sum
#include "instances/instance.h"
#undef VALUE_TYPE

#undef ELEMENT_TYPE
#define ELEMENT_TYPE TYPE_HALF
#define VALUE_TYPE   TYPE_FLOAT
#define OPERATION    OP_SUM
#define INSTANCE     half_sum
#include "instances/instance.h"
#undef VALUE_TYPE
#undef ELEMENT_TYPE
#define ELEMENT_TYPE TYPE_BFLOAT16
#define VALUE_TYPE   TYPE_FLOAT
#define OPERATION    OP_SUM
#define INSTANCE     bfloat16_sum
#include "instances/instance.h"
#undef VALUE_TYPE

#define OTHERS                                                                                                         \
    , {int_sum::entry}, {long_sum::entry}, {half_sum::entry}, { bfloat16_sum::entry }
#endif

extern "C" const struct variant *VARIANT_NAME(void)
{
    static const struct variant variant = VARIANT_OF(double_sum, {float_sum::entry}, {double_sum::entry} OTHERS);
    return &variant;
}
