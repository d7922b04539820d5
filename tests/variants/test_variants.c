/* Every variant's program, with everything that tends to go wrong: sizes around warps, blocks and powers of two, all types
 * and operations, odd block sizes, any grid, patterns with known results, both warp sizes and several orders of blocks.
 *
 * Programs are in $REDUCTION_BIN; a new variant is tested as soon as it is built. A process runs several sizes. The program
 * judges each result itself, and `answers` checks that it judges correctly.
 *
 *   test_variants [PROGRAM]...     only these, e.g. reduction_shfl
 * Suite: long variants programs
 * SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "rows.h"
#include "subjects.h"
#include "suite.h"

static bool cpu; /* we can choose warp sizes and schedules */

/* These do not reduce the whole array to one value by --op; test_extras.c and their own suites test their results. */
static bool has_another_result(const char *name)
{
    static const char *const others[] = {"reduction_custom", "reduction_rows", "reduction_softmax"};

    for (size_t k = 0; k < COUNT(others); k++)
        if (strcmp(name, others[k]) == 0)
            return true;
    return false;
}

static const char *const types[] = {"float", "double", "int", "long"};
static const char *const ops[] = {"sum", "min", "max"};
static const char *const patterns[] = {"random", "ones", "constant", "ramp", "mixed", "onehot"};
static const char *const warps[] = {"32", "64"};
static const char *const schedules[] = {"forward", "reverse", "random:1", "random:2", "random:3"};

/* Around warps and blocks, and odd ones. */
static const char sizes[] = "0,1,2,3,31,32,33,63,64,65,127,255,256,257,511,1000,1023,1024,1025,4097";
/* Fewer of them, with more blocks. */
static const char block_sizes[] = "0,1,2,100,1025,9001";

/* `make check-all` runs every turn. `make check V=shfl` runs every turn of a program's first subject, and every third of the
 * others, which differ in one option. `make check` runs every fourth and every eighth, so that every program and every option
 * goes through all tests, and all programs together through every turn; `make check-fast` runs one turn per program. `turn`
 * may include the warp size: the other warp size then runs the other turns. */
static bool is_taken(int subject, size_t turn)
{
    bool first = subjects[subject].value == 0;

    switch (suite_level()) {
    case LEVEL_FAST:
        return first && (turn + (size_t)subject) % 12 == 0;
    case LEVEL_VARIANT:
        return first || (turn + (size_t)subject) % 3 == 0;
    case LEVEL_ALL:
        return true;
    default:
        return (turn + (size_t)subject) % (first ? 4 : 8) == 0;
    }
}

static struct csv_row results[64];

static void set_platform(const char *warp, const char *schedule)
{
    setenv("HIP_CPU_WARP_SIZE", warp, 1);
    setenv("HIP_CPU_SCHEDULE", schedule, 1);
}

/* "n=5: 3 and not 4; " for each wrong result */
static const char *wrong_results(char *text_of_rows)
{
    static char text[512];
    size_t count = strncmp(text_of_rows, "program,", 8) == 0 ? rows_read(text_of_rows, results, COUNT(results)) : 0;

    text[0] = '\0';
    for (size_t i = 0; i < count; i++)
        if (strcmp(csv_field(&results[i], "check"), "OK") != 0)
            snprintf(text + strlen(text), sizeof text - strlen(text), "n=%s: %s and not %s; ",
                     csv_field(&results[i], "n"), csv_field(&results[i], "value"), csv_field(&results[i], "reference"));
    return text;
}

/* Runs one program once for each clock; returns how many results are in results. */
static size_t run(const char *path, const char *options, const char *input, int status, char *line, size_t line_size)
{
    const char *warp = getenv("HIP_CPU_WARP_SIZE"), *schedule = getenv("HIP_CPU_SCHEDULE");

    snprintf(line, line_size, "-i 1 -w 0 --ceiling 1 -f csv %s", options);
    struct ran r = program_run_words(path, line, input);
    /* The command, ready to paste into a shell. */
    snprintf(line, line_size, "%s%s %s%s %s %s", warp == NULL ? "" : "HIP_CPU_WARP_SIZE=", warp == NULL ? "" : warp,
             schedule == NULL ? "" : "HIP_CPU_SCHEDULE=", schedule == NULL ? "" : schedule, path, options);
    ck_assert_msg(r.status == status, "exit %d: %s\n%.500s%s", r.status, line, r.error, wrong_results(r.out));
    ck_assert_msg(*r.error == '\0', "%s\n%.500s", line, r.error);
    size_t count = rows_read(r.out, results, COUNT(results));
    ran_free(&r);
    return count;
}

