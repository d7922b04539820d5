/* SPDX-License-Identifier: MIT */
#include "suite.h"

#include <errno.h>

struct suite_fixture suite_once, suite_each;
static struct suite_test *first, **last = &first;

void suite_add(struct suite_test *test)
{
    *last = test;
    last = &test->next;
}

int suite_run(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int suite_run_all(void)
{
    Suite *suite = suite_create(program_invocation_short_name + strlen("test_"));

    for (const struct suite_test *t = first; t != NULL; t = t->next) {
        int count = t->count();
        if (count == 0)
            continue;
        TCase *tests = suite_case(suite, t->name);
        tcase_add_unchecked_fixture(tests, suite_once.begin, suite_once.end);
        tcase_add_checked_fixture(tests, suite_each.begin, suite_each.end);
        tcase_add_loop_test(tests, t->test, 0, count);
    }
    return suite_run(suite);
}

__attribute__((weak)) int suite_begin(int argc, char **argv)
{
    (void)argc, (void)argv;
    return -1;
}

__attribute__((weak)) int main(int argc, char **argv)
{
    int status = suite_begin(argc, argv);

    return status >= 0 ? status : suite_run_all();
}
