/* An array's reference from those of its parts (reference_join), as for ranks.
 * SPDX-License-Identifier: MIT */
#include "suite.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "verdict/verify.h"

#define N 100003

/* a and b agree: the value to the last bit, and whether rounding is impossible. */
static void same(const struct reference *a, const struct reference *b)
{
    ALL(memcmp(&a->value.as, &b->value.as, type_size(a->type)) == 0, a->n == b->n, a->exact == b->exact,
        a->kind == b->kind, a->exponent == b->exponent);
    if (a->op == OP_SUM && type_is_floating(a->type))
        ck_assert_double_le(fabs(a->magnitude - b->magnitude), 1e-6 * a->magnitude);
}

TESTS(parts_of_patterns, PATTERN_COUNT)
{
    static const size_t cuts[] = {0, 0, 1, 4096, 50000, 50001, N};
    enum { PARTS = COUNT(cuts) - 1 };
    struct pattern base = {.kind = _i, .seed = 3, .hot = 777, .hot_value = 1};

    for (int type = 0; type < TYPE_COMMON; type++)
        for (int op = 0; op < OP_COMMON; op++) {
            struct pattern p = pattern_for(&base, op, N);
            struct reference parts[PARTS], whole = reference_of_pattern(type, op, &p, 0, N, NULL);
            for (int k = 0; k < PARTS; k++)
                parts[k] = reference_of_pattern(type, op, &p, cuts[k], cuts[k + 1] - cuts[k], NULL);
            struct reference joined = reference_join(parts, PARTS);
            same(&whole, &joined);
        }
}

static void check_halves(const double *x, size_t n, int op)
{
    struct reference parts[2] = {reference_of_array(TYPE_DOUBLE, op, x, n / 2, NULL),
                                 reference_of_array(TYPE_DOUBLE, op, x + n / 2, n - n / 2, NULL)};
    struct reference whole = reference_of_array(TYPE_DOUBLE, op, x, n, NULL), joined = reference_join(parts, 2);
    if (isnan(whole.value.as.d))
        ck_assert(isnan(joined.value.as.d));
    else
        same(&whole, &joined);
}

/* NaN in the second half, infinities, zeros; each half is in range but the sum is not; neither is; one is, and the other
 * cancels. */
TEST(special_values)
{
    static const double arrays[][4] = {{1, 2, 3, NAN},
                                       {1, INFINITY, 2, 3},
                                       {INFINITY, 1, 2, -INFINITY},
                                       {0, 0, -0.0, 0},
                                       {0.6 * DBL_MAX, 1, 1, 0.6 * DBL_MAX},
                                       {DBL_MAX, DBL_MAX, -DBL_MAX, -1},
                                       {DBL_MAX, -DBL_MAX, 3, 4}};

    for (size_t k = 0; k < COUNT(arrays); k++)
        for (int op = 0; op < OP_COMMON; op++)
            check_halves(arrays[k], 4, op);
}
