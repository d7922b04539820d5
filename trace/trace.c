/* The stream of events: which thread runs, which memory an address belongs to, and the tool that listens. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace_internal.h"
#include "race/replay.h"
#include "weak.h"

static const struct trace_tool *const tools[] = {&trace_races, &trace_explain, &trace_events};
#define TOOLS (sizeof tools / sizeof *tools)

bool trace_on;
bool trace_stopped;
int trace_status;
const char trace_no_kernel[] =
    "no kernel was launched, so nothing was seen. Does the program come to its launch, and what "
    "does hipGetLastError() say then? (reduction_prim launches none here: look at single_pass)";
const struct trace_tool *trace_tool;
const struct trace_launch *trace_launch;
const char *trace_shared_name = "shared";
size_t trace_shared_element;
/* Launches can run again for the race tool: see replay.h. */
static bool replays;

/* ---- the tool ---- */

static bool finished;

/* The exit code that the tool asks for; 0 if there is no tool or it was asked before. */
static int finish(void)
{
    /* While a launch runs again the tool is inactive. */
    const struct trace_tool *tool = replays ? &trace_races : trace_tool;
    int code = 0;

    if (finished)
        return 0;
    finished = true;
    if (tool && tool->finish)
        code = tool->finish();
    fflush(stdout);
    return code;
}

void trace_finish(void)
{
    trace_stopped = true;
    finish();
}

static void at_exit(int status, void *unused)
{
    (void)unused;
    trace_status = status;
    int code = finish();
    if (status == 0 && code != 0) {
        fflush(NULL);
        _exit(code);
    }
}

static const struct trace_tool *tool_named(const char *name)
{
    for (size_t i = 0; i < TOOLS; i++)
        if (strcmp(name, tools[i]->name) == 0)
            return tools[i];
    fprintf(stderr, "hip: HIP_CPU_TRACE=%s is not valid: use", name);
    for (size_t i = 0; i < TOOLS; i++)
        fprintf(stderr, "%s %s", i > 0 ? " or" : "", tools[i]->name);
    fprintf(stderr, "\n");
    _exit(EXIT_USAGE);
}

__attribute__((constructor(102))) static void read_environment(void)
{
    const char *name = getenv("HIP_CPU_TRACE");

    weak_read_environment();
    if (name && *name)
        trace_tool = tool_named(name);
    trace_on = trace_tool || weak_on;
    replays = trace_tool == &trace_races && !weak_on;
    if (trace_on) {
        symbols_open();
        on_exit(at_exit, NULL);
    }
    if (trace_tool && trace_tool->start)
        trace_tool->start();
}

/* ---- allocations ---- */

#define CACHED 256

/* Held by a launch, whose threads look things up without it: other host threads allocate meanwhile. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct trace_allocation **allocations; /* by address */
static size_t allocations_count, allocations_room;
static struct {
    uintptr_t page;
    const struct trace_allocation *allocation;
} cached[CACHED];

