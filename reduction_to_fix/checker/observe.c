/* On the CPU the linker puts these functions between the exercise and the runtime (--wrap). They record what
 * is launched and copied; the input's pages are inaccessible while the host's own code runs; and launches and
 * asynchronous copies can be delayed until the host waits for them, which is as late as HIP allows. On a GPU
 * the host cannot access device memory, and the device is late by itself. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "checker.h"

static struct observed seen;

#ifndef ON_CPU

void observe_input(void *input, size_t bytes)
{
    (void)input;
    (void)bytes;
}

void observe_begin(bool late)
{
    (void)late;
    memset(&seen, 0, sizeof seen);
}

struct observed observe_end(void)
{
    return seen;
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

static struct {
    char *start, *pages; /* of the input */
    size_t bytes, pages_bytes;
    bool watching, late, asked, installed;
    struct sigaction before;
} state;

/* ---- the input, hidden from the host ---- */

static void hide(bool hidden)
{
    if (state.watching && state.pages_bytes > 0)
        mprotect(state.pages, state.pages_bytes, hidden ? PROT_NONE : PROT_READ | PROT_WRITE);
}

static bool in_input(const void *address)
{
    return state.bytes > 0 && (const char *)address >= state.pages &&
           (const char *)address < state.pages + state.pages_bytes;
}

/* Recorded, and then allowed, so that the result is checked as well. */
static void touched(int signal, siginfo_t *info, void *context)
{
    (void)context;
    if (state.watching && in_input(info->si_addr) && hip_cpu_current == NULL) {
        seen.host_reads = true;
        hide(false);
        return;
    }
    sigaction(signal, &state.before, NULL); /* the instruction faults again, for the runtime */
}

void observe_input(void *input, size_t bytes)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE) - 1;

    state.start = input;
    state.bytes = bytes;
    state.pages = (char *)((uintptr_t)input & ~page);
    state.pages_bytes =
        bytes > 0
            ? (size_t)((((uintptr_t)state.start + bytes + page) & ~page) - (uintptr_t)state.pages)
            : 0;
    if (!state.installed && bytes > 0) {
        struct sigaction action = {.sa_sigaction = touched, .sa_flags = SA_SIGINFO | SA_ONSTACK};
        sigaction(SIGSEGV, &action, &state.before);
        state.installed = true;
    }
}

/* ---- work that is delayed until the host waits for it ---- */

struct task {
    struct task *next;
    hipStream_t stream;
    struct hip_cpu_launch launch; /* kernel NULL: a copy or a fill */
    void *to;
    const void *from; /* NULL: a fill */
    int byte;
    size_t bytes;
    hipMemcpyKind kind;
};

static struct task *first;

hipError_t __real_hip_cpu_run(const struct hip_cpu_launch *launch);
hipError_t __real_hipMemcpy(void *to, const void *from, size_t bytes, hipMemcpyKind kind);
hipError_t __real_hipMemset(void *to, int byte, size_t bytes);
hipError_t __real_hipStreamSynchronize(hipStream_t stream);
hipError_t __real_hipDeviceSynchronize(void);
hipError_t __real_hipEventSynchronize(hipEvent_t event);
hipError_t __real_hipStreamQuery(hipStream_t stream);

static void run_task(struct task *t)
{
    hide(false);
    if (t->launch.kernel != NULL)
        __real_hip_cpu_run(&t->launch);
    else if (t->from != NULL)
        __real_hipMemcpy(t->to, t->from, t->bytes, t->kind);
    else
        __real_hipMemset(t->to, t->byte, t->bytes);
    hide(true);
    if (t->launch.kernel != NULL)
        free((void *)t->launch.arguments);
    free(t);
}

/* Does the delayed work of this stream, or of all streams if all. */
static void flush(hipStream_t stream, bool all)
{
    for (struct task **at = &first; *at != NULL;) {
        struct task *t = *at;
        if (all || t->stream == stream) {
            *at = t->next;
            run_task(t);
        } else {
            at = &t->next;
        }
    }
}

static struct task *postpone(hipStream_t stream)
{
    struct task **end = &first, *t = calloc(1, sizeof *t);

    HIP_CHECK(t != NULL ? hipSuccess : hipErrorOutOfMemory);
    while (*end != NULL)
        end = &(*end)->next;
    t->stream = stream;
    return *end = t;
}

void observe_begin(bool late)
{
    memset(&seen, 0, sizeof seen);
    state.watching = true;
    state.late = late;
    state.asked = false;
    hide(true);
}

struct observed observe_end(void)
{
    struct observed now = seen; /* later work is too late */

