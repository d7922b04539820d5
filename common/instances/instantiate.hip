/* Compiles one variant for every (type, operation).
 *
 * The build sets VARIANT_SOURCE ("shfl.hip") and VARIANT_NAME (reduction_shfl), the name of the function that returns
 * the variant. The variant's text is included once for each pair, inside a namespace of its own, so that it can be
 * plain C: no templates, and an `extern __shared__ value_t x[]` of one type never clashes with that of another.
 * SPDX-License-Identifier: MIT */
#include "instances.h"

#include "every_type.h"

#ifdef FIRST_INSTANCE
#define ENTRY(type, number, name, ...) type##_##name::entry,

#ifdef HAS_BITWISE
#define ENTRIES_WHOLE(type) OPERATIONS(ENTRY, type)
#else
#define ENTRIES_WHOLE(type) COMMON_OPERATIONS(ENTRY, type)
#endif
#define ENTRIES_FLOATING(type) COMMON_OPERATIONS(ENTRY, type)

#define ENTRIES(x, number, name, element, result, value, kind, ...) {ENTRIES_##kind(name)},

extern "C" const struct variant *VARIANT_NAME(void)
{
    /* In the order of TYPE_* and OP_*. */
#ifdef HAS_NARROW
    static const struct variant variant = VARIANT_OF(first_instance, TYPES(ENTRIES, ));
#else
    static const struct variant variant = VARIANT_OF(first_instance, COMMON_TYPES(ENTRIES, ));
#endif
    return &variant;
}
#endif
