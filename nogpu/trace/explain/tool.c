/* HIP_CPU_TRACE=explain: what the hardware would do, line by line of the source.
 *
 *   HIP_CPU_EXPLAIN=machine:gfx942    a row of machines.h; default: the first with the warp size of the run
 *   HIP_CPU_EXPLAIN=json              the numbers as JSON
 *   HIP_CPU_EXPLAIN=csv               the totals of each kernel as CSV
 *   HIP_CPU_EXPLAIN=to:FILE           into a file, apart from what the program prints
 *
 * Several words with commas; to:FILE is the last.
 * SPDX-License-Identifier: MIT */
#include "explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../trace_internal.h"

static void *start(UNUSED bool weak_memory)
{
    struct explain *e = trace_check_alloc(calloc(1, sizeof *e));
    const char *words = hip_cpu_setting("HIP_CPU_EXPLAIN");
    char *at = words ? trace_check_alloc(strdup(words)) : NULL;

    e->print = explain_print;
    while (at && *at && !e->output) {
        char *word = strncmp(at, "to:", 3) == 0 ? NULL : strsep(&at, ",");
        if (!word)
            e->output = at + 3;
        else if (strcmp(word, "json") == 0)
            e->print = explain_json, e->wants_values = true;
        else if (strcmp(word, "csv") == 0)
            e->print = explain_csv;
        else if (strncmp(word, "machine:", 8) == 0)
            e->wanted_machine = word + 8;
        else
            hip_cpu_reject("HIP_CPU_EXPLAIN", words);
    }
    return e;
}

/* wanted: a name, or NULL for the first one with this warp size. */
static const struct machine *choose_machine(const char *wanted, unsigned warp_size)
{
    const struct machine *m = machines;

    while (m < machines + MACHINES && (wanted ? strcmp(m->name, wanted) != 0 : m->warp_size != warp_size))
        m++;
    if (m < machines + MACHINES && m->warp_size == warp_size)
        return m;
    if (m < machines + MACHINES) {
        fprintf(stderr, "hip: %s uses %u-lane warps; set WARP=%u, or leave WARP= out\n", wanted, m->warp_size,
                m->warp_size);
    } else {
        fprintf(stderr, "hip: unknown machine %s; use", wanted);
        for (size_t i = 0; i < MACHINES; i++)
            fprintf(stderr, "%s %s", i > 0 ? " or" : "", machines[i].name);
        fprintf(stderr, "\n");
    }
    _exit(EXIT_USAGE);
}

static void launch_begin(void *tool, const struct trace_launch *l)
{
    struct explain *e = tool;
    explain_launch(e, l, choose_machine(e->wanted_machine, l->warp_size));
}

static int finish(void *tool, const struct trace_end *end)
{
    struct explain *e = tool;
    size_t count;
    const struct explain_kernel *k = explain_kernels(e, &count);

    fflush(stdout);
    if (e->output && !freopen(e->output, "w", stdout)) {
        fprintf(stderr, "hip: cannot write to %s: choose another place\n", e->output);
        return EXIT_USAGE;
    }
    e->print(k, count);
    if (count > 0 || end->status != 0)
        return 0;
    fprintf(stderr, "explain: %s\n", TRACE_NO_KERNEL);
    return EXIT_NOTHING_SEEN;
}

const struct trace_tool trace_explain = {
    .name = "explain",
    .start = start,
    .launch_begin = launch_begin,
    .block_begin = explain_block_begin,
    .block_end = explain_block_end,
    .access = explain_access,
    .atomic = explain_atomic,
    .barrier = explain_barrier,
    .meeting = explain_meeting,
    .finish = finish,
};
