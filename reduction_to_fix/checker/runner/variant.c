/* The exercise that this runner is linked with; compiled once for each, with its VARIANT_NAME.
 * SPDX-License-Identifier: MIT */
#include "runner.h"

const struct variant *VARIANT_NAME(void);

const struct variant *exercise_variant(void)
{
    return VARIANT_NAME();
}
