/* The reference against wider arithmetic, and the verdict against results that are right and wrong.
 * SPDX-License-Identifier: MIT */
#include "verify/values.h"

int main(void)
{
    Suite *suite = suite_create("verify");

    add_references(suite);
    add_verdicts(suite);
    return suite_run(suite);
}
