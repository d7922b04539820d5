/* SPDX-License-Identifier: MIT */
#include "comparison_cpu.h"

#include <stdio.h>
#include <stdlib.h>

static void print_counted(const struct counting *c)
{
    const char *machine = c->machine;

    printf("# What a GPU%s%s with warps of %s would do, counted in a run of %s elements on 2 SMs.\n"
           "# Read down a column: where its number falls (lanes at work: rises), a GPU has less to "
           "do.\n"
           "# 1 instr. per %s is one load of each element and nothing else. The last column is the "
           "time on\n"
           "# this CPU, which has neither warps nor banks: it says nothing about a GPU.\n#\n",
           machine != NULL ? " like " : "", machine != NULL ? machine : "", c->warp, COUNTED_SIZE,
           c->warp);
}

void comparison_cpu_begin(const struct counting *c, int name_width)
{
    if (c->folder != NULL)
        print_counted(c);
    printf("%-*s  %-8s", name_width, "variant", "check");
    if (c->folder != NULL)
        printf(" %8s %7s %8s %8s %7s %6s %9s", "launches", "blocks", "barriers", "instr.", "lanes",
               "moved/", "conflicts");
    printf(" %12s\n%-*s  %-8s", "on this CPU", name_width, "", "");
    if (c->folder != NULL)
        printf(" %8s %7s %8s %5s %2s %7s %6s %9s", "", "", "a block", "per", c->warp, "at work",
               "asked", "per pass");
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

void comparison_cpu_row(const struct counting *c, const struct counts *counts, const char *check,
                        double us)
{
    printf("  %-8s", check);
    if (c->folder != NULL)
        print_counts(counts, strtod(c->warp, NULL));
    printf(" %12.1f\n", us);
}