    flush(NULL, true);
    hide(false);
    state.watching = state.late = false;
    return now;
}

/* ---- between the exercise and the runtime ---- */

hipError_t __wrap_hip_cpu_run(const struct hip_cpu_launch *launch);
hipError_t __wrap_hip_cpu_run(const struct hip_cpu_launch *launch)
{
    uint64_t blocks = (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;

    if (!state.watching)
        return __real_hip_cpu_run(launch);
    seen.launches++;
    if (blocks > seen.blocks) {
        seen.blocks = blocks;
        seen.threads = (uint64_t)launch->block.x * launch->block.y * launch->block.z;
    }
    if (state.late) {
        struct task *t = postpone(launch->stream);
        void *arguments = malloc(launch->arguments_bytes);
        HIP_CHECK(arguments != NULL ? hipSuccess : hipErrorOutOfMemory);
        memcpy(arguments, launch->arguments, launch->arguments_bytes);
        t->launch = *launch;
        t->launch.arguments = arguments;
        return hipSuccess;
    }
    hide(false);
    hipError_t error = __real_hip_cpu_run(launch);
    hide(true);
    return error;
}

/* Copying elements of the input to the host counts as the host reading them. */
static void note_copy(const void *from, size_t bytes, hipMemcpyKind kind)
{
    if (!state.watching || kind == hipMemcpyHostToDevice || kind == hipMemcpyDeviceToDevice)
        return;
    seen.to_host += bytes;
    if (in_input(from))
        seen.host_reads = true;
}

hipError_t __wrap_hipMemcpy(void *to, const void *from, size_t bytes, hipMemcpyKind kind);
hipError_t __wrap_hipMemcpy(void *to, const void *from, size_t bytes, hipMemcpyKind kind)
{
    flush(NULL, true);
    note_copy(from, bytes, kind);
    hide(false);
    hipError_t error = __real_hipMemcpy(to, from, bytes, kind);
    hide(true);
    return error;
}

hipError_t __wrap_hipMemcpyAsync(void *to, const void *from, size_t bytes, hipMemcpyKind kind,
                                 hipStream_t stream);
hipError_t __wrap_hipMemcpyAsync(void *to, const void *from, size_t bytes, hipMemcpyKind kind,
                                 hipStream_t stream)
{
    note_copy(from, bytes, kind);
    if (state.late && bytes > 0) {
        struct task *t = postpone(stream);
        t->to = to;
        t->from = from;
        t->bytes = bytes;
        t->kind = kind;
        return hipSuccess;
    }
    hide(false);
    hipError_t error = __real_hipMemcpy(to, from, bytes, kind);
    hide(true);
    return error;
}

hipError_t __wrap_hipMemset(void *to, int byte, size_t bytes);
hipError_t __wrap_hipMemset(void *to, int byte, size_t bytes)
{
    flush(NULL, true);
    hide(false);
    hipError_t error = __real_hipMemset(to, byte, bytes);
    hide(true);
    return error;
}

hipError_t __wrap_hipMemsetAsync(void *to, int byte, size_t bytes, hipStream_t stream);
hipError_t __wrap_hipMemsetAsync(void *to, int byte, size_t bytes, hipStream_t stream)
{
    if (!state.late)
        return __wrap_hipMemset(to, byte, bytes);
    struct task *t = postpone(stream);
    t->to = to;
    t->byte = byte;
    t->bytes = bytes;
    return hipSuccess;
}

hipError_t __wrap_hipStreamSynchronize(hipStream_t stream);
hipError_t __wrap_hipStreamSynchronize(hipStream_t stream)
{
    flush(stream, false);
    return __real_hipStreamSynchronize(stream);
}

hipError_t __wrap_hipEventSynchronize(hipEvent_t event);
hipError_t __wrap_hipEventSynchronize(hipEvent_t event)
{
    flush(NULL, true);
    return __real_hipEventSynchronize(event);
}

hipError_t __wrap_hipStreamQuery(hipStream_t stream);
hipError_t __wrap_hipStreamQuery(hipStream_t stream)
{
    for (const struct task *t = first; t != NULL; t = t->next)
        if (t->stream == stream && !state.asked) { /* a loop asks again */
            state.asked = true;
            return hipErrorNotReady;
        }
    flush(stream, false);
    return __real_hipStreamQuery(stream);
}

hipError_t __wrap_hipDeviceSynchronize(void);
hipError_t __wrap_hipDeviceSynchronize(void)
{
    flush(NULL, true);
    return __real_hipDeviceSynchronize();
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
