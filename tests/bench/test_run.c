/* The program behind `make run`, with shell scripts in place of reductions: it must reach the right verdict
 * whatever the programs do.
 * SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/programs/system_load.h"
#include "program.h"
#include "suite.h"

static char folder[] = "/tmp/reduction_run_XXXXXX";
static char tool[1024];

#define NAMES                                                                                      \
    "program,device,arch,warp_size,compute_units,driver,runtime,type,op,pattern,seed,input,n,"     \
    "cache,"                                                                                       \
    "total_median_us,total_p95_us,kernel_median_us,total_gbps,ceiling_gbps,peak_gbps,error_ulps,"  \
    "check"

/* A script named after the variant that reports these times and exits with status; the 95th percentile is
 * spread times the median. It records its arguments in a file beside it. */
static void write_noisy(const char *name, double total, double spread, double kernel, double speed,
                        const char *check, int status)
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
            "fast\",sm_90,32,132,D,R,double,sum,random,1,,1000000,warm,%g,%g,%g,%g,"
            "2000.5,,0.25,%s'\n"
            "exit %d\n",
            name, total, spread * total, kernel, speed, check, status);
    fclose(file);
    ck_assert_int_eq(chmod(path, 0755), 0);
}

static void write_program(const char *name, double total, double speed, const char *check,
                          int status)
{
    write_noisy(name, total, 1, total / 2, speed, check, status);
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
    snprintf(tool, sizeof tool, "%s/bin/run", self);
    ck_assert_msg(access(tool, X_OK) == 0, "%s is not there", tool);

    ck_assert_ptr_nonnull(mkdtemp(folder));
    write_program("reduction_no_striding", 400, 20, "OK", 0);
    write_program("reduction_striding", 100, 80, "OK", 0);
    write_program("reduction_prim", 50, 160, "OK", 0);
    write_program("reduction_wrong", 100, 80, "FAIL", 1);
    write_program("reduction_to_fix", 100, 80, "FAIL", 1);
    write_program("solved_to_fix", 100, 80, "OK", 0);
    write_program("reduction_unsure", 100, 80, "UNPROVEN", 4);
    write_noisy("reduction_two_kernels_unroll", 123457, 1.5, 123000, 12.3, "OK", 0);
    write_noisy("reduction_kernel_above", 100, 1, 101, 80, "OK", 0);
    write_script("reduction_crash", "kill -SEGV $$");
    write_script("reduction_broken",
                 "echo first >&2; echo 'the device fell off: push it' >&2; exit 3");
    write_script("reduction_silent", "exit 0");
    write_script("reduction_usage", "echo 'one line of usage' >&2; exit 2");
    write_script("reduction_interrupts", "kill -INT $PPID; exec sleep 20");
    write_script("reduction_looks", "cp \"${0%/*}/out\" \"${0%/*}/seen\"; exit 3");
    write_script("launcher", "echo \"$*\" >\"$0.given\"; shift; exec \"$@\"");
    write_script("reduction_no_gpu", "echo 'no AMD GPU found' >&2; exit 77");
}

