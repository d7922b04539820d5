/* Numbers of any type.
 * SPDX-License-Identifier: MIT */
#include <math.h>

#include "../checker.h"

uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t x = a + (b + 1) * 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

struct scalar whole(int type, int64_t value)
{
    struct scalar s = {.type = type};

    if (type == TYPE_FLOAT)
        s.as.f = (float)value;
    else if (type == TYPE_DOUBLE)
        s.as.d = (double)value;
    else if (type == TYPE_INT)
        s.as.i = (int32_t)(uint32_t)value;
    else
        s.as.l = value;
    return s;
}

struct scalar real(int type, double value)
{
    struct scalar v = whole(type, 0);

    if (type == TYPE_FLOAT)
        v.as.f = (float)value;
    else
        v.as.d = value;
    return v;
}

struct scalar identity(int type, int op)
{
    struct scalar s = whole(type, 0);
    bool min = op == OP_MIN;

    if (op == OP_SUM)
        return s;
    if (type == TYPE_FLOAT)
        s.as.f = min ? INFINITY : -INFINITY;
    else if (type == TYPE_DOUBLE)
        s.as.d = min ? (double)INFINITY : (double)-INFINITY;
    else if (type == TYPE_INT)
        s.as.i = min ? INT32_MAX : INT32_MIN;
    else
        s.as.l = min ? INT64_MAX : INT64_MIN;
    return s;
}

bool is_less(struct scalar a, struct scalar b)
{
    return a.type == TYPE_FLOAT    ? a.as.f < b.as.f
           : a.type == TYPE_DOUBLE ? a.as.d < b.as.d
           : a.type == TYPE_INT    ? a.as.i < b.as.i
                                   : a.as.l < b.as.l;
}

static bool is_below_zero(struct scalar v)
{
    return v.type == TYPE_FLOAT ? signbit(v.as.f) : v.type == TYPE_DOUBLE && signbit(v.as.d);
}

bool is_nan(struct scalar v)
{
    return (v.type == TYPE_FLOAT && isnan(v.as.f)) || (v.type == TYPE_DOUBLE && isnan(v.as.d));
}

bool is_same(struct scalar a, struct scalar b)
{
    return is_nan(a) ? is_nan(b)
                     : !is_nan(b) && !is_less(a, b) && !is_less(b, a) &&
                           is_below_zero(a) == is_below_zero(b);
}

struct scalar combine_two(struct scalar a, struct scalar b, int op)
{
    if (op == OP_SUM) {
        if (a.type == TYPE_FLOAT)
            a.as.f += b.as.f;
        else if (a.type == TYPE_DOUBLE)
            a.as.d += b.as.d;
        else if (a.type == TYPE_INT)
            a.as.i = (int32_t)((uint32_t)a.as.i + (uint32_t)b.as.i);
        else
            a.as.l = (int64_t)((uint64_t)a.as.l + (uint64_t)b.as.l);
        return a;
    }
    if (is_nan(a) || is_nan(b))
        return is_nan(a) ? a : b;
    if (!is_less(a, b) && !is_less(b, a)) /* equal, or two zeros; -0 is the smaller one */
        return is_below_zero(a) == (op == OP_MIN) ? a : b;
    return is_less(b, a) == (op == OP_MIN) ? b : a;
}