/* All results must be right, and be the requested ones. */
__attribute__((format(printf, 2, 3))) static void all_right(const struct subject *s, const char *format, ...)
{
    char options[512], all[1024], line[2048], list[512] = "";
    va_list more;

    va_start(more, format);
    vsnprintf(options, sizeof options, format, more);
    va_end(more);
    snprintf(all, sizeof all, "%s%s", own_options(s), options);
    size_t count = run(s->path, all, NULL, 0, line, sizeof line);
    for (size_t i = 0; i < count; i++) {
        const struct csv_row *o = &results[i];
        ck_assert_msg(strcmp(csv_field(o, "check"), "OK") == 0, "%s", line);
        ck_assert_str_eq(csv_field(o, "program"), s->name);
        ck_assert_str_eq(csv_field(o, "wrong_runs"), "0");
        if (cpu)
            ck_assert_str_eq(csv_field(o, "warp_size"), getenv("HIP_CPU_WARP_SIZE"));
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i > 0 ? "," : "", csv_field(o, "n"));
    }
    const char *asked = strstr(options, "-n ") + 3;
    ck_assert_msg(strncmp(list, asked, strlen(list)) == 0 && strchr(" ", asked[strlen(list)]) != NULL,
                  "%s\nhas other sizes: %s", line, list);
}

/* On a GPU there is one warp size and one schedule. */
#define FOR_EACH_WARP(warp) for (size_t warp = 0; warp < (cpu ? COUNT(warps) : 1); warp++)

TESTS(sizes_types_operations, subject_count)
{
    FOR_EACH_WARP(warp)
    {
        set_platform(warps[warp], "forward");
        for (size_t t = 0; t < COUNT(types); t++) {
            for (size_t o = 0; o < COUNT(ops); o++) {
                if (!is_taken(_i, COUNT(ops) * t + o + (suite_level() == LEVEL_FAST ? 0 : warp)))
                    continue;
                all_right(&subjects[_i], "-t %s -o %s -n %s", types[t], ops[o], sizes);
            }
        }
    }
}

/* Any block from 1 to 1024, with the variant's grid and with given ones. */
TESTS(blocks_and_grids, subject_count)
{
    static const int blocks[] = {1, 2, 31, 32, 33, 64, 96, 100, 256, 1000, 1024};
    static const int grids[] = {1, 3, 65, 1000};
    char grid[32];
    const struct subject *s = &subjects[_i];

    FOR_EACH_WARP(warp)
    {
        set_platform(warps[warp], "forward");
        for (size_t b = 0; b < COUNT(blocks); b++) {
            if (!is_taken(_i, b + warp))
                continue;
            snprintf(grid, sizeof grid, "-g %d", s->resident ? 1 : grids[b % COUNT(grids)]);
            all_right(s, "-t %s -o %s -b %d %s -n %s", types[(b + warp) % COUNT(types)], ops[b % COUNT(ops)], blocks[b],
                      (b + warp) % 2 == 0 ? grid : "", block_sizes);
            /* As requested, or in whole warps; 0: a library does not tell. reproducible, rows and softmax
             * do not always have registers and shared memory for so many threads. */
            int block = atoi(csv_field(&results[0], "block"));
            int lanes = atoi(csv_field(&results[0], "warp_size"));
            int whole = (blocks[b] + lanes - 1) / lanes * lanes;
            ck_assert(block == blocks[b] || block == whole || block == 0 ||
                      (block >= 128 && block % lanes == 0 && block < blocks[b] &&
                       (strstr(s->path, "reproducible") || strstr(s->path, "softmax") ||
                        strstr(s->path, "reduction_rows/"))));
        }
    }
}

TESTS(patterns_and_types, subject_count)
{
    set_platform(warps[_i % 2], "forward");
    for (size_t p = 0; p < COUNT(patterns); p++) {
        for (size_t t = 0; t < COUNT(types); t++) {
            if (!is_taken(_i, COUNT(types) * p + t + p % 2))
                continue;
            /* alternates min, max and sum; most patterns are made for the sum */
            all_right(&subjects[_i], "-t %s -o %s -p %s -s %zu -n 1,257,8193", types[t],
                      (p + t + (size_t)_i) % 2 == 0 ? "sum" : ops[1 + p % 2], patterns[p], p + 7);
        }
    }
}

/* Kernels that rely on the order of the blocks are caught. */
TESTS(block_schedules, subject_count)
{
    for (size_t i = 0; i < (cpu ? COUNT(schedules) : 1); i++) {
        if (cpu && !is_taken(_i, i))
            continue;
        set_platform(warps[i % 2], schedules[i]);
        all_right(&subjects[_i], "-t %s -p mixed -n 4097,66001", types[i % COUNT(types)]);
        all_right(&subjects[_i], "-t long -b 32 -n 20011");
    }
}

