/* One measurement in the three formats.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/csv.h"
#include "harness/report/report.h"
#include "suite.h"

static const struct variant_option own[] = {
    {"shuffle", "down|xor|up", 0, 0, 0, "help"},
    {"unroll", NULL, 4, 1, 64, "help"},
    {"fast", "", 0, 0, 0, "help"},
    VARIANT_OPTIONS_END,
};
static const struct variant variant = {.name = "reduction_test", .options = own};

/* A measurement with recognizable numbers, and the text of its report. */
struct scene {
    struct options o;
    struct device d;
    struct reduction r;
    struct reference reference;
    struct report_result result;
    struct report report;
    char *text;
    size_t size;
};

static void scene_set(struct scene *s, int type)
{
    memset(s, 0, sizeof *s);
    s->o.type = type;
    s->o.size_count = 1;
    s->o.pattern.kind = PATTERN_MIXED;
    s->o.pattern.seed = 18446744073709551615u;
    s->d = (struct device){.index = 1,
                           .name = "GPU \"one\", fast",
                           .arch = "gfx90a",
                           .warp_size = 64,
                           .compute_units = 110,
                           .memory = (size_t)64 << 30,
                           .peak = 1638.4,
                           .driver = "D 1",
                           .runtime = "R 2"};
    s->r = (struct reduction){
        .n = 1000000, .grid = 440, .block = 256, .launches = 2, .workspace_bytes = 3520, .option = {2, 16, 1}};
    memcpy(s->o.option, s->r.option, sizeof s->o.option);
    s->reference.type = s->result.value.type = type;
    s->reference.value.type = type;
    s->result =
        (struct report_result){.r = &s->r,
                               .warmup = 4,
                               .total = {8e-6, 10e-6, 12e-6, 10.5e-6, 9},
                               .kernel = {4e-6, 5e-6, 6e-6, 5.25e-6, 7},
                               .value = {.type = type},
                               .reference = &s->reference,
                               .verdict = {VERDICT_OK, .error = 0.125, .ulps = 0.5, .bound = 3, .rule = "a-priori"}};
    s->report = (struct report){.variant = &variant, .device = &s->d, .options = &s->o, .ceiling = 1600};
}

static void scene_write(struct scene *s, int format, int rows)
{
    s->o.format = format;
    s->report.out = open_memstream(&s->text, &s->size);
    report_begin(&s->report);
    for (int i = 0; i < rows; i++)
        report_row(&s->report, &s->result);
    report_end(&s->report);
    fclose(s->report.out);
}

/* The same in CSV and JSON, where it is quoted unless it is a number. */
/* clang-format off */
static const struct {
    const char *name, *text;
    bool number;
} fields[] = {
    {"program", "reduction_test", false}, {"device", "GPU \"one\", fast", false}, {"arch", "gfx90a", false},
    {"warp_size", "64", true}, {"driver", "D 1", false}, {"runtime", "R 2", false}, {"type", "double", false},
    {"op", "sum", false}, {"pattern", "mixed", false}, {"seed", "18446744073709551615", true}, {"n", "1000000", true},
    {"bytes", "8000000", true}, {"grid", "440", true}, {"block", "256", true}, {"launches", "2", true},
    {"options", "shuffle=up;unroll=16;fast=1", false}, {"cache", "warm", false}, {"warmup", "4", true},
    {"total_runs", "9", true}, {"total_min_us", "8.000", true}, {"total_median_us", "10.000", true},
    {"total_mean_us", "10.500", true}, {"total_p95_us", "12.000", true}, {"kernel_runs", "7", true},
    {"kernel_median_us", "5.000", true}, {"ceiling_gbps", "1600", true}, {"peak_gbps", "1638.4", true},
    {"value", "0.1", true}, {"reference", "0.30000000000000004", true}, {"error", "0.125", true},
    {"error_ulps", "0.5", true}, {"bound", "3", true}, {"bound_rule", "a-priori", false}, {"wrong_runs", "0", true},
    {"check", "OK", false},
};
/* clang-format on */

/* The value after "name": in an object's text. */
static const char *json_value(const char *text, const char *name)
{
    char wanted[64];

    snprintf(wanted, sizeof wanted, "\"%s\": ", name);
    const char *at = strstr(text, wanted);
    ck_assert_msg(at != NULL, "no %s in %s", wanted, text);
    return at + strlen(wanted);
}

