/* The table of `make run` on the CPU: what a GPU would do, and the time of this CPU last.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "comparison.h"

static void print_counted(const struct comparison *t)
{
    const char *machine = t->counting->machine;

    printf(
        "# What a GPU%s%s with warps of %s would do, counted in a run of %s elements on 2 units.\n"
        "# Go down a column: where its number falls (lanes at work: rises), a GPU has that much "
        "less "
        "to do.\n"
        "# 1 instr. per %s is one load of each element and nothing else; the time is that of this "
        "CPU, "
        "which\n# has neither warps nor banks: it says nothing about a GPU.\n#\n",
        machine != NULL ? " like " : "", machine != NULL ? machine : "", t->counting->warp,
        COUNTED_SIZE, t->counting->warp);
}

void comparison_cpu_begin(const struct comparison *t)
{
    if (t->counting->folder != NULL)
        print_counted(t);
    printf("%-*s  %-8s", t->name_width, "variant", "check");
    if (t->counting->folder != NULL)
        printf(" %8s %7s %8s %8s %7s %6s %9s", "launches", "blocks", "barriers", "instr.", "lanes",
               "moved/", "conflicts");
    printf(" %12s\n%-*s  %-8s", "on this CPU", t->name_width, "", "");
    if (t->counting->folder != NULL)
        printf(" %8s %7s %8s %5s %2s %7s %6s %9s", "", "", "a block", "per", t->counting->warp,
               "at work", "asked", "per pass");
    printf(" %12s\n", "us");
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

static void print_counts(const struct counts *c, double warp)
{
    if (!c->known) {
        printf(" %8s %7s %8s %8s %7s %6s %9s", "-", "-", "-", "-", "-", "-", "-");
        return;
    }
    printf(" %8.0f %7.0f %8.1f %8.2f %7.1f %6.2f %9.2f", c->launches, c->blocks,
           ratio(c->barriers, c->blocks), c->instructions * warp / c->n, ratio(c->lanes, c->memory),
           ratio(c->moved, c->asked), ratio(c->conflicts, c->passes));
}

void comparison_cpu_row(const struct comparison *t, const struct compared *e, const char *check)
{
    comparison_name(t, e);
    printf("  %-8s", check);
    if (t->counting->folder != NULL)
        print_counts(&e->counts, strtod(t->counting->warp, NULL));
    printf(" %12.1f\n", csv_number(&e->row, "total_median_us"));
}

/* What has no counts. */
void comparison_cpu_end(const struct comparison *t, const struct compared *programs, size_t count)
{
    for (size_t i = 0; i < count && t->counting->folder != NULL; i++)
        if (programs[i].done && programs[i].row.count > 0 && !programs[i].exercise &&
            !programs[i].counts.known)
            printf("# %s: nothing was counted; make explain V=%s says why\n", programs[i].name,
                   programs[i].name);
}
