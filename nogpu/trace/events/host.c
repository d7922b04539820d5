/* What the host does: it puts work on streams, waits for it, copies, and accesses memory. Host threads take turns here,
 * and wait for the end of a launch.
 * SPDX-License-Identifier: MIT */
#include <execinfo.h>
#include <string.h>

#include "../trace_internal.h"

#define DEPTH 12 /* calls within the runtime, at most */

/* end of the stack of the host function that a stream is calling; 0: none */
static __thread uintptr_t function_stack;

/* ---- streams ---- */

void trace_stream(enum hip_cpu_stream_event what, hipStream_t stream, hipEvent_t event)
{
    /* The function's frames are below the caller's, which is here 16 bytes above this one. */
    if (what == HIP_CPU_FUNCTION_BEGINS)
        function_stack = (uintptr_t)__builtin_frame_address(0) + 16;
    else if (what == HIP_CPU_FUNCTION_ENDS)
        function_stack = 0;
    if (!trace_run.tool || !trace_run.tool->stream || hip_cpu_current)
        return;
    trace_allocations_lock();
    trace_run.tool->stream(trace_run.state, &(struct trace_stream){what, stream, event});
    trace_allocations_unlock();
}

/* ---- copies ---- */

/* Some calls of the runtime copy by another one: the call in the program is further up the stack. */
static const struct trace_place *place_of_call(void *code)
{
    /* Its folder, as compilers were given this one. */
    static const char here[] = "trace/events/host.c";
    char runtime[] = __FILE__ "...";
    strcpy(runtime + sizeof __FILE__ - sizeof here, "runtime/");
    const struct trace_place *place = trace_place_of((uintptr_t)code);
    void *caller[DEPTH];
    int depth = strstr(place->file, runtime) ? backtrace(caller, DEPTH) : 0, at = 0;

    while (at < depth && caller[at] != code)
        at++;
    while (at < depth && strstr(place->file, runtime))
        place = trace_place_of((uintptr_t)caller[at++]);
    return place;
}

/* The headers of the platform and the runtime are passed over. */
uintptr_t trace_caller(void)
{
    void *caller[2 * DEPTH];
    int depth = backtrace(caller, 2 * DEPTH);

    for (int i = 1; i < depth; i++) {
        uintptr_t code = (uintptr_t)caller[i];
        const struct trace_place *place = trace_place_of(code);
        if (!trace_is_of_runtime(code) && place->line > 0 && !trace_is_platform(place->file))
            return code;
    }
    return 0;
}

void trace_notify_memory(struct trace_memory event)
{
    if (!trace_run.tool || !trace_run.tool->memory || trace_run.has_ended)
        return;
    trace_allocations_lock();
    event.code = trace_caller();
    trace_run.tool->memory(trace_run.state, &event);
    trace_allocations_unlock();
}

static void see_copy(struct trace_copy copy, void *code)
{
    if (!trace_run.tool || !trace_run.tool->copy)
        return;
    trace_allocations_lock();
    copy.place = place_of_call(code);
    trace_run.tool->copy(trace_run.state, &copy);
    trace_allocations_unlock();
}

void trace_copied(void *to, const void *from, size_t bytes, bool waits, void *code)
{
    see_copy((struct trace_copy){.what = from ? TRACE_COPY : TRACE_FILL,
                                 .to = (uintptr_t)to,
                                 .from = (uintptr_t)from,
                                 .bytes = bytes,
                                 .waits = waits},
             code);
}

void trace_memory(const void *start, size_t bytes, bool begins, void *code)
{
    see_copy(
        (struct trace_copy){.what = begins ? TRACE_ALLOCATION : TRACE_RELEASE, .to = (uintptr_t)start, .bytes = bytes},
        code);
}

/* ---- accesses ---- */

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    if (function_stack && trace_run.tool && trace_run.tool->stream && trace_allocations_trylock()) {
        trace_run.tool->stream(trace_run.state, &(struct trace_stream){.what = HIP_CPU_FUNCTION_UNLOCKS});
        trace_allocations_unlock();
    }
    return __real_pthread_mutex_unlock(mutex);
}

void trace_see_host(uintptr_t address, size_t size, bool write, bool is_atomic, bool copied, void *code)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    struct trace_host_access access = {address, size, write, is_atomic, function_stack, (uintptr_t)code};

    if (function_stack && address - here < function_stack - here) /* the function's own variables */
        return;
    if (size == 0 || !trace_allocations_trylock()) /* within the trace or a launch */
        return;
    if (!copied || !trace_is_of_runtime((uintptr_t)code))
        trace_run.tool->host_access(trace_run.state, &access);
    trace_allocations_unlock();
}
