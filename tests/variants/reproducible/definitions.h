/* What reproducible promises, evaluated on the host from its description, slowly.
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_REPRODUCIBLE_DEFINITIONS_H
#define TESTS_REPRODUCIBLE_DEFINITIONS_H

#include <stddef.h>

/* The tree of reproducible.hip, from its description. A sum of two floats in double, rounded to float, is the
 * float sum: 53 digits are more than twice 24 and two. */
double definition_tree(int type, const void *data, size_t n);

/* The binned sum from its definition, in integers: each element is cut from the top bin down, to the nearest
 * multiple of the grid, halves away from 0. Not near overflow. */
double definition_binned(int type, const void *data, size_t n, unsigned folds);

#endif
