/* The columns of `make run` on the CPU, behind the name: what a GPU would do, and the time of this CPU last.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_COMPARISON_CPU_H
#define REDUCTION_COMPARISON_CPU_H

#include "counts.h"

void comparison_cpu_begin(const struct counting *c, int name_width);
/* check is the word in that column. */
void comparison_cpu_row(const struct counting *c, const struct counts *counts, const char *check,
                        double us);

#endif
