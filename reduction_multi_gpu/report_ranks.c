#include "report_ranks.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "choices.h"
#include "harness/csv.h"
#include "harness/output.h"
#include "harness/report.h"

static const char *const methods[] = {"plain", "tree", "binned"};

static double gbps(const struct rank_report *p, size_t n, double seconds)
{
    return seconds > 0 ? 1e-9 * (double)n * (double)type_size(p->o->type) / seconds : 0;
}

/* NAN: not measured */
static double ratio(double a, double b)
{
    return a > 0 && b > 0 ? a / b : NAN;
}

static double speed_up(const struct rank_row *row)
{
    return ratio(row->whole.median, row->total.median);
}

/* Strong scaling: of all elements on one device. Weak: of its share on one device. */
static double strong(const struct rank_report *p, const struct rank_row *row)
{
    return speed_up(row) / p->ranks->size;
}

static double weak(const struct rank_row *row)
{
    return ratio(row->part.median, row->total.median);
}

static int outcome(const struct rank_row *row)
{
    return row->unequal_runs > 0 || row->wrong_runs > 0 ? VERDICT_FAIL : row->verdict.outcome;
}

/* ---- fields: the same for CSV and JSON --------------------------------------------------------- */

enum mode { NAMES, VALUES, PAIRS };

struct sink {
    FILE *out;
    enum mode mode;
    bool first;
};

