/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fields.h"
#include "output.h"

double report_bandwidth(int type, size_t n, double seconds)
{
    return seconds > 0 ? 1e-9 * (double)n * (double)type_size(type) / seconds : 0;
}

/* ---- fields ----------------------------------------------------------------------------------- */

/* 0 stands for unknown. */
static void put_known(struct fields *f, const char *name, double value)
{
    if (value > 0)
        fields_double(f, name, value);
    else
        fields_put(f, name, NULL, false);
}

/* Digits of a time: 1 ns is finer than the resolution of any of the clocks. */
static void put_time(struct fields *f, const char *clock, const char *which, double seconds)
{
    char name[32], text[SCALAR_TEXT_MAX];

    snprintf(name, sizeof name, "%s_%s_us", clock, which);
    snprintf(text, sizeof text, "%.3f", 1e6 * seconds);
    fields_put(f, name, text, false);
}

static void put_stats(struct fields *f, const char *clock, const struct stats *t)
{
    char name[32];

    snprintf(name, sizeof name, "%s_runs", clock);
    fields_whole(f, name, t->count);
    put_time(f, clock, "min", t->min);
    put_time(f, clock, "median", t->median);
    put_time(f, clock, "mean", t->mean);
    put_time(f, clock, "p95", t->p95);
}

/* The variant's own options as "shuffle=down;unroll=4". */
static void own_options(char *text, size_t size, const struct report *p, const long *option)
{
    const struct variant_option *own = p->variant->options;

    text[0] = '\0';
    for (size_t i = 0; i < VARIANT_OPTIONS_MAX && own[i].name != NULL; i++) {
        size_t used = strlen(text);
        const char *separator = i == 0 ? "" : ";";
        if (own[i].values == NULL || *own[i].values == '\0') {
            snprintf(text + used, size - used, "%s%s=%ld", separator, own[i].name, option[i]);
            continue;
        }
        if (*own[i].values == '<') {
            const char *given = p->options->text[i];
            snprintf(text + used, size - used, "%s%s=%s", separator, own[i].name, given == NULL ? "" : given);
            continue;
        }
        const char *word = own[i].values;
        for (long k = 0; k < option[i] && strchr(word, '|') != NULL; k++)
            word = strchr(word, '|') + 1;
        snprintf(text + used, size - used, "%s%s=%.*s", separator, own[i].name, (int)strcspn(word, "|"), word);
    }
}

/* The worst verdict of the result and all extras. */
static int outcome_of(const struct report_result *result)
{
    int worst = result->verdict.outcome;

    for (size_t i = 0; i < result->extra_count; i++)
        if (result->extra[i].outcome > worst)
            worst = result->extra[i].outcome;
    return worst;
}

static void put_extra(struct fields *f, const struct extra *x)
{
    char name[64];

    fields_double(f, x->name, x->value);
    snprintf(name, sizeof name, "%s_reference", x->name);
    fields_double(f, name, x->reference);
    snprintf(name, sizeof name, "%s_error", x->name);
    fields_double(f, name, x->error);
    snprintf(name, sizeof name, "%s_bound", x->name);
    fields_double(f, name, x->bound);
    snprintf(name, sizeof name, "%s_check", x->name);
    fields_text(f, name, verdict_name(x->outcome));
}

void report_put_input(struct fields *f, const struct options *o, size_t n)
{
    fields_text(f, "type", type_name(o->type));
    fields_text(f, "op", op_name(o->op));
    fields_text(f, "pattern", o->input != NULL ? NULL : pattern_name(o->pattern.kind));
    fields_whole(f, "seed", o->pattern.seed);
    fields_text(f, "input", o->input);
    fields_whole(f, "n", n);
    fields_whole(f, "bytes", n * type_size(o->type));
}

void report_put_verdict(struct fields *f, struct scalar value, const struct reference *reference,
                        const struct verdict *v, size_t wrong_runs)
{
    fields_scalar(f, "value", value);
    fields_scalar(f, "reference", reference->value);
    fields_double(f, "error", v->error);
    fields_double(f, "error_ulps", v->ulps);
    fields_double(f, "bound", v->bound);
    fields_text(f, "bound_rule", v->rule);
    fields_whole(f, "wrong_runs", wrong_runs);
}

