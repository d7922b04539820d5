/* Variants with further results, bounds or operations: statistics, segmented, head_flags, compensated, custom, softmax,
 * atomic; and how they are judged. test_variants.c tests what they have in common with all others.
 * Suite: slow variants programs
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verdict/extras.h"
#include "program.h"
#include "rows.h"
#include "suite.h"

static struct csv_row results[32];
SUITE_ONCE(program_need_device, NULL)

static char options[512]; /* of the last run */

/* Runs a program with options as printf() formats them, and reads its results; returns how many there are. */
__attribute__((format(printf, 4, 5))) static size_t run(const char *name, const char *input, int status,
                                                        const char *format, ...)
{
    char line[1024];
    va_list more;

    va_start(more, format);
    vsnprintf(options, sizeof options, format, more);
    va_end(more);
    snprintf(line, sizeof line, "-i 1 -w 0 --ceiling 1 -f csv %s", options);
    struct ran r = program_run_words(program_path(name), line, input);
    ck_assert_msg(r.status == status, "exit %d: %s %s\n%.500s%.2000s", r.status, name, options, r.error, r.out);
    size_t count = rows_read(r.out, results, COUNT(results));
    ran_free(&r);
    return count;
}

static double number(const char *field)
{
    const char *text = csv_field(&results[0], field);
    return strcmp(text, "nan") == 0 ? NAN : strtod(text, NULL);
}

/* ---- extra_check and its siblings ------------------------------------------------------------- */

TEST(judgement)
{
    ALL(extra_check("x", 1, 1, 0).outcome == VERDICT_OK, extra_check("x", 1, 2, 0.5).outcome == VERDICT_FAIL,
        extra_check("x", 1, 2, 1).outcome == VERDICT_OK, extra_check("x", NAN, NAN, 0).outcome == VERDICT_OK,
        extra_check("x", NAN, 1, 1e300).outcome == VERDICT_FAIL,
        extra_check("x", 1, NAN, 1e300).outcome == VERDICT_FAIL,
        extra_check("x", INFINITY, INFINITY, 0).outcome == VERDICT_OK,
        extra_check("x", INFINITY, -INFINITY, 1e300).outcome == VERDICT_FAIL,
        extra_check("x", 1, 1.5, NAN).outcome == VERDICT_FAIL,
        extra_check("x", 1, 1, INFINITY).outcome == VERDICT_UNPROVEN, extra_check("x", 3, 1, 2).error == 2,
        extra_gamma(0) == 0);
    ALL(extra_gamma(1) > 0x1p-53 && extra_gamma(1) < 0x1.1p-53, isinf(extra_gamma(0x1p53)));
}

static void mark(void *context, size_t part) { ((int *)context)[part]++; }

TEST(parallel_parts)
{
    static int seen[1000];

    extra_parallel(COUNT(seen), mark, seen);
    extra_parallel(0, mark, NULL);
    for (size_t i = 0; i < COUNT(seen); i++)
        ck_assert_int_eq(seen[i], 1);
}

static void count_up(void *context, size_t begin, size_t end, struct precise *sum)
{
    for (size_t i = begin; i < end; i++) {
        precise_add(sum, *(double *)context * (double)i);
        sum->total += i;
    }
}

/* Adds every term once, with twice the digits of double; detects overflow. */
TEST(sums_in_parts)
{
    static const size_t counts[] = {0, 1, 1023, 1024, 1025, 100003};
    double one = 1, tenth = 0.1, huge = 1e304;

    for (size_t k = 0; k < COUNT(counts); k++) {
        double n = (double)counts[k];
        struct precise sum = extra_sum(counts[k], count_up, &one);
        ALL(sum.high + sum.low == n * (n - 1) / 2 && sum.magnitude == sum.high,
            sum.total == counts[k] * (counts[k] - 1) / 2, extra_begin(counts[k], 0) == 0,
            extra_begin(counts[k], EXTRA_PARTS) == counts[k], !precise_overflowed(&sum));
    }
    struct precise sum = extra_sum(100003, count_up, &tenth);
    ck_assert_double_eq_tol((sum.high - 500025000.3) + sum.low, 0, 1e-6);
    sum = extra_sum(100003, count_up, &huge);
    ck_assert(precise_overflowed(&sum));
}

