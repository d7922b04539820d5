/* Whole numbers combined by the rows of types.h, as int64_t: the low half of that is right for int, too.
 * SPDX-License-Identifier: MIT */
#ifndef VERDICT_WHOLE_H
#define VERDICT_WHOLE_H

#include <stddef.h>
#include <stdint.h>

/* value, then all n elements of x. */
int64_t whole_combine(int op, int64_t value, const int64_t *x, size_t n);

#endif