static void tear_down(void)
{
    char command[128];

    snprintf(command, sizeof command, "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
}

/* @ stands for the folder. */
static struct ran run(int status, const char *words)
{
    char line[1024];
    size_t length = 0;

    for (const char *c = words; *c != '\0'; c++)
        length +=
            (size_t)snprintf(line + length, sizeof line - length, *c == '@' ? folder : "%c", *c);
    struct ran r = program_run_words(tool, line, NULL);
    ck_assert_msg(r.status == status, "%s: exit code %d and not %d\n%s", line, r.status, status,
                  r.error);
    return r;
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
            for (char *c = line; (c = strchr(c, '~')) != NULL;)
                *c = ' '; /* the mark of noise, which depends on the machine */
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
        run(0, "@/reduction_no_striding @/reduction_striding @/reduction_prim @/reduction_to_fix");

    ck_assert_str_eq(r.error, "");
    has(r.out, "sum of 1000000 elements of type double, pattern random, seed 1, warm caches");
    has(r.out, "A \"GPU\", fast (sm_90, warp of 32, 132 units)");
    has(r.out, "read ceiling 2000.5 GB/s\n"); /* without a peak, which is unknown */
    /* kernel, total, GB/s, % of the ceiling, against no_striding and prim, error, check */
    has(row(r.out, "striding"),
        "    50.0     100.0    80.00     4.0        4.00   0.50     0.25  OK");
    has(row(r.out, "no_striding"), " 1.0        1.00   0.12");
    has(row(r.out, "prim"), " 8.0        8.00   1.00");
    ck_assert_ptr_null(strstr(r.out, "\nto_fix ")); /* no row, but one line below */
    has(r.out, "\n# to_fix: FAIL, an exercise, wrong on purpose");
    ck_assert_ptr_null(strstr(r.out, "failed"));
    ck_assert_ptr_null(strstr(r.out, "\xe2\x96")); /* bars are for terminals */
    ck_assert_ptr_null(strchr(r.out, '\033'));
    ran_free(&r);
}
END_TEST

START_TEST(solved)
{
    struct ran r = run(0, "@/reduction_striding @/solved_to_fix");

    has(row(r.out, "solved_to_fix"), "OK in this run");
    has(r.out, "# solved_to_fix is right in this run; make check in its folder proves it\n");
    ck_assert_ptr_null(strstr(r.out, "wrong on purpose"));
    /* nothing to compare with */
    has(row(r.out, "striding"), "  -      -     0.25  OK");
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
    struct ran r = run(1, words);
    has(row(r.out, cases[_i].name), cases[_i].words);
    has(row(r.out, "striding"), "OK");
    has(row(r.out, "prim"), "OK"); /* the run goes on */
    has(r.out, "# 1 of 3 programs failed");
    ran_free(&r);
}
END_TEST

/* Said once, not for every program. */
START_TEST(same_for_all)
{
    struct ran r = run(77, "@/reduction_striding @/reduction_no_gpu @/reduction_no_gpu");

    ck_assert_str_eq(r.error, "no AMD GPU found\n");
    has(row(r.out, "striding"), "OK"); /* it was measured */
    has(r.out, "# 2 of 3 programs were not measured:\n# no_gpu, no_gpu\n");
    ran_free(&r);
    r = run(77, "@/reduction_no_gpu @/reduction_striding");
    ck_assert_str_eq(r.out, "");
    ran_free(&r);
    r = run(2, "@/reduction_usage @/reduction_usage");
    ck_assert_str_eq(r.error, "one line of usage\n");
    ran_free(&r);
}
END_TEST

START_TEST(mistakes)
{
    static const struct {
        const char *words, *message;
    } cases[] = {
        {"--size=5", "name the programs"},
        {"--format=json @/reduction_striding", "--format=csv"},
        {"--size=1K..4K @/reduction_striding", "make bench SIZES=1K..1G"},
        {"--input=- @/reduction_striding", "standard input"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct ran r = run(2, cases[i].words);
        has(r.error, cases[i].message);
        ran_free(&r);
    }
}
END_TEST

/* The text of a file in the folder. */
static const char *text_of(const char *name)
{
    static char text[4096];
    char path[256];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void given(const char *name, const char *expected)
{
    char file[64];

    snprintf(file, sizeof file, "%s.given", name);
    ck_assert_str_eq(text_of(file), expected);
}

/* The first program measures the ceiling and the others are given it. The library runs first, since the others
 * are compared with it. */
START_TEST(options_and_ceiling)
{
    struct ran r = run(0, "--size=64M @/reduction_striding -tfloat @/reduction_prim --op=max");

    ck_assert_ptr_null(strstr(r.out, "default"));
    given("reduction_prim", "--size=64M -tfloat --op=max --format=csv\n");
    given("reduction_striding", "--size=64M -tfloat --op=max --format=csv --ceiling=2000.5\n");
    ran_free(&r);
    r = run(0, "--ceiling=7 @/reduction_striding @/reduction_prim");
    has(r.out, "default");
    given("reduction_prim", "--ceiling=7 --format=csv\n");
    ran_free(&r);
    r = run(1, "@/reduction_crash @/reduction_striding @/reduction_wrong");
    given("reduction_striding", "--format=csv\n"); /* the first one that can measures it */
    given("reduction_wrong", "--format=csv --ceiling=2000.5\n");
    ran_free(&r);
}
END_TEST

START_TEST(csv)
{
    struct ran r = run(1, "--format=csv @/reduction_striding @/reduction_crash @/reduction_prim");

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

/* No line is wider than a projector shows, with the longest of the variants' names. */
START_TEST(fits)
{
    struct ran r = run(
        1,
        "@/reduction_no_striding @/reduction_two_kernels_unroll @/reduction_kernel_above "
        "@/reduction_prim @/reduction_to_fix @/solved_to_fix @/reduction_unsure @/reduction_wrong");

    for (const char *line = r.out; *line != '\0'; line += strcspn(line, "\n") + 1)
        ck_assert_msg(strcspn(line, "\n") <= 100, "%zu columns: %.*s", strcspn(line, "\n"),
                      (int)strcspn(line, "\n"), line);
    has(row(r.out, "two_kernels_unroll"), "123000.0  123457.0 ");
    ran_free(&r);
}
END_TEST

START_TEST(noise)
{
    struct ran r =
        run(0, "@/reduction_two_kernels_unroll @/reduction_kernel_above @/reduction_prim");

    has(r.out, " 123457.0~ ");
    has(r.out, " 100.0~ ");
    has(r.out, "# ~ noise, measure again on a machine that does nothing else:\n");
    has(r.out, "#   the slowest runs took over 1.2 x the median (1 row)\n");
    has(r.out, "#   the kernels took longer than the whole (1 row)\n");
    ran_free(&r);
}
END_TEST

/* The load of others is the machine's load without ours, as a share of all its processors. */
START_TEST(load)
{
    struct system_load before = {1000, 5000}, after = {1016, 5020};

    ck_assert_double_eq_tol(system_load_of_others(before, after, 6), 0.5, 1e-12);
    ck_assert_double_eq(system_load_of_others(before, after, 17), 0);
    ck_assert_double_eq(system_load_of_others(before, (struct system_load){1000.1, 5000.5}, 0), 0);
    ck_assert_double_eq(
        system_load_of_others((struct system_load){0, 0}, (struct system_load){0, 0}, 1), 0);
}
END_TEST

/* A reduction on the CPU, and its traced twin in counts/: 2 runs of a kernel with 4 blocks of 2 warps, and of one with
 * 1 block of 1. */
static void write_cpu(void)
{
    char command[256], path[256];

    write_noisy("reduction_cpu", 100, 5, 300, 80, "OK", 0);
    snprintf(path, sizeof path, "%s/counts", folder);
    ck_assert_int_eq(mkdir(path, 0755), 0);
    write_script(
        "counts/reduction_cpu",
        "echo \"$HIP_CPU_WARP_SIZE $HIP_CPU_WORKERS $HIP_CPU_EXPLAIN $*\" >\"$0.given\"\n"
        "echo n,launches,total_runs,kernel_runs\n"
        "echo 512,3,1,1\n"
        "echo '  {\"kernel\": \"a\", \"machine\": \"gfx942\", \"warp_size\": 64, \"sector_bytes\": "
        "64, \"blocks\": 4, "
        "\"threads\": 128, \"launches\": 2, \"instructions\": 30, \"lanes\": 300, "
        "\"global_load_sectors\": 90, "
        "\"global_load_bytes\": 2880, \"shared_load_passes\": 6, \"shared_load_conflicts\": 2, "
        "\"global_store_sectors\": 0, \"global_store_bytes\": 0, \"shared_store_passes\": 4, "
        "\"shared_store_conflicts\": 1, \"barriers\": 72, \"warp_operations\": 2, \"atomics\": "
        "0,'\n"
        "echo '  {\"kernel\": \"b\", \"warp_size\": 64, \"sector_bytes\": 64, \"blocks\": 1, "
        "\"threads\": 64, "
        "\"launches\": 4, \"instructions\": 5, \"lanes\": 50, \"barriers\": 2, "
        "\"warp_operations\": 1'");
    snprintf(command, sizeof command, "sed -i s/sm_90/cpu/ %s/reduction_cpu", folder);
    ck_assert_int_eq(system(command), 0);
}

/* What a GPU would do, and the time of this CPU, which is compared with nothing. */
START_TEST(on_the_cpu)
{
    write_cpu();
    struct ran r = run(0, "--counts=@/counts --warp=64 --machine=gfx942 @/reduction_cpu --size=1M "
                          "@/reduction_to_fix");

    given("counts/reduction_cpu", "64 2 machine:gfx942,json --size=1M --size=256K --iterations=1 "
                                  "--warmup=0 --ceiling=1 --format=csv\n");
    has(r.out, "# What a GPU like gfx942 with warps of 64 would do, counted in a run of 256K");
    /* 3 launches, 4 + 2 blocks, (36 + 4) / 6 barriers a block; instructions and warp operations 32 + 12, times 64 for
     * 512 elements; lanes 400 of 40; 90 sectors; 3 conflicts in 10 passes; the time is not marked */
    has(row(r.out, "cpu"),
        "OK              3       6      6.7     5.50    10.0   2.00      0.30        100.0");
    ck_assert_ptr_null(strstr(r.out, "GB/s"));
    ck_assert_ptr_null(strchr(r.out, '~'));
    ck_assert_ptr_null(strstr(r.out, "nothing was counted"));
    for (const char *line = r.out; *line != '\0'; line += strcspn(line, "\n") + 1)
        ck_assert_msg(strcspn(line, "\n") <= 100, "%.*s", (int)strcspn(line, "\n"), line);
    ran_free(&r);

    r = run(0, "@/reduction_cpu"); /* without libdw */
    ck_assert_str_eq(row(r.out, "cpu"), "cpu      OK              100.0");
    ran_free(&r);
    write_script("counts/reduction_striding", "echo 'hip: unknown machine' >&2; exit 2");
    r = run(2, "--counts=@/counts --machine=x @/reduction_striding @/reduction_prim");
    ck_assert_str_eq(r.error, "hip: unknown machine\n");
    ran_free(&r);
    r = run(0, "--counts=@/nowhere @/reduction_cpu");
    has(row(r.out, "cpu"), " -         -        100.0");
    has(r.out, "# cpu: nothing was counted; make explain V=cpu says why\n");
    ran_free(&r);
}
END_TEST

/* Neither right nor wrong, and never a pass. */
START_TEST(unproven)
{
    struct ran r = run(4, "@/reduction_striding @/reduction_unsure");

    has(row(r.out, "unsure"), "UNPROVEN");
    has(r.out, "# UNPROVEN: ");
    ran_free(&r);
    r = run(1, "@/reduction_wrong @/reduction_unsure");
    ran_free(&r);
}
END_TEST

/* A row is printed before the next program has ended. */
START_TEST(rows_come_at_once)
{
    char command[2048];

    snprintf(command, sizeof command,
             "%s %s/reduction_no_striding %s/reduction_striding %s/reduction_looks >%s/out", tool,
             folder, folder, folder, folder);
    ck_assert_int_ne(system(command), 0); /* looks fails */
    has(row(text_of("seen"), "striding"), "4.00      -     0.25  OK");
}
END_TEST

START_TEST(interrupted)
{
    struct ran r =
        run(130, "@/reduction_striding @/reduction_interrupts @/reduction_wrong @/reduction_prim");

    has(row(r.out, "striding"), "OK");
    has(row(r.out, "prim"), "OK"); /* measured first, so it is there */
    has(r.out, "# 2 of 4 programs were not measured:\n# interrupts, wrong\n");
    ran_free(&r);
}
END_TEST

START_TEST(launcher)
{
    char words[256], program[256];
    char *list[] = {tool, words, program, (char[]){"--size=5"}, NULL};

    snprintf(words, sizeof words, "--launch=%s/launcher -n1", folder);
    snprintf(program, sizeof program, "%s/reduction_striding", folder);
    struct ran r = program_run(list, NULL);

    ck_assert_int_eq(r.status, 0);
    has(row(r.out, "striding"), "OK");
    given("reduction_striding", "--size=5 --format=csv\n");
    snprintf(words, sizeof words, "-n1 %s/reduction_striding --size=5 --format=csv\n", folder);
    given("launcher", words);
    ran_free(&r);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("run");
    TCase *all = suite_case(suite, "all");

    tcase_add_unchecked_fixture(all, set_up, tear_down);
    tcase_add_test(all, all_right);
    tcase_add_test(all, solved);
    tcase_add_loop_test(all, failures, 0, 5);
    tcase_add_test(all, same_for_all);
    tcase_add_test(all, mistakes);
    tcase_add_test(all, options_and_ceiling);
    tcase_add_test(all, csv);
    tcase_add_test(all, fits);
    tcase_add_test(all, noise);
    tcase_add_test(all, load);
    tcase_add_test(all, on_the_cpu);
    tcase_add_test(all, unproven);
    tcase_add_test(all, rows_come_at_once);
    tcase_add_test(all, interrupted);
    tcase_add_test(all, launcher);
    return suite_run(suite);
}
