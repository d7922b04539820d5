/* SPDX-License-Identifier: MIT */
#include "suite.h"

#include <float.h>

#include "scalar.h"

START_TEST(types)
{
    static const char *const names[TYPE_COUNT] = {"float", "double", "int", "long"};
    ck_assert_str_eq(type_name(_i), names[_i]);
    ck_assert_int_eq(type_from_name(names[_i]), _i);
    static const size_t sizes[TYPE_COUNT] = {sizeof(float), sizeof(double), sizeof(int32_t),
                                             sizeof(int64_t)};
    ck_assert_uint_eq(type_size(_i), sizes[_i]);
}
END_TEST

START_TEST(operations)
{
    static const char *const names[OP_COUNT] = {"sum", "min", "max"};
    ck_assert_str_eq(op_name(_i), names[_i]);
    ck_assert_int_eq(op_from_name(names[_i]), _i);
}
END_TEST

START_TEST(unknown_names)
{
    ck_assert_int_eq(type_from_name(""), -1);
    ck_assert_int_eq(type_from_name("Float"), -1);
    ck_assert_int_eq(type_from_name("doubles"), -1);
    ck_assert_int_eq(type_from_name("sum"), -1);
    ck_assert_int_eq(op_from_name(""), -1);
    ck_assert_int_eq(op_from_name("su"), -1);
    ck_assert_int_eq(op_from_name("int"), -1);
}
END_TEST

START_TEST(last_places)
{
    struct scalar f = {.type = TYPE_FLOAT, .as.f = -1}, d = {.type = TYPE_DOUBLE, .as.d = 3};
    struct scalar i = {.type = TYPE_INT, .as.i = 1000000};

    ck_assert(scalar_ulp(f) == 0x1p-23 && scalar_to_double(f) == -1);
    ck_assert(scalar_ulp(d) == 0x1p-51 && scalar_to_double(d) == 3);
    ck_assert(scalar_ulp(i) == 1);
    f.as.f = 0;
    ck_assert(scalar_ulp(f) == 0x1p-149);
    ck_assert(type_largest(TYPE_FLOAT) == (double)FLT_MAX);
    ck_assert(type_largest(TYPE_DOUBLE) == DBL_MAX);
    ck_assert(type_is_floating(TYPE_FLOAT) && type_is_floating(TYPE_DOUBLE));
    ck_assert(!type_is_floating(TYPE_INT) && !type_is_floating(TYPE_LONG));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("scalar");
    TCase *tests = suite_case(suite, "names");
    tcase_add_loop_test(tests, types, 0, TYPE_COUNT);
    tcase_add_loop_test(tests, operations, 0, OP_COUNT);
    tcase_add_test(tests, unknown_names);
    tcase_add_test(tests, last_places);
    return suite_run(suite);
}
