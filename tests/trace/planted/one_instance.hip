/* A variant for the sum of doubles alone: compiled again and again by test_races.sh, each time with another
 * mistake in it. VARIANT_SOURCE and VARIANT_NAME as for common/instantiate.hip. */
#include "types.h"
#define ONLY_TYPE TYPE_DOUBLE
#define ONLY_OP   OP_SUM
#include "instantiate.hip"

extern "C" const struct variant *variant_get(void)
{
    static struct variant table;
    table.name = VARIANT_NAME;
#ifdef VARIANT_OWN_OPERATION
    table.own_operation = true;
#endif
    table.options = double_sum::options;
    table.entry[TYPE_DOUBLE][OP_SUM] = double_sum::entry;
    return &table;
}
