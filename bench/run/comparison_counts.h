/* The columns of `make run` on the CPU, after the name: what a GPU would do.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_COMPARISON_COUNTS_H
#define REDUCTION_COMPARISON_COUNTS_H

#include "comparison.h"

/* warp: its lanes, in words */
void comparison_counts_begin(const struct counting *c, const char *warp, int name_width);
/* check: the word for that column. */
void comparison_counts_row(const struct compared *e, const char *check);

#endif
