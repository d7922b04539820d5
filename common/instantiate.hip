/* Compiles one variant for every (type, operation).
 *
 * The build sets VARIANT_SOURCE ("shfl.hip") and VARIANT_NAME (reduction_shfl), the name of the function that returns
 * the variant. The variant's text is included once for each pair, inside a namespace of its own, so that it can be
 * plain C: no templates, and an `extern __shared__ value_t x[]` of one type never clashes with that of another.
 * SPDX-License-Identifier: MIT */
#include "instances.h"

#define VALUE_TYPE       TYPE_DOUBLE
#define NAMED(operation) double##operation
#include "operations.h"
#define VALUE_TYPE       TYPE_FLOAT
#define NAMED(operation) float##operation
#include "operations.h"
#define VALUE_TYPE       TYPE_INT
#define NAMED(operation) int##operation
#include "operations.h"
#define VALUE_TYPE       TYPE_LONG
#define NAMED(operation) long##operation
#include "operations.h"

#ifdef HAS_BITWISE
#define BITWISE_ENTRIES(type) , type##_and::entry, type##_or::entry, type##_xor::entry
#else
#define BITWISE_ENTRIES(type)
#endif

#ifdef HAS_NARROW /* the values are floats, and so is the result */
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

#define NARROW_ENTRIES                                                                             \
    , {half_sum::entry, half_min::entry, half_max::entry},                                         \
    {                                                                                              \
        bfloat16_sum::entry, bfloat16_min::entry, bfloat16_max::entry                              \
    }
#else
#define NARROW_ENTRIES
#endif

#ifdef FIRST_INSTANCE
extern "C" const struct variant *VARIANT_NAME(void)
{
    /* In the order of TYPE_* and OP_*. */
    static const struct variant variant = VARIANT_OF(
        first_instance, {float_sum::entry, float_min::entry, float_max::entry},
        {double_sum::entry, double_min::entry, double_max::entry},
        {int_sum::entry, int_min::entry, int_max::entry BITWISE_ENTRIES(int)},
        {long_sum::entry, long_min::entry, long_max::entry BITWISE_ENTRIES(long)} NARROW_ENTRIES);
    return &variant;
}
#endif
