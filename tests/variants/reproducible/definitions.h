/* The sums that reproducible promises, evaluated slowly on the host from their definitions.
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_REPRODUCIBLE_DEFINITIONS_H
#define TESTS_REPRODUCIBLE_DEFINITIONS_H

#include <stddef.h>

/* The tree of reproducible.hip. The sum of two floats in double, rounded to float, is the float sum, because
 * 53 >= 2 * 24 + 2 digits. */
double definition_tree(int type, const void *data, size_t n);

/* The binned sum by its definition, in integers: each element is sliced from the top bin down, at the nearest multiple of the
 * grid, halves away from 0. Not near overflow. */
double definition_binned(int type, const void *data, size_t n, unsigned folds);

#endif
