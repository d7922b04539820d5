/* The program behind `make run`, with shell scripts in the place of reductions: it must come to the right
 * verdict whatever the programs do. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program.h"
#include "suite.h"

static char folder[] = "/tmp/reduction_compare_XXXXXX";
static char compare[1024];

#define NAMES                                                                                      \
    "program,device,arch,warp_size,compute_units,driver,runtime,type,op,pattern,seed,input,n,"     \
    "cache,"                                                                                       \
    "total_median_us,kernel_median_us,total_gbps,ceiling_gbps,peak_gbps,error_ulps,check"

/* A script named after the variant that reports these times and exits with status. It notes what it was
 * given in a file beside it. */
static void write_program(const char *name, double total, double speed, const char *check,
                          int status)
{
    char path[256];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file,
            "#!/bin/sh\n"
            "echo \"$*\" >\"$0.given\"\n"
            "echo '" NAMES "'\n"
            "echo '%s,\"A \"\"GPU\"\", "
            "fast\",sm_90,32,132,D,R,double,sum,random,1,,1000000,warm,%g,%g,%g,"
            "2000.5,,0.25,%s'\n"
            "exit %d\n",
            name, total, total / 2, speed, check, status);
    fclose(file);
    ck_assert_int_eq(chmod(path, 0755), 0);
}

static void write_script(const char *name, const char *text)
{
    char path[256];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "#!/bin/sh\n%s\n", text);
    fclose(file);
    ck_assert_int_eq(chmod(path, 0755), 0);
}

static void set_up(void)
{
    char self[900] = "";
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

    /* Tests are built into a folder beside it. */
    ck_assert_int_gt(length, 0);
    *strrchr(self, '/') = '\0';
    *strrchr(self, '/') = '\0';
    snprintf(compare, sizeof compare, "%s/compare", self);
    ck_assert_msg(access(compare, X_OK) == 0, "%s is not there", compare);

    ck_assert_ptr_nonnull(mkdtemp(folder));
    write_program("reduction_no_striding", 400, 20, "OK", 0);
    write_program("reduction_striding", 100, 80, "OK", 0);
    write_program("reduction_prim", 50, 160, "OK", 0);
    write_program("reduction_wrong", 100, 80, "FAIL", 1);
    write_program("reduction_to_fix", 100, 80, "FAIL", 1);
    write_program("solved_to_fix", 100, 80, "OK", 0);
    write_script("reduction_crash", "kill -SEGV $$");
    write_script("reduction_broken",
                 "echo first >&2; echo 'the device fell off: push it' >&2; exit 3");
    write_script("reduction_silent", "exit 0");
    write_script("reduction_usage", "echo 'one line of usage' >&2; exit 2");
    write_script("reduction_no_gpu", "echo 'no AMD GPU here' >&2; exit 77");
}

