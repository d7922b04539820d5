#include "report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "output.h"

static const char *special_text(char text[SCALAR_TEXT_MAX], double value)
{
    snprintf(text, SCALAR_TEXT_MAX, "%s", isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
    return text;
}

const char *double_text(char text[SCALAR_TEXT_MAX], double value)
{
    if (!isfinite(value))
        return special_text(text, value);
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, SCALAR_TEXT_MAX, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return text;
}

static const char *float_text(char text[SCALAR_TEXT_MAX], float value)
{
    if (!isfinite(value))
        return special_text(text, value);
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, SCALAR_TEXT_MAX, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value)
            break;
    }
    return text;
}

const char *scalar_text(char text[SCALAR_TEXT_MAX], struct scalar value)
{
    switch (value.type) {
    case TYPE_FLOAT:
        return float_text(text, value.as.f);
    case TYPE_DOUBLE:
        return double_text(text, value.as.d);
    case TYPE_INT:
        snprintf(text, SCALAR_TEXT_MAX, "%" PRId32, value.as.i);
        return text;
    default:
        snprintf(text, SCALAR_TEXT_MAX, "%" PRId64, value.as.l);
        return text;
    }
}

/* GB/s of reading n elements once; 0 if nothing was read or no time passed */
static double bandwidth(const struct report *p, size_t n, double seconds)
{
    return seconds > 0 ? 1e-9 * (double)n * (double)type_size(p->options->type) / seconds : 0;
}

/* ---- fields: the same for CSV and JSON --------------------------------------------------------- */

enum mode { CSV_NAMES, CSV_VALUES, JSON_PAIRS };

struct sink {
    FILE *out;
    enum mode mode;
    bool first;
};

static void put_json(FILE *out, const char *text)
{
    putc('"', out);
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if ((unsigned char)*c < 0x20)
            fprintf(out, "\\u%04x", (unsigned)*c);
        else
            putc(*c, out);
    }
    putc('"', out);
}

/* One field; text NULL: unknown. quote: it is text, not a number. */
static void put(struct sink *s, const char *name, const char *text, bool quote)
{
    fputs(s->first ? "" : s->mode == JSON_PAIRS ? ", " : ",", s->out);
    s->first = false;
    if (s->mode == CSV_NAMES) {
        fputs(name, s->out);
        return;
    }
    if (s->mode == JSON_PAIRS)
        fprintf(s->out, "\"%s\": ", name);
    if (text == NULL)
        fputs(s->mode == JSON_PAIRS ? "null" : "", s->out);
    else if (s->mode == CSV_VALUES)
        csv_put(s->out, text);
    else if (quote)
        put_json(s->out, text);
    else
        fputs(text, s->out);
}

static void put_text(struct sink *s, const char *name, const char *text)
{
    put(s, name, text, true);
}

static void put_whole(struct sink *s, const char *name, uint64_t value)
{
    char text[SCALAR_TEXT_MAX];

    snprintf(text, sizeof text, "%" PRIu64, value);
    put(s, name, text, false);
}

static void put_double(struct sink *s, const char *name, double value)
{
    char text[SCALAR_TEXT_MAX];

    put(s, name, double_text(text, value), !isfinite(value));
}

/* 0 stands for unknown. */
static void put_known(struct sink *s, const char *name, double value)
{
    if (value > 0)
        put_double(s, name, value);
    else
        put(s, name, NULL, false);
}

static void put_scalar(struct sink *s, const char *name, struct scalar value)
{
    char text[SCALAR_TEXT_MAX];
    bool quote = (value.type == TYPE_FLOAT && !isfinite(value.as.f)) ||
                 (value.type == TYPE_DOUBLE && !isfinite(value.as.d));

    put(s, name, scalar_text(text, value), quote);
}

/* Digits of a time: 1 ns is finer than the resolution of any of the clocks. */
static void put_time(struct sink *s, const char *clock, const char *which, double seconds)
{
    char name[32], text[SCALAR_TEXT_MAX];

    snprintf(name, sizeof name, "%s_%s_us", clock, which);
    snprintf(text, sizeof text, "%.3f", 1e6 * seconds);
    put(s, name, text, false);
}