struct measured {
    const struct report *report;
    const struct report_result *result;
};

static void put_row(struct fields *f, const void *measured)
{
    const struct report *p = ((const struct measured *)measured)->report;
    const struct report_result *result = ((const struct measured *)measured)->result;
    const struct options *o = p->options;
    const struct device *d = p->device;
    const struct reduction *r = result->r;
    char own[256];

    own_options(own, sizeof own, p, r->option);
    fields_text(f, "program", p->variant->name);
    fields_text(f, "version", REDUCTION_VERSION);
    fields_text(f, "device", d->name);
    fields_text(f, "arch", d->arch);
    fields_whole(f, "warp_size", d->warp_size);
    fields_whole(f, "compute_units", d->compute_units);
    fields_text(f, "driver", d->driver);
    fields_text(f, "runtime", d->runtime);
    report_put_input(f, o, r->n);
    fields_whole(f, "offset", o->offset);
    fields_whole(f, "grid", r->grid);
    fields_whole(f, "block", r->block);
    fields_whole(f, "launches", r->launches);
    fields_whole(f, "workspace_bytes", r->workspace_bytes);
    fields_text(f, "options", own);
    fields_text(f, "cache", o->cold ? "cold" : "warm");
    fields_whole(f, "warmup", result->warmup);
    put_stats(f, "total", &result->total);
    put_stats(f, "kernel", &result->kernel);
    put_known(f, "total_gbps", report_bandwidth(o->type, r->n, result->total.median));
    put_known(f, "kernel_gbps", report_bandwidth(o->type, r->n, result->kernel.median));
    put_known(f, "ceiling_gbps", p->ceiling);
    put_known(f, "peak_gbps", d->peak);
    report_put_verdict(f, result->value, result->reference, &result->verdict, result->wrong_runs);
    fields_text(f, "check", verdict_name(outcome_of(result)));
    if (result->extra_count > 0)
        fields_text(f, "value_check", verdict_name(result->verdict.outcome));
    for (size_t i = 0; i < result->extra_count; i++)
        put_extra(f, &result->extra[i]);
}

/* ---- the table -------------------------------------------------------------------------------- */

void report_print_input(FILE *out, const char *program, const struct options *o)
{
    fprintf(out, "# %s %s: %s of %s, ", program, REDUCTION_VERSION, op_name(o->op), type_name(o->type));
    if (o->input != NULL)
        fprintf(out, "input %s", strcmp(o->input, "-") == 0 ? "from standard input" : o->input);
    else
        fprintf(out, "pattern %s, seed %" PRIu64, pattern_name(o->pattern.kind), o->pattern.seed);
}

void report_print_value(FILE *out, struct scalar value, const struct reference *reference, const struct verdict *v,
                        size_t wrong_runs, size_t runs)
{
    char text[4][SCALAR_TEXT_MAX];

    fprintf(out, "# value %s, reference %s\n# error %s, bound %s (%s)", scalar_text(text[0], value),
            scalar_text(text[1], reference->value), double_text(text[2], v->error), double_text(text[3], v->bound),
            v->rule);
    if (wrong_runs > 0)
        fprintf(out, "; wrong in %zu of %zu runs", wrong_runs, runs);
}

