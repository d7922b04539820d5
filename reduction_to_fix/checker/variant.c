/* The exercise that this checker is linked with; compiled once for each, with its VARIANT_NAME. */
#include "checker.h"

const struct variant *VARIANT_NAME(void);

const struct variant *exercise_variant(void)
{
    return VARIANT_NAME();
}