static void put_stats(struct sink *s, const char *clock, const struct stats *t)
{
    char name[32];

    snprintf(name, sizeof name, "%s_runs", clock);
    put_whole(s, name, t->count);
    put_time(s, clock, "min", t->min);
    put_time(s, clock, "median", t->median);
    put_time(s, clock, "mean", t->mean);
    put_time(s, clock, "p95", t->p95);
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
            snprintf(text + used, size - used, "%s%s=%s", separator, own[i].name,
                     given == NULL ? "" : given);
            continue;
        }
        const char *word = own[i].values;
        for (long k = 0; k < option[i] && strchr(word, '|') != NULL; k++)
            word = strchr(word, '|') + 1;
        snprintf(text + used, size - used, "%s%s=%.*s", separator, own[i].name,
                 (int)strcspn(word, "|"), word);
    }
}

/* The worst verdict of the result and all extras. */
static int outcome_of(const struct report_row *row)
{
    int worst = row->verdict.outcome;

    for (size_t i = 0; i < row->extra_count; i++)
        if (row->extra[i].outcome > worst)
            worst = row->extra[i].outcome;
    return worst;
}

static void put_extra(struct sink *s, const struct extra *x)
{
    char name[64];

    put_double(s, x->name, x->value);
    snprintf(name, sizeof name, "%s_reference", x->name);
    put_double(s, name, x->reference);
    snprintf(name, sizeof name, "%s_error", x->name);
    put_double(s, name, x->error);
    snprintf(name, sizeof name, "%s_bound", x->name);
    put_double(s, name, x->bound);
}

static void put_row(struct sink *s, const struct report *p, const struct report_row *row)
{
    const struct options *o = p->options;
    const struct device *d = p->device;
    const struct reduction *r = row->r;
    char own[256];

    own_options(own, sizeof own, p, r->option);
    put_text(s, "program", p->variant->name);
    put_text(s, "version", REDUCTION_VERSION);
    put_text(s, "device", d->name);
    put_text(s, "arch", d->arch);
    put_whole(s, "warp_size", d->warp_size);
    put_whole(s, "compute_units", d->compute_units);
    put_text(s, "driver", d->driver);
    put_text(s, "runtime", d->runtime);
    put_text(s, "type", type_name(o->type));
    put_text(s, "op", op_name(o->op));
    put_text(s, "pattern", o->input != NULL ? NULL : pattern_name(o->pattern.kind));
    put_whole(s, "seed", o->pattern.seed);
    put_text(s, "input", o->input);
    put_whole(s, "n", r->n);
    put_whole(s, "bytes", r->n * type_size(o->type));
    put_whole(s, "offset", o->offset);
    put_whole(s, "grid", r->grid);
    put_whole(s, "block", r->block);
    put_whole(s, "launches", r->launches);
    put_whole(s, "workspace_bytes", r->workspace_bytes);
    put_text(s, "options", own);
    put_text(s, "cache", o->cold ? "cold" : "warm");
    put_whole(s, "warmup", row->warmup);
    put_stats(s, "total", &row->total);
    put_stats(s, "kernel", &row->kernel);
    put_known(s, "total_gbps", bandwidth(p, r->n, row->total.median));
    put_known(s, "kernel_gbps", bandwidth(p, r->n, row->kernel.median));
    put_known(s, "ceiling_gbps", p->ceiling);
    put_known(s, "peak_gbps", d->peak);
    put_scalar(s, "value", row->value);
    put_scalar(s, "reference", row->reference->value);
    put_double(s, "error", row->verdict.error);
    put_double(s, "error_ulps", row->verdict.ulps);
    put_double(s, "bound", row->verdict.bound);
    put_text(s, "bound_rule", row->verdict.rule);
    put_whole(s, "wrong_runs", row->wrong_runs);
    put_text(s, "check", verdict_name(outcome_of(row)));
    for (size_t i = 0; i < row->extra_count; i++)
        put_extra(s, &row->extra[i]);
}

/* ---- the table -------------------------------------------------------------------------------- */

