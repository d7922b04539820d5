/* SPDX-License-Identifier: MIT */
#include "partial.h"

#include <stdlib.h>

#include "floating.h"
#include "values/scalar.h"
#include "whole.h"

void partial_clear(struct partial *p, int type, int op)
{
    p->type = type;
    p->op = op;
    p->whole = scalar_identity(TYPE_LONG, op).as.l;
    p->nan = false;
    exact_clear(&p->sum);
}

void partial_merge(struct partial *p, const struct partial *q)
{
    if (type_is_floating(p->type))
        floating_of(p->op)->merge(p, q);
    else
        p->whole = whole_combine(p->op, p->whole, &q->whole, 1);
}

void partial_take(struct partial *p, const void *x, size_t n)
{
    int64_t wide[PIECE];

    switch (p->type) {
#define TAKE_FLOATING(value) floating_of(p->op)->take(p, x, n);
#define TAKE_WHOLE(value)                                                                                              \
    for (size_t i = 0; i < n; i++)                                                                                     \
        wide[i] = ((const value *)x)[i];                                                                               \
    p->whole = whole_combine(p->op, p->whole, wide, n);
#define TAKE(none, number, name, element, result, value, kind, ...)                                                    \
    case number:                                                                                                       \
        TAKE_##kind(value) return;
        COMMON_TYPES(TAKE, )
    }
    abort();
}