static void json_is(const char *text, const char *name, const char *value)
{
    const char *at = json_value(text, name);

    ck_assert_msg(strncmp(at, value, strlen(value)) == 0 && strchr(",}", at[strlen(value)]) != NULL,
                  "%s is not %s: %.40s", name, value, at);
}

TEST(json_fields)
{
    struct scene s;
    char value[64];

    scene_set(&s, TYPE_DOUBLE);
    s.result.value.as.d = 0.1;
    s.reference.value.as.d = 0.1 + 0.2;
    scene_write(&s, FORMAT_JSON, 3);
    const char *second = strstr(s.text, "},\n  {"), *third = strstr(second + 1, "},\n  {");
    ck_assert(strncmp(s.text, "[\n  {", 5) == 0 && strstr(third + 1, "},\n  {") == NULL);
    ck_assert_str_eq(s.text + strlen(s.text) - 4, "}\n]\n");
    for (size_t i = 0; i < COUNT(fields); i++) {
        const char *quote = fields[i].number ? "" : "\"";
        snprintf(value, sizeof value, "%s%s%s", quote, fields[i].text, quote);
        json_is(third, fields[i].name, strcmp(fields[i].name, "device") == 0 ? "\"GPU \\\"one\\\", fast\"" : value);
    }
    json_is(s.text, "input", "null");
    /* 8 MB in 10 us, and in 5 us */
    ck_assert_double_eq_tol(atof(json_value(s.text, "total_gbps")), 800, 1e-6);
    ck_assert_double_eq_tol(atof(json_value(s.text, "kernel_gbps")), 1600, 1e-6);
    free(s.text);
}

TEST(csv_fields)
{
    struct scene s;
    struct csv_row row;

    scene_set(&s, TYPE_DOUBLE);
    s.result.value.as.d = 0.1;
    s.reference.value.as.d = 0.1 + 0.2;
    scene_write(&s, FORMAT_CSV, 2);
    const char *first = strchr(s.text, '\n') + 1, *next = strchr(first, '\n') + 1;

    ck_assert_str_eq(strchr(next, '\n'), "\n"); /* one header and two rows, no more */
    ck_assert_mem_eq(first, next, (size_t)(next - first));
    ALL(strstr(first, ",\"GPU \"\"one\"\", fast\",") != NULL, csv_row_read(&row, s.text, next));
    for (size_t i = 0; i < COUNT(fields); i++)
        ck_assert_str_eq(csv_field(&row, fields[i].name), fields[i].text);
    ck_assert_str_eq(csv_field(&row, "input"), "");
    csv_row_free(&row);
    free(s.text);
}

/* The report contains all of these texts, except those after a "!". */
static void contains(const struct scene *s, const char *const *texts)
{
    for (; *texts != NULL; texts++) {
        bool absent = **texts == '!';
        ck_assert_msg((strstr(s->text, *texts + absent) == NULL) == absent, "%s in\n%s", *texts, s->text);
    }
}
#define CONTAINS(...) contains(&s, (const char *const[]){__VA_ARGS__, NULL})
/* So does one of this many rows. */
#define SHOWS(FORMAT, ROWS, ...) (scene_write(&s, FORMAT, ROWS), CONTAINS(__VA_ARGS__), free(s.text))

TEST(table)
{
    struct scene s;

    scene_set(&s, TYPE_DOUBLE);
    s.result.value.as.d = 2;
    s.reference.value.as.d = 1;
    s.report.default_n = 1000000;
    scene_write(&s, FORMAT_TABLE, 1);
    CONTAINS("reduction_test", "sum of double", "pattern mixed, seed 18446744073709551615",
             "shuffle=up;unroll=16;fast=1", "device 1: GPU \"one\", fast (gfx90a), warp of 64, 110 units, 64.0 GiB",
             "# driver D 1, runtime R 2", "1000000 elements are the default",
             "1600.0 GB/s (measured), peak by clock and width 1638.4\n", "elements", "GB/s", " 10.00 ", " 5.00 ",
             " 800.0 ", " 50.0 ", "# value 2, reference 1\n# error 0.125, bound 3 (a-priori)", " 0.5 ",
             "# reduction_test: OK", "!FAIL");
    const char *narrow = strstr(s.text, "#       size"), *line = strstr(s.text, "     1000000");
    ALL(narrow != NULL && line != NULL, strcspn(narrow, "\n") == strcspn(line, "\n"));
    for (const char *at = s.text; *at != '\0'; at += strcspn(at, "\n") + 1)
        ck_assert_msg(strcspn(at, "\n") <= 80, "more than 80 columns: %s", at);
    free(s.text);
}

