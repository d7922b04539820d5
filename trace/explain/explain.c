/* HIP_CPU_TRACE=explain: what the hardware would do, line by line of the source.
 *
 *   HIP_CPU_EXPLAIN=machine:gfx942    a row of machines.h; default: the first with the warp size of the run
 *   HIP_CPU_EXPLAIN=json              the numbers as JSON
 *   HIP_CPU_EXPLAIN=page              the part of the page that page.html lacks
 *   HIP_CPU_EXPLAIN=to:FILE           into a file, apart from what the program prints
 *
 * Several words with commas; to:FILE is the last.
 */
#include "explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../trace_internal.h"

const struct machine *explain_machine;
static const char *wanted_machine, *output;
static void (*show)(const struct explain_kernel *k, size_t count) = explain_print;

static void start(void)
{
    const char *words = getenv("HIP_CPU_EXPLAIN");
    char *at = words ? trace_check_alloc(strdup(words)) : NULL;

    while (at && *at && !output) {
        char *word = strncmp(at, "to:", 3) == 0 ? NULL : strsep(&at, ",");
        if (!word)
            output = at + 3;
        else if (strcmp(word, "json") == 0)
            show = explain_json;
        else if (strcmp(word, "page") == 0)
            show = explain_page;
        else if (strncmp(word, "machine:", 8) == 0)
            wanted_machine = word + 8;
        else {
            fprintf(
                stderr,
                "hip: HIP_CPU_EXPLAIN=%s: use json, page, machine:NAME, to:FILE, or several with "
                "commas\n",
                words);
            _exit(EXIT_USAGE);
        }
    }
}

static void choose_machine(unsigned warp_size)
{
    const struct machine *m = NULL;

    for (size_t i = 0; i < MACHINES && !m; i++)
        if (wanted_machine ? strcmp(machines[i].name, wanted_machine) == 0
                           : machines[i].warp_size == warp_size)
            m = &machines[i];
    explain_machine = m;
    if (m && m->warp_size == warp_size)
        return;
    if (m) {
        fprintf(stderr, "hip: %s has warps of %u: say WARP=%u, or leave WARP= out\n",
                wanted_machine, m->warp_size, m->warp_size);
    } else {
        fprintf(stderr, "hip: explain knows no machine %s: use", wanted_machine);
        for (size_t i = 0; i < MACHINES; i++)
            fprintf(stderr, "%s %s", i > 0 ? " or" : "", machines[i].name);
        fprintf(stderr, "\n");
    }
    _exit(EXIT_USAGE);
}

static void launch_begin(const struct trace_launch *l)
{
    choose_machine(l->warp_size);
    explain_launch(l);
}

static int finish(void)
{
    size_t count;
    const struct explain_kernel *k = explain_kernels(&count);

    fflush(stdout);
    if (output && !freopen(output, "w", stdout)) {
        fprintf(stderr, "hip: cannot write to %s: choose another place\n", output);
        return EXIT_USAGE;
    }
    show(k, count);
    if (count > 0 || trace_status != 0)
        return 0;
    fprintf(stderr, "explain: %s\n", trace_no_kernel);
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