TEST(parts_of_the_input)
{
    static const double x[] = {1, 2, 3, 4, 5};
    struct input_view file = {.type = TYPE_DOUBLE, .n = COUNT(x), .data = x};
    struct input_view ramp = {.type = TYPE_INT, .n = 100, .pattern = {.kind = PATTERN_RAMP}};

    ck_assert(reference_of_input(&file, OP_SUM, 1, 3).value.as.d == 9);
    ck_assert(reference_of_input(&file, OP_MAX, 0, 0).value.as.d == -INFINITY);
    ck_assert(reference_of_input(&ramp, OP_MIN, 10, 5).value.as.i == 10);
}

/* ---- statistics ------------------------------------------------------------------------------- */

static const struct {
    const char *input;
    double count, sum, min, max, mean, variance;
} samples[] = {
    {"1 2 3 4 5 6 7 8", 8, 36, 1, 8, 4.5, 5.25},
    {"7", 1, 7, 7, 7, 7, 0},
    /* sum of squares minus square of the sum would be 0 or negative */
    {"1000000000001 1000000000002 1000000000003", 3, 3000000000006, 1000000000001, 1000000000003, 1000000000002,
     2.0 / 3},
    {"1 nan 2", 3, NAN, NAN, NAN, NAN, NAN},
    /* the sum overflows, the others do not */
    {"1.7e308 1.7e308 1.7e308 1.7e308", 4, INFINITY, 1.7e308, 1.7e308, 1.7e308, 0},
    {"1.7e308 1.7e308 1.7e308 1.7e308 1.7e308 1.7e308 1.7e308 1.7e308 1.7e308", 9, INFINITY, 1.7e308, 1.7e308, 1.7e308,
     0},
    {"1.7e308 -1.7e308", 2, 0, -1.7e308, 1.7e308, 0, INFINITY},
    /* about the mean of half of the tile, a deviation would overflow */
    {"1.7e308 0 0 0 -1.7e308 0 0 0", 8, 0, -1.7e308, 1.7e308, 0, INFINITY},
    {"2e153 -2e153 1e154 -1e154 1e154 -1e154 1e154 -1e154", 8, 0, -1e154, 1e154, 0, 7.6e307},
    /* no loss here */
    {"5e-324 5e-324", 2, 1e-323, 5e-324, 5e-324, 5e-324, 0},
    {"1e-140 3e-140", 2, 4e-140, 1e-140, 3e-140, 2e-140, 1e-280},
    /* the mean has digits that a double has not */
    {"1e16 10000000000000002 10000000000000004 10000000000000006", 4, 40000000000000012, 1e16, 10000000000000006,
     10000000000000003, 5},
    {"1 inf", 2, INFINITY, 1, INFINITY, NAN, NAN},
};

/* Too many for one tile of a thread, and so large that their squares would overflow. */
TESTS(large_statistics, suite_wants("reduction_statistics"))
{
    size_t n = 20000, size = n * 8 + 1;
    char *input = malloc(size);

    ck_assert_ptr_nonnull(input);
    for (size_t i = 0; i < n; i++)
        snprintf(input + 8 * i, 9, "%d.e153 ", i % 2 == 0 ? 10 : 11);
    run("reduction_statistics", input, 0, "--input - -b 32 -g 7");
    ck_assert_double_eq_tol(number("mean"), 1.05e154, 1e140);
    ck_assert_double_eq_tol(number("variance"), 2.5e305, 1e292);
    for (size_t i = 0; i < n; i++)
        snprintf(input + 8 * i, 9, "%d.e307 ", i % 2 == 0 ? 12 : 16);
    run("reduction_statistics", input, 0, "--input - -b 33 -g 2");
    ck_assert_double_eq_tol(number("mean"), 1.4e308, 1e294);
    ck_assert(isinf(number("sum")) && isinf(number("variance")));
    free(input);
}

TESTS(known_statistics, suite_wants("reduction_statistics"))
{
    static const char *const fields[] = {"count", "sum", "min", "max", "mean", "variance"};

    for (size_t i = 0; i < COUNT(samples); i++) {
        const double expected[] = {samples[i].count, samples[i].sum,  samples[i].min,
                                   samples[i].max,   samples[i].mean, samples[i].variance};
        run("reduction_statistics", samples[i].input, 0, "--input -");
        run("reduction_statistics", samples[i].input, 0, "--input - -g 1 -b 1"); /* in tiles */
        for (size_t k = 0; k < COUNT(fields); k++) {
            double x = number(fields[k]);
            ck_assert_msg(x == expected[k] || fabs(x - expected[k]) <= 1e-15 * fabs(expected[k]) ||
                              (isnan(x) && isnan(expected[k])),
                          "%s of %s: %g", fields[k], samples[i].input, x);
        }
    }
    /* The upper half of a negative number is -2^32 or less, and the mean has digits below its last one. */
    run("reduction_statistics", "-5 3 1", 0, "--input - -t long");
    run("reduction_statistics", NULL, 0, "-n 0");
    ck_assert(number("count") == 0 && isnan(number("mean")) && isnan(number("variance")));
}

