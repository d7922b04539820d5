/* SPDX-License-Identifier: MIT */
#include "report_ranks.h"

#include <math.h>

#include "../combine/choices.h"
#include "harness/report/fields.h"
#include "harness/report/output.h"
#include "harness/report/report.h"

static const char *const methods[] = {"plain", "tree", "binned"};

/* NAN: not measured */
static double ratio(double a, double b)
{
    return a > 0 && b > 0 ? a / b : NAN;
}

static double speed_up(const struct rank_result *result)
{
    return ratio(result->whole.mean, result->total.median);
}

/* What the speed-up would be if combining and waiting cost nothing. */
static double limit(const struct rank_result *result)
{
    return ratio(result->whole.mean, result->part.slowest);
}

/* One device is the mean of all: strong scaling divides its time for all elements, weak that for a share. */
static double strong(const struct rank_report *p, const struct rank_result *result)
{
    return speed_up(result) / p->ranks->size;
}

static double weak(const struct rank_result *result)
{
    return ratio(result->part.mean, result->total.median);
}

static int outcome(const struct rank_result *result)
{
    return result->unequal_runs > 0 || result->wrong_runs > 0 ? VERDICT_FAIL
                                                              : result->verdict.outcome;
}

/* ---- fields ----------------------------------------------------------------------------------- */

/* A time, or a ratio, that is unknown if it is not above 0. */
static void put_known(struct fields *f, const char *name, double value, const char *format)
{
    char text[SCALAR_TEXT_MAX];

    snprintf(text, sizeof text, format, value);
    fields_put(f, name, value > 0 ? text : NULL, false);
}

static void put_times(struct fields *f, const char *name, const struct stats *t)
{
    char column[32];

    snprintf(column, sizeof column, "%s_us", name);
    put_known(f, column, 1e6 * t->median, "%.3f");
    snprintf(column, sizeof column, "%s_min_us", name);
    put_known(f, column, 1e6 * t->min, "%.3f");
}

static void put_spread(struct fields *f, const char *name, const struct spread *s)
{
    const char *const names[] = {"", "_fastest", "_slowest"};
    const double values[] = {s->mean, s->fastest, s->slowest};
    char column[40];

    for (int i = 0; i < 3; i++) {
        snprintf(column, sizeof column, "%s%s_us", name, names[i]);
        put_known(f, column, 1e6 * values[i], "%.3f");
    }
}

struct measured {
    const struct rank_report *report;
    const struct rank_result *result;
};

static void put_row(struct fields *f, const void *measured)
{
    const struct rank_report *p = ((const struct measured *)measured)->report;
    const struct rank_result *result = ((const struct measured *)measured)->result;
    const struct options *o = p->o;
    const struct device *d = p->device;

    fields_text(f, "program", "reduction_multi_gpu");
    fields_text(f, "version", REDUCTION_VERSION);
    fields_text(f, "device", d->name);
    fields_text(f, "arch", d->arch);
    fields_text(f, "driver", d->driver);
    fields_text(f, "runtime", d->runtime);
    fields_whole(f, "ranks", (uint64_t)p->ranks->size);
    fields_text(f, "ranks_are", p->ranks->about);
    fields_text(f, "combine", p->how);
    fields_text(f, "method", methods[o->option[METHOD]]);
    fields_whole(f, "folds", o->option[METHOD] == METHOD_BINNED ? o->option[FOLDS] + 2 : 0);
    report_put_input(f, o, result->n);
    fields_whole(f, "share", result->share);
    fields_text(f, "cache", o->cold ? "cold" : "warm");
    fields_whole(f, "warmup", result->warmup);
    fields_whole(f, "runs", result->total.count);
    put_times(f, "total", &result->total);
    put_known(f, "total_p95_us", 1e6 * result->total.p95, "%.3f");
    put_times(f, "fastest_rank", &result->first);
    put_times(f, "slowest_rank", &result->last);
    put_times(f, "combination", &result->combination);
    put_spread(f, "one_device", &result->whole);
    put_spread(f, "share_alone", &result->part);
    put_times(f, "peer", &result->peer);
    put_known(f, "total_gbps", report_bandwidth(p->o->type, result->n, result->total.median),
              "%.3f");
    put_known(f, "speed_up", speed_up(result), "%.4f");
    put_known(f, "speed_up_limit", limit(result), "%.4f");
    put_known(f, "strong_efficiency", strong(p, result), "%.4f");
    put_known(f, "weak_efficiency", weak(result), "%.4f");
    report_put_verdict(f, result->value, result->reference, &result->verdict, result->wrong_runs);
    fields_whole(f, "unequal_runs", result->unequal_runs);
    fields_whole(f, "peer_wrong_runs", result->peer_wrong_runs);
    fields_text(f, "check", verdict_name(outcome(result)));
}

