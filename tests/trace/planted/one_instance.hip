/* A variant only for the sum of doubles, which races.bats compiles many times, each time with a different mistake.
 * VARIANT_SOURCE and VARIANT_NAME as for common/instantiate.hip.
 * SPDX-License-Identifier: MIT */
#include "types.h"
#define ONLY_TYPE TYPE_DOUBLE
#define ONLY_OP   OP_SUM
#include "instantiate.hip"

extern "C" const struct variant *VARIANT_NAME(void)
{
    static struct variant variant = VARIANT_OF(double_sum);
    variant.entry[TYPE_DOUBLE][OP_SUM] = double_sum::entry;
    return &variant;
}