/* A mean of 10^13 standard deviations: right, and proven to be. */
TESTS(far_statistics, suite_wants("reduction_statistics"))
{
    size_t n = 20000, size = n * 17 + 1;
    char *input = malloc(size);

    ck_assert_ptr_nonnull(input);
    for (size_t i = 0; i < n; i++)
        snprintf(input + 17 * i, 18, "100000000000000%zu ", i * i % 10);
    for (size_t k = 0; k < 3; k++) {
        static const char *const ways[] = {"", "-b 32 -g 7", "-b 33 -g 2 -t long"};
        run("reduction_statistics", input, 0, "--input - %s", ways[k]);
        ck_assert_double_eq_tol(number("mean"), 1000000000000004.5, 0.2);
        ck_assert_double_eq_tol(number("variance"), 9.05, 1e-13);
    }
    free(input);
}

/* A bound that exceeds a result proves nothing about it, but the other results are still right. */
TESTS(unproven_statistics, suite_wants("reduction_statistics"))
{
    run("reduction_statistics", "1.7e308 1.7e308 -1.7e308 -1.7e308", 4, "--input - -g 1 -b 1 --op max");
    ck_assert_str_eq(csv_field(&results[0], "sum_check"), "UNPROVEN");
    ck_assert_str_eq(csv_field(&results[0], "value_check"), "OK");
    ck_assert_str_eq(csv_field(&results[0], "min_check"), "OK");
}

/* ---- segmented and head_flags ----------------------------------------------------------------- */

static int wants_segments(void) { return suite_wants("reduction_segmented") || suite_wants("reduction_head_flags"); }

static const struct {
    const char *program, *options;
} methods[] = {
    {"reduction_segmented", "--method auto"},
    {"reduction_segmented", "--method thread"},
    {"reduction_segmented", "--method warp"},
    {"reduction_segmented", "--method block"},
    {"reduction_head_flags", ""},
    {"reduction_segmented", "--method library"},
};
static const char *const shapes[] = {
    "--segment 1",
    "--segment 5",
    "--segment 64",
    "--segment 1000000",
    "--ragged --segment 1",
    "--ragged --segment 40",
    "--ragged --segment 700",
    "--ragged --segment 1500",
    "--ragged --segment 6000",
};
static const char *const kinds[] = {"-t double", "-t float -o max", "-t int -p mixed", "-t long -o min -p mixed",
                                    "-t float -p mixed"};

/* _i: the method. Sizes up to those that use everything: groups, warps, blocks and the queue. */
TESTS(segments, wants_segments() ? COUNT(methods) : 0)
{
    static const int blocks[] = {256, 1, 33, 100, 1024};
    for (int warp = 32; warp <= 64 && suite_wants(methods[_i].program); warp += 32) {
        snprintf(options, sizeof options, "%d", warp);
        setenv("HIP_CPU_WARP_SIZE", options, 1);
        setenv("HIP_CPU_SCHEDULE", warp == 32 ? "reverse" : "random:5", 1);
        for (size_t s = 0; s < COUNT(shapes); s++) {
            /* make check: each with one warp size */
            if (suite_level() < LEVEL_VARIANT && (s + (size_t)_i) % 2 == (warp == 64))
                continue;
            size_t k = s + (size_t)_i + (warp == 64 ? 2 : 0);
            const char *sizes = _i == 0 ? "0,1,33,1025,9011,120011" : "0,1,33,1025,9011";
            /* 9011 blocks of 1024 threads, one per element, take half a minute. */
            if (strcmp(methods[_i].options, "--method block") == 0 && s % 4 == 0 && blocks[k % COUNT(blocks)] == 1024)
                sizes = "0,1,33,1025";
            run(methods[_i].program, NULL, 0, "%s %s %s -b %d --offset %zu -n %s", methods[_i].options, shapes[s],
                kinds[k % COUNT(kinds)], blocks[k % COUNT(blocks)], k % 3, sizes);
            ck_assert_str_eq(csv_field(&results[0], "segments_wrong"), "0");
        }
    }
}