TEST(wide_table)
{
    struct scene s;

    scene_set(&s, TYPE_DOUBLE);
    scene_write(&s, FORMAT_WIDE, 1);
    CONTAINS(" 440 ", " 256 ", " 12.00 ", " 800.0 ", " 50.0 ", " 48.8 ", "# reduction_test: OK");

    /* names row, units row and the row of numbers are columns */
    const char *names = strstr(s.text, "#       size"), *row = strstr(s.text, "     1000000");
    ck_assert(names != NULL && row != NULL);
    size_t width = strcspn(row, "\n");
    ck_assert_uint_eq(strcspn(names, "\n"), width);
    for (size_t i = 0; i < width; i++)
        ck_assert_int_eq(names[i] == '|', row[i] == '|');
    free(s.text);
}

TEST(failure)
{
    struct scene s;

    scene_set(&s, TYPE_LONG);
    s.result.value.as.l = -5;
    s.reference.value.as.l = INT64_MIN;
    s.result.verdict = (struct verdict){VERDICT_FAIL, .error = 9e18, .ulps = 9e18, .bound = 0, .rule = "exact"};
    s.result.wrong_runs = 3;
    s.result.runs = 20;
    s.o.size_count = 2;
    SHOWS(FORMAT_TABLE, 2, " FAIL\n", "value -5, reference -9223372036854775808", "wrong in 3 of 20 runs",
          "# reduction_test: FAIL (2 of 2 results wrong)");
    ck_assert_uint_eq(s.report.wrong, 2);
    SHOWS(FORMAT_JSON, 1, "\"check\": \"FAIL\"", "\"reference\": -9223372036854775808", "\"wrong_runs\": 3");
    s.o.quiet = true;
    SHOWS(FORMAT_CSV, 2, "reduction_test: FAIL (2 of 2 results wrong)\n", "!,");
    s.result.verdict.outcome = VERDICT_OK;
    SHOWS(FORMAT_TABLE, 1, "reduction_test: OK\n", "!#");
}

/* Neither right nor wrong: its own word everywhere, and what to do next. */
TEST(unproven)
{
    struct scene s;

    scene_set(&s, TYPE_FLOAT);
    s.result.verdict.outcome = VERDICT_UNPROVEN;
    s.o.size_count = 2;
    SHOWS(FORMAT_TABLE, 2, " UNPROVEN\n", "\n# a bound so wide proves nothing: use --type double",
          "# reduction_test: UNPROVEN (2 of 2 results can", "!OK", "!FAIL");
    ALL(s.report.wrong == 0, s.report.unproven == 2);

    s.result.verdict.rule = "overflow";
    SHOWS(FORMAT_TABLE, 1, "\n# an intermediate sum overflowed: ");
    SHOWS(FORMAT_JSON, 1, "\"check\": \"UNPROVEN\"", "\"bound_rule\": \"overflow\"");
    SHOWS(FORMAT_CSV, 1, ",UNPROVEN\n");

    /* The worst verdict counts, which may be a further result's; each result shows its own. */
    s.result.extra_count = 1;
    s.result.extra[0] = (struct extra){.name = "mean", .outcome = VERDICT_FAIL};
    SHOWS(FORMAT_TABLE, 1, "# mean 0, reference 0, error 0, bound 0: FAIL",
          "# reduction_test: FAIL (1 of 1 results wrong)");
    ck_assert_uint_eq(s.report.wrong, 1);
    s.result.verdict.outcome = VERDICT_OK;
    s.result.extra[0].outcome = VERDICT_UNPROVEN;
    SHOWS(FORMAT_JSON, 1, "\"check\": \"UNPROVEN\"", "\"value_check\": \"OK\"", "\"mean_check\": \"UNPROVEN\"");
    ALL(s.report.wrong == 0, s.report.unproven == 1);
    SHOWS(FORMAT_TABLE, 1, "(overflow): OK\n# mean 0, reference 0, error 0, bound 0: UNPROVEN\n",
          "!an intermediate sum overflowed");
}

