/* Minimum and maximum of floating-point numbers: those of their keys, combined as whole numbers.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "floating.h"
#include "whole.h"

/* A key is an integer in the order of the values, as doubles: it puts -0 below +0, and NaN is seen separately. All
 * bits of a negative number but the sign are inverted; doing so again restores them. */
static inline int64_t turn(int64_t bits) { return bits < 0 ? bits ^ INT64_MAX : bits; }

static double value_of(int64_t key)
{
    int64_t bits = turn(key);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline int64_t key_of(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return turn(bits);
}

static void take(struct partial *p, const void *x, size_t n)
{
    int64_t key[PIECE];
    bool nan = false;

    switch (p->type) {
#define KEYS_FLOATING(value)                                                                                           \
    for (size_t i = 0; i < n; i++) {                                                                                   \
        value element = ((const value *)x)[i];                                                                         \
        key[i] = key_of(element);                                                                                      \
        nan |= element != element;                                                                                     \
    }
#define KEYS_WHOLE(value) abort();
#define KEYS(none, number, name, element, result, value, kind, ...)                                                    \
    case number:                                                                                                       \
        KEYS_##kind(value) break;
        COMMON_TYPES(KEYS, )
    }
    p->whole = whole_combine(p->op, p->whole, key, n);
    p->nan |= nan;
}

static void merge(struct partial *p, const struct partial *q)
{
    p->whole = whole_combine(p->op, p->whole, &q->whole, 1);
    p->nan |= q->nan;
}

static void set(struct reference *r)
{
    const struct partial *p = &r->from;

    switch (r->type) {
#define VALUE_FLOATING(member) r->value.as.member = p->nan ? NAN : value_of(p->whole);
#define VALUE_WHOLE(member)    abort();
#define VALUE(x, number, name, element, result, value, kind, digits, bits, member, ...)                                \
    case number:                                                                                                       \
        VALUE_##kind(member) break;
        COMMON_TYPES(VALUE, )
    }
}

const struct floating floating_min = {take, merge, set, NULL}, floating_max = {take, merge, set, NULL};
