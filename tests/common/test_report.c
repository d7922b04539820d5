/* One measurement in the three formats.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "harness/report/report.h"
#include "suite.h"

static const struct variant_option own[] = {
    {"shuffle", "down|xor|up", 0, 0, 0, "help"},
    {"unroll", NULL, 4, 1, 64, "help"},
    {"fast", "", 0, 0, 0, "help"},
    VARIANT_OPTIONS_END,
};
static const struct variant variant = {.name = "reduction_test", .options = own};

/* A measurement whose numbers are easy to recognise, and the text of its report. */
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
    s->r = (struct reduction){.n = 1000000,
                              .grid = 440,
                              .block = 256,
                              .launches = 2,
                              .workspace_bytes = 3520,
                              .option = {2, 16, 1}};
    memcpy(s->o.option, s->r.option, sizeof s->o.option);
    s->reference.type = s->result.value.type = type;
    s->reference.value.type = type;
    s->result = (struct report_result){
        .r = &s->r,
        .warmup = 4,
        .total = {8e-6, 10e-6, 12e-6, 10.5e-6, 9},
        .kernel = {4e-6, 5e-6, 6e-6, 5.25e-6, 7},
        .value = {.type = type},
        .reference = &s->reference,
        .verdict = {VERDICT_OK, .error = 0.125, .ulps = 0.5, .bound = 3, .rule = "a-priori"}};
    s->report =
        (struct report){.variant = &variant, .device = &s->d, .options = &s->o, .ceiling = 1600};
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

static const struct {
    const char *name, *text; /* as both CSV and JSON have it */
} fields[] = {
    {"program", "reduction_test"},
    {"device", "GPU \"one\", fast"},
    {"arch", "gfx90a"},
    {"warp_size", "64"},
    {"driver", "D 1"},
    {"runtime", "R 2"},
    {"type", "double"},
    {"op", "sum"},
    {"pattern", "mixed"},
    {"seed", "18446744073709551615"},
    {"n", "1000000"},
    {"bytes", "8000000"},
    {"grid", "440"},
    {"block", "256"},
    {"launches", "2"},
    {"options", "shuffle=up;unroll=16;fast=1"},
    {"cache", "warm"},
    {"warmup", "4"},
    {"total_runs", "9"},
    {"total_min_us", "8.000"},
    {"total_median_us", "10.000"},
    {"total_mean_us", "10.500"},
    {"total_p95_us", "12.000"},
    {"kernel_runs", "7"},
    {"kernel_median_us", "5.000"},
    {"ceiling_gbps", "1600"},
    {"peak_gbps", "1638.4"},
    {"value", "0.1"},
    {"reference", "0.30000000000000004"},
    {"error", "0.125"},
    {"error_ulps", "0.5"},
    {"bound", "3"},
    {"bound_rule", "a-priori"},
    {"wrong_runs", "0"},
    {"check", "OK"},
};

static struct json_object objects[4];

TEST(json_fields)
{
    struct scene s;

    scene_set(&s, TYPE_DOUBLE);
    s.result.value.as.d = 0.1;
    s.reference.value.as.d = 0.1 + 0.2;
    scene_write(&s, FORMAT_JSON, 3);
    ck_assert_uint_eq(json_read(s.text, objects, 4), 3);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        ck_assert_str_eq(json_text(&objects[2], fields[i].name), fields[i].text);
    /* 8 MB in 10 us, and in 5 us */
    ck_assert_double_eq_tol(atof(json_text(&objects[0], "total_gbps")), 800, 1e-6);
    ck_assert_double_eq_tol(atof(json_text(&objects[0], "kernel_gbps")), 1600, 1e-6);
    ck_assert_int_eq(json_field(&objects[0], "device")->kind, 's');
    ck_assert_int_eq(json_field(&objects[0], "value")->kind, 'n');
    ck_assert_int_eq(json_field(&objects[0], "input")->kind, 'l');
    free(s.text);
}

/* The field of a CSV line with this number, from 0; quotes are undone. */
static void csv_field(const char *line, size_t number, char *text)
{
    for (size_t at = 0;; at++) {
        char *out = text;
        bool quoted = *line == '"';
        for (line += quoted;
             quoted ? line[0] != '"' || line[1] == '"' : strchr(",\n", *line) == NULL;) {
            line += quoted && *line == '"';
            *out++ = *line++;
        }
        *out = '\0';
        line += quoted;
        if (at == number)
            return;
        ck_assert_msg(*line == ',', "the line has no field %zu", number);
        line++;
    }
}