/* More segments in all launches than the queue has places: each launch finds it empty. */
TESTS(segments_queue, suite_wants("reduction_segmented"))
{
    run("reduction_segmented", NULL, 0, "--ragged --segment 700 -b 1 -i 400 -w 1 -n 9011");
    ck_assert_str_eq(csv_field(&results[0], "segments_wrong"), "0");
}

static const char *offsets_file(const char *text)
{
    static char path[] = "/tmp/reduction_offsets_XXXXXX";
    static int file = -1;

    if (file < 0)
        file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
    return path;
}

TESTS(offsets, wants_segments())
{
    for (size_t m = 0; m < COUNT(methods); m++) {
        if (!suite_wants(methods[m].program))
            continue;
        /* empty ones at the beginning, several together, and at the end */
        const char *path = offsets_file("0 0 0 3 3 3 100 100 9000 9001 9001");
        run(methods[m].program, NULL, 0, "%s --offsets %s -n 9001 -t int", methods[m].options, path);
        ck_assert_str_eq(csv_field(&results[0], "segments"), "10");
        run(methods[m].program, NULL, 0, "%s --offsets %s -n 0 -o min", methods[m].options, offsets_file("0 0 0"));
        ck_assert_str_eq(csv_field(&results[0], "segments"), "2");
    }
    unlink(offsets_file(""));
}

/* ---- custom ----------------------------------------------------------------------------------- */

static const struct {
    const char *options, *input, *field;
    double value;
} customs[] = {
    {"--example argmax", "3 9 2 9 1", "index", 1},
    {"--example argmax", "3 9 2 9 1", "value", 9},
    {"--example argmax", "-0 0 0", "index", 1},
    {"--example argmax", "1 inf nan 5 nan", "index", 2},
    {"--example argmax -t int", "-2147483648 -2147483648", "index", 0},
    {"--example argmax", "-inf -inf", "index", 0},
    {"--example argmax -n 0", NULL, "index", -1},
    {"--example dot", "1 2 3 4 5 6", "value", 4 + 10 + 18},
    {"--example dot", "1 2 3 4 99", "value", 3 + 8},
    {"--example dot -t int", "65536 1 65536 1", "value", 1}, /* wraps */
    {"--example dot -n 1", NULL, "value", 0},
    {"--example dot", "1e200 -3 1e200 5", "value", INFINITY}, /* the sum is 1e400 */
    {"--example dot", "1e300 7 1e-300 1", "value", 8},
    {"--example dot -t float", "7.888609052210118e-31 7.888609052210118e-31", "value", 0}, /* 2^-200 */
    {"--example logsumexp", "1000 1000", "logsumexp", 1000.6931471805599453},
    {"--example logsumexp", "-1000 -1000 -1000 -1000", "logsumexp", -998.6137056388801094},
    {"--example logsumexp", "0 -inf", "logsumexp", 0},
    {"--example logsumexp", "5 inf", "logsumexp", INFINITY},
    {"--example logsumexp", "5 nan", "logsumexp", NAN},
    {"--example logsumexp -n 0", NULL, "logsumexp", -INFINITY},
    {"--example logsumexp -t long", "7 7", "logsumexp", 7.6931471805599453},
};

TESTS(custom_answers, suite_wants("reduction_custom"))
{
    for (size_t i = 0; i < COUNT(customs); i++) {
        run("reduction_custom", customs[i].input, 0, "%s%s", customs[i].options,
            customs[i].input != NULL ? " --input -" : "");
        double x = number(customs[i].field);
        ck_assert_msg(x == customs[i].value || fabs(x - customs[i].value) < 1e-12 ||
                          (isnan(x) && isnan(customs[i].value)),
                      "%s of %s %s: %.17g", customs[i].field, customs[i].options,
                      customs[i].input == NULL ? "" : customs[i].input, x);
    }
}

/* Each product that underflows loses up to half of the smallest number: a sizeable part of a sum of such numbers. */
TESTS(unproven_dot, suite_wants("reduction_custom"))
{
    run("reduction_custom", "3e-23 3e-23 3.1e-23 3.2e-23", 4, "--example dot -t float --input -");
    ck_assert(number("bound") < 2 * number("value"));
    run("reduction_custom", "2e-162 2e-162 1.6e-162 1.7e-162", 4, "--example dot --input -");
}