/* The first allocation that ends after the address. */
static size_t find(uintptr_t address)
{
    size_t low = 0, high = allocations_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (allocations[middle]->start + allocations[middle]->bytes <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void trace_allocated(const void *start, size_t bytes, bool host)
{
    struct trace_allocation *a = malloc(sizeof *a);

    pthread_mutex_lock(&lock);
    if (allocations_count == allocations_room) {
        allocations_room = 2 * allocations_room + 64;
        allocations = realloc(allocations, allocations_room * sizeof *allocations);
    }
    if (!a || !allocations) {
        fprintf(stderr, "hip: no memory for the trace: use a smaller size\n");
        _exit(EXIT_DEVICE_FAULT);
    }
    *a = (struct trace_allocation){(uintptr_t)start, bytes, host};
    size_t at = find(a->start);
    memmove(allocations + at + 1, allocations + at, (allocations_count - at) * sizeof *allocations);
    allocations[at] = a;
    allocations_count++;
    pthread_mutex_unlock(&lock);
}

void trace_freed(const void *start)
{
    pthread_mutex_lock(&lock);
    memset(cached, 0, sizeof cached);
    size_t at = find((uintptr_t)start);
    if (at < allocations_count && allocations[at]->start == (uintptr_t)start) {
        free(allocations[at]);
        allocations_count--;
        memmove(allocations + at, allocations + at + 1,
                (allocations_count - at) * sizeof *allocations);
    }
    pthread_mutex_unlock(&lock);
}

/* Allocations end at a page and never share one. */
const struct trace_allocation *trace_allocation_of(uintptr_t address)
{
    uintptr_t page = address >> 12;
    size_t slot = page % CACHED;

    if (cached[slot].page == page) {
        const struct trace_allocation *a = cached[slot].allocation;
        return address - a->start < a->bytes ? a : NULL;
    }
    size_t at = find(address);
    if (at == allocations_count || address < allocations[at]->start)
        return NULL;
    cached[slot].page = page;
    cached[slot].allocation = allocations[at];
    return allocations[at];
}

/* ---- the running thread ---- */

static __thread struct {
    uint64_t block;
    unsigned epoch;
    uintptr_t fixed;
    size_t fixed_bytes;
    unsigned meeting[THREADS_MAX];
    void *code[THREADS_MAX]; /* where each thread waits */
} here;

uint64_t trace_block_now(void)
{
    return here.block;
}

void trace_describe(struct trace_who *who)
{
    const struct thread *self = (const struct thread *)hip_cpu_current;
    const struct worker *w = self->worker;
    unsigned thread = (unsigned)(self - w->threads);

    who->block = here.block;
    who->thread = thread;
    who->warp = (unsigned)(self->warp - w->warps);
    who->lane = self->public.lane;
    who->epoch = here.epoch;
    who->meeting = here.meeting[thread];
}

extern char __executable_start[], __data_start[], _end[]; /* the last two: of its writable data */
static const struct hip_cpu_launch *running;

int trace_space_of(uintptr_t address)
{
    const struct thread *self = (const struct thread *)hip_cpu_current;
    const struct worker *w = self->worker;
    const struct stack *stack = &w->stacks[self->stack];

    if (address == (uintptr_t)&hip_cpu_current ||
        address - (uintptr_t)stack->bottom < stack->bytes || address - (uintptr_t)w < sizeof *w)
        return TRACE_OWN;
    if (address - (uintptr_t)w->block.shared < w->block.shared_bytes ||
        address - here.fixed < here.fixed_bytes)
        return TRACE_SHARED;
    if (trace_allocation_of(address) ||
        address - (uintptr_t)__data_start < (uintptr_t)(_end - __data_start))
        return TRACE_GLOBAL;
    if (address - (uintptr_t)running->arguments < running->arguments_bytes ||
        address - (uintptr_t)__executable_start < (uintptr_t)(_end - __executable_start))
        return TRACE_OWN; /* parameters and constants */
    return TRACE_NOT_DEVICE;
}

void trace_see_store(const struct trace_who *who, uintptr_t address, size_t size)
{
    if (weak_on)
        weak_store(who, address, size);
    if (replays)
        replay_note(address, size);
}

void trace_see_access(uintptr_t address, size_t size, bool write, bool is_volatile, void *code)
{
    int space = trace_space_of(address);
    bool told = trace_tool && trace_tool->access;
    if (space == TRACE_NOT_DEVICE)
        trace_check_host_access(address, write, code);
    if (space < 0 || !(told || weak_on || replay_on))
        return;
    struct trace_access access;
    if (is_volatile && !write && space == TRACE_GLOBAL) {
        trace_turn_yield();
        if (weak_on)
            weak_poll(address);
    }
    trace_describe(&access.who);
    if (write && space == TRACE_GLOBAL)
        trace_see_store(&access.who, address, size);
    if (!told)
        return;
    access.address = address;
    access.size = (unsigned)size;
    access.space = (enum trace_space)space;
    access.write = write;
    access.is_volatile = is_volatile;
    access.code = (uintptr_t)code;
    access.place = trace_place_of((uintptr_t)code);
    trace_tool->access(&access);
}

/* ---- blocks ---- */

void trace_block_begin(struct worker *w, uint64_t index)
{
    if (!trace_on)
        return;
    here.block = index;
    here.epoch = 0;
    memset(here.meeting, 0, w->threads_count * sizeof *here.meeting);
    if (here.fixed_bytes == 0)
        symbols_shared_range(&here.fixed, &here.fixed_bytes);
    struct trace_block block = {index,
                                w->threads_count,
                                w->warps_count,
                                (uintptr_t)w->block.shared,
                                w->block.shared_bytes,
                                here.fixed,
                                here.fixed_bytes};
    if (weak_on)
        weak_block_begin(index);
    if (replay_on)
        replay_block_begin();
    if (trace_tool && trace_tool->block_begin)
        trace_tool->block_begin(&block);
}

void trace_block_end(struct worker *w)
{
    if (!trace_on)
        return;
    struct trace_block block = {here.block,
                                w->threads_count,
                                w->warps_count,
                                (uintptr_t)w->block.shared,
                                w->block.shared_bytes,
                                here.fixed,
                                here.fixed_bytes};
    if (trace_tool && trace_tool->block_end)
        trace_tool->block_end(&block);
    if (weak_on)
        weak_block_end();
}

void trace_arrive(void *code)
{
    const struct thread *self = (const struct thread *)hip_cpu_current;
    if (trace_on)
        here.code[self - self->worker->threads] = code;
}

void trace_barrier_done(struct worker *w, enum hip_cpu_barrier_op op)
{
    uint64_t lanes[WARPS_MAX];
    void *code = NULL;

    if (!trace_on)
        return;
    for (unsigned i = w->warps_count; i-- > 0;) {
        lanes[i] = w->warps[i].waiting;
        if (lanes[i])
            code = here.code[w->warps[i].threads - w->threads + __builtin_ctzll(lanes[i])];
    }
    struct trace_barrier barrier = {here.block,     here.epoch, op,
                                    w->warps_count, lanes,      trace_place_of((uintptr_t)code)};
    if (trace_tool && trace_tool->barrier)
        trace_tool->barrier(&barrier);
    here.epoch++;
}

void trace_meeting_done(struct worker *w, struct warp *warp, enum hip_cpu_warp_op op)
{
    unsigned source[WARP_MAX], first = (unsigned)(warp->threads - w->threads);
    struct trace_meeting meeting;

    if (!trace_on)
        return;
    meeting.block = here.block;
    meeting.warp = (unsigned)(warp - w->warps);
    meeting.epoch = here.epoch;
    meeting.op = op;
    meeting.lanes = warp->group;
    meeting.absent = 0;
    meeting.source = source;
    meeting.meeting = here.meeting + first;
    meeting.place =
        trace_place_of((uintptr_t)here.code[first + (unsigned)__builtin_ctzll(warp->group)]);
    for (uint64_t rest = warp->group; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        source[lane] = op <= HIP_CPU_SHFL_XOR ? warp->at[lane].source : lane;
        if (!(warp->group >> source[lane] & 1))
            meeting.absent |= (uint64_t)1 << lane;
    }
    if (trace_tool && trace_tool->meeting)
        trace_tool->meeting(&meeting);
    if (replays && meeting.absent) {
        replay_absent(&meeting);
        for (uint64_t rest = meeting.absent; rest; rest &= rest - 1)
            warp->result[__builtin_ctzll(rest)] = replay_value(meeting.place);
    }
    if (weak_on)
        weak_meeting(&meeting);
    for (uint64_t rest = warp->group; rest; rest &= rest - 1)
        here.meeting[first + (unsigned)__builtin_ctzll(rest)]++;
}

void *hip_cpu_dynamic_shared(const char *name, size_t bytes)
{
    trace_shared_name = name;
    trace_shared_element = bytes;
    return hip_cpu_current->block->shared;
}

/* ---- launches ---- */

static struct trace_launch launch_now;
static bool muted;

void trace_launch_begin(const struct hip_cpu_launch *launch)
{
    static unsigned number;
    struct trace_launch *l = &launch_now;

    running = launch;
    l->number = ++number;
    l->kernel = launch->kernel;
    l->function = (uintptr_t)launch->function;
    l->grid = launch->grid;
    l->block = launch->block;
    l->blocks = (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
    l->threads = launch->block.x * launch->block.y * launch->block.z;
    l->warp_size = (unsigned)warpSize;
    l->warps = (l->threads + l->warp_size - 1) / l->warp_size;
    l->shared_bytes = launch->shared_bytes;
    l->cooperative = launch->cooperative != 0;
    l->interleaved = !l->cooperative && trace_workers(l->blocks) > 1;
    l->arguments = launch->argument_count;
    l->argument = launch->argument;
    trace_launch = l;
    trace_shared_name = "shared";
    trace_shared_element = 0;
    if (!trace_on)
        return;
    pthread_mutex_lock(&lock);
    /* The variable's own name is better than the one in the launch. */
    const struct trace_place *place = trace_place_of(l->function + 1);
    if (*place->frame[place->count - 1].function != '?')
        l->kernel = place->frame[place->count - 1].function;
    /* Kernels of the harness are not of interest. */
    muted = strncmp(place->file, "common/harness/", 15) == 0;
    trace_on = !muted;
    if (muted)
        return;
    trace_turns_begin();
    if (replays)
        replay_launch_begin();
    if (trace_tool && trace_tool->launch_begin)
        trace_tool->launch_begin(l);
}

bool trace_launch_again(void)
{
    if (!trace_on || !replays)
        return false;
    bool again = replay_again();
    trace_tool = again ? NULL : &trace_races;
    trace_turns_begin();
    return again;
}

void trace_launch_end(void)
{
    if (trace_on && weak_on)
        weak_launch_end();
    if (trace_on && trace_tool && trace_tool->launch_end)
        trace_tool->launch_end(trace_launch);
    trace_launch = NULL;
    if (trace_on || muted)
        pthread_mutex_unlock(&lock);
    if (muted)
        trace_on = true;
    muted = false;
}
