/* SPDX-License-Identifier: MIT */
#include "suite.h"

#include <float.h>

#include "values/narrow.h"
#include "values/scalar.h"

TESTS(types, TYPE_ALL)
{
    static const char *const names[TYPE_ALL] = {"float", "double", "int", "long", "half", "bfloat16"};
    ck_assert_str_eq(type_name(_i), names[_i]);
    ck_assert_int_eq(type_from_name(names[_i]), _i);
    static const size_t sizes[TYPE_ALL] = {sizeof(float), sizeof(double), sizeof(int32_t), sizeof(int64_t), 2, 2};
    ALL(type_size(_i) == sizes[_i], type_of_result(_i) == (_i < TYPE_COMMON ? _i : TYPE_FLOAT));
}

/* Every half: 1 + 10 digits, exponents from -14 to 15, and subnormal numbers; and back. */
TEST(halves)
{
    for (unsigned bits = 0; bits < 65536; bits++) {
        int exponent = bits >> 10 & 31, digits = bits & 1023;
        double size = exponent == 0    ? ldexp(digits, -24)
                      : exponent == 31 ? (digits == 0 ? INFINITY : NAN)
                                       : ldexp(1024 + digits, exponent - 25);
        float wide = half_widen((uint16_t)bits);
        if (isnan(size)) {
            ck_assert(isnan(wide) && isnan(half_widen(half_narrow(wide))));
            continue;
        }
        ALL(wide == (float)(bits >> 15 ? -size : size) && !signbit(wide) == !(bits >> 15), half_narrow(wide) == bits);
    }
}

TEST(bfloat16s)
{
    for (unsigned bits = 0; bits < 65536; bits++) {
        float wide = bfloat16_widen((uint16_t)bits);
        if (isnan(wide))
            ck_assert(isnan(bfloat16_widen(bfloat16_narrow(wide))));
        else
            ck_assert_uint_eq(bfloat16_narrow(wide), bits);
    }
    ck_assert(bfloat16_widen(0x3f80) == 1 && bfloat16_widen(0xc000) == -2);
    ck_assert_uint_eq(bfloat16_narrow(257), 0x4380);     /* a tie, to the even 256 */
    ck_assert_uint_eq(bfloat16_narrow(259), 0x4382);     /* a tie, to the even 260 */
    ck_assert_uint_eq(bfloat16_narrow(257.01f), 0x4381); /* 258 */
    ALL(bfloat16_narrow(FLT_MAX) == 0x7f80, bfloat16_narrow(-0.0f) == 0x8000);
}

/* Between two neighbours: to the nearer one, from halfway to the even one. */
TEST(halves_are_nearest)
{
    for (unsigned bits = 0; bits < 0x7c00; bits++) {
        float low = half_widen((uint16_t)bits), high = bits == 0x7bff ? 65536 : half_widen((uint16_t)(bits + 1));
        float tie = low + (high - low) / 2;
        ALL(half_narrow(tie) == bits + (bits & 1), half_narrow(nextafterf(tie, 0)) == bits,
            half_narrow(nextafterf(tie, INFINITY)) == bits + 1,
            half_narrow(-nextafterf(tie, INFINITY)) == (0x8000 | (bits + 1)));
    }
    ALL(half_narrow(0x1p-40f) == 0, half_narrow(-0x1p-140f) == 0x8000, half_narrow(1e30f) == 0x7c00,
        narrow_of(TYPE_HALF, 1) == 0x3c00, narrow_of(TYPE_BFLOAT16, 1) == 0x3f80,
        narrow_widen(TYPE_HALF, 0x3c00) == 1 && narrow_widen(TYPE_BFLOAT16, 0x3f80) == 1);
}

TESTS(operations, OP_ALL)
{
    static const char *const names[OP_ALL] = {"sum", "min", "max", "and", "or", "xor"};
    ck_assert_str_eq(op_name(_i), names[_i]);
    ck_assert_int_eq(op_from_name(names[_i]), _i);
}

TEST(last_places)
{
    struct scalar f = {.type = TYPE_FLOAT, .as.f = -1}, d = {.type = TYPE_DOUBLE, .as.d = 3};
    struct scalar i = {.type = TYPE_INT, .as.i = 1000000};

    ALL(scalar_ulp(f) == 0x1p-23 && scalar_to_double(f) == -1, scalar_ulp(d) == 0x1p-51 && scalar_to_double(d) == 3,
        scalar_ulp(i) == 1);
    f.as.f = 0;
    ALL(scalar_ulp(f) == 0x1p-149, type_largest(TYPE_FLOAT) == (double)FLT_MAX, type_largest(TYPE_DOUBLE) == DBL_MAX,
        type_is_floating(TYPE_FLOAT) && type_is_floating(TYPE_DOUBLE),
        !type_is_floating(TYPE_INT) && !type_is_floating(TYPE_LONG));
}