/* An operation that is not associative must be detected with every shape of more than one thread. */
TESTS(subtraction_fails, suite_wants("reduction_custom"))
{
    static const char *const types[] = {"double", "float", "int", "long"};
    for (size_t i = 0; i < COUNT(types); i++) {
        run("reduction_custom", NULL, 1, "--example subtract -n 1000 -t %s", types[i]);
        ck_assert_str_eq(csv_field(&results[0], "check"), "FAIL");
    }
    /* Three elements come out right in this tree by chance. */
    run("reduction_custom", "9 1 1", 0, "--example subtract --input -");
    run("reduction_custom", "9 1 1 1", 1, "--example subtract --input -");
    ck_assert_str_eq(csv_field(&results[0], "reference"), "6");
}

/* ---- compensated ------------------------------------------------------------------------------ */

/* Data for which each method loses something and the next one does not; one thread. Each lane of its 16-byte vectors has a sum
 * of its own: 4 of floats, 2 of doubles. */
static const struct {
    const char *type, *input, *kahan, *neumaier, *pairwise;
} compensations[] = {
    /* small ones next to a large one that cancels later */
    {"float", "16777216 1 1 1 1 1 1 -16777216", "6", "6", "5"},
    /* elements larger than the sum so far */
    {"float", "1 0 0 0 1e20 0 0 0 1 0 0 0 -1e20 0 0 0", "0", "2", "0"},
    {"double", "1 0 1e100 0 1 0 -1e100 0", "0", "2", "0"},
    /* the loss does not fit into one number */
    {"double", "1e100 0 1e50 0 1 0 -1e100 0 -1e50 0", NULL, "0", NULL},
    {"double", "1 inf 1 1", "inf", "inf", "inf"},
    {"float", "1 inf 1 -inf", "nan", "nan", "nan"},
    {"float", "1 nan 1 1", "nan", "nan", "nan"},
    {"double", "1.7e308 1.7e308 1 1", "inf", "inf", "inf"},
    {"float", "1e-45 0 0 0 1e-45 0 0 0 3 0 0 0 -3 0 0 0", "0", "2.8026e-45", "0"},
};

TESTS(known_compensations, suite_wants("reduction_compensated"))
{
    for (size_t i = 0; i < COUNT(compensations); i++) {
        const char *const wanted[] = {compensations[i].kahan, compensations[i].neumaier, compensations[i].pairwise};
        static const char *const methods_of_sums[] = {"kahan", "neumaier", "pairwise"};
        for (size_t m = 0; m < COUNT(wanted); m++) {
            if (wanted[m] == NULL)
                continue;
            run("reduction_compensated", compensations[i].input, 0, "--input - -g 1 -b 1 -t %s --method %s",
                compensations[i].type, methods_of_sums[m]);
            ck_assert_msg(strcmp(csv_field(&results[0], "value"), wanted[m]) == 0, "%s: %s gives %s and not %s",
                          compensations[i].input, options, csv_field(&results[0], "value"), wanted[m]);
        }
    }
}

/* Many elements and threads: corrections go through the tree, and the error is at most half a unit in the last place. Of four
 * sums without corrections one has a larger error: on an H200 it is not the first. */
TESTS(compensations_in_a_tree, suite_wants("reduction_compensated"))
{
    static const char *const types[] = {"float", "double"};
    static const char *const patterns[] = {"random", "mixed", "constant"};

    for (size_t k = 0; k < COUNT(types) * COUNT(patterns); k++) {
        const char *type = types[k % 2], *pattern = patterns[k / 2];
        run("reduction_compensated", NULL, 0, "-n 300007 -g 7 -b 96 -t %s -p %s --method neumaier", type, pattern);
        ck_assert_msg(number("error_ulps") <= (k / 2 == 1 ? 2 : 0.501), "%s: %g ulps", options, number("error_ulps"));
        double u = k % 2 == 0 ? 0x1p-24 : 0x1p-53;
        ck_assert_msg(k / 2 == 1 || number("bound") <= 1.5 * u * number("value"), "%s: a bound of %g", options,
                      number("bound"));
        run("reduction_compensated", NULL, 0, "-n 300007 -g 7 -b 96 -t %s -p %s --method kahan", type, pattern);
        ck_assert(number("error") <= number("bound"));
    }
    /* More tiles than a thread's counter has levels. */
    run("reduction_compensated", NULL, 0, "-t long -p ramp -n 70001 -g 1 -b 1 --method pairwise");
    double worst = 0;
    for (int seed = 1; seed <= 4; seed++) {
        run("reduction_compensated", NULL, 0, "-n 300007 -g 7 -b 96 -t float -p mixed -s %d --method pairwise", seed);
        worst = number("error_ulps") > worst ? number("error_ulps") : worst;
    }
    ck_assert(worst > 0.501);
}