static void print_table_head(struct report *p)
{
    const struct options *o = p->options;
    const struct device *d = p->device;
    char memory[BYTES_TEXT_MAX], own[256];

    own_options(own, sizeof own, p, o->option);
    report_print_input(p->out, p->variant->name, o);
    if (o->offset > 0)
        fprintf(p->out, ", misaligned by %zu elements", o->offset);
    fprintf(p->out, "%s\n", o->cold ? ", cold caches" : "");
    if (*own != '\0')
        fprintf(p->out, "# options %s\n", own);
    fprintf(p->out, "# device %d: %s (%s), warp of %u, %u units, %s\n", d->index, d->name, d->arch, d->warp_size,
            d->compute_units, bytes_text(memory, (double)d->memory));
    fprintf(p->out, "# driver %s, runtime %s\n", d->driver, d->runtime);
    fprintf(p->out, "# read ceiling %.1f GB/s (%s)", p->ceiling,
            o->ceiling > 0                ? "given"
            : strcmp(d->arch, "cpu") == 0 ? "measured; on a CPU it varies"
                                          : "measured");
    if (d->peak > 0)
        fprintf(p->out, ", peak by clock and width %.1f", d->peak);
    fprintf(p->out, "\n# total: from the input on the device to the value on the host. GB/s: by total;\n"
                    "# %%: of the read ceiling. kernel: the launches alone, by the device's clock.\n");
    for (size_t i = 0; i < sizeof p->notes / sizeof p->notes[0] && p->notes[i] != NULL; i++)
        fprintf(p->out, "# %s\n", p->notes[i]);
    if (p->default_n > 0)
        fprintf(p->out, "# %zu elements are the default here; -n chooses another size\n", p->default_n);
    fprintf(p->out, "#\n");
    if (o->format != FORMAT_WIDE) {
        fprintf(p->out, "# %10s %11s %11s %9s %7s %9s %9s\n", "size", "total", "kernel", "speed", "share", "error",
                "check");
        fprintf(p->out, "# %10s %11s %11s %9s %7s %9s\n", "elements", "median us", "median us", "GB/s", "%", "ulps");
        return;
    }
    fprintf(p->out, "# %10s %9s %10s %5s %8s | %10s %10s %10s | %10s %10s | %8s %7s %6s | %8s %8s %8s\n", "size",
            "bytes", "grid", "block", "launches", "total", "min", "p95", "kernel", "min", "speed", "ceiling", "peak",
            "error", "bound", "check");
    fprintf(p->out, "# %10s %9s %10s %5s %8s | %10s %10s %10s | %10s %10s | %8s %7s %6s | %8s %8s\n", "elements", "",
            "blocks", "", "", "median us", "us", "us", "median us", "us", "GB/s", "%", "%", "ulps", "ulps");
}

/* Four significant digits, from the CPU's MB/s to a GPU's TB/s. */
const char *speed_text(char text[SCALAR_TEXT_MAX], double speed)
{
    snprintf(text, SCALAR_TEXT_MAX, "%.*f", speed < 10 ? 3 : speed < 100 ? 2 : 1, speed);
    return text;
}

/* part of whole in percent, or "-" */
static const char *percent_text(char text[SCALAR_TEXT_MAX], double part, double whole)
{
    snprintf(text, SCALAR_TEXT_MAX, whole > 0 && part > 0 ? "%.1f" : "-", 100 * part / whole);
    return text;
}

/* Advice for a result that is neither right nor wrong. */
static const char *advice(const struct report *p, const struct report_result *result)
{
    bool narrow = p->options->type == TYPE_FLOAT;

    if (result->verdict.outcome == VERDICT_OK)
        return "the bound of a further result is too wide to prove anything: use smaller elements "
               "or "
               "elements that differ less";
    if (strcmp(result->verdict.rule, "overflow") == 0)
        return narrow ? "an intermediate sum overflowed: use --type double, or smaller elements"
                      : "an intermediate sum overflowed: use smaller elements";
    return narrow ? "a bound so wide proves nothing: use --type double, more threads (--grid, "
                    "--block) "
                    "or fewer elements"
                  : "a bound so wide proves nothing: use more threads (--grid, --block) or fewer "
                    "elements";
}

/* Infinity has no last place. */
static double bound_ulps(const struct report_result *result)
{
    double ulp = scalar_ulp(result->reference->value);

    return result->verdict.bound > 0 && ulp > 0 ? result->verdict.bound / ulp : 0;
}

/* Where not all of the results are right, each says what it is. */
static const char *own_verdict(const struct report_result *result, int outcome)
{
    static const char *const texts[] = {": OK", ": UNPROVEN", ": FAIL"};

    return outcome_of(result) == VERDICT_OK ? "" : texts[outcome];
}

