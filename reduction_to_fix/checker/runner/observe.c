/* On the CPU the linker puts these functions between the exercise and the runtime (--wrap). They record what
 * is launched, copied and allocated; the device's memory is inaccessible while the host's own code runs; and
 * launches, copies and events can be delayed until the host waits for them, which is as late as HIP allows. On
 * a GPU the host cannot access device memory, and the device is late by itself.
 * SPDX-License-Identifier: MIT */
#include "runner.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

static struct secret *secret;
static size_t secret_bytes;

struct secret *observe_secret(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    if (secret != NULL)
        return secret;
    secret_bytes = (sizeof *secret + page - 1) / page * page;
    void *pages =
        mmap(NULL, secret_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    HIP_CHECK(pages != MAP_FAILED ? hipSuccess : hipErrorOutOfMemory);
    return secret = pages;
}

static void hide_secret(bool hidden)
{
    mprotect(secret, secret_bytes, hidden ? PROT_NONE : PROT_READ | PROT_WRITE);
}

#ifndef ON_CPU

void observe_begin(bool late)
{
    (void)late;
    memset(&secret->reply.seen, 0, sizeof secret->reply.seen);
}

void observe_enter(void)
{
    hide_secret(true);
}

void observe_leave(void)
{
    hide_secret(false);
}

void observe_finish_begins(void)
{
}

void observe_end(void)
{
}

void observe_input(void *input, size_t bytes)
{
    (void)input;
    (void)bytes;
}

void observe_memory(void *start, size_t bytes)
{
    (void)start;
    (void)bytes;
}

void observe_forget(void *start)
{
    (void)start;
}

void observe_order(unsigned warp, int order, uint64_t seed)
{
    (void)warp;
    (void)order;
    (void)seed;
}

void observe_window(uint64_t first, uint64_t count)
{
    (void)first;
    (void)count;
}

#else

#include <hip/hip_cpu.h>

#define MEMORIES_MAX 1024
#define EVENTS_MAX   64

static struct memory {
    char *pages, *start;
    size_t pages_bytes, bytes;
    bool host;   /* hipHostMalloc */
    bool sparse; /* read-only, so that limits of data do not count it */
} memories[MEMORIES_MAX];
static size_t memories_count;

static struct {
    const char *input;
    size_t input_bytes;
    bool inside;  /* the exercise's host code runs */
    bool late;    /* work is delayed */
    bool counts;  /* between observe_begin() and observe_end() */
    bool finish;  /* launch() has returned */
    bool touched; /* the device's memory stays accessible: it was used, and that is known */
    uint64_t number, asked;
    int64_t bytes; /* allocated since observe_begin() */
    struct sigaction before[NSIG];
} state;

/* ---- memory, hidden from the host ---- */

static void hide_memory(bool hidden)
{
    for (size_t i = 0; i < memories_count; i++)
        if (!memories[i].host)
            mprotect(memories[i].pages, memories[i].pages_bytes,
                     hidden               ? PROT_NONE
                     : memories[i].sparse ? PROT_READ
                                          : PROT_READ | PROT_WRITE);
}

/* The runtime begins to work for the exercise, and ends. True: for the exercise. */
static bool enter_runtime(void)
{
    if (!state.inside)
        return false;
    state.inside = false;
    hide_memory(false);
    hide_secret(false);
    return true;
}

static void leave_runtime(bool exercise)
{
    if (!exercise)
        return;
    hide_secret(true);
    hide_memory(true);
    state.inside = true;
}

void observe_enter(void)
{
    leave_runtime(true);
}

void observe_leave(void)
{
    enter_runtime();
}

static const struct memory *memory_at(const void *address)
{
    const char *at = address;

    for (size_t i = 0; i < memories_count; i++)
        if (at >= memories[i].pages && at < memories[i].pages + memories[i].pages_bytes)
            return &memories[i];
    return NULL;
}

static bool in_input(const void *address)
{
    return (const char *)address >= state.input &&
           (const char *)address < state.input + state.input_bytes;
}

static void remember(void *start, size_t bytes, bool host, bool sparse)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE) - 1, from = (uintptr_t)start & ~page;

    HIP_CHECK(memories_count < MEMORIES_MAX ? hipSuccess : hipErrorOutOfMemory);
    memories[memories_count++] =
        (struct memory){(char *)from, start, (((uintptr_t)start + bytes + page) & ~page) - from,
                        bytes,        host,  sparse};
}