static void table_begin(struct report *p)
{
    const struct options *o = p->options;
    const struct device *d = p->device;
    char memory[BYTES_TEXT_MAX], own[256];

    own_options(own, sizeof own, p, o->option);
    fprintf(p->out, "# %s %s: %s of %s, ", p->variant->name, REDUCTION_VERSION, op_name(o->op),
            type_name(o->type));
    if (o->input != NULL)
        fprintf(p->out, "input %s", strcmp(o->input, "-") == 0 ? "from standard input" : o->input);
    else
        fprintf(p->out, "pattern %s, seed %" PRIu64, pattern_name(o->pattern.kind),
                o->pattern.seed);
    if (o->offset > 0)
        fprintf(p->out, ", misaligned by %zu elements", o->offset);
    fprintf(p->out, "%s%s%s\n", *own != '\0' ? ", " : "", own, o->cold ? ", cold caches" : "");
    fprintf(p->out, "# device %d: %s (%s), warp of %u, %u units, %s; driver %s, runtime %s\n",
            d->index, d->name, d->arch, d->warp_size, d->compute_units,
            bytes_text(memory, (double)d->memory), d->driver, d->runtime);
    fprintf(p->out, "# read ceiling %.1f GB/s (%s)", p->ceiling,
            o->ceiling > 0 ? "given" : "measured");
    if (d->peak > 0)
        fprintf(p->out, ", peak %.1f GB/s (clock and width of the memory)", d->peak);
    fprintf(p->out,
            "\n# total: host clock, from the input on the device to the value on the host; kernel: "
            "device events around the launches\n");
    for (size_t i = 0; i < sizeof p->notes / sizeof p->notes[0] && p->notes[i] != NULL; i++)
        fprintf(p->out, "# %s\n", p->notes[i]);
    if (p->default_n > 0)
        fprintf(p->out, "# %zu elements are the default on this kind of device; -n changes that\n",
                p->default_n);
    fprintf(p->out, "#\n");
    fprintf(p->out,
            "# %10s %9s %10s %5s %8s | %10s %10s %10s | %10s %10s | %8s %7s %6s | %8s %8s %8s\n",
            "size", "bytes", "grid", "block", "launches", "total", "min", "p95", "kernel", "min",
            "speed", "ceiling", "peak", "error", "bound", "check");
    fprintf(p->out,
            "# %10s %9s %10s %5s %8s | %10s %10s %10s | %10s %10s | %8s %7s %6s | %8s %8s\n",
            "elements", "", "blocks", "", "", "median us", "us", "us", "median us", "us", "GB/s",
            "%", "%", "ulps", "ulps");
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
static const char *advice(const struct report *p, const struct report_row *row)
{
    bool narrow = p->options->type == TYPE_FLOAT;

    if (strcmp(row->verdict.rule, "overflow") == 0)
        return narrow ? "an intermediate sum overflowed: use --type double, or smaller elements"
                      : "an intermediate sum overflowed: use smaller elements";
    return narrow ? "a bound so wide proves nothing: use --type double, more threads (--grid, "
                    "--block) "
                    "or fewer elements"
                  : "a bound so wide proves nothing: use more threads (--grid, --block) or fewer "
                    "elements";
}

/* Infinity has no last place. */
static double bound_ulps(const struct report_row *row)
{
    double ulp = scalar_ulp(row->reference->value);

    return row->verdict.bound > 0 && ulp > 0 ? row->verdict.bound / ulp : 0;
}

static void table_row(struct report *p, const struct report_row *row)
{
    const struct reduction *r = row->r;
    const struct verdict *v = &row->verdict;
    double speed = bandwidth(p, r->n, row->total.median);
    char bytes[BYTES_TEXT_MAX], ceiling[SCALAR_TEXT_MAX], peak[SCALAR_TEXT_MAX],
        gbps[SCALAR_TEXT_MAX];
    char value[SCALAR_TEXT_MAX], reference[SCALAR_TEXT_MAX], error[SCALAR_TEXT_MAX],
        bound[SCALAR_TEXT_MAX], launches[SCALAR_TEXT_MAX] = "-"; /* a library does not report it */

    if (r->launches > 0)
        snprintf(launches, sizeof launches, "%u", r->launches);
    fprintf(p->out,
            "%12zu %9s %10u %5u %8s | %10.2f %10.2f %10.2f | %10.2f %10.2f | %8s %7s %6s | %8.3g "
            "%8.3g %8s\n",
            r->n, bytes_text(bytes, (double)r->n * (double)type_size(p->options->type)), r->grid,
            r->block, launches, 1e6 * row->total.median, 1e6 * row->total.min, 1e6 * row->total.p95,
            1e6 * row->kernel.median, 1e6 * row->kernel.min, speed_text(gbps, speed),
            percent_text(ceiling, speed, p->ceiling), percent_text(peak, speed, p->device->peak),
            v->ulps, bound_ulps(row), verdict_name(outcome_of(row)));
    if (outcome_of(row) == VERDICT_OK && p->options->size_count > 1)
        return; /* a sweep prints only the table */
    fprintf(p->out, "# value %s, reference %s, error %s, at most %s is right (%s)",
            scalar_text(value, row->value), scalar_text(reference, row->reference->value),
            double_text(error, v->error), double_text(bound, v->bound), v->rule);
    if (row->wrong_runs > 0)
        fprintf(p->out, "; wrong in %zu of %zu runs", row->wrong_runs,
                row->warmup + row->total.count + row->kernel.count);
    fprintf(p->out, "\n");
    for (size_t i = 0; i < row->extra_count; i++) {
        const struct extra *x = &row->extra[i];
        fprintf(p->out, "# %s %s, reference %s, error %s, at most %s is right%s%s\n", x->name,
                double_text(value, x->value), double_text(reference, x->reference),
                double_text(error, x->error), double_text(bound, x->bound),
                x->outcome == VERDICT_OK ? "" : ": ",
                x->outcome == VERDICT_OK ? "" : verdict_name(x->outcome));
    }
    if (outcome_of(row) == VERDICT_UNPROVEN)
        fprintf(p->out, "# %s\n", advice(p, row));
}

/* ---- all formats ------------------------------------------------------------------------------ */

void report_begin(struct report *p)
{
    p->rows = p->wrong = p->unproven = 0;
    if (!p->options->quiet && p->options->format == FORMAT_TABLE)
        table_begin(p);
    if (!p->options->quiet && p->options->format == FORMAT_JSON)
        fputs("[\n", p->out);
}

void report_row(struct report *p, const struct report_row *row)
{
    int format = p->options->format;
    bool first = p->rows++ == 0;

    p->wrong += outcome_of(row) == VERDICT_FAIL;
    p->unproven += outcome_of(row) == VERDICT_UNPROVEN;
    if (p->options->quiet)
        return;
    if (format == FORMAT_TABLE)
        table_row(p, row);
    if (format == FORMAT_CSV && first) {
        put_row(&(struct sink){p->out, CSV_NAMES, true}, p, row);
        putc('\n', p->out);
    }
    if (format == FORMAT_CSV) {
        put_row(&(struct sink){p->out, CSV_VALUES, true}, p, row);
        putc('\n', p->out);
    }
    if (format == FORMAT_JSON) {
        fputs(first ? "  {" : ",\n  {", p->out);
        put_row(&(struct sink){p->out, JSON_PAIRS, true}, p, row);
        putc('}', p->out);
    }
    output_check(p->out); /* show rows at once, and stop a long sweep if its output is lost */
}

void report_end(struct report *p)
{
    if (!p->options->quiet && p->options->format == FORMAT_JSON)
        fputs("\n]\n", p->out);
    if (p->options->quiet || p->options->format == FORMAT_TABLE) {
        fprintf(p->out, "%s%s: ", p->options->quiet ? "" : "# ", p->variant->name);
        if (p->wrong > 0)
            fprintf(p->out, "FAIL (%zu of %zu results wrong)\n", p->wrong, p->rows);
        else if (p->unproven > 0)
            fprintf(p->out, "UNPROVEN (%zu of %zu results can be called neither right nor wrong)\n",
                    p->unproven, p->rows);
        else
            fprintf(p->out, "OK\n");
    }
    output_check(p->out);
}
