/* SPDX-License-Identifier: MIT */
#include "counts.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_codes.h"
#include "bench/programs/failure.h"
#include "harness/report/csv.h"

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

/* Each line has one kernel's totals. runs: how many reductions its launches belong to. */
static void add_kernel(struct counts *c, const char *line, double runs)
{
    double times = number(line, "launches") / runs, sector = number(line, "sector_bytes");
    double warps = ceil(number(line, "threads") / number(line, "warp_size"));
    const char *machine = strstr(line, "\"machine\": \"");

    if (machine != NULL)
        sscanf(machine, "\"machine\": \"%31[^\"]", c->machine);
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

/* Takes the lines of standard output: the CSV's names and values, then the kernels as JSON. */
struct counted {
    struct counts counts;
    char *names;
    double runs;
    size_t lines;
};

static void read_row(struct counted *r, const char *values)
{
    struct csv_row row;

    if (!csv_row_read(&row, r->names, values))
        return;
    r->counts.n = csv_number(&row, "n");
    r->counts.launches = csv_number(&row, "launches");
    r->runs = csv_number(&row, "total_runs") + csv_number(&row, "kernel_runs");
    csv_row_free(&row);
}

static bool take_line(void *context, char *line)
{
    struct counted *r = context;

    if (r->lines == 0)
        r->names = duplicate(line);
    else if (r->lines == 1)
        read_row(r, line);
    else if (r->runs > 0 && strstr(line, "{\"kernel\": ") != NULL)
        add_kernel(&r->counts, line, r->runs);
    r->lines++;
    return true;
}

struct counts counts_run(const struct counting *c, const struct program *p,
                         const struct program_call *call)
{
    static const char *const own[] = {("--size=" COUNTED_SIZE),
                                      "--iterations=1",
                                      "--warmup=0",
                                      "--ceiling=1",
                                      "--format=csv",
                                      NULL};
    char warp[64], trace[128], path[PATH_MAX];
    const char *slash = strrchr(p->words[0], '/');
    /* Two workers, so that grids that depend on the device are the same on every machine. */
    char *environment[] = {"env", "HIP_CPU_WORKERS=2", "HIP_CPU_TRACE=explain", warp, trace, path,
                           NULL};
    struct counted counted = {.names = NULL};

    snprintf(warp, sizeof warp, "HIP_CPU_WARP_SIZE=%s", c->warp);
    snprintf(trace, sizeof trace, "HIP_CPU_EXPLAIN=%s%s%sjson",
             c->machine != NULL ? "machine:" : "", c->machine != NULL ? c->machine : "",
             c->machine != NULL ? "," : "");
    snprintf(path, sizeof path, "%s/%s", c->folder, slash != NULL ? slash + 1 : p->words[0]);
    char **words = program_command(
        (const void *const[]){call->launch, environment, p->words + 1, call->options, own, NULL});
    struct child child =
        child_run(&(struct child_job){.words = words, .line = take_line, .context = &counted});
    free(words);
    if (child.status ==
        EXIT_USAGE) { /* no such machine, or no such warp: the same for all others */
        fputs(child.said, stderr);
        exit(EXIT_USAGE);
    }
    counted.counts.known = counted.counts.blocks > 0;
    child_free(&child);
    free(counted.names);
    return counted.counts;
}
