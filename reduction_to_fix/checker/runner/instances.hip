/* On GPUs, whose compilers are slow, the checker compiles five of the twelve types and operations; on the CPU all of them,
 * with common/instances/instantiate.hip.
 * SPDX-License-Identifier: MIT */
#include "instances/instances.h"

#define VALUE_TYPE TYPE_LONG
#define OPERATION  OP_SUM
#define INSTANCE   long_sum
#include "instances/instance.h"
#undef VALUE_TYPE

#define VALUE_TYPE TYPE_INT
#define OPERATION  OP_SUM
#define INSTANCE   int_sum
#include "instances/instance.h"
#undef VALUE_TYPE

#define VALUE_TYPE TYPE_DOUBLE
#define OPERATION  OP_MAX
#define INSTANCE   double_max
#include "instances/instance.h"
#undef VALUE_TYPE

#define VALUE_TYPE TYPE_FLOAT
#define OPERATION  OP_MIN
#define INSTANCE   float_min
#include "instances/instance.h"
#undef VALUE_TYPE

#define VALUE_TYPE TYPE_FLOAT
#define OPERATION  OP_SUM
#define INSTANCE   float_sum
#include "instances/instance.h"
#undef VALUE_TYPE

#ifndef ONLY
extern "C" const struct variant *VARIANT_NAME(void)
{
    static struct variant variant = VARIANT_OF(long_sum);

    variant.entry[TYPE_LONG][OP_SUM] = long_sum::entry;
    variant.entry[TYPE_INT][OP_SUM] = int_sum::entry;
    variant.entry[TYPE_DOUBLE][OP_MAX] = double_max::entry;
    variant.entry[TYPE_FLOAT][OP_MIN] = float_min::entry;
    variant.entry[TYPE_FLOAT][OP_SUM] = float_sum::entry;
    return &variant;
}
#endif
