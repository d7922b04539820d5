/* A few elements of a pattern.
 * SPDX-License-Identifier: MIT */
#ifndef VERDICT_PIECES_H
#define VERDICT_PIECES_H

#include <stddef.h>
#include <stdint.h>

#include "pattern.h"
#include "values/scalar.h"

/* x[i] = element first + i of the pattern, for n elements; of two bytes as floats. */
void piece_generate(void *x, int type, const struct pattern *pattern, uint64_t first, size_t n);

#endif
