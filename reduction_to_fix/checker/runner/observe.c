/* Hides the device's memory from the exercise's host code, and handles accesses to it.
 * SPDX-License-Identifier: MIT */
#include "observe.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#ifdef HIP_CPU_TRACE
#include "nogpu/trace/symbols.h"
#include "nogpu/trace/trace_internal.h"
#endif

#ifdef ON_CPU

#define MEMORIES_MAX 1024

static struct memory memories[MEMORIES_MAX];
static size_t memories_count;
static struct sigaction before[NSIG]; /* of the runtime */
struct observation observation;

/* ---- memory, hidden from the host ---- */

static bool is_input(const struct memory *m)
{
    return observation.input >= m->start && observation.input < m->start + m->bytes;
}

static void hide_memory(bool hidden)
{
    if (!observation.hides)
        return;
    for (size_t i = 0; i < memories_count; i++) {
        bool read_only = memories[i].read_only || (observation.counts && is_input(&memories[i]));
        if (!memories[i].host)
            mprotect(memories[i].pages, memories[i].pages_bytes,
                     hidden      ? PROT_NONE
                     : read_only ? PROT_READ
                                 : PROT_READ | PROT_WRITE);
    }
}

/* Between observe_begin() and observe_end() a write to the input is a fault. */
static void protect_input(int how)
{
    for (size_t i = 0; i < memories_count; i++)
        if (is_input(&memories[i]) && !memories[i].sparse && !memories[i].host)
            mprotect(memories[i].pages, memories[i].pages_bytes, how);
}

bool observe_runtime_begins(void)
{
    bool exercise = observation.inside;

    if (exercise)
        hide_memory(false);
    observation.inside = false;
    return exercise;
}

void observe_runtime_ends(bool exercise)
{
    if (exercise)
        hide_memory(true);
    observation.inside = exercise;
}

void observe_hide(bool hides) { observation.hides = hides; }

void observe_enter(void) { observe_runtime_ends(true); }

void observe_leave(void) { observe_runtime_begins(); }

const struct memory *observe_memory_at(const void *address)
{
    const char *at = address;

    for (size_t i = 0; i < memories_count; i++)
        if (at >= memories[i].pages && at < memories[i].pages + memories[i].pages_bytes)
            return &memories[i];
    return NULL;
}

bool observe_windows(void)
{
    bool sparse = false;

    for (size_t i = 0; i < memories_count; i++)
        sparse |= memories[i].sparse;
    return sparse;
}

bool observe_in_input(const void *address)
{
    return (const char *)address >= observation.input &&
           (const char *)address < observation.input + observation.input_bytes;
}

void observe_remember(void *start, size_t bytes, bool host, bool sparse)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE) - 1, from = (uintptr_t)start & ~page;

    HIP_CHECK(memories_count < MEMORIES_MAX ? hipSuccess : hipErrorOutOfMemory);
    memories[memories_count++] = (struct memory){
        (char *)from, start, (((uintptr_t)start + bytes + page) & ~page) - from, bytes, host, sparse, false};
}

void observe_memory(void *start, size_t bytes, bool read_only)
{
    observe_remember(start, bytes, false, true);
    memories[memories_count - 1].read_only = read_only;
    hip_cpu_set_zeros(true); /* blocks outside of a window leave zeros there */
#ifdef HIP_CPU_TRACE
    if (trace_run.is_on)
        trace_allocated(start, bytes, false);
#endif
}

unsigned char *observe_pages(const void *start, size_t bytes)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = (uintptr_t)start / page * page;
    size_t count = ((uintptr_t)start + bytes - from + page - 1) / page;
    unsigned char *there = malloc(count + 1);

    if (there != NULL && mincore((void *)from, count * page, there) != 0) {
        free(there);
        there = NULL;
    }
    return there;
}

void observe_forget(void *start)
{
    for (size_t i = 0; i < memories_count; i++)
        if (memories[i].start == start) {
#ifdef HIP_CPU_TRACE
            if (trace_run.is_on && memories[i].sparse)
                trace_freed(start);
#endif
            observation.bytes -= (int64_t)memories[i].bytes;
            memories[i] = memories[--memories_count];
            hip_cpu_set_zeros(observe_windows());
            return;
        }
}

void observe_input(void *input, size_t bytes)
{
    observation.input = input;
    observation.input_bytes = bytes;
}

int64_t observe_bytes(void) { return observation.bytes; }