void observe_memory(void *start, size_t bytes)
{
    remember(start, bytes, false, true);
}

void observe_forget(void *start)
{
    for (size_t i = 0; i < memories_count; i++)
        if (memories[i].start == start) {
            state.bytes -= (int64_t)memories[i].bytes;
            memories[i] = memories[--memories_count];
            return;
        }
}

void observe_input(void *input, size_t bytes)
{
    state.input = input;
    state.input_bytes = bytes;
}

/* ---- faults ---- */

#ifdef HIP_CPU_TRACE
#include <pthread.h>

#include "trace/symbols.h"
#include "trace/trace_internal.h"

struct asked {
    uintptr_t code;
    char *text;
};

static void *look_up(void *context)
{
    const struct asked *asked = context;
    struct symbols_code code;
    static bool opened;

    if (!opened && !trace_run.is_on)
        symbols_open();
    opened = true;
    symbols_of_code(asked->code, &code);
    for (unsigned i = 0; i < code.count && asked->text[0] == '\0'; i++)
        if (code.frame[i].line > 0 && strstr(code.frame[i].file, ".hip") != NULL &&
            strstr(code.frame[i].file, "common/") == NULL)
            snprintf(asked->text, PLACE_MAX, "line %u", code.frame[i].line);
    return NULL;
}

/* In a thread of its own: the stack for signals is too small to read the program's symbols. */
static void line_of(const void *context, char text[PLACE_MAX])
{
    struct asked asked = {0, text};
    pthread_t thread;

    text[0] = '\0';
#if defined(__x86_64__)
    asked.code = (uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    asked.code = (uintptr_t)((const ucontext_t *)context)->uc_mcontext.pc;
#else
    (void)context;
#endif
    if (asked.code != 0 && pthread_create(&thread, NULL, look_up, &asked) == 0)
        pthread_join(thread, NULL);
}
#else
static void line_of(const void *context, char text[PLACE_MAX])
{
    (void)context;
    text[0] = '\0';
}
#endif

/* A host that uses the device's memory is recorded, and then allowed, so that the result is checked as well.
 * Everything else is the runtime's; the line is shown before its message. */
static void fault(int signal, siginfo_t *info, void *context)
{
    char place[PLACE_MAX];
    const struct memory *memory = signal == SIGSEGV ? memory_at(info->si_addr) : NULL;

    if (state.inside && hip_cpu_current == NULL && memory != NULL && !memory->host) {
        line_of(context, place);
        hide_secret(false);
        struct observed *seen = &secret->reply.seen;
        if (in_input(info->si_addr))
            seen->host_reads = true;
        else
            seen->host_touches = true;
        snprintf(seen->place, sizeof seen->place, "%s", place);
        hide_secret(true);
        hide_memory(false);
        return;
    }
    line_of(context, place);
    if (place[0] != '\0') {
        fprintf(stderr, "at %s\n", place);
        fflush(stderr);
    }
    sigaction(signal, &state.before[signal],
              NULL); /* the instruction faults again, for the runtime */
    if (signal == SIGABRT)
        raise(signal);
}

static void catch_faults(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    static bool caught;
    struct sigaction action = {.sa_sigaction = fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};

    for (size_t i = 0; !caught && i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, &state.before[signals[i]]);
    caught = true;
}

/* ---- work that is delayed until the host waits for it ---- */

struct task {
    struct task *next;
    uint64_t number;
    hipStream_t stream;
    enum { TASK_LAUNCH, TASK_COPY, TASK_FILL, TASK_WAIT } kind;
    struct hip_cpu_launch launch;
    void *to;
    const void *from;
    int byte;
    size_t bytes;
    hipMemcpyKind copy;
    uint64_t upto; /* TASK_WAIT: for all of this stream up to here */
    hipStream_t other;
};

static struct task *first;

static struct {
    hipEvent_t event;
    hipStream_t stream;
    uint64_t number; /* of the last task before it */
} events[EVENTS_MAX];

hipError_t __real_hip_cpu_run(const struct hip_cpu_launch *launch);
hipError_t __real_hipMalloc(void **pointer, size_t bytes);
hipError_t __real_hipFree(void *pointer);
hipError_t __real_hipHostMalloc(void **pointer, size_t bytes, unsigned flags);
hipError_t __real_hipHostFree(void *pointer);
hipError_t __real_hipMemcpy(void *to, const void *from, size_t bytes, hipMemcpyKind kind);
hipError_t __real_hipMemset(void *to, int byte, size_t bytes);
hipError_t __real_hipStreamSynchronize(hipStream_t stream);
hipError_t __real_hipDeviceSynchronize(void);
hipError_t __real_hipEventRecord(hipEvent_t event, hipStream_t stream);
hipError_t __real_hipEventSynchronize(hipEvent_t event);
hipError_t __real_hipEventQuery(hipEvent_t event);
hipError_t __real_hipStreamQuery(hipStream_t stream);
hipError_t __real_hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags);

