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

struct scalar whole(int type, int64_t value) { return scalar_from_long(type, value); }

struct scalar real(int type, double value) { return scalar_from_double(type, value); }

struct scalar identity(int type, int op) { return scalar_identity(type, op); }

bool is_less(struct scalar a, struct scalar b)
{
    return type_is_floating(a.type) ? scalar_to_double(a) < scalar_to_double(b) : scalar_to_long(a) < scalar_to_long(b);
}

static bool is_below_zero(struct scalar v) { return type_is_floating(v.type) && signbit(scalar_to_double(v)); }

bool is_nan(struct scalar v) { return type_is_floating(v.type) && isnan(scalar_to_double(v)); }

bool is_same(struct scalar a, struct scalar b)
{
    return is_nan(a) ? is_nan(b)
                     : !is_nan(b) && !is_less(a, b) && !is_less(b, a) && is_below_zero(a) == is_below_zero(b);
}

static struct scalar add_two(struct scalar a, struct scalar b)
{
    switch (a.type) {
#define ADD_FLOATING(value, bits, member) a.as.member += b.as.member
#define ADD_WHOLE(value, bits, member)    a.as.member = (value)((bits)a.as.member + (bits)b.as.member)
#define ADD(x, number, name, element, result, value, kind, digits, bits, member, ...)                                  \
    case number:                                                                                                       \
        ADD_##kind(value, bits, member);                                                                               \
        break;
        COMMON_TYPES(ADD, )
    }
    return a;
}

static struct scalar choose(struct scalar a, struct scalar b, bool min)
{
    if (is_nan(a) || is_nan(b))
        return is_nan(a) ? a : b;
    if (!is_less(a, b) && !is_less(b, a)) /* equal, or two zeros; -0 is the smaller one */
        return is_below_zero(a) == min ? a : b;
    return is_less(b, a) == min ? b : a;
}

bool op_is_tried(int op)
{
    switch ((enum operation_row)op) {
    case OP_SUM:
    case OP_MIN:
    case OP_MAX:
        return true;
    case OP_AND: /* no exercise has these */
    case OP_OR:
    case OP_XOR:
        return false;
    }
    return false;
}

struct scalar combine_two(struct scalar a, struct scalar b, int op)
{
    return op == OP_SUM ? add_two(a, b) : choose(a, b, op == OP_MIN);
}
