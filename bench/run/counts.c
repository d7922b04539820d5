/* SPDX-License-Identifier: MIT */
#include "counts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number after "name": in a line of JSON; 0: none. */
static double number(const char *line, const char *name)
{
    char key[64];

    snprintf(key, sizeof key, "\"%s\": ", name);
    const char *at = strstr(line, key);
    return at != NULL ? strtod(at + strlen(key), NULL) : 0;
}

static double of(const char *line, const char *format, const char *access)
{
    char name[64];

    snprintf(name, sizeof name, format, access);
    return number(line, name);
}

void counts_begin(const struct counting *c)
{
    char trace[128];

    /* Two workers, so that grids that depend on the device are the same on every machine. */
    setenv("HIP_CPU_WORKERS", "2", 1);
    setenv("HIP_CPU_TRACE", "explain", 1);
    snprintf(trace, sizeof trace, "%s%s%sjson", c->machine != NULL ? "machine:" : "",
             c->machine != NULL ? c->machine : "", c->machine != NULL ? "," : "");
    setenv("HIP_CPU_EXPLAIN", trace, 1);
    if (c->warp != NULL)
        setenv("HIP_CPU_WARP_SIZE", c->warp, 1);
}

void counts_add(struct counts *c, const struct csv_row *row, const char *line)
{
    /* The kernel's launches belong to this many reductions. */
    double runs = csv_number(row, "total_runs") + csv_number(row, "kernel_runs");
    double times = number(line, "launches") / runs, sector = number(line, "sector_bytes");
    double warps = ceil(number(line, "threads") / number(line, "warp_size"));

    if (strstr(line, "{\"kernel\": ") == NULL || !(runs > 0))
        return;
    c->blocks += times * number(line, "blocks");
    c->barriers += times * number(line, "barriers") / warps;
    c->memory += times * number(line, "instructions");
    c->lanes += times * number(line, "lanes");
    c->instructions += times * (number(line, "instructions") + number(line, "warp_operations"));
    for (unsigned i = 0; i < 3; i++) {
        static const char *const accesses[] = {"load", "store", "atomic"};
        c->asked += times * of(line, "global_%s_bytes", accesses[i]);
        c->moved += times * sector * of(line, "global_%s_sectors", accesses[i]);
        c->passes += times * of(line, "shared_%s_passes", accesses[i]);
        c->conflicts += times * of(line, "shared_%s_conflicts", accesses[i]);
    }
}