/* The runtime does not know sparse memory. */
static hipError_t copy(void *to, const void *from, size_t bytes, hipMemcpyKind kind)
{
    const struct memory *source = memory_at(from);

    if (source == NULL || !source->sparse)
        return __real_hipMemcpy(to, from, bytes, kind);
    memcpy(to, from, bytes);
    return hipSuccess;
}

static hipError_t run_kernel(const struct hip_cpu_launch *launch)
{
    hide_secret(true);
    hipError_t error = __real_hip_cpu_run(launch);
    hide_secret(false);
    return error;
}

static void flush(hipStream_t stream, uint64_t upto);

static void run_task(struct task *t)
{
    switch (t->kind) {
    case TASK_LAUNCH:
        (void)run_kernel(&t->launch);
        free((void *)t->launch.arguments);
        break;
    case TASK_COPY:
        (void)copy(t->to, t->from, t->bytes, t->copy);
        break;
    case TASK_FILL:
        (void)__real_hipMemset(t->to, t->byte, t->bytes);
        break;
    case TASK_WAIT:
        flush(t->other, t->upto);
        break;
    }
    free(t);
}

/* Does the delayed work of this stream up to a number. The stream NULL waits for all others, and they for it. */
static void flush(hipStream_t stream, uint64_t upto)
{
    for (const struct task *t = first; t != NULL; t = t->next)
        if (stream != NULL && t->stream == NULL && t->number <= upto) {
            flush(NULL, t->number);
            break;
        }
    for (;;) {
        struct task **at = &first;
        while (*at != NULL && ((stream != NULL && (*at)->stream != stream) || (*at)->number > upto))
            at = &(*at)->next;
        struct task *t = *at;
        if (t == NULL)
            return;
        *at = t->next;
        run_task(t);
    }
}

static struct task *postpone(hipStream_t stream)
{
    struct task **end = &first, *t = calloc(1, sizeof *t);

    HIP_CHECK(t != NULL ? hipSuccess : hipErrorOutOfMemory);
    while (*end != NULL)
        end = &(*end)->next;
    t->stream = stream;
    t->number = ++state.number;
    return *end = t;
}

void observe_begin(bool late)
{
    memset(&secret->reply.seen, 0, sizeof secret->reply.seen);
    catch_faults();
    state.counts = true;
    state.late = late;
    state.finish = false;
    state.asked = 0;
    state.bytes = 0;
}

void observe_finish_begins(void)
{
    state.finish = true;
}

void observe_end(void)
{
    flush(NULL, UINT64_MAX);
    secret->reply.seen.kept = state.bytes;
    state.counts = state.late = false;
}

/* ---- between the exercise and the runtime ---- */