static void print_table_row(struct report *p, const struct report_result *result)
{
    const struct reduction *r = result->r;
    const struct verdict *v = &result->verdict;
    double speed = report_bandwidth(p->options->type, r->n, result->total.median);
    bool longer = result->kernel.median > result->total.median;
    char bytes[BYTES_TEXT_MAX], ceiling[SCALAR_TEXT_MAX], peak[SCALAR_TEXT_MAX], gbps[SCALAR_TEXT_MAX],
        launches[SCALAR_TEXT_MAX] = "-"; /* a library does not report it */

    if (r->launches > 0)
        snprintf(launches, sizeof launches, "%u", r->launches);
    if (p->options->format == FORMAT_WIDE)
        fprintf(p->out,
                "%12zu %9s %10u %5u %8s | %10.2f %10.2f %10.2f | %10.2f%c%10.2f | %8s %7s %6s | %8.3g "
                "%8.3g %8s\n",
                r->n, bytes_text(bytes, (double)r->n * (double)type_size(p->options->type)), r->grid, r->block,
                launches, 1e6 * result->total.median, 1e6 * result->total.min, 1e6 * result->total.p95,
                1e6 * result->kernel.median, longer ? '~' : ' ', 1e6 * result->kernel.min, speed_text(gbps, speed),
                percent_text(ceiling, speed, p->ceiling), percent_text(peak, speed, p->device->peak), v->ulps,
                bound_ulps(result), verdict_name(outcome_of(result)));
    else
        fprintf(p->out, "%12zu %11.2f %11.2f%c%9s %7s %9.3g %9s\n", r->n, 1e6 * result->total.median,
                1e6 * result->kernel.median, longer ? '~' : ' ', speed_text(gbps, speed),
                percent_text(ceiling, speed, p->ceiling), v->ulps, verdict_name(outcome_of(result)));
    if (longer)
        fprintf(p->out, "# ~ kernel took longer than total: noise, measure again\n");
    if (outcome_of(result) == VERDICT_OK && p->options->size_count > 1)
        return; /* a sweep prints only the table */
    report_print_value(p->out, result->value, result->reference, v, result->wrong_runs, result->runs);
    fprintf(p->out, "%s\n", result->extra_count > 0 ? own_verdict(result, v->outcome) : "");
    for (size_t i = 0; i < result->extra_count; i++) {
        const struct extra *x = &result->extra[i];
        char value[SCALAR_TEXT_MAX], reference[SCALAR_TEXT_MAX], error[SCALAR_TEXT_MAX], bound[SCALAR_TEXT_MAX];
        fprintf(p->out, "# %s %s, reference %s, error %s, bound %s%s\n", x->name, double_text(value, x->value),
                double_text(reference, x->reference), double_text(error, x->error), double_text(bound, x->bound),
                own_verdict(result, x->outcome));
    }
    if (outcome_of(result) == VERDICT_UNPROVEN)
        fprintf(p->out, "# %s\n", advice(p, result));
}

/* ---- all formats ------------------------------------------------------------------------------ */

void report_begin(struct report *p)
{
    p->rows = p->wrong = p->unproven = 0;
    if (!p->options->quiet && format_is_table(p->options->format))
        print_table_head(p);
    if (!p->options->quiet && p->options->format == FORMAT_JSON)
        fputs("[\n", p->out);
}

void report_row(struct report *p, const struct report_result *result)
{
    int format = p->options->format;
    bool first = p->rows++ == 0;

    p->wrong += outcome_of(result) == VERDICT_FAIL;
    p->unproven += outcome_of(result) == VERDICT_UNPROVEN;
    if (p->options->quiet)
        return;
    if (format_is_table(format))
        print_table_row(p, result);
    else
        fields_row(p->out, format, first, put_row, &(struct measured){p, result});
    output_check(p->out); /* show rows at once, and stop a long sweep if its output is lost */
}

void report_verdict(FILE *out, bool quiet, const char *program, size_t rows, size_t wrong, size_t unproven)
{
    fprintf(out, "%s%s: ", quiet ? "" : "# ", program);
    if (wrong > 0)
        fprintf(out, "FAIL (%zu of %zu results wrong)\n", wrong, rows);
    else if (unproven > 0)
        fprintf(out, "UNPROVEN (%zu of %zu results can be called neither right nor wrong)\n", unproven, rows);
    else
        fprintf(out, "OK\n");
}

void report_end(struct report *p)
{
    if (!p->options->quiet && p->options->format == FORMAT_JSON)
        fputs("\n]\n", p->out);
    if (p->options->quiet || format_is_table(p->options->format))
        report_verdict(p->out, p->options->quiet, p->variant->name, p->rows, p->wrong, p->unproven);
    output_check(p->out);
}
