/* A variant for the sum of one type alone, as quick to compile as can be: by races.bats with one mistake after another in
 * it, and by explain_compilers.bats. VARIANT_SOURCE and VARIANT_NAME as for common/instantiate.hip.
 * SPDX-License-Identifier: MIT */
#include "types.h"
#ifndef WANTED
#define WANTED_TYPE TYPE_DOUBLE
#define WANTED      double_sum
#endif
#define ONLY_TYPE WANTED_TYPE
#define ONLY_OP   OP_SUM
#include "instantiate.hip"

extern "C" const struct variant *VARIANT_NAME(void)
{
    static struct variant variant = VARIANT_OF(WANTED);
    variant.entry[WANTED_TYPE][OP_SUM] = WANTED::entry;
    return &variant;
}