/* --help is parsed correctly: some options that must be found. */
TEST(options_are_found)
{
    static const char *const known[][2] = {{"reduction_shuffles", "--shuffle down "},
                                           {"reduction_single_pass", "--result device "},
                                           {"reduction_segmented", "--method block "},
                                           {"reduction_custom", "--example logsumexp "}};

    for (size_t k = 0; k < COUNT(known); k++) {
        bool found = false, there = false;
        for (int i = 0; i < subject_count; i++)
            if (strcmp(subjects[i].name, known[k][0]) == 0) {
                there = true;
                found |= strstr(own_options(&subjects[i]), known[k][1]) != NULL;
            }
        ck_assert_msg(found || !there, "%s %s is not tested", known[k][0], known[k][1]);
    }
}

TESTS(large, subject_count)
{
    static const char *const some[] = {"-t float -o sum -p random", "-t double -o min -p mixed",
                                       "-t int -o sum -p random", "-t long -o max -p ramp"};
    if (!is_taken(_i, (size_t)_i / 2))
        return;
    bool whole = suite_level() == LEVEL_ALL;
    set_platform(warps[_i % 2], "random:9");
    all_right(&subjects[_i], "%s -n %s", some[_i % 4], whole ? "1000003" : "300007");
    all_right(&subjects[_i], "-t double -n %d", whole ? 1048577 : 262145);
}

TESTS(misaligned, subject_count)
{
    set_platform("64", "forward");
    for (int offset = 1; offset <= 15; offset += 1 + offset / 4) {
        if (!is_taken(_i, (size_t)offset))
            continue;
        all_right(&subjects[_i], "-t %s --offset %d -n 0,1,5,1000,4099", types[offset % 4], offset);
    }
}

/* Several iterations: no run may affect the next. */
TESTS(run_after_run, subject_count)
{
    if (suite_level() == LEVEL_FAST)
        return;
    set_platform("32", "forward");
    all_right(&subjects[_i], "-i 6 -w 2 -t int -n 1000,70000,1000,0,20011");
    all_right(&subjects[_i], "-i 3 --cold -t float -o max -n 5000");
}

static const struct answer {
    const char *options, *input, *value;
    int status;
} answers[] = {
    {"-t double", "1 2 3 4 5 6 7 8", "36", 0},
    {"-t float", "1 2 3 4 5 6 7 8", "36", 0},
    {"-t int", "1 2 3 4 5 6 7 8", "36", 0},
    {"-t long", "1,2,3,4,5,6,7,8\n", "36", 0},
    {"-t double", "-2.5, 1.5, -1.0, 2.0", "0", 0},
    {"-t float", "-2.5, 1.5, -1.0, 2.0", "0", 0},
    {"-t double -o min", "-2.5, 1.5, -1.0, 2.0", "-2.5", 0},
    {"-t float -o max", "-2.5, 1.5, -1.0, 2.0", "2", 0},
    {"-t int -o max", "-7 -3 -9", "-3", 0},
    {"-t long -o min", "9223372036854775807 5 -9223372036854775808", "-9223372036854775808", 0},
    /* sums of integers wrap */
    {"-t int", "2147483647 1", "-2147483648", 0},
    {"-t long", "9223372036854775807 2", "-9223372036854775807", 0},
    /* NaN wins, and -0 is below +0, wherever they are */
    {"-t double -o min", "1 nan 3", "nan", 0},
    {"-t float -o max", "nan 1 3", "nan", 0},
    {"-t double -o max", "1 3 nan inf", "nan", 0},
    {"-t double", "1 nan 3", "nan", 0},
    {"-t double -o min", "0 -0 0", "-0", 0},
    {"-t float -o min", "-0 0", "-0", 0},
    {"-t float -o max", "-0 0 -0", "0", 0},
    {"-t double -o max", "0 -0", "0", 0},
    {"-t double", "inf 1", "inf", 0},
    {"-t double", "inf -inf", "nan", 0},
    {"-t float -o min", "inf -inf 0", "-inf", 0},
    /* no elements */
    {"-t double -n 0", NULL, "0", 0},
    {"-t float -o min -n 0", NULL, "inf", 0},
    {"-t double -o max -n 0", NULL, "-inf", 0},
    {"-t int -o min -n 0", NULL, "2147483647", 0},
    {"-t long -o max -n 0", NULL, "-9223372036854775808", 0},
    /* formulas */
    {"-t double -p ones -n 100003", NULL, "100003", 0},
    {"-t float -p ones -n 100003", NULL, "100003", 0},
    {"-t int -p constant -n 100003", NULL, "100003", 0},
    {"-t long -p ramp -n 65521", NULL, "2146467960", 0}, /* 65520 x 65521 / 2 */
    {"-t double -p ramp -o max -n 70000", NULL, "65520", 0},
    {"-t long -p onehot -n 12345", NULL, "1", 0},
    {"-t double -p onehot:0 -n 12345", NULL, "1", 0},
    {"-t float -o min -p onehot:4321 -n 12345", NULL, "-1", 0},
    {"-t int -o max -p onehot:12344 -n 12345", NULL, "1", 0},
};

