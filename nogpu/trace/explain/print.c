/* The table of explain for the terminal.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "explain.h"

/* "a" of "a[3]", "a.x"; of several loads, what the first one has. */
static void print_array(const struct explain_line *l, bool elements)
{
    const char *name = l->samples ? l->sample->first : "";

    if (elements)
        printf("  %37s  of %s to %s\n", "", name, l->samples ? l->sample->last : "");
    else
        printf("  %37s  of %.*s\n", "", (int)strcspn(name, "[.,-"), name);
}

/* Rows next to this one that differ in their array, or in their elements, alone. */
static void name_array(const struct explain_kernel *k, const struct explain_line *l)
{
    bool others = false, elements = false;

    for (int step = -1; step <= 1; step += 2) {
        const struct explain_line *o = l + step;
        if (o < k->line || o >= k->line + k->lines || !explain_same_line(l, o) || l->kind != o->kind ||
            l->space != o->space || l->size != o->size)
            continue;
        others = true;
        elements = elements || l->array == o->array;
    }
    if (others && l->kind < LINE_WARP)
        print_array(l, elements);
}

static void print_line(const struct explain_kernel *k, const struct explain_line *l)
{
    const struct machine *m = k->machine;
    bool again = l > k->line && explain_same_line(l, l - 1);
    char what[80] = "";

    if (!again)
        printf("\n%s:%u  %.70s\n", l->place->file, l->place->line,
               trace_source_line(l->place->file, l->place->line, NULL));
    if (l->kind == LINE_BARRIER)
        snprintf(what, sizeof what, "%.0f %% of the warps had nothing to do before it",
                 100 * explain_ratio(l->idle, l->instructions));
    else if (l->kind == LINE_WARP)
        snprintf(what, sizeof what, "shuffle, vote or warp barrier");
    else if (l->space == TRACE_SHARED)
        snprintf(what, sizeof what, "%.2f passes each, %.2f without conflicts, worst %u; %llu",
                 explain_ratio(l->passes, l->instructions), explain_ratio(l->needed, l->instructions),
                 (unsigned)l->worst, (unsigned long long)l->passes);
    else if (l->bytes > l->sectors * m->sector)
        snprintf(what, sizeof what, "%.2f sectors each, which several lanes share; %llu",
                 explain_ratio(l->sectors, l->instructions), (unsigned long long)l->sectors);
    else
        snprintf(what, sizeof what, "%.2f sectors each, %.0f %% of their bytes used; %llu",
                 explain_ratio(l->sectors, l->instructions), 100 * explain_ratio(l->bytes, l->sectors * m->sector),
                 (unsigned long long)l->sectors);
    printf("  %-8s%-7s%2.0u%10llu x %4.1f lanes  %s\n", explain_kind(l),
           l->kind >= LINE_WARP       ? ""
           : l->space == TRACE_SHARED ? "shared"
                                      : "global",
           l->size, (unsigned long long)l->instructions, explain_ratio(l->lanes, l->instructions), what);
    name_array(k, l);
    if (l->kind == LINE_ATOMIC && l->same > 0)
        printf("  %37s  %.1f lanes of each share an address with others, one after the other;\n"
               "  %37s  a compiler may combine them where a whole warp adds integers at one address\n",
               "", explain_ratio(l->same, l->instructions), "");
    if (explain_merges(l) && l->saved > 0 && l->saved < l->instructions)
        printf("  %37s  adjacent: a compiler may merge them into %llu of up to %u bytes\n", "",
               (unsigned long long)(l->instructions - l->saved), (unsigned)l->width);
    else if (explain_merges(l))
        printf("  %37s  adjacent to another line's: a compiler may merge the two into one of %u "
               "bytes\n",
               "", (unsigned)l->width);
    if (l->steps > 2) {
        printf("  %9s step: lanes%s ", "", l->space == TRACE_SHARED ? " (passes)" : "");
        for (unsigned i = 0; i < l->steps; i++) {
            printf(" %.3g", explain_ratio(l->step[i].lanes, l->step[i].instructions));
            if (l->space == TRACE_SHARED)
                printf(" (%.3g)", explain_ratio(l->step[i].passes, l->step[i].instructions));
        }
        printf("\n");
    }
}

