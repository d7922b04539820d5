/* A few elements at a time, as many as fit into the first-level cache: made, added up exactly, compared.
 * SPDX-License-Identifier: MIT */
#ifndef VERDICT_PIECES_H
#define VERDICT_PIECES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exact_sum.h"
#include "pattern.h"
#include "values/scalar.h"

#define PIECE ((size_t)1 << 11) /* elements */

/* The partial result for some of the elements. */
struct partial {
    struct exact_sum sum; /* of floating-point numbers */
    uint64_t total;       /* of integers: their sum modulo 2^64 */
    uint64_t whole;       /* of an operation of whole numbers alone: of all elements so far */
    int op;
    bool nan;        /* min and max: seen */
    int64_t extreme; /* max, or the complement of min, of the keys; see key_double() */
};

void partial_clear(struct partial *p, int op);
void partial_merge(struct partial *p, const struct partial *q);
/* n elements, at most PIECE. */
void partial_take(struct partial *p, int type, int op, const void *x, size_t n);
/* The value of min or max with this key, the extreme or its complement; NaN where one was seen. */
struct scalar partial_extreme(const struct partial *p, int type, int64_t key);

/* x[i] = element first + i of the pattern, for n elements; of two bytes as floats. */
void piece_generate(void *x, int type, const struct pattern *pattern, uint64_t first, size_t n);

#endif