hipError_t __wrap_hip_cpu_run(const struct hip_cpu_launch *launch);
hipError_t __wrap_hip_cpu_run(const struct hip_cpu_launch *launch)
{
    struct observed *seen = &secret->reply.seen;
    uint64_t blocks = (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
    hipError_t error = hipSuccess;
    bool exercise = enter_runtime();

    seen->launches += !state.finish;
    seen->launches_in_finish += state.finish;
    if (blocks > seen->blocks) {
        seen->blocks = blocks;
        seen->threads = (uint64_t)launch->block.x * launch->block.y * launch->block.z;
    }
    if (state.late) {
        struct task *t = postpone(launch->stream);
        void *arguments = malloc(launch->arguments_bytes);
        HIP_CHECK(arguments != NULL ? hipSuccess : hipErrorOutOfMemory);
        memcpy(arguments, launch->arguments, launch->arguments_bytes);
        t->kind = TASK_LAUNCH;
        t->launch = *launch;
        t->launch.arguments = arguments;
    } else {
        error = run_kernel(launch);
    }
    leave_runtime(exercise);
    return error;
}

static hipError_t allocate(void **pointer, size_t bytes, bool host)
{
    bool exercise = enter_runtime();
    hipError_t error =
        host ? __real_hipHostMalloc(pointer, bytes, 0) : __real_hipMalloc(pointer, bytes);

    if (error == hipSuccess && bytes > 0) {
        remember(*pointer, bytes, host, false);
        state.bytes += (int64_t)bytes;
    }
    leave_runtime(exercise);
    return error;
}

/* Waits for the device before it frees, as HIP does. */
static hipError_t release(void *pointer, bool host)
{
    bool exercise = enter_runtime();

    flush(NULL, UINT64_MAX);
    observe_forget(pointer);
    hipError_t error = host ? __real_hipHostFree(pointer) : __real_hipFree(pointer);
    leave_runtime(exercise);
    return error;
}

hipError_t __wrap_hipMalloc(void **pointer, size_t bytes);
hipError_t __wrap_hipMalloc(void **pointer, size_t bytes)
{
    return allocate(pointer, bytes, false);
}

hipError_t __wrap_hipHostMalloc(void **pointer, size_t bytes, unsigned flags);
hipError_t __wrap_hipHostMalloc(void **pointer, size_t bytes, unsigned flags)
{
    (void)flags;
    return allocate(pointer, bytes, true);
}

hipError_t __wrap_hipFree(void *pointer);
hipError_t __wrap_hipFree(void *pointer)
{
    return release(pointer, false);
}

hipError_t __wrap_hipHostFree(void *pointer);
hipError_t __wrap_hipHostFree(void *pointer)
{
    return release(pointer, true);
}

/* Copying elements of the input to the host counts as the host reading them. */
static void note_copy(void *to, const void *from, size_t bytes)
{
    const struct memory *target = memory_at(to), *source = memory_at(from);

    if (!state.counts || source == NULL || source->host || (target != NULL && !target->host))
        return;
    secret->reply.seen.to_host += bytes;
    if (in_input(from))
        secret->reply.seen.host_reads = true;
}

hipError_t __wrap_hipMemcpy(void *to, const void *from, size_t bytes, hipMemcpyKind kind);
hipError_t __wrap_hipMemcpy(void *to, const void *from, size_t bytes, hipMemcpyKind kind)
{
    bool exercise = enter_runtime();

    flush(NULL, UINT64_MAX);
    note_copy(to, from, bytes);
    hipError_t error = copy(to, from, bytes, kind);
    leave_runtime(exercise);
    return error;
}

hipError_t __wrap_hipMemcpyAsync(void *to, const void *from, size_t bytes, hipMemcpyKind kind,
                                 hipStream_t stream);
hipError_t __wrap_hipMemcpyAsync(void *to, const void *from, size_t bytes, hipMemcpyKind kind,
                                 hipStream_t stream)
{
    bool exercise = enter_runtime();
    hipError_t error = hipSuccess;

    note_copy(to, from, bytes);
    if (state.late && bytes > 0) {
        struct task *t = postpone(stream);
        t->kind = TASK_COPY;
        t->to = to;
        t->from = from;
        t->bytes = bytes;
        t->copy = kind;
    } else {
        error = copy(to, from, bytes, kind);
    }
    leave_runtime(exercise);
    return error;
}

hipError_t __wrap_hipMemset(void *to, int byte, size_t bytes);
hipError_t __wrap_hipMemset(void *to, int byte, size_t bytes)
{
    bool exercise = enter_runtime();

    flush(NULL, UINT64_MAX);
    hipError_t error = __real_hipMemset(to, byte, bytes);
    leave_runtime(exercise);
    return error;
}

hipError_t __wrap_hipMemsetAsync(void *to, int byte, size_t bytes, hipStream_t stream);
hipError_t __wrap_hipMemsetAsync(void *to, int byte, size_t bytes, hipStream_t stream)
{
    if (!state.late)
        return __wrap_hipMemset(to, byte, bytes);
    bool exercise = enter_runtime();
    struct task *t = postpone(stream);
    t->kind = TASK_FILL;
    t->to = to;
    t->byte = byte;
    t->bytes = bytes;
    leave_runtime(exercise);
    return hipSuccess;
}

hipError_t __wrap_hipStreamSynchronize(hipStream_t stream);
hipError_t __wrap_hipStreamSynchronize(hipStream_t stream)
{
    bool exercise = enter_runtime();

    flush(stream, UINT64_MAX);
    hipError_t error = __real_hipStreamSynchronize(stream);
    leave_runtime(exercise);
    return error;
}

hipError_t __wrap_hipDeviceSynchronize(void);
hipError_t __wrap_hipDeviceSynchronize(void)
{
    bool exercise = enter_runtime();

    flush(NULL, UINT64_MAX);
    hipError_t error = __real_hipDeviceSynchronize();
    leave_runtime(exercise);
    return error;
}

static bool pending(hipStream_t stream, uint64_t upto)
{
    for (const struct task *t = first; t != NULL; t = t->next)
        if ((stream == NULL || t->stream == stream || t->stream == NULL) && t->number <= upto)
            return true;
    return false;
}

/* The first time that the host asks, the device is not ready; a loop asks again. */
static bool not_ready(hipStream_t stream, uint64_t upto)
{
    bool first_time = pending(stream, upto) && state.asked < state.number;

    if (first_time)
        state.asked = state.number;
    else
        flush(stream, upto);
    return first_time;
}

hipError_t __wrap_hipStreamQuery(hipStream_t stream);
hipError_t __wrap_hipStreamQuery(hipStream_t stream)
{
    bool exercise = enter_runtime();
    hipError_t error =
        not_ready(stream, UINT64_MAX) ? hipErrorNotReady : __real_hipStreamQuery(stream);

    leave_runtime(exercise);
    return error;
}

/* ---- events ---- */

/* Where the event was recorded; NULL: nowhere. */
static const hipStream_t *recorded(hipEvent_t event, uint64_t *number)
{
    for (size_t i = 0; i < EVENTS_MAX; i++)
        if (event != NULL && events[i].event == event) {
            *number = events[i].number;
            return &events[i].stream;
        }
    return NULL;
}

hipError_t __wrap_hipEventRecord(hipEvent_t event, hipStream_t stream);
hipError_t __wrap_hipEventRecord(hipEvent_t event, hipStream_t stream)
{
    bool exercise = enter_runtime();
    size_t i = 0;

    while (i < EVENTS_MAX - 1 && events[i].event != NULL && events[i].event != event)
        i++;
    events[i].event = event;
    events[i].stream = stream;
    events[i].number = state.number;
    hipError_t error = __real_hipEventRecord(event, stream);
    leave_runtime(exercise);
    return error;
}

hipError_t __wrap_hipEventSynchronize(hipEvent_t event);
hipError_t __wrap_hipEventSynchronize(hipEvent_t event)
{
    bool exercise = enter_runtime();
    uint64_t number;
    const hipStream_t *stream = recorded(event, &number);

    if (stream != NULL)
        flush(*stream, number);
    hipError_t error = __real_hipEventSynchronize(event);
    leave_runtime(exercise);
    return error;
}

hipError_t __wrap_hipEventQuery(hipEvent_t event);
hipError_t __wrap_hipEventQuery(hipEvent_t event)
{
    bool exercise = enter_runtime();
    uint64_t number;
    const hipStream_t *stream = recorded(event, &number);
    hipError_t error = stream != NULL && not_ready(*stream, number) ? hipErrorNotReady
                                                                    : __real_hipEventQuery(event);

    leave_runtime(exercise);
    return error;
}

hipError_t __wrap_hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags);
hipError_t __wrap_hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags)
{
    bool exercise = enter_runtime();
    uint64_t number;
    const hipStream_t *other = recorded(event, &number);

    if (state.late && other != NULL) {
        struct task *t = postpone(stream);
        t->kind = TASK_WAIT;
        t->other = *other;
        t->upto = number;
    }
    hipError_t error = __real_hipStreamWaitEvent(stream, event, flags);
    leave_runtime(exercise);
    return error;
}

void observe_order(unsigned warp, int order, uint64_t seed)
{
    hip_cpu_set_warp_size(warp);
    hip_cpu_set_schedule(order == 0   ? HIP_CPU_FORWARD
                         : order == 1 ? HIP_CPU_REVERSE
                                      : HIP_CPU_RANDOM,
                         seed);
}

void observe_window(uint64_t first_block, uint64_t count)
{
    hip_cpu_set_window(first_block, count);
}

#endif