/* text "": unknown; quote: no number */
static void put(struct sink *s, const char *name, const char *text, bool quote)
{
    fputs(s->first ? "" : s->mode == PAIRS ? ", " : ",", s->out);
    s->first = false;
    if (s->mode == NAMES) {
        fputs(name, s->out);
    } else if (s->mode == VALUES) {
        csv_put(s->out, text);
    } else if (*text == '\0') {
        fprintf(s->out, "\"%s\": null", name);
    } else if (!quote) {
        fprintf(s->out, "\"%s\": %s", name, text);
    } else {
        fprintf(s->out, "\"%s\": \"", name);
        for (const char *c = text; *c != '\0'; c++)
            fprintf(s->out,
                    (unsigned char)*c < 0x20  ? "\\u%04x"
                    : *c == '"' || *c == '\\' ? "\\%c"
                                              : "%c",
                    *c);
        putc('"', s->out);
    }
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

/* A time, or a ratio, that is unknown if it is not above 0. */
static void put_known(struct sink *s, const char *name, double value, const char *format)
{
    char text[SCALAR_TEXT_MAX] = "";

    if (value > 0)
        snprintf(text, sizeof text, format, value);
    put(s, name, text, false);
}

static void put_times(struct sink *s, const char *name, const struct stats *t)
{
    char column[32];

    snprintf(column, sizeof column, "%s_us", name);
    put_known(s, column, 1e6 * t->median, "%.3f");
    snprintf(column, sizeof column, "%s_min_us", name);
    put_known(s, column, 1e6 * t->min, "%.3f");
}

static void put_scalar(struct sink *s, const char *name, struct scalar value)
{
    char text[SCALAR_TEXT_MAX];
    bool finite = !type_is_floating(value.type) || isfinite(scalar_to_double(value));

    put(s, name, scalar_text(text, value), !finite);
}

static void put_row(struct sink *s, const struct rank_report *p, const struct rank_row *row)
{
    const struct options *o = p->o;
    const struct device *d = p->device;

    put(s, "program", "reduction_multi_gpu", true);
    put(s, "version", REDUCTION_VERSION, true);
    put(s, "device", d->name, true);
    put(s, "arch", d->arch, true);
    put(s, "driver", d->driver, true);
    put(s, "runtime", d->runtime, true);
    put_whole(s, "ranks", (uint64_t)p->ranks->size);
    put(s, "ranks_are", p->ranks->about, true);
    put(s, "combine", p->how, true);
    put(s, "method", methods[o->option[METHOD]], true);
    put_whole(s, "folds", o->option[METHOD] == METHOD_BINNED ? o->option[FOLDS] + 2 : 0);
    put(s, "type", type_name(o->type), true);
    put(s, "op", op_name(o->op), true);
    put(s, "pattern", o->input != NULL ? "" : pattern_name(o->pattern.kind), true);
    put_whole(s, "seed", o->pattern.seed);
    put(s, "input", o->input != NULL ? o->input : "", true);
    put_whole(s, "n", row->n);
    put_whole(s, "bytes", row->n * type_size(o->type));
    put_whole(s, "share", row->share);
    put(s, "cache", o->cold ? "cold" : "warm", true);
    put_whole(s, "warmup", row->warmup);
    put_whole(s, "runs", row->total.count);
    put_times(s, "total", &row->total);
    put_known(s, "total_p95_us", 1e6 * row->total.p95, "%.3f");
    put_times(s, "fastest_rank", &row->first);
    put_times(s, "slowest_rank", &row->last);
    put_times(s, "combination", &row->combination);
    put_times(s, "one_device", &row->whole);
    put_times(s, "share_alone", &row->part);
    put_times(s, "peer", &row->peer);
    put_known(s, "total_gbps", gbps(p, row->n, row->total.median), "%.3f");
    put_known(s, "speed_up", speed_up(row), "%.4f");
    put_known(s, "strong_efficiency", strong(p, row), "%.4f");
    put_known(s, "weak_efficiency", weak(row), "%.4f");
    put_scalar(s, "value", row->value);
    put_scalar(s, "reference", row->reference->value);
    put_double(s, "error", row->verdict.error);
    put_double(s, "error_ulps", row->verdict.ulps);
    put_double(s, "bound", row->verdict.bound);
    put(s, "bound_rule", row->verdict.rule, true);
    put_whole(s, "wrong_runs", row->wrong_runs);
    put_whole(s, "unequal_runs", row->unequal_runs);
    put_whole(s, "peer_wrong_runs", row->peer_wrong_runs);
    put(s, "check", verdict_name(outcome(row)), true);
}

/* ---- the table -------------------------------------------------------------------------------- */

static void table_begin(const struct rank_report *p)
{
    const struct options *o = p->o;
    const struct device *d = p->device;

    fprintf(p->out, "# reduction_multi_gpu %s: %s of %s, ", REDUCTION_VERSION, op_name(o->op),
            type_name(o->type));
    if (o->input != NULL)
        fprintf(p->out, "input %s\n",
                strcmp(o->input, "-") == 0 ? "from standard input" : o->input);
    else
        fprintf(p->out, "pattern %s, seed %" PRIu64 "\n", pattern_name(o->pattern.kind),
                o->pattern.seed);
    if (p->note[0] != '\0')
        fprintf(p->out, "# the input is %s\n", p->note);
    fprintf(p->out, "# %s, method %s, combined by %s%s\n", p->ranks->about,
            methods[o->option[METHOD]], p->how, o->cold ? ", cold caches" : "");
    fprintf(p->out, "# rank 0: device %d, %s (%s); driver %s, runtime %s\n", d->index, d->name,
            d->arch, d->driver, d->runtime);
    fprintf(p->out,
            "# total: the slowest rank, from a barrier to the value on its host; ranks: the "
            "fastest and the slowest,\n"
            "# to their own values; combine: without reductions; one device: the same elements on "
            "that of rank 0\n"
            "# strong: speed-up by number of ranks; weak: the share of rank 0 alone by total\n#\n");
    fprintf(p->out, "# %10s | %9s %9s | %9s %9s | %8s | %10s %6s %6s | %8s", "size", "total", "p95",
            "fastest", "slowest", "combine", "one device", "strong", "weak", "speed");
    fprintf(p->out, o->option[PEER] ? " | %9s" : "%s", o->option[PEER] ? "peer" : "");
    fprintf(p->out, " | %8s\n# %10s | %9s %9s | %9s %9s | %8s | %10s %6s %6s | %8s", "check",
            "elements", "us", "us", "us", "us", "us", "us", "%", "%", "GB/s");
    fprintf(p->out, o->option[PEER] ? " | %9s |\n" : "%s |\n", o->option[PEER] ? "us" : "");
}

static const char *known(char text[SCALAR_TEXT_MAX], double value, const char *format)
{
    snprintf(text, SCALAR_TEXT_MAX, value > 0 ? format : "-", value);
    return text;
}

static void table_row(const struct rank_report *p, const struct rank_row *row)
{
    char one[SCALAR_TEXT_MAX], s[SCALAR_TEXT_MAX], w[SCALAR_TEXT_MAX], speed[SCALAR_TEXT_MAX],
        value[SCALAR_TEXT_MAX], reference[SCALAR_TEXT_MAX], error[SCALAR_TEXT_MAX],
        bound[SCALAR_TEXT_MAX];
    const struct verdict *v = &row->verdict;

    fprintf(p->out, "%12zu | %9.2f %9.2f | %9.2f %9.2f | %8.2f | %10s %6s %6s | %8s", row->n,
            1e6 * row->total.median, 1e6 * row->total.p95, 1e6 * row->first.median,
            1e6 * row->last.median, 1e6 * row->combination.median,
            known(one, 1e6 * row->whole.median, "%.2f"), known(s, 100 * strong(p, row), "%.1f"),
            known(w, 100 * weak(row), "%.1f"),
            speed_text(speed, gbps(p, row->n, row->total.median)));
    if (p->o->option[PEER])
        fprintf(p->out, " | %9.2f", 1e6 * row->peer.median);
    fprintf(p->out, " | %8s\n", verdict_name(outcome(row)));
    if (outcome(row) == VERDICT_OK && p->o->size_count > 1)
        return; /* a sweep prints only the table */
    fprintf(p->out, "# value %s, reference %s, error %s, at most %s is right (%s)",
            scalar_text(value, row->value), scalar_text(reference, row->reference->value),
            double_text(error, v->error), double_text(bound, v->bound), v->rule);
    if (row->wrong_runs > 0)
        fprintf(p->out, "; wrong in %zu of %zu runs", row->wrong_runs,
                row->warmup + row->total.count);
    fprintf(p->out, "\n");
    if (row->unequal_runs > 0)
        fprintf(p->out, "# not all ranks had the same bits in %zu runs\n", row->unequal_runs);
    if (row->peer_wrong_runs > 0)
        fprintf(p->out, "# the peer was wrong in %zu runs\n", row->peer_wrong_runs);
    if (outcome(row) == VERDICT_UNPROVEN)
        fprintf(p->out, "# a bound so wide proves nothing: use --type double, or fewer elements\n");
}

/* ---- all formats ------------------------------------------------------------------------------ */

void rank_report_begin(struct rank_report *p)
{
    if (p->o->quiet)
        return;
    if (p->o->format == FORMAT_TABLE)
        table_begin(p);
    if (p->o->format == FORMAT_JSON)
        fputs("[\n", p->out);
}

void rank_report_row(struct rank_report *p, const struct rank_row *row)
{
    bool first = p->rows++ == 0;

    p->wrong += outcome(row) == VERDICT_FAIL;
    p->unproven += outcome(row) == VERDICT_UNPROVEN;
    if (p->o->quiet)
        return;
    if (p->o->format == FORMAT_TABLE)
        table_row(p, row);
    if (p->o->format == FORMAT_CSV && first) {
        put_row(&(struct sink){p->out, NAMES, true}, p, row);
        putc('\n', p->out);
    }
    if (p->o->format == FORMAT_CSV) {
        put_row(&(struct sink){p->out, VALUES, true}, p, row);
        putc('\n', p->out);
    }
    if (p->o->format == FORMAT_JSON) {
        fputs(first ? "  {" : ",\n  {", p->out);
        put_row(&(struct sink){p->out, PAIRS, true}, p, row);
        putc('}', p->out);
    }
    output_check(p->out);
}

void rank_report_end(struct rank_report *p)
{
    if (!p->o->quiet && p->o->format == FORMAT_JSON)
        fputs("\n]\n", p->out);
    if (p->o->quiet || p->o->format == FORMAT_TABLE) {
        fprintf(p->out, "%sreduction_multi_gpu: ", p->o->quiet ? "" : "# ");
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
