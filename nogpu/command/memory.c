/* Runs a traced program, in most cases once, and prints a report of what it does wrong with memory. WARP, SCHEDULE and REPORT
 * as for race.
 * SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "recorded.h"
#include "runs.h"

static int status; /* of the last run that did not end with 0 */

static void on_stop(void) { exit(recorded_report(130, status)); }

int runs_memory(char **words)
{
    char *as_it_is[] = {"", NULL}, **warps = runs_words(runs_setting("WARP", ""));

    recorded_begin("memory", on_stop);
    setenv("HIP_CPU_TRACE", "memory", 1);
    int out = recorded_place() ? fileno(recorded_place()) : open("/dev/null", O_WRONLY | O_CLOEXEC);
    for (char **warp = *warps ? warps : as_it_is; *warp; warp++)
        for (char **schedule = runs_words(runs_setting("SCHEDULE", "forward")); *schedule; schedule++) {
            runs_set(*warp, *schedule);
            recorded_add(*warp, *schedule, "", NULL);
            int code = runs_start(words, out, STDERR_FILENO, 0);
            if (code != 0)
                status = code;
        }
    return recorded_report(status, status);
}