static size_t csv_count(const char *line)
{
    size_t commas = 0;
    bool quoted = false;

    for (; *line != '\n'; line++) {
        quoted ^= *line == '"';
        commas += *line == ',' && !quoted;
    }
    return commas + 1;
}

TEST(csv_fields)
{
    struct scene s;
    char name[256], text[256];

    scene_set(&s, TYPE_DOUBLE);
    s.result.value.as.d = 0.1;
    s.reference.value.as.d = 0.1 + 0.2;
    scene_write(&s, FORMAT_CSV, 2);
    const char *names = s.text, *row = strchr(names, '\n') + 1, *next = strchr(row, '\n') + 1;
    size_t columns = csv_count(names), seen = 0;

    ck_assert_uint_eq(csv_count(row), columns);
    ck_assert_uint_eq(csv_count(next), columns);
    ck_assert_str_eq(strchr(next, '\n'), "\n"); /* one header and two rows, no more */
    ck_assert_mem_eq(row, next, (size_t)(next - row));
    for (size_t i = 0; i < columns; i++) {
        csv_field(names, i, name);
        csv_field(row, i, text);
        for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++) {
            if (strcmp(name, fields[k].name) == 0) {
                ck_assert_str_eq(text, fields[k].text);
                seen++;
            }
        }
        if (strcmp(name, "input") == 0)
            ck_assert_str_eq(text, "");
    }
    ck_assert_uint_eq(seen, sizeof fields / sizeof fields[0]);
    free(s.text);
}

