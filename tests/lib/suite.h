/* What every suite needs around its tests: Check, and main() in one line.
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(x) (sizeof(x) / sizeof(x)[0])

/* How much of it: make check-fast, check, check-all; of one variant all. */
enum suite_level { LEVEL_FAST, LEVEL_USUAL, LEVEL_ALL };

static inline enum suite_level suite_level(void)
{
    const char *level = getenv("REDUCTION_CHECK"), *wanted = getenv("REDUCTION_VARIANT");

    if (wanted != NULL && *wanted != '\0')
        return LEVEL_ALL;
    if (level != NULL && strcmp(level, "fast") == 0)
        return LEVEL_FAST;
    return level != NULL && strcmp(level, "all") == 0 ? LEVEL_ALL : LEVEL_USUAL;
}

/* Is this variant ("reduction_shfl") of interest? REDUCTION_VARIANT names those that are, nothing means all. */
static inline int suite_wants(const char *variant)
{
    const char *wanted = getenv("REDUCTION_VARIANT"),
               *at = wanted == NULL ? NULL : strstr(wanted, variant);

    if (wanted == NULL || *wanted == '\0')
        return 1;
    for (; at != NULL; at = strstr(at + 1, variant))
        if ((at == wanted || at[-1] == ' ') && strchr(" ", at[strlen(variant)]) != NULL)
            return 1;
    return 0;
}

/* Runs the tests of one suite; the exit status of the program. */
static inline int suite_run(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* A test case of a suite. It has no limit of its own, which would fail on a busy machine: run_suites.sh ends a process
 * that uses too much processor time, and a suite in which nothing moves. */
static inline TCase *suite_case(Suite *suite, const char *name)
{
    TCase *tests = tcase_create(name);
    tcase_set_timeout(tests, 0);
    suite_add_tcase(suite, tests);
    return tests;
}

#endif
