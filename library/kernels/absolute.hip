/* single_pass with the sum of magnitudes, for the two types that have it.
 * SPDX-License-Identifier: MIT */
#include "instances.h"

#define ELEMENT "kernels/absolute.h"

#define VALUE_TYPE TYPE_DOUBLE
#define OPERATION  OP_SUM
#define INSTANCE   double_sum
#include "instance.h"
#undef VALUE_TYPE

#define VALUE_TYPE TYPE_FLOAT
#define OPERATION  OP_SUM
#define INSTANCE   float_sum
#include "instance.h"
#undef VALUE_TYPE

extern "C" const struct variant *VARIANT_NAME(void)
{
    static const struct variant variant =
        VARIANT_OF(double_sum, {float_sum::entry}, {double_sum::entry});
    return &variant;
}
