/* One type and operation of a variant, for the counts of `make run` and for tests of the trace: it compiles in a third
 * of the time of all.
 * The build sets VARIANT_SOURCE and VARIANT_NAME as for instantiate.hip, and COUNTED_TYPE and COUNTED_OP.
 * SPDX-License-Identifier: MIT */
#include "instances.h"

#if COUNTED_TYPE < TYPE_COUNT
#define VALUE_TYPE COUNTED_TYPE
#else
#define VALUE_TYPE TYPE_FLOAT
#undef ELEMENT_TYPE
#define ELEMENT_TYPE COUNTED_TYPE
#endif
#define OPERATION COUNTED_OP
#define INSTANCE  counted
#include "instance.h"

extern "C" const struct variant *VARIANT_NAME(void)
{
    static struct variant variant = VARIANT_OF(counted);

    variant.entry[COUNTED_TYPE][COUNTED_OP] = counted::entry;
    return &variant;
}
