/* Compiles one variant for every (type, operation).
 *
 * The build sets VARIANT_SOURCE ("shfl.hip") and VARIANT_NAME (reduction_shfl), the name of the function that returns
 * the variant. The variant's text is included once for each pair, inside a namespace of its own, so that it can be
 * plain C: no templates, and an `extern __shared__ value_t x[]` of one type never clashes with that of another.
 * SPDX-License-Identifier: MIT */
#include "instances.h"

#define VALUE_TYPE TYPE_DOUBLE
#define OPERATION  OP_SUM
#define INSTANCE   double_sum
#include "instance.h"

#if defined(HAS_OWN_OPERATION) && !defined(ONLY_TYPE)
namespace double_min = double_sum;
namespace double_max = double_sum;
#else
#define OPERATION OP_MIN
#define INSTANCE  double_min
#include "instance.h"
#define OPERATION OP_MAX
#define INSTANCE  double_max
#include "instance.h"
#endif
#undef VALUE_TYPE

#define VALUE_TYPE TYPE_FLOAT
#define OPERATION  OP_SUM
#define INSTANCE   float_sum
#include "instance.h"
#if defined(HAS_OWN_OPERATION) && !defined(ONLY_TYPE)
namespace float_min = float_sum;
namespace float_max = float_sum;
#else
#define OPERATION OP_MIN
#define INSTANCE  float_min
#include "instance.h"
#define OPERATION OP_MAX
#define INSTANCE  float_max
#include "instance.h"
#endif
#undef VALUE_TYPE

#define VALUE_TYPE TYPE_INT
#define OPERATION  OP_SUM
#define INSTANCE   int_sum
#include "instance.h"
#if defined(HAS_OWN_OPERATION) && !defined(ONLY_TYPE)
namespace int_min = int_sum;
namespace int_max = int_sum;
#else
#define OPERATION OP_MIN
#define INSTANCE  int_min
#include "instance.h"
#define OPERATION OP_MAX
#define INSTANCE  int_max
#include "instance.h"
#endif
#undef VALUE_TYPE

#define VALUE_TYPE TYPE_LONG
#define OPERATION  OP_SUM
#define INSTANCE   long_sum
#include "instance.h"
#if defined(HAS_OWN_OPERATION) && !defined(ONLY_TYPE)
namespace long_min = long_sum;
namespace long_max = long_sum;
#else
#define OPERATION OP_MIN
#define INSTANCE  long_min
#include "instance.h"
#define OPERATION OP_MAX
#define INSTANCE  long_max
#include "instance.h"
#endif
#undef VALUE_TYPE

#ifdef HAS_BITWISE
#define VALUE_TYPE TYPE_INT
#define OPERATION  OP_AND
#define INSTANCE   int_and
#include "instance.h"
#define OPERATION OP_OR
#define INSTANCE  int_or
#include "instance.h"
#define OPERATION OP_XOR
#define INSTANCE  int_xor
#include "instance.h"
#undef VALUE_TYPE

#define VALUE_TYPE TYPE_LONG
#define OPERATION  OP_AND
#define INSTANCE   long_and
#include "instance.h"
#define OPERATION OP_OR
#define INSTANCE  long_or
#include "instance.h"
#define OPERATION OP_XOR
#define INSTANCE  long_xor
#include "instance.h"
#undef VALUE_TYPE

#define BITWISE_ENTRIES(type) , type##_and::entry, type##_or::entry, type##_xor::entry
#else
#define BITWISE_ENTRIES(type)
#endif

#ifdef HAS_NARROW /* the values are floats, and so is the result */
#define VALUE_TYPE TYPE_FLOAT
#undef ELEMENT_TYPE
#define ELEMENT_TYPE TYPE_HALF

#define OPERATION OP_SUM
#define INSTANCE  half_sum
#include "instance.h"
#define OPERATION OP_MIN
#define INSTANCE  half_min
#include "instance.h"
#define OPERATION OP_MAX
#define INSTANCE  half_max
#include "instance.h"
#undef ELEMENT_TYPE

#define ELEMENT_TYPE TYPE_BFLOAT16
#define OPERATION    OP_SUM
#define INSTANCE     bfloat16_sum
#include "instance.h"
#define OPERATION OP_MIN
#define INSTANCE  bfloat16_min
#include "instance.h"
#define OPERATION OP_MAX
#define INSTANCE  bfloat16_max
#include "instance.h"

#define NARROW_ENTRIES                                                                             \
    , {half_sum::entry, half_min::entry, half_max::entry},                                         \
    {                                                                                              \
        bfloat16_sum::entry, bfloat16_min::entry, bfloat16_max::entry                              \
    }
#else
#define NARROW_ENTRIES
#endif

#ifndef ONLY_TYPE
extern "C" const struct variant *VARIANT_NAME(void)
{
    /* In the order of TYPE_* and OP_*. */
    static const struct variant variant = VARIANT_OF(
        double_sum, {float_sum::entry, float_min::entry, float_max::entry},
        {double_sum::entry, double_min::entry, double_max::entry},
        {int_sum::entry, int_min::entry, int_max::entry BITWISE_ENTRIES(int)},
        {long_sum::entry, long_min::entry, long_max::entry BITWISE_ENTRIES(long)} NARROW_ENTRIES);
    return &variant;
}

#endif