/* ---- softmax ---------------------------------------------------------------------------------- */

/* Rows for a few lanes, a warp, a block, and longer than a block can hold; elements from the largest down to where exp() is
 * 0, or all -inf. The program judges every output. */
TESTS(softmax_rows, suite_wants("reduction_softmax"))
{
    static const char *const shapes_of_rows[] = {"--columns 3",
                                                 "--columns 12",
                                                 "--columns 33",
                                                 "--columns 1001",
                                                 "--columns 9000 --block 64",
                                                 "--columns 24001",
                                                 "--columns 40000 --grid 1"};
    static const char *const kinds_of_rows[] = {"-t float -p random", "-t double -p ramp", "-t int -p ramp",
                                                "-t long -p mixed"};
    static const char *const rereads[] = {"never", "row", "matrix"};
    static const char *const inputs[] = {"0 -80 -100 -104 -90 -88 nan 1 2", "inf 1 inf -inf -inf -inf",
                                         "1e38 -3e38 0 -inf 3 5"};
    for (size_t k = 0; k < COUNT(shapes_of_rows) * COUNT(kinds_of_rows); k++) {
        setenv("HIP_CPU_WARP_SIZE", k % 2 == 0 ? "32" : "64", 1);
        run("reduction_softmax", NULL, 0, "%s %s --reread %s -n 70001", shapes_of_rows[k / 4],
            kinds_of_rows[(k + k / 4) % 4], rereads[k % 3]);
        ck_assert_str_eq(csv_field(&results[0], "rows_wrong"), "0");
    }
    for (size_t k = 0; k < COUNT(inputs) * COUNT(rereads); k++) {
        run("reduction_softmax", inputs[k % 3], 0, "--input - -t %s --columns 3 --reread %s",
            k % 2 == 0 ? "float" : "double", rereads[k / 3]);
    }
    run("reduction_softmax", "1 7 3 9", 0, "--input - --columns 3");
    ck_assert_str_eq(csv_field(&results[0], "value"), "7");
    ck_assert_str_eq(csv_field(&results[0], "rows"), "2");
}

/* ---- and, or, xor: atomic and shuffles ----------------------------------------------------------------------------------- */

static const struct {
    const char *options, *input, *value;
} bits[] = {
    {"--op and -t int", "12 10 14", "8"},  {"--op or -t int", "12 10 1", "15"},
    {"--op xor -t int", "12 10 12", "10"}, {"--op and -t long", "-1 -1 -1", "-1"},
    {"--op or -t long", "-8 7", "-1"},     {"--op xor -t long", "-1 4294967296", "-4294967297"},
    {"--op and -t int -n 0", NULL, "-1"},  {"--op xor -t long -n 0", NULL, "0"},
};

TESTS(bit_by_bit, suite_wants("reduction_atomic") && suite_wants("reduction_shuffles"))
{
    static const char *const ways[] = {
        "reduction_atomic --atomics thread", "reduction_atomic --atomics warp",
        "reduction_atomic --atomics block",  "reduction_shuffles",
        "reduction_shuffles --shuffle xor",  "reduction_shuffles --shuffle dpp --trees tile"};
    static const char *const ops[] = {"and", "or", "xor"};
    static const char *const patterns[] = {"onehot", "random", "onehot:0", "mixed"};
    for (size_t k = 0; k < COUNT(bits); k++) {
        for (size_t way = 0; way < COUNT(ways); way += 3) {
            run(way == 0 ? "reduction_atomic" : "reduction_shuffles", bits[k].input, 0, "%s%s", bits[k].options,
                bits[k].input != NULL ? " --input -" : "");
            ck_assert_str_eq(csv_field(&results[0], "value"), bits[k].value);
        }
    }
    for (size_t k = 0; k < 3 * COUNT(ways) * 4; k++) {
        const char *way = ways[k / 3 % COUNT(ways)];
        char name[32];
        sscanf(way, "%31s", name);
        setenv("HIP_CPU_WARP_SIZE", k % 2 == 0 ? "32" : "64", 1);
        run(name, NULL, 0, "%s -o %s -p %s -t %s -b %d -n 1,33,4097", way + strlen(name), ops[k % 3],
            patterns[k / 3 / COUNT(ways)], k % 2 == 0 ? "long" : "int", k % 5 == 0 ? 100 : 256);
    }
}
