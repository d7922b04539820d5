/* Numbers of elements on the command line.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_SIZES_H
#define REDUCTION_SIZES_H

#include "parse.h"

/* Digits and at most one of K M G T (powers of two). NULL if valid, else what is wrong with it. */
const char *sizes_one(const char *text, size_t *value);

/* --size: items between commas, each a size or FIRST..LAST. */
bool sizes_parse(struct parse *p, const char *text);

#endif
