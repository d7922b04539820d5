/* What a reference keeps of the elements that it has seen.
 * SPDX-License-Identifier: MIT */
#ifndef VERDICT_PARTIAL_H
#define VERDICT_PARTIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exact_sum.h"

#define PIECE ((size_t)1 << 11) /* elements at a time, which fit into the first-level cache */

struct partial {
    int type, op;
    int64_t whole;        /* of whole numbers; and the key of a minimum or maximum */
    bool nan;             /* of these: seen */
    struct exact_sum sum; /* of floating-point numbers */
};

/* type: of values, below TYPE_COMMON. */
void partial_clear(struct partial *p, int type, int op);
void partial_merge(struct partial *p, const struct partial *q);
/* n elements of that type, at most PIECE. */
void partial_take(struct partial *p, const void *x, size_t n);

#endif