uint64_t observe_heap(void)
{
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
    struct mallinfo2 heap = mallinfo2();

    return heap.uordblks + heap.hblkhd;
#else
    return 0;
#endif
}

/* ---- faults ---- */

#ifdef HIP_CPU_TRACE
#include <pthread.h>

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

/* In a separate thread: the signal stack is too small to read the program's symbols. */
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

/* Records that the host uses the device's memory, and allows it, so that the result is checked as well. The runtime
 * handles all other faults; we print the line before its message. */
static void fault(int signal, siginfo_t *info, void *context)
{
    char place[PLACE_MAX];
    const struct memory *memory = signal == SIGSEGV ? observe_memory_at(info->si_addr) : NULL;

    if (observation.inside && hip_cpu_current == NULL && memory != NULL && !memory->host) {
        line_of(context, place);
        struct observed *seen = observe_note();
        if (observe_in_input(info->si_addr))
            seen->host_reads = true;
        else
            seen->host_touches = true;
        snprintf(seen->place, sizeof seen->place, "%s", place);
        hide_memory(false);
        protect_input(PROT_READ | PROT_WRITE);
        return;
    }
    if (signal == SIGSEGV && observation.counts && memory != NULL && !memory->sparse && is_input(memory) &&
        observe_in_input(info->si_addr)) {
        static char where[PLACE_MAX];
        if (!__atomic_test_and_set(&observation.writing, __ATOMIC_RELAXED)) {
            line_of(context, where);
            observation.written = where;
        }
        protect_input(PROT_READ | PROT_WRITE);
        return;
    }
    hip_cpu_begin_fatal(); /* two workers may fault at the same time */
    line_of(context, place);
    if (place[0] != '\0') {
        fprintf(stderr, "at %s\n", place);
        fflush(stderr);
    }
    sigaction(signal, &before[signal], NULL); /* the instruction faults again, now in the runtime's handler */
    if (signal == SIGABRT)
        raise(signal);
}

/* In place of the runtime's note: the checker wants no result that depends on the machine (session.c). */
struct shift {
    const char *file;
    uint32_t line;
};
void __ubsan_handle_shift_out_of_bounds(const struct shift *at, uintptr_t left, uintptr_t right);
void __ubsan_handle_shift_out_of_bounds(const struct shift *at, uintptr_t left, uintptr_t right)
{
    (void)left, (void)right;
    if (!hip_cpu_current)
        return;
    fprintf(stderr, "at line %u\n", at->line);
    signal(SIGILL, SIG_DFL);
    raise(SIGILL);
}

void observe_faults(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    static bool caught;
    struct sigaction action = {.sa_sigaction = fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    void *any;

    if (!caught) /* after the runtime, which catches signals from its first allocation on */
        HIP_CHECK(hipMalloc(&any, 1) == hipSuccess ? hipFree(any) : hipErrorOutOfMemory);
    for (size_t i = 0; !caught && i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, &before[signals[i]]);
    caught = true;
}

void observe_begin(bool late, bool busy, hipStream_t stream)
{
    memset(observe_note(), 0, sizeof *observe_note());
    observation.counts = true;
    observation.finish = false;
    observation.stream = stream;
    observation.elsewhere = 0;
    observation.joined = false;
    observation.bytes = 0;
    observation.written = NULL;
    observation.writing = false;
    protect_input(PROT_READ);
    HIP_CHECK(hip_cpu_set_late(late));
    hip_cpu_set_queries(busy ? 1u << 22 : 0);
}

void observe_finish_begins(void) { observation.finish = true; }

void observe_end(void)
{
    struct observed *seen = observe_note();

    if (hip_cpu_late)
        (void)hip_cpu_set_late(false); /* runs work that nobody waited for */
    protect_input(PROT_READ | PROT_WRITE);
    seen->kept = observation.bytes;
    seen->elsewhere = observation.joined ? 0 : observation.elsewhere;
    if (observation.written != NULL) {
        seen->input_written = true;
        snprintf(seen->place, PLACE_MAX, "%s", observation.written);
    }
    observation.counts = false;
}

void observe_order(unsigned warp, int order, uint64_t seed)
{
    hip_cpu_set_warp_size(warp);
    hip_cpu_set_schedule(order == 0 ? HIP_CPU_FORWARD : order == 1 ? HIP_CPU_REVERSE : HIP_CPU_RANDOM, seed);
}

void observe_window(uint64_t first_block, uint64_t count)
{
    observation.window_first = first_block;
    observation.window_count = count;
    hip_cpu_set_window(first_block, count);
}

#endif
