/* SPDX-License-Identifier: MIT */
#include "comparison_counts.h"

#include <stdio.h>

void comparison_counts_begin(const struct counting *c, const char *warp, int name_width)
{
    printf("#\n# What a GPU%s%s with warps of %s would do, counted here on two SMs.\n"
           "# Read down a column: where its number falls (lanes at work: rises), a GPU has\n"
           "# less to do. 1 instr. per %s is one load of each element and nothing else.\n#\n",
           c->machine != NULL ? " like " : "", c->machine != NULL ? c->machine : "", warp, warp);
    printf("%-*s %8s %6s %8s %6s %7s %6s %5s %s\n", name_width, "variant", "launches", "blocks", "barriers", "instr.",
           "lanes", "moved/", "bank", "check");
    printf("%-*s %8s %6s %8s %3s %2s %7s %6s %5s\n", name_width, "", "", "", "a block", "per", warp, "at work", "asked",
           "confl");
}

static double ratio(double a, double b) { return b > 0 ? a / b : 0; }

static void print_counts(const struct compared *e)
{
    double warp = csv_number(&e->row, "warp_size");
    const struct counts *c = &e->counts;

    printf(" %8.0f %6.0f %8.1f %6.2f %7.1f %6.2f %5.2f", csv_number(&e->row, "launches"), c->blocks,
           ratio(c->barriers, c->blocks), c->instructions * warp / csv_number(&e->row, "n"), ratio(c->lanes, c->memory),
           ratio(c->moved, c->asked), ratio(c->conflicts, c->passes));
}

void comparison_counts_row(const struct compared *e, const char *check)
{
    if (e->counts.blocks > 0)
        print_counts(e);
    else
        printf(" %8s %6s %8s %6s %7s %6s %5s", "-", "-", "-", "-", "-", "-", "-");
    printf(" %s\n", check);
}