static void check_answer(const struct subject *s, const char *own, const struct answer *a)
{
    char options[512], line[2048];

    snprintf(options, sizeof options, "%s%s%s", own, a->options, a->input != NULL ? " --input -" : "");
    ck_assert_uint_eq(run(s->path, options, a->input, a->status, line, sizeof line), 1);
    ck_assert_msg(strcmp(csv_field(&results[0], "value"), a->value) == 0, "%s\n%s gives %s and not %s", line,
                  a->input == NULL ? "" : a->input, csv_field(&results[0], "value"), a->value);
}

TESTS(known_answers, subject_count)
{
    const struct subject *s = &subjects[_i];

    set_platform(warps[_i % 2], "forward");
    for (size_t i = 0; i < COUNT(answers) && !has_another_result(s->name); i++)
        if (is_taken(_i, i))
            check_answer(s, own_options(s), &answers[i]);
}

static bool has_two_bytes(const struct subject *s) { return strcmp(s->name, "reduction_mixed") == 0; }

static const char *const narrow[] = {"half", "bfloat16"};

/* Every size, operation, pattern and alignment. */
TESTS(two_bytes, subject_count)
{
    const struct subject *s = &subjects[_i];
    if (!has_two_bytes(s))
        return;
    for (size_t t = 0; t < COUNT(narrow); t++)
        for (size_t p = 0; p < COUNT(patterns); p++)
            for (size_t o = 0; o < COUNT(ops); o++) {
                size_t turn = t + p + o;
                if (!is_taken(_i, turn))
                    continue;
                set_platform(warps[turn % 2], schedules[turn % COUNT(schedules)]);
                all_right(s, "--inside wide -t %s -o %s -p %s -n %s", narrow[t], ops[o], patterns[p], sizes);
                all_right(s, "--inside wide -t %s -o %s -p %s --offset %zu -b %d -n %s", narrow[t], ops[o], patterns[p],
                          1 + 3 * turn % 8, 31 + 97 * (int)turn, block_sizes);
            }
}

static const struct answer narrow_answers[] = {
    {"-t half", "1 2 3 4 5 6 7 8", "36", 0},
    {"-t bfloat16 -o min", "-2.5, 1.5, -1.0, 2.0", "-2.5", 0},
    {"-t half -o max", "1 nan 3", "nan", 0},
    {"-t bfloat16 -o max", "0 -0", "0", 0},
    {"-t half -o min", "0 -0", "-0", 0},
    {"-t half", "65504 65504 6e-8", "131008", 0}, /* more than any half */
    {"-t bfloat16", "0.5 256", "256.5", 0},
    {"-t half -o min -n 0", NULL, "inf", 0},
    {"-t bfloat16 -p ones -n 100003", NULL, "100003", 0},
    {"-t half -p constant -n 1000", NULL, "99.975586", 0},
    {"-t half -p onehot -n 12345", NULL, "1", 0},
    /* 2048 + 1 = 2048 in half, 256 + 1 = 256 in bfloat16: the reason to add in float */
    {"-t half -p ones -n 5000 -g 1 -b 1", NULL, "5000", 0},
    {"-t half -p ones -n 5000 -g 1 -b 1 --inside narrow", NULL, "2048", 1},
    {"-t bfloat16 -p ones -n 5000 -g 1 -b 1 --inside narrow", NULL, "256", 1},
};

TESTS(answers_of_two_bytes, subject_count)
{
    const struct subject *s = &subjects[_i];

    for (size_t i = 0; i < COUNT(narrow_answers) && has_two_bytes(s) && s->value == 0; i++) {
        set_platform(warps[i % 2], "forward");
        check_answer(s, "", &narrow_answers[i]);
    }
}

static void set_up(void)
{
    char line[2048];

    program_need_device();
    ck_assert_msg(subject_count > 0, "no programs in REDUCTION_BIN=%s", program_folder());
    run(program_path("reduction_no_striding"), "-n 1", NULL, 0, line, sizeof line);
    cpu = strcmp(csv_field(&results[0], "arch"), "cpu") == 0;
}

SUITE_ONCE(set_up, NULL)

int suite_begin(int argc, char **argv)
{
    find_subjects(argv + 1, argc - 1);
    if (argc == 1 || subject_count > 0)
        return -1;
    fprintf(stderr, "test_variants: no such program in %s\n", program_folder());
    return 2;
}
