/* The main program of a variant. The build sets VARIANT_NAME, for example reduction_shfl: that is also the name of the
 * function that returns the variant (instantiate.hip).
 * SPDX-License-Identifier: MIT */
#include "harness.h"

const struct variant *VARIANT_NAME(void);

int main(int argc, char **argv)
{
    return harness_run(VARIANT_NAME(), argc, argv);
}