TEST(table)
{
    struct scene s;

    scene_set(&s, TYPE_DOUBLE);
    s.result.value.as.d = 2;
    s.reference.value.as.d = 1;
    s.report.default_n = 1000000;
    scene_write(&s, FORMAT_TABLE, 1);
    static const char *const words[] = {
        "reduction_test",
        "sum of double",
        "pattern mixed, seed 18446744073709551615",
        "shuffle=up;unroll=16;fast=1",
        "device 1: GPU \"one\", fast (gfx90a), warp of 64, 110 units, 64.0 GiB",
        "driver D 1, runtime R 2",
        "1000000 elements are the default",
        "1600.0 GB/s (measured)",
        "peak 1638.4 GB/s",
        "elements",
        "GB/s",
        " 440 ",
        " 256 ",
        " 800.0 ", /* GB/s */
        " 50.0 ",  /* of the ceiling */
        " 48.8 ",  /* of the peak */
        "value 2, reference 1, error 0.125, bound 3 (a-priori)",
        " 0.5 ",
        "# reduction_test: OK"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        ck_assert_msg(strstr(s.text, words[i]) != NULL, "no '%s' in\n%s", words[i], s.text);
    ck_assert_ptr_null(strstr(s.text, "FAIL"));

    /* names row, units row and the row of numbers are columns */
    const char *names = strstr(s.text, "#       size"), *row = strstr(s.text, "     1000000");
    ck_assert(names != NULL && row != NULL);
    size_t width = strcspn(row, "\n");
    ck_assert_uint_eq(strcspn(names, "\n"), width);
    for (size_t i = 0; i < width; i++)
        ck_assert_int_eq(names[i] == '|', row[i] == '|');
    free(s.text);
}

/* The report of so many rows has all of these texts, but for those behind a "!". */
static void shows(struct scene *s, int format, int rows, const char *const *texts)
{
    scene_write(s, format, rows);
    for (; *texts != NULL; texts++) {
        bool absent = **texts == '!';
        ck_assert_msg((strstr(s->text, *texts + absent) == NULL) == absent, "%s in\n%s", *texts,
                      s->text);
    }
    free(s->text);
}
#define SHOWS(FORMAT, ROWS, ...) shows(&s, FORMAT, ROWS, (const char *const[]){__VA_ARGS__, NULL})

TEST(failure)
{
    struct scene s;

    scene_set(&s, TYPE_LONG);
    s.result.value.as.l = -5;
    s.reference.value.as.l = INT64_MIN;
    s.result.verdict =
        (struct verdict){VERDICT_FAIL, .error = 9e18, .ulps = 9e18, .bound = 0, .rule = "exact"};
    s.result.wrong_runs = 3;
    s.result.runs = 20;
    s.o.size_count = 2;
    SHOWS(FORMAT_TABLE, 2, " FAIL\n", "value -5, reference -9223372036854775808",
          "wrong in 3 of 20 runs", "# reduction_test: FAIL (2 of 2 results wrong)");
    ck_assert_uint_eq(s.report.wrong, 2);
    SHOWS(FORMAT_JSON, 1, "\"check\": \"FAIL\"", "\"reference\": -9223372036854775808",
          "\"wrong_runs\": 3");
    s.o.quiet = true;
    SHOWS(FORMAT_CSV, 2, "reduction_test: FAIL (2 of 2 results wrong)\n", "!,");
    s.result.verdict.outcome = VERDICT_OK;
    SHOWS(FORMAT_TABLE, 1, "reduction_test: OK\n", "!#");
}

/* Neither right nor wrong: a word of its own everywhere, and what to do next. */
TEST(unproven)
{
    struct scene s;

    scene_set(&s, TYPE_FLOAT);
    s.result.verdict.outcome = VERDICT_UNPROVEN;
    s.o.size_count = 2;
    SHOWS(FORMAT_TABLE, 2, " UNPROVEN\n", "\n# a bound so wide proves nothing: use --type double",
          "# reduction_test: UNPROVEN (2 of 2 results can", "!OK", "!FAIL");
    ck_assert_uint_eq(s.report.wrong, 0);
    ck_assert_uint_eq(s.report.unproven, 2);

    s.result.verdict.rule = "overflow";
    SHOWS(FORMAT_TABLE, 1, "\n# an intermediate sum overflowed: ");
    SHOWS(FORMAT_JSON, 1, "\"check\": \"UNPROVEN\"", "\"bound_rule\": \"overflow\"");
    SHOWS(FORMAT_CSV, 1, ",UNPROVEN\n");

    /* The worst of all counts, and a further result may be it; each has its own. */
    s.result.extra_count = 1;
    s.result.extra[0] = (struct extra){.name = "mean", .outcome = VERDICT_FAIL};
    SHOWS(FORMAT_TABLE, 1, "# mean 0, reference 0, error 0, bound 0: FAIL",
          "# reduction_test: FAIL (1 of 1 results wrong)");
    ck_assert_uint_eq(s.report.wrong, 1);
    s.result.verdict.outcome = VERDICT_OK;
    s.result.extra[0].outcome = VERDICT_UNPROVEN;
    SHOWS(FORMAT_JSON, 1, "\"check\": \"UNPROVEN\"", "\"value_check\": \"OK\"",
          "\"mean_check\": \"UNPROVEN\"");
    ck_assert_uint_eq(s.report.wrong, 0);
    ck_assert_uint_eq(s.report.unproven, 1);
    SHOWS(FORMAT_TABLE, 1, "(overflow): OK\n# mean 0, reference 0, error 0, bound 0: UNPROVEN\n",
          "!an intermediate sum overflowed");
}

/* A sweep is a table: one line for each size that is right. */
TEST(sweep)
{
    struct scene s;
    size_t plain = 0;

    scene_set(&s, TYPE_FLOAT);
    s.o.size_count = 3;
    scene_write(&s, FORMAT_TABLE, 3);
    for (char *line = strtok(s.text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        plain += line[0] != '#';
    ck_assert_uint_eq(plain, 3);
    ck_assert_ptr_null(strstr(s.text, "# value"));
    free(s.text);
}

TEST(not_a_number)
{
    static const struct {
        float value;
        const char *text;
    } cases[] = {{NAN, "nan"}, {-NAN, "nan"}, {INFINITY, "inf"}, {-INFINITY, "-inf"}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int type = TYPE_FLOAT; type <= TYPE_DOUBLE; type++) {
            struct scene s;
            scene_set(&s, type);
            if (type == TYPE_FLOAT)
                s.result.value.as.f = cases[i].value;
            else
                s.result.value.as.d = (double)cases[i].value;
            s.result.verdict.bound = INFINITY;
            s.d.peak = 0;
            s.r.n = 0;
            scene_write(&s, FORMAT_JSON, 1);
            ck_assert_uint_eq(json_read(s.text, objects, 4), 1);
            ck_assert_str_eq(json_text(&objects[0], "value"), cases[i].text);
            ck_assert_int_eq(json_field(&objects[0], "value")->kind, 's');
            ck_assert_str_eq(json_text(&objects[0], "bound"), "inf");
            ck_assert_int_eq(json_field(&objects[0], "bound")->kind, 's');
            ck_assert_str_eq(json_text(&objects[0], "peak_gbps"), "null");
            ck_assert_str_eq(json_text(&objects[0], "total_gbps"), "null"); /* nothing was read */
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
    ck_assert_str_eq(scalar_text(text, (struct scalar){.type = TYPE_INT, .as.i = INT32_MIN}),
                     "-2147483648");
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
