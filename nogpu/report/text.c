/* The report as text.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "report.h"

#define LINES_MAX 16

static void print_item(const struct report *r, const struct options *o, const struct item *i, unsigned number)
{
    const struct item *best = &r->item[i->best];
    char *where = report_where(r, i);

    printf("\n");
    finding_print(stdout, &best->shown, number, NULL);
    fputs(i->perhaps ? i->perhaps : "", stdout);
    if (i->seen > 1 || *where)
        printf("  seen %llu time%s at these lines%s\n", i->seen, i->seen == 1 ? "" : "s", where);
    if (o->prints_suppressions)
        report_print_suppression(&best->shown);
}

/* A race explains why the output differs; without one it is all that is known. */
static void print_output(const struct item *i, unsigned number, bool explained)
{
    if (explained)
        printf("\nperhaps for the same reason: %s\n%s", i->shown.head, i->raw);
    else
        printf("\noutput %u: %s\n%s  look at: %s\n", number, i->shown.head, i->raw, i->shown.hint);
}

/* Lines that no thread of any run has reached, and loops that no run has repeated. */
static void print_unreached(const struct report *r)
{
    unsigned missed = 0;

    for (const struct line *l = r->line; l < r->line + r->lines; l++)
        if (!l->is_loop && !l->reached && ++missed <= LINES_MAX)
            printf("%s%s\n", missed == 1 ? "      no thread reached\n          " : "          ", l->place);
    if (missed > LINES_MAX)
        printf("          and %u more lines\n", missed - LINES_MAX);
    for (const struct line *l = r->line; l < r->line + r->lines; l++)
        if (l->is_loop && !l->reached)
            printf("      the loop at %s around the barrier at %s ran once in each block\n", l->around, l->place);
}

static void print_clean(const struct report *r, bool no_race)
{
    const char *none = no_race ? strstr(r->clean, ": none found") : NULL;

    if (none)
        printf("\n%.*s: no race found%s", (int)(none - r->clean), r->clean, none + strlen(": none found"));
    else
        printf("\n%s", r->clean);
}

static void print_left_out(const struct shown_list *list)
{
    if (list->suppressed > 0)
        printf("      %u left out by suppressions\n", list->suppressed);
    if (list->known > 0)
        printf("      %u known from the baseline\n", list->known);
}

static void print_notes(const struct report *r)
{
    const char *all = report_list(r, NULL, true, " and ");

    for (unsigned i = 0; i < r->notes; i++) {
        const char *warps = report_list(r, r->note[i].in_run, true, " and ");
        printf("%s", r->note[i].text);
        if (strcmp(warps, all) != 0)
            printf("      with warps of %s\n", warps);
    }
}

void report_print_text(struct report *r, const struct options *o, const struct shown_list *list)
{
    unsigned found = 0, races = 0, weak = 0, outputs = 0;
    unsigned long long times = 0;

    for (unsigned i = 0; i < r->items; i++)
        times += r->item[i].is_output ? 0 : r->item[i].shown.times;
    for (unsigned i = 0; i < list->count; i++) {
        const struct item *item = list->item[i];
        races += !item->is_output;
        outputs += item->is_output;
        weak += strcmp(item->shown.kind, "volatile") == 0;
    }
    if (list->count == 0 && o->is_quiet)
        return;
    for (unsigned i = 0; i < list->count; i++)
        if (!list->item[i]->is_output)
            print_item(r, o, list->item[i], ++found);
    for (unsigned i = 0; i < list->count; i++)
        if (list->item[i]->is_output)
            print_output(list->item[i], 1, races > 0);
    found += list->hidden;
    if (outputs > 0 && races == 0)
        found++, times++;
    if (races + list->hidden == 0 && *r->clean)
        print_clean(r, outputs > 0);
    else if (found == 0)
        printf("\n%s: nothing else found\n", r->tool);
    if (r->runs > 1)
        printf("%s%u runs: warps of %s; SCHEDULE=%s\n", found > 0 ? "\nrace: in " : "      ", r->runs,
               report_list(r, NULL, true, " and "), report_list(r, NULL, false, ", "));
    if (r->stopped > 0 && r->runs > 1)
        printf("%s: %u of them stopped early\n", r->tool, r->stopped);
    if (found > 0) {
        printf("%s%s: %u found", r->runs > 1 ? "" : "\n", r->tool, found);
        if (r->runs > 1 || strcmp(r->tool, "race") == 0)
            printf(", %llu times", times);
        if (weak > 0)
            printf("; %u by volatile accesses alone", weak);
        if (r->stopped > 0 && r->runs == 1)
            printf("; the run stopped early");
        printf("%s\n", list->hidden > 0 ? "; the first ones are shown" : "");
    }
    print_left_out(list);
    if (!o->is_quiet) {
        print_notes(r);
        print_unreached(r);
    }
}
