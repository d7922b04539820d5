/* What every suite needs around its tests: Check, and main() in one line. */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <check.h>
#include <stdlib.h>

/* Runs the tests of one suite; the exit status of the program. */
static inline int suite_run(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* A test case of a suite that ends after so many seconds. */
static inline TCase *suite_case(Suite *suite, const char *name, double seconds)
{
    TCase *tests = tcase_create(name);
    tcase_set_timeout(tests, seconds);
    suite_add_tcase(suite, tests);
    return tests;
}

#endif