static const char *times(unsigned count, char text[32])
{
    snprintf(text, 32, count == 1 ? "once" : "%u times", count);
    return text;
}

static void print_kernel(const struct explain_kernel *k)
{
    char launched[32];
    struct explain_totals t = explain_totals_of(k);
    uint64_t warps = k->blocks * k->warps;

    printf("\n== %s: %llu block%s of %u threads, warps of %u, launched %s in this run, "
           "counted once for %s\n",
           k->name, (unsigned long long)k->blocks, k->blocks == 1 ? "" : "s", k->block.x * k->block.y * k->block.z,
           k->warp_size, times(k->launches, launched), k->machine->name);
    printf("   %s: %s\n", k->machine->name, k->machine->source);
    for (size_t i = 0; i < k->lines; i++)
        print_line(k, &k->line[i]);
    printf("\nAltogether\n");
    printf("  memory instructions   %llu, %.1f lanes of %u at work on average\n", (unsigned long long)t.instructions,
           explain_ratio(t.lanes, t.instructions), k->warp_size);
    printf("  global loads          %llu requests, %llu sectors, %.1f KiB asked for, %.1f KiB moved\n",
           (unsigned long long)t.load.requests, (unsigned long long)t.load.sectors, (double)t.load.bytes / 1024,
           (double)t.load.sectors * k->machine->sector / 1024);
    if (t.load.sectors > 0)
        printf("                        %.2f times the %.1f KiB that have to be loaded once\n",
               explain_ratio(t.load.sectors, k->footprint), (double)(k->footprint * k->machine->sector) / 1024);
    printf("  global stores         %llu requests, %llu sectors, %.1f KiB\n", (unsigned long long)t.store.requests,
           (unsigned long long)t.store.sectors, (double)t.store.bytes / 1024);
    printf("  shared loads          %llu passes, %llu of them conflicts\n", (unsigned long long)t.load.passes,
           (unsigned long long)t.load.conflicts);
    printf("  shared stores         %llu passes, %llu of them conflicts\n", (unsigned long long)t.store.passes,
           (unsigned long long)t.store.conflicts);
    if (t.atomics > 0)
        printf("  atomics               %llu passes of shared memory, %llu of them conflicts; %llu "
               "global sectors\n",
               (unsigned long long)t.atomic.passes, (unsigned long long)t.atomic.conflicts,
               (unsigned long long)t.atomic.sectors);
    printf("  barriers              %.1f for each warp, %.0f %% reached without work\n",
           explain_ratio(t.barriers, warps), 100 * explain_ratio(t.idle, t.barriers));
    printf("  atomics, warp operations   %llu, %llu\n", (unsigned long long)t.atomics, (unsigned long long)t.meetings);
}

/* All kernels together, where there are several. */
static void print_all(const struct explain_kernel *k, size_t count)
{
    struct explain_totals all = {0};
    uint64_t footprint = 0;

    for (size_t i = 0; i < count; i++) {
        struct explain_totals t = explain_totals_of(&k[i]);
        all.instructions += t.instructions;
        all.lanes += t.lanes;
        all.load.sectors += t.load.sectors;
        all.store.sectors += t.store.sectors;
        all.load.conflicts += t.load.conflicts + t.store.conflicts + t.atomic.conflicts;
        footprint += k[i].footprint;
    }
    printf("\n== All %zu kernels, one launch of each counted\n\n", count);
    printf("  memory instructions   %llu, %.1f lanes at work on average\n", (unsigned long long)all.instructions,
           explain_ratio(all.lanes, all.instructions));
    printf("  global memory         %.1f KiB loaded, %.2f times what has to be loaded once; %.1f KiB "
           "stored\n",
           (double)(all.load.sectors * k->machine->sector) / 1024, explain_ratio(all.load.sectors, footprint),
           (double)(all.store.sectors * k->machine->sector) / 1024);
    printf("  bank conflicts        %llu\n", (unsigned long long)all.load.conflicts);
}

void explain_print(const struct explain_kernel *k, size_t count)
{
    if (count > 0)
        printf("\nBelow a line of the source: access, memory, bytes of a lane, warp instructions x\n"
               "lanes at work, cost of each; cost of all\n");
    for (size_t i = 0; i < count; i++)
        print_kernel(&k[i]);
    if (count > 1)
        print_all(k, count);
}