static void tear_down(void)
{
    char command[128];

    snprintf(command, sizeof command, "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
}

/* @ stands for the folder. */
static struct ran run(const char *words)
{
    char line[1024];
    size_t length = 0;

    for (const char *c = words; *c != '\0'; c++)
        length +=
            (size_t)snprintf(line + length, sizeof line - length, *c == '@' ? folder : "%c", *c);
    return program_run_words(compare, line, NULL);
}

/* The line of text that starts with this word, in a buffer. */
static const char *row(const char *text, const char *name)
{
    static char line[512];

    for (const char *at = text; at != NULL && *at != '\0';
         at = strchr(at, '\n'), at += at != NULL) {
        size_t length = strlen(name);
        if (strncmp(at, name, length) == 0 && (at[length] == ' ' || at[length] == '\n')) {
            snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
            return line;
        }
    }
    ck_abort_msg("there is no row %s in\n%s", name, text);
    return NULL;
}

static void has(const char *text, const char *words)
{
    ck_assert_msg(strstr(text, words) != NULL, "no '%s' in\n%s", words, text);
}

START_TEST(all_right)
{
    struct ran r =
        run("@/reduction_no_striding @/reduction_striding @/reduction_prim @/reduction_to_fix");

    ck_assert_int_eq(r.status, 0);
    ck_assert_str_eq(r.error, "");
    has(r.out, "sum of 1000000 elements of type double, pattern random, seed 1, warm caches");
    has(r.out, "A \"GPU\", fast (sm_90, warp of 32, 132 units)");
    has(r.out, "read ceiling 2000.5 GB/s\n"); /* and no peak: it is unknown */
    /* kernel, total, GB/s, % of the ceiling, against no_striding and prim, error, check */
    has(row(r.out, "striding"),
        "50.0       100.0    80.00      4.0        4.00     0.50      0.25  OK");
    has(row(r.out, "no_striding"), "1.0        1.00     0.12");
    has(row(r.out, "prim"), "8.0        8.00     1.00");
    has(row(r.out, "to_fix"), "FAIL (exercise)");
    has(r.out, "# to_fix is wrong on purpose");
    ck_assert_ptr_null(strstr(r.out, "failed"));
    ck_assert_ptr_null(strstr(r.out, "\xe2\x96")); /* bars are for terminals */
    ck_assert_ptr_null(strchr(r.out, '\033'));
    ran_free(&r);
}
END_TEST

START_TEST(solved)
{
    struct ran r = run("@/reduction_striding @/solved_to_fix");

    ck_assert_int_eq(r.status, 0);
    has(row(r.out, "solved_to_fix"), "OK (solved!)");
    ck_assert_ptr_null(strstr(r.out, "wrong on purpose"));
    /* nothing to compare with */
    has(row(r.out, "striding"), "  -        -      0.25  OK");
    ran_free(&r);
}
END_TEST

START_TEST(failures)
{
    static const struct {
        const char *name, *words;
    } cases[] = {
        {"wrong", "  FAIL"},
        {"crash", "crashed: Segmentation fault"},
        {"broken", "exit 3: the device fell off: push it"},
        {"silent", "exit 0 without a row of results"},
        {"gone", "cannot be run: "},
    };
    char words[256];

    snprintf(words, sizeof words, "@/reduction_striding @/reduction_%s @/reduction_prim",
             cases[_i].name);
    struct ran r = run(words);
    ck_assert_int_eq(r.status, 1);
    has(row(r.out, cases[_i].name), cases[_i].words);
    has(row(r.out, "striding"), "OK");
    has(row(r.out, "prim"), "OK"); /* the run goes on */
    has(r.out, "# 1 of 3 programs failed");
    ran_free(&r);
}
END_TEST

/* Told once and not for every program. */
START_TEST(same_for_all)
{
    struct ran r = run("@/reduction_striding @/reduction_no_gpu @/reduction_no_gpu");

    ck_assert_int_eq(r.status, 77);
    ck_assert_str_eq(r.error, "no AMD GPU here\n");
    ck_assert_str_eq(r.out, "");
    ran_free(&r);
    r = run("@/reduction_usage @/reduction_usage");
    ck_assert_int_eq(r.status, 2);
    ck_assert_str_eq(r.error, "one line of usage\n");
    ran_free(&r);
    r = run("--size=5");
    ck_assert_int_eq(r.status, 2);
    has(r.error, "no programs");
    ran_free(&r);
    r = run("--format=json @/reduction_striding");
    ck_assert_int_eq(r.status, 2);
    has(r.error, "--format=csv");
    ran_free(&r);
}
END_TEST

static void given(const char *name, const char *expected)
{
    char path[256], text[256] = "";

    snprintf(path, sizeof path, "%s/%s.given", folder, name);
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(text, sizeof text, file));
    fclose(file);
    ck_assert_str_eq(text, expected);
}

/* The first program measures the ceiling, the others are told. */
START_TEST(options_and_ceiling)
{
    struct ran r = run("--size=64M @/reduction_striding -tfloat @/reduction_prim --op=max");

    ck_assert_int_eq(r.status, 0);
    ck_assert_ptr_null(strstr(r.out, "default"));
    given("reduction_striding", "--size=64M -tfloat --op=max --format=csv\n");
    given("reduction_prim", "--size=64M -tfloat --op=max --format=csv --ceiling=2000.5\n");
    ran_free(&r);
    r = run("--ceiling=7 @/reduction_striding @/reduction_prim");
    has(r.out, "default");
    given("reduction_prim", "--ceiling=7 --format=csv\n");
    ran_free(&r);
    r = run("@/reduction_crash @/reduction_striding @/reduction_prim");
    given("reduction_striding", "--format=csv\n"); /* the first one that can measures it */
    given("reduction_prim", "--format=csv --ceiling=2000.5\n");
    ran_free(&r);
}
END_TEST

START_TEST(csv)
{
    struct ran r = run("--format=csv @/reduction_striding @/reduction_crash @/reduction_prim");

    ck_assert_int_eq(r.status, 1);
    has(r.error, "crash: crashed: Segmentation fault\n");
    ck_assert_int_eq(
        strncmp(r.out, NAMES "\nreduction_striding,", strlen(NAMES "\nreduction_striding,")), 0);
    has(r.out, "\nreduction_prim,\"A \"\"GPU\"\", fast\",");
    size_t lines = 0;
    for (const char *c = r.out; *c != '\0'; c++)
        lines += *c == '\n';
    ck_assert_uint_eq(lines, 3);
    ran_free(&r);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("compare");
    TCase *all = suite_case(suite, "all", 30);

    tcase_add_unchecked_fixture(all, set_up, tear_down);
    tcase_add_test(all, all_right);
    tcase_add_test(all, solved);
    tcase_add_loop_test(all, failures, 0, 5);
    tcase_add_test(all, same_for_all);
    tcase_add_test(all, options_and_ceiling);
    tcase_add_test(all, csv);
    return suite_run(suite);
}