/* ---- the table -------------------------------------------------------------------------------- */

static void table_begin(const struct rank_report *p)
{
    const struct options *o = p->o;
    const struct device *d = p->device;

    report_print_input(p->out, "reduction_multi_gpu", o);
    if (p->note[0] != '\0')
        fprintf(p->out, "\n# the input is %s", p->note);
    fprintf(p->out, "\n# %s, method %s, combined by %s%s\n", p->ranks->about,
            methods[o->option[METHOD]], p->how, o->cold ? ", cold caches" : "");
    fprintf(p->out, "# rank 0: device %d, %s (%s); driver %s, runtime %s\n", d->index, d->name,
            d->arch, d->driver, d->runtime);
    fprintf(p->out,
            "# total: the slowest rank, from a barrier to the value on its host; ranks: the "
            "fastest and the slowest,\n"
            "# to their own values; combine: without reductions; one device: all elements on one, "
            "the mean of all devices\n"
            "# strong: one device / (ranks x total); weak: a share alone, the mean of all ranks, / "
            "total\n#\n");
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

/* Cards that are not equally fast show here. */
static void table_alone(const struct rank_report *p, const struct rank_result *result)
{
    if (p->ranks->size == 1)
        return;
    fprintf(p->out, "# alone: a share takes %.2f to %.2f us", 1e6 * result->part.fastest,
            1e6 * result->part.slowest);
    if (result->whole.mean > 0)
        fprintf(p->out, ", all elements on one device %.2f to %.2f us: a speed-up of %.3f at most",
                1e6 * result->whole.fastest, 1e6 * result->whole.slowest, limit(result));
    fputc('\n', p->out);
}

static void table_row(const struct rank_report *p, const struct rank_result *result)
{
    char one[SCALAR_TEXT_MAX], s[SCALAR_TEXT_MAX], w[SCALAR_TEXT_MAX], speed[SCALAR_TEXT_MAX];

    fprintf(p->out, "%12zu | %9.2f %9.2f | %9.2f %9.2f | %8.2f | %10s %6s %6s | %8s", result->n,
            1e6 * result->total.median, 1e6 * result->total.p95, 1e6 * result->first.median,
            1e6 * result->last.median, 1e6 * result->combination.median,
            known(one, 1e6 * result->whole.mean, "%.2f"), known(s, 100 * strong(p, result), "%.1f"),
            known(w, 100 * weak(result), "%.1f"),
            speed_text(speed, report_bandwidth(p->o->type, result->n, result->total.median)));
    if (p->o->option[PEER])
        fprintf(p->out, " | %9.2f", 1e6 * result->peer.median);
    fprintf(p->out, " | %8s\n", verdict_name(outcome(result)));
    if (outcome(result) == VERDICT_OK && p->o->size_count > 1)
        return; /* a sweep prints only the table */
    report_print_value(p->out, result->value, result->reference, &result->verdict,
                       result->wrong_runs, result->warmup + result->total.count);
    fprintf(p->out, "\n");
    table_alone(p, result);
    if (result->unequal_runs > 0)
        fprintf(p->out, "# not all ranks had the same bits in %zu runs\n", result->unequal_runs);
    if (result->peer_wrong_runs > 0)
        fprintf(p->out, "# the peer was wrong in %zu runs\n", result->peer_wrong_runs);
    if (outcome(result) == VERDICT_UNPROVEN)
        fprintf(p->out, "# a bound so wide proves nothing: use --type double, or fewer elements\n");
}

/* ---- all formats ------------------------------------------------------------------------------ */

void rank_report_begin(struct rank_report *p)
{
    if (p->o->quiet)
        return;
    if (format_is_table(p->o->format))
        table_begin(p);
    if (p->o->format == FORMAT_JSON)
        fputs("[\n", p->out);
}

void rank_report_row(struct rank_report *p, const struct rank_result *result)
{
    bool first = p->rows++ == 0;

    p->wrong += outcome(result) == VERDICT_FAIL;
    p->unproven += outcome(result) == VERDICT_UNPROVEN;
    if (p->o->quiet)
        return;
    if (format_is_table(p->o->format))
        table_row(p, result);
    else
        fields_row(p->out, p->o->format, first, put_row, &(struct measured){p, result});
    output_check(p->out);
}

void rank_report_end(struct rank_report *p)
{
    if (!p->o->quiet && p->o->format == FORMAT_JSON)
        fputs("\n]\n", p->out);
    if (p->o->quiet || format_is_table(p->o->format))
        report_verdict(p->out, p->o->quiet, "reduction_multi_gpu", p->rows, p->wrong, p->unproven);
    output_check(p->out);
}
