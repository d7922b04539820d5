/* What references and verdicts have to know about an operation of floating-point numbers. Whole numbers are combined by the
 * rows of types.h; here each row of COMMON_OPERATIONS needs a table of its own, floating_NAME.
 * SPDX-License-Identifier: MIT */
#ifndef VERDICT_FLOATING_H
#define VERDICT_FLOATING_H

#include <stddef.h>

#include "partial.h"
#include "reference.h"
#include "types.h"

/* Of right results, in units of 2^exponent of the reference. */
struct bound {
    double error;
    double lowest, highest; /* the reach of what may stand between elements and result */
    const char *rule;       /* of struct verdict */
};

struct floating {
    void (*take)(struct partial *p, const void *x, size_t n); /* at most PIECE floats or doubles */
    void (*merge)(struct partial *p, const struct partial *q);
    /* The value, and all that bound() uses, of one element or more. */
    void (*set)(struct reference *r);
    /* NULL: the result is one of the elements, bit by bit. */
    struct bound (*bound)(const struct reference *r, size_t chain);
};

#define DECLARE_FLOATING(x, number, name, ...) extern const struct floating floating_##name;
COMMON_OPERATIONS(DECLARE_FLOATING, )

const struct floating *floating_of(int op);

#endif
