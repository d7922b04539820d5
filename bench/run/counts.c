/* SPDX-License-Identifier: MIT */
#include "counts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double of(const struct csv_row *kernel, const char *format, const char *access)
{
    char name[64];

    snprintf(name, sizeof name, format, access);
    return csv_number(kernel, name);
}

void counts_begin(const struct counting *c)
{
    char trace[128];

    /* Two workers, so that grids that depend on the device are the same on every machine. */
    setenv("HIP_CPU_WORKERS", "2", 1);
    setenv("HIP_CPU_TRACE", "explain", 1);
    snprintf(trace, sizeof trace, "%s%s%scsv", c->machine != NULL ? "machine:" : "",
             c->machine != NULL ? c->machine : "", c->machine != NULL ? "," : "");
    setenv("HIP_CPU_EXPLAIN", trace, 1);
    if (c->warp != NULL)
        setenv("HIP_CPU_WARP_SIZE", c->warp, 1);
}

void counts_add(struct counts *c, const struct csv_row *row, const char *line)
{
    /* The kernel's launches belong to this many reductions. */
    double runs = csv_number(row, "total_runs") + csv_number(row, "kernel_runs");
    struct csv_row kernel;

    if (c->names == NULL) {
        c->names = strdup(line);
        return;
    }
    if (!(runs > 0) || !csv_row_read(&kernel, c->names, line))
        return;
    double times = csv_number(&kernel, "launches") / runs, sector = csv_number(&kernel, "sector_bytes");
    double warps = ceil(csv_number(&kernel, "threads") / csv_number(&kernel, "warp_size"));
    c->blocks += times * csv_number(&kernel, "blocks");
    c->barriers += times * csv_number(&kernel, "barriers") / warps;
    c->memory += times * csv_number(&kernel, "instructions");
    c->lanes += times * csv_number(&kernel, "lanes");
    c->instructions += times * (csv_number(&kernel, "instructions") + csv_number(&kernel, "warp_operations"));
    for (unsigned i = 0; i < 3; i++) {
        static const char *const accesses[] = {"load", "store", "atomic"};
        c->asked += times * of(&kernel, "global_%s_bytes", accesses[i]);
        c->moved += times * sector * of(&kernel, "global_%s_sectors", accesses[i]);
        c->passes += times * of(&kernel, "shared_%s_passes", accesses[i]);
        c->conflicts += times * of(&kernel, "shared_%s_conflicts", accesses[i]);
    }
    csv_row_free(&kernel);
}
