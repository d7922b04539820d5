/* The columns of `make run` on the CPU, after the name: what a GPU would do, then this CPU's time.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_COMPARISON_CPU_H
#define REDUCTION_COMPARISON_CPU_H

#include "counts.h"

void comparison_cpu_begin(const struct counting *c, int name_width);
/* check: the word for that column. */
void comparison_cpu_row(const struct counting *c, const struct counts *counts, const char *check,
                        double us);

#endif
