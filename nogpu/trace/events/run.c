/* The run that is traced, and its end.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <unistd.h>

#include "../trace_internal.h"

struct trace_run trace_run;
const struct trace_launch *trace_launch;
/* Its alignment is that of the thread-local segment, which begins with the static __shared__ variables: their addresses must
 * not depend on the size of the segment. */
_Alignas(128) __thread struct trace_here trace_here;

void *trace_check_alloc(void *memory)
{
    if (!memory) {
        hip_cpu_begin_fatal();
        fprintf(stderr, "hip: no memory for the trace: use a smaller size\n");
        _exit(EXIT_DEVICE_FAULT);
    }
    return memory;
}

int trace_end(int status, bool stopped)
{
    const struct trace_tool *tool = trace_run.tool;
    struct trace_end end = {status, stopped};
    int code = 0;

    if (trace_run.has_ended || trace_run.is_trial)
        return 0;
    trace_run.has_ended = true;
    if (tool && tool->finish)
        code = tool->finish(trace_run.state, &end);
    if (hip_cpu_setting("HIP_CPU_FINDINGS")) /* stdout is this file now */
        printf("\001end\t%d\n", status);
    fflush(stdout);
    return code;
}

void trace_finish(void) { trace_end(0, true); }