/* A sweep is a table: one line for each right size. */
TEST(sweep)
{
    struct scene s;
    size_t plain = 0;

    scene_set(&s, TYPE_FLOAT);
    s.o.size_count = 3;
    scene_write(&s, FORMAT_TABLE, 3);
    for (char *line = strtok(s.text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        plain += line[0] != '#';
    ALL(plain == 3, strstr(s.text, "# value") == NULL);
    free(s.text);
}

/* Kernels are a part of the total: if their median is larger, one of the two is noise. */
TEST(kernel_above_total)
{
    struct scene s;

    scene_set(&s, TYPE_FLOAT);
    SHOWS(FORMAT_TABLE, 1, "5.00 ", "!~");
    s.result.kernel.median = 11e-6;
    SHOWS(FORMAT_TABLE, 1, " 11.00~", "# ~ kernel took longer than total");
}

TEST(not_a_number)
{
    static const struct {
        float value;
        const char *text;
    } cases[] = {{NAN, "nan"}, {-NAN, "nan"}, {INFINITY, "inf"}, {-INFINITY, "-inf"}};

    for (size_t i = 0; i < COUNT(cases); i++) {
        for (int type = TYPE_FLOAT; type <= TYPE_DOUBLE; type++) {
            struct scene s;
            char value[16];
            scene_set(&s, type);
            if (type == TYPE_FLOAT)
                s.result.value.as.f = cases[i].value;
            else
                s.result.value.as.d = (double)cases[i].value;
            s.result.verdict.bound = INFINITY;
            s.d.peak = 0;
            s.r.n = 0;
            scene_write(&s, FORMAT_JSON, 1);
            snprintf(value, sizeof value, "\"%s\"", cases[i].text);
            json_is(s.text, "value", value);
            json_is(s.text, "bound", "\"inf\"");
            json_is(s.text, "peak_gbps", "null");
            json_is(s.text, "total_gbps", "null"); /* nothing was read */
            free(s.text);
        }
    }
}

/* Texts read back as the same bits. */
TEST(round_trip)
{
    uint64_t state = 1;
    char text[SCALAR_TEXT_MAX];

    for (int i = 0; i < 100000; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        struct scalar d = {.type = TYPE_DOUBLE}, f = {.type = TYPE_FLOAT};
        uint32_t half = (uint32_t)(state >> 32);
        memcpy(&d.as.d, &state, sizeof state);
        memcpy(&f.as.f, &half, sizeof half);
        if (isfinite(d.as.d)) {
            double back = strtod(scalar_text(text, d), NULL);
            ck_assert_mem_eq(&back, &d.as.d, sizeof back);
        }
        if (isfinite(f.as.f)) {
            float back = strtof(scalar_text(text, f), NULL);
            ck_assert_mem_eq(&back, &f.as.f, sizeof back);
        }
    }
    ck_assert_str_eq(scalar_text(text, (struct scalar){.type = TYPE_DOUBLE, .as.d = 0.1}), "0.1");
    ck_assert_str_eq(scalar_text(text, (struct scalar){.type = TYPE_DOUBLE, .as.d = -0.0}), "-0");
    ck_assert_str_eq(scalar_text(text, (struct scalar){.type = TYPE_FLOAT, .as.f = 0.1f}), "0.1");
    ck_assert_str_eq(scalar_text(text, (struct scalar){.type = TYPE_INT, .as.i = INT32_MIN}), "-2147483648");
}

TEST(bytes)
{
    char text[BYTES_TEXT_MAX];

    ck_assert_str_eq(bytes_text(text, 0), "0 B");
    ck_assert_str_eq(bytes_text(text, 1023), "1023 B");
    ck_assert_str_eq(bytes_text(text, 1024), "1.0 KiB");
    ck_assert_str_eq(bytes_text(text, 1536), "1.5 KiB");
    ck_assert_str_eq(bytes_text(text, 34359738368.0), "32.0 GiB");
    ck_assert_str_eq(bytes_text(text, 0x1p63), "8.0 EiB");
}
