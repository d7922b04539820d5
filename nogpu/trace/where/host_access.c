/* Accesses that no GPU could make, and a host can: to memory of the host by an argument of the kernel, and beyond the
 * static __shared__ variables.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "../trace_internal.h"
#include "../text/names.h"

static void fail(const char *what, void *code)
{
    const struct trace_place *place = trace_place_of((uintptr_t)code);
    hip_cpu_fail(what, place->file, (int)place->line);
}

/* The runtime's variables that belong to a thread lie around those of the kernels. */
static void check_shared(uintptr_t address, bool write, void *code)
{
    struct symbols_variable v;
    char text[400];

    if (!symbols_is_thread_local(address))
        return;
    if (symbols_shared_before(address, &v))
        snprintf(text, sizeof text,
                 "%s byte %zu of the static __shared__ variable %s of %zu bytes: check the index "
                 "against the size",
                 write ? "writes" : "reads", (size_t)(address - v.begin), v.name, v.bytes);
    else
        snprintf(text, sizeof text, "%s before the first static __shared__ variable: check the index",
                 write ? "writes" : "reads");
    hip_cpu_begin_fault(HIP_CPU_OUT_OF_BOUNDS);
    fail(text, code);
}

static void check_arguments(uintptr_t address, bool write, void *code)
{
    unsigned best = trace_launch->arguments;
    uintptr_t nearest = (uintptr_t)1 << 32;
    char name[80], where[200], text[400];

    for (unsigned i = 0; i < trace_launch->arguments; i++) {
        uintptr_t p = (uintptr_t)trace_launch->argument[i].pointer;
        bool behind = trace_allocation_of(p - 1); /* an end of an array */
        if (p && address - p < nearest && !behind && trace_space_of(p) == HIP_CPU_HOST) {
            nearest = address - p;
            best = i;
        }
    }
    if (best == trace_launch->arguments)
        return;
    trace_parameter_name(best, name, sizeof name);
    hip_cpu_describe_address((const void *)address, where, sizeof where);
    if (strstr(where, " of a freed"))
        snprintf(text, sizeof text, "%s %s through %s: free it after the last kernel that uses it",
                 write ? "writes" : "reads", where, name);
    else
        snprintf(text, sizeof text,
                 "%s memory of the host through %s, which a GPU cannot reach: allocate it with "
                 "hipMalloc(), and copy with hipMemcpy()",
                 write ? "writes to" : "reads", name);
    fail(text, code);
}

void trace_check_host_access(uintptr_t address, bool write, void *code)
{
    check_shared(address, write, code);
    if (!trace_run.host_registered)
        check_arguments(address, write, code);
}
