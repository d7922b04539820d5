/* What every suite needs: Check, tests that register themselves, and main().
 *
 *   TEST(sum_of_nothing)          one test
 *   {
 *       ck_assert(...);
 *   }
 *   TESTS(known_sums, COUNT(sums))    one for each _i from 0 on; none if the number is 0
 *
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(x) (sizeof(x) / sizeof(x)[0])

/* Check reports the line of each assertion that held to the parent process, by a system call: half of the time of a suite
 * with millions of them. Here it only does so when the line changes. */
static inline void suite_mark_point(const char *file, int line)
{
    static int last;

    if (line != last)
        _mark_point(file, line);
    last = line;
}
#define _mark_point suite_mark_point

/* ALL(a == 1, b < 2): asserts each of up to 12 conditions, and the message names the one that does not hold. */
#define ALL(...)                                                                                                       \
    ALL_OF(__VA_ARGS__, ALL_12, ALL_11, ALL_10, ALL_9, ALL_8, ALL_7, ALL_6, ALL_5, ALL_4, ALL_3, ALL_2, ALL_1, )       \
    (__VA_ARGS__)
#define ALL_OF(a, b, c, d, e, f, g, h, i, j, k, l, named, ...) named
#define ALL_1(c)                                               ck_assert(c)
#define ALL_2(c, ...)                                          ALL_1(c), ALL_1(__VA_ARGS__)
#define ALL_3(c, ...)                                          ALL_1(c), ALL_2(__VA_ARGS__)
#define ALL_4(c, ...)                                          ALL_1(c), ALL_3(__VA_ARGS__)
#define ALL_5(c, ...)                                          ALL_1(c), ALL_4(__VA_ARGS__)
#define ALL_6(c, ...)                                          ALL_1(c), ALL_5(__VA_ARGS__)
#define ALL_7(c, ...)                                          ALL_1(c), ALL_6(__VA_ARGS__)
#define ALL_8(c, ...)                                          ALL_1(c), ALL_7(__VA_ARGS__)
#define ALL_9(c, ...)                                          ALL_1(c), ALL_8(__VA_ARGS__)
#define ALL_10(c, ...)                                         ALL_1(c), ALL_9(__VA_ARGS__)
#define ALL_11(c, ...)                                         ALL_1(c), ALL_10(__VA_ARGS__)
#define ALL_12(c, ...)                                         ALL_1(c), ALL_11(__VA_ARGS__)

/* How much to run: make check-fast, check, check V=shfl, check-all. */
enum suite_level { LEVEL_FAST, LEVEL_USUAL, LEVEL_VARIANT, LEVEL_ALL };

static inline enum suite_level suite_level(void)
{
    const char *level = getenv("REDUCTION_CHECK"), *wanted = getenv("REDUCTION_VARIANT");

    if (level != NULL && strcmp(level, "all") == 0)
        return LEVEL_ALL;
    if (wanted != NULL && *wanted != '\0')
        return LEVEL_VARIANT;
    return level != NULL && strcmp(level, "fast") == 0 ? LEVEL_FAST : LEVEL_USUAL;
}

/* Is this variant ("reduction_shfl") selected? REDUCTION_VARIANT names the selected ones; empty: all. */
static inline int suite_wants(const char *variant)
{
    const char *wanted = getenv("REDUCTION_VARIANT"), *at = wanted == NULL ? NULL : strstr(wanted, variant);

    if (wanted == NULL || *wanted == '\0')
        return 1;
    for (; at != NULL; at = strstr(at + 1, variant))
        if ((at == wanted || at[-1] == ' ') && strchr(" ", at[strlen(variant)]) != NULL)
            return 1;
    return 0;
}

/* A suite's test case, without a time limit, which would fail on a busy machine: run_suites.py ends processes that use too
 * much processor time, and suites without progress. */
static inline TCase *suite_case(Suite *suite, const char *name)
{
    TCase *tests = tcase_create(name);
    tcase_set_timeout(tests, 0);
    suite_add_tcase(suite, tests);
    return tests;
}

struct suite_test {
    const char *name;
    const TTest *test;
    int (*count)(void);
    struct suite_test *next;
};
struct suite_fixture {
    void (*begin)(void), (*end)(void);
};

#ifdef __cplusplus
extern "C" {
#endif
void suite_add(struct suite_test *test);
/* Called around all tests, or around each: SUITE_ONCE(begin, end), SUITE_EACH(begin, end); NULL for none. */
extern struct suite_fixture suite_once, suite_each;
/* A suite may define this, to run before the tests. Below 0: go on; otherwise the exit status. */
int suite_begin(int argc, char **argv);
/* Runs all tests and returns the exit status; called by main(), unless the suite has its own. */
int suite_run_all(void);
int suite_run(Suite *suite);
#ifdef __cplusplus
}
#endif

#define TEST(NAME) TESTS(NAME, 1)
#define TESTS(NAME, NUMBER)                                                                                            \
    static void NAME##_test(int _i);                                                                                   \
    START_TEST(NAME) { NAME##_test(_i); }                                                                              \
    END_TEST                                                                                                           \
    static int NAME##_number(void) { return (int)(NUMBER); }                                                           \
    __attribute__((constructor)) static void NAME##_register(void)                                                     \
    {                                                                                                                  \
        static struct suite_test test;                                                                                 \
        test.name = #NAME;                                                                                             \
        test.test = NAME;                                                                                              \
        test.count = NAME##_number;                                                                                    \
        suite_add(&test);                                                                                              \
    }                                                                                                                  \
    static void NAME##_test(int _i __attribute__((unused)))

#define SUITE_FIXTURE(WHICH, BEGIN, END)                                                                               \
    __attribute__((constructor)) static void WHICH##_register(void)                                                    \
    {                                                                                                                  \
        WHICH.begin = BEGIN;                                                                                           \
        WHICH.end = END;                                                                                               \
    }
#define SUITE_ONCE(BEGIN, END) SUITE_FIXTURE(suite_once, BEGIN, END)
#define SUITE_EACH(BEGIN, END) SUITE_FIXTURE(suite_each, BEGIN, END)

#endif
