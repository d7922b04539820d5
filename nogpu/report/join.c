/* Findings of several runs that have a key in common are one. What only some schedules show, where all show another race of
 * the kernel, may be what that one brings about: its threads go on with a wrong value.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "report.h"

static unsigned first_of(const struct report *r, unsigned i)
{
    while (r->item[i].first != i)
        i = r->item[i].first;
    return i;
}

/* The first item with this key, up to the last one given; it may be that one. */
static unsigned item_with(const struct report *r, const char *key, size_t length, unsigned last)
{
    for (unsigned i = 0; i < last; i++)
        for (const char *k = r->item[i].shown.keys; *k;) {
            size_t n = strcspn(k, ";");
            if (n == length && memcmp(k, key, n) == 0)
                return i;
            k += n + (k[n] == ';');
        }
    return last;
}

/* A pair of accesses says more than an unwritten value, and most is said where this run joins two findings of others. */
static void join_item(struct report *r, unsigned last)
{
    struct item *item = &r->item[last];

    item->rank = strchr(item->shown.keys, ';') != NULL;
    for (const char *k = item->shown.keys; *k;) {
        size_t n = strcspn(k, ";");
        unsigned a = first_of(r, item_with(r, k, n, last)), b = first_of(r, last);
        if (a != b && b != last)
            item->rank = 2 + last;
        if (a != b)
            r->item[a < b ? b : a].first = a < b ? a : b;
        k += n + (k[n] == ';');
    }
}

/* In how many runs of a kind an item is seen. */
static unsigned seen_in(const struct report *r, const struct item *i, unsigned kind)
{
    unsigned count = 0;

    for (unsigned run = 0; run < r->runs && run < RUNS_MAX; run++)
        count += r->run[run].kind == kind && i->in_run[run];
    return count;
}

static unsigned runs_of(const struct report *r, unsigned kind)
{
    unsigned count = 0;

    for (unsigned run = 0; run < r->runs; run++)
        count += r->run[run].kind == kind;
    return count;
}

/* In each kind of run that shows g, all runs show f, and not all show g. */
static bool brings_about(const struct report *r, const struct item *f, const struct item *g)
{
    const struct finding_shown *x = &f->shown, *y = &g->shown;
    bool any = false;

    if (*x->kernel == '\0' || strcmp(x->kernel, y->kernel) != 0 || strcmp(x->kind, "race") != 0 ||
        strcmp(y->kind, "race") != 0 || (strcmp(x->function, y->function) == 0 && x->first > y->last))
        return false;
    for (unsigned kind = 0; kind < r->kinds; kind++) {
        unsigned of_g = seen_in(r, g, kind);
        if (of_g == 0)
            continue;
        if (seen_in(r, f, kind) < runs_of(r, kind) || of_g == runs_of(r, kind))
            return false;
        any = true;
    }
    return any;
}

/* What it accesses, and its lines. */
static char *lines_of(const struct finding_shown *f)
{
    const char *of = strstr(f->head, " of ");
    char *text = finding_text("%.*s,", of ? (int)(of - f->head) : 0, f->head);

    for (unsigned i = 0; i < f->sides; i++)
        text = finding_text("%s%s %s:%u", text, i > 0 ? " and" : "", f->side[i].file, f->side[i].line);
    return text;
}

static void find_causes(struct report *r)
{
    for (unsigned g = 0; g < r->items; g++)
        for (unsigned f = 0; f < r->items && first_of(r, g) == g && !r->item[g].is_later; f++)
            if (first_of(r, f) == f && f != g && brings_about(r, &r->item[f], &r->item[g])) {
                const struct item *best = &r->item[r->item[g].best];
                r->item[g].is_later = true;
                r->item[f].perhaps = finding_text("%s  perhaps for the same reason: %s\n",
                                                  r->item[f].perhaps ? r->item[f].perhaps : "", lines_of(&best->shown));
            }
}

void report_join(struct report *r)
{
    for (unsigned i = 0; i < r->items; i++)
        if (!r->item[i].is_output)
            join_item(r, i);
    for (unsigned i = 0; i < r->items; i++) {
        unsigned first = first_of(r, i);
        struct item *f = &r->item[first];
        if (first == i || r->item[i].rank > r->item[f->best].rank)
            f->best = i;
        f->seen += r->item[i].shown.times;
        if (r->item[i].run < RUNS_MAX)
            f->in_run[r->item[i].run] = 1;
    }
    find_causes(r);
}

/* ---- where it was seen ---- */

char *report_list(const struct report *r, const unsigned char *in_run, bool warps, const char *between)
{
    char *text = finding_text("%s", "");

    for (unsigned i = 0; i < r->runs; i++) {
        const char *word = warps ? r->run[i].warp : r->run[i].schedule;
        bool is_said = in_run && (i >= RUNS_MAX || !in_run[i]);
        for (unsigned k = 0; k < i && !is_said; k++)
            is_said = (!in_run || in_run[k]) && strcmp(word, warps ? r->run[k].warp : r->run[k].schedule) == 0;
        if (!is_said)
            text = finding_text("%s%s%s", text, *text ? between : "", word);
    }
    return text;
}

char *report_where(const struct report *r, const struct item *i)
{
    char *warps = report_list(r, i->in_run, true, " and "), *schedules = report_list(r, i->in_run, false, ", ");
    bool all_warps = strcmp(warps, report_list(r, NULL, true, " and ")) == 0;
    bool all_schedules = strcmp(schedules, report_list(r, NULL, false, ", ")) == 0;

    return finding_text("%s%s%s%s", all_warps ? "" : ", with warps of ", all_warps ? "" : warps,
                        all_schedules ? "" : ", with SCHEDULE=", all_schedules ? "" : schedules);
}
