#include "suite.h"

#include "harness/scalar.h"

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

int main(void)
{
    Suite *suite = suite_create("scalar");
    TCase *tests = suite_case(suite, "names", 4);
    tcase_add_loop_test(tests, types, 0, TYPE_COUNT);
    tcase_add_loop_test(tests, operations, 0, OP_COUNT);
    tcase_add_test(tests, unknown_names);
    return suite_run(suite);
}
