/* The suite of wave_reduce_cpu_kernels.hip.
 * SPDX-License-Identifier: MIT */
#include "suite.h"

void add_wave_reduce(Suite *suite);

int main(void)
{
    Suite *suite = suite_create("wave_reduce");

    add_wave_reduce(suite);
    return suite_run(suite);
}
