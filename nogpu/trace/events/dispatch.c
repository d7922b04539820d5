/* The stream of events: which thread runs, which memory an address belongs to, and the tool that listens.
 * SPDX-License-Identifier: MIT */
#include <limits.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "../trace_internal.h"

static const struct trace_tool *const tools[] = {&trace_races, &trace_memory_tool, &trace_explain};
#define TOOLS (sizeof tools / sizeof *tools)
/* A program that is linked with the trace may define its own tool. */
extern const struct trace_tool trace_of_program __attribute__((weak));

/* The launch in progress, which callbacks do not pass. is_muted: it is not examined. */
static struct {
    struct trace_launch event;
    bool is_muted;
} now;

static bool goes_on(void) { return trace_run.tool && trace_run.tool->goes_on; }

/* ---- blocks ---- */

/* __threadfence_block(), __threadfence() and __threadfence_system(). */
static void fence(int scope, void *code)
{
    trace_see_fence((enum trace_scope)(TRACE_SCOPE_BLOCK + scope), __ATOMIC_SEQ_CST, code);
}

static struct trace_block block_here(unsigned threads, unsigned warps)
{
    return (struct trace_block){.block = trace_here.block,
                                .threads = threads,
                                .warps = warps,
                                .shared = trace_here.shared,
                                .shared_bytes = trace_here.shared_bytes,
                                .fixed = trace_here.fixed,
                                .fixed_bytes = trace_here.fixed_bytes};
}

static void find_fixed(void)
{
    symbols_shared_range(&trace_here.fixed, &trace_here.fixed_bytes);
    trace_here.fixed_apart = trace_here.fixed_bytes;
    for (size_t at = 0; at < trace_here.fixed_apart; at += 4)
        if (hip_cpu_is_here((const char *)trace_here.fixed + at))
            trace_here.fixed_apart = 0;
}

static void block_begin(uint64_t index, unsigned threads, unsigned warps)
{
    if (!trace_run.is_on)
        return;
    trace_here.block = index;
    trace_here.epoch = 0;
    trace_here.warp_shift = (unsigned)__builtin_ctz((unsigned)warpSize);
    trace_here.first = hip_cpu_threads();
    trace_here.shared = (uintptr_t)hip_cpu_block()->shared;
    trace_here.shared_bytes = hip_cpu_block()->shared_bytes;
    memset(trace_here.meeting, 0, threads * sizeof *trace_here.meeting);
    if (trace_here.fixed_bytes == 0)
        find_fixed();
    hip_cpu_know_shared(trace_here.fixed, trace_here.fixed_bytes);
    struct trace_block block = block_here(threads, warps);
    trace_progress_block(threads);
    if (trace_run.weak)
        weak_block_begin(index);
    if (trace_run.is_repeat)
        trace_run.tool->block_again(trace_run.state);
    TRACE_NOTIFY(block_begin, &block);
}

static void block_end(void)
{
    if (!trace_run.is_on)
        return;
    struct trace_block block = block_here(trace_launch->threads, trace_launch->warps);
    TRACE_NOTIFY(block_end, &block);
    if (trace_run.weak)
        weak_block_end(trace_run.weak);
}

static void arrive(void *code)
{
    unsigned thread = hip_cpu_number();

    if (!trace_run.is_on)
        return;
    trace_here.code[thread] = code;
    trace_here.scalar[thread] = trace_here.exchanged;
    trace_here.exchanged = (struct trace_scalar){0};
    trace_mark((uintptr_t)code);
    trace_progress_arrive(thread);
}

static void arrive_early(bool grid)
{
    struct trace_arrival event = {.grid = grid};

    if (!trace_run.is_on)
        return;
    trace_describe(&event.who);
    TRACE_NOTIFY(arrival, &event);
}

/* Where this lane of a warp waits. */
static const struct trace_place *waits_at(unsigned warp, unsigned lane)
{
    return trace_place_of((uintptr_t)trace_here.code[warp * (unsigned)warpSize + lane]);
}

static void barrier(enum hip_cpu_barrier_op op, unsigned warps, const uint64_t *lanes)
{
    unsigned warp = 0;

    if (!trace_run.is_on)
        return;
    while (lanes[warp] == 0)
        warp++;
    struct trace_barrier event = {.block = trace_here.block,
                                  .epoch = trace_here.epoch,
                                  .op = op,
                                  .warps = warps,
                                  .lanes = lanes,
                                  .place = waits_at(warp, (unsigned)__builtin_ctzll(lanes[warp]))};
    TRACE_NOTIFY(barrier, &event);
    trace_here.epoch++;
}

static void meeting(struct hip_cpu_meeting *m)
{
    unsigned *meetings = trace_here.meeting + (size_t)m->warp * (unsigned)warpSize;
    const struct trace_tool *tool = trace_run.tool;

    if (!trace_run.is_on)
        return;
    struct trace_meeting event = {
        .block = trace_here.block,
        .warp = m->warp,
        .epoch = trace_here.epoch,
        .op = m->op,
        .named = m->named,
        .lanes = m->lanes,
        .source = m->source,
        .value = m->value,
        .scalar = trace_here.scalar[m->warp * (unsigned)warpSize + (unsigned)__builtin_ctzll(m->lanes)],
        .meeting = meetings,
        .place = waits_at(m->warp, (unsigned)__builtin_ctzll(m->lanes))};
    for (uint64_t rest = m->named ? m->mask & ~m->lanes : 0; rest; rest &= rest - 1) {
        unsigned thread = m->warp * (unsigned)warpSize + (unsigned)__builtin_ctzll(rest);
        if (thread < trace_launch->threads && hip_cpu_state_of(thread) == HIP_CPU_RETURNED)
            event.left |= rest & -rest;
    }
    for (uint64_t rest = m->lanes; rest; rest &= rest - 1)
        if (!(m->lanes >> m->source[__builtin_ctzll(rest)] & 1))
            event.absent |= rest & -rest;
    TRACE_NOTIFY(meeting, &event);
    if (event.absent && tool && tool->absent_value && !trace_run.weak) {
        uint64_t value = tool->absent_value(trace_run.state, &event);
        for (uint64_t rest = event.absent; rest; rest &= rest - 1)
            m->result[__builtin_ctzll(rest)] = value;
    }
    if (trace_run.weak)
        weak_meeting(&event);
    for (uint64_t rest = m->lanes; rest; rest &= rest - 1)
        meetings[__builtin_ctzll(rest)]++;
}

static void copy_later(const struct hip_cpu_pending *c)
{
    uintptr_t all = (uintptr_t)c->to | (uintptr_t)c->from | c->bytes, unit = HIP_CPU_COPY_UNIT(all);
    struct trace_access a = {.size = (unsigned)unit, .write = true, .code = (uintptr_t)c->code};

    if (!trace_run.is_on || !trace_notifies(copy_begins))
        return;
    trace_describe(&a.who);
    a.place = trace_place_of(a.code);
    for (size_t i = c->part; i < c->bytes / unit; i += c->parts) {
        a.address = (uintptr_t)c->to + i * unit;
        enum hip_cpu_space space = trace_space_of(a.address);
        a.space = (enum trace_space)space;
        if (space >= 0)
            trace_run.tool->copy_begins(trace_run.state, &a);
    }
}

static void exchanges(size_t bytes, enum hip_cpu_scalar_kind kind)
{
    trace_here.exchanged = (struct trace_scalar){.kind = kind, .bytes = (unsigned)bytes};
}

static void dynamic_shared(const char *name, size_t element_bytes, enum hip_cpu_scalar_kind kind)
{
    now.event.shared_name = name;
    now.event.shared_element = element_bytes;
    now.event.shared_kind = kind;
}

/* ---- launches ---- */

/* Which launches count. */
static struct {
    regex_t kernel;
    bool has_kernel;
    unsigned long skip, count;
} wanted = {.count = ULONG_MAX};

static void read_wanted(void)
{
    const char *kernel = hip_cpu_setting("HIP_CPU_KERNEL"), *launches = hip_cpu_setting("HIP_CPU_LAUNCHES");
    char *end;

    if (kernel && *kernel) {
        char whole[1024]; /* the name, not a part of it */
        snprintf(whole, sizeof whole, "^(%s)$", kernel);
        wanted.has_kernel = regcomp(&wanted.kernel, whole, REG_EXTENDED | REG_NOSUB) == 0;
        if (!wanted.has_kernel)
            hip_cpu_reject("HIP_CPU_KERNEL", kernel);
    }
    if (launches && *launches) {
        wanted.skip = strtoul(launches, &end, 10);
        bool is_good = end > launches && *end == ':';
        const char *count = end + 1;
        if (is_good && strcmp(count, "all") != 0) {
            wanted.count = strtoul(count, &end, 10);
            is_good = end > count && *end == '\0';
        }
        if (!is_good)
            hip_cpu_reject("HIP_CPU_LAUNCHES", launches);
    }
}

/* Launches are counted among those of the wanted kernels. */
static bool is_wanted(const char *kernel)
{
    static unsigned long number;

    if (wanted.has_kernel && regexec(&wanted.kernel, kernel, 0, NULL, 0) != 0)
        return false;
    number++;
    return number > wanted.skip && number - wanted.skip <= wanted.count;
}

static void launch_begin(const struct hip_cpu_launch *launch)
{
    unsigned number = now.event.number + 1;
    uint64_t blocks = (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
    unsigned threads = launch->block.x * launch->block.y * launch->block.z;
    unsigned warp_size = (unsigned)warpSize;

    trace_run.launch = launch;
    now.event = (struct trace_launch){
        .number = number,
        .kernel = launch->kernel,
        .function = (uintptr_t)launch->function,
        .grid = launch->grid,
        .block = launch->block,
        .blocks = blocks,
        .threads = threads,
        .warp_size = warp_size,
        .warps = (threads + warp_size - 1) / warp_size,
        .shared_bytes = launch->shared_bytes,
        .cooperative = launch->cooperative != 0,
        .interleaved = !launch->cooperative && trace_workers(launch, blocks, 1) > 1,
        .arguments = launch->argument_count,
        .argument = launch->argument,
        .shared_name = "shared",
    };
    trace_launch = &now.event;
    trace_allocations_lock();
    /* The variable's own name is better than the one in the launch. */
    const struct trace_place *place = trace_place_of(now.event.function + 1);
    if (*place->frame[place->count - 1].function != '?')
        now.event.kernel = place->frame[place->count - 1].function;
    now.is_muted = &trace_client && strncmp(place->file, trace_client.muted, strlen(trace_client.muted)) == 0;
    now.event.left_out = !now.is_muted && !is_wanted(now.event.kernel);
    if (now.event.left_out && !goes_on()) /* a tool that knows all memory has to see all */
        now.is_muted = true;
    trace_run.is_on = !now.is_muted;
    if (now.is_muted)
        return;
    trace_turns_begin();
    TRACE_NOTIFY(launch_begin, trace_launch);
}

static bool launch_again(void)
{
    const struct trace_tool *tool = trace_run.tool;

    if (now.is_muted || !tool || !tool->launch_again || trace_run.weak)
        return false;
    trace_run.is_repeat = tool->launch_again(trace_run.state);
    trace_turns_begin();
    return trace_run.is_repeat;
}

static bool block_wanted(uint64_t block)
{
    bool wanted = trace_run.only_count == 0 || !trace_run.is_repeat;

    for (unsigned i = 0; i < trace_run.only_count; i++)
        wanted = wanted || trace_run.only[i] == block;
    return wanted;
}

static void launch_end(void)
{
    if (!now.is_muted) {
        if (trace_run.weak)
            weak_launch_end(trace_run.weak);
        TRACE_NOTIFY(launch_end, trace_launch);
    }
    trace_launch = NULL;
    trace_allocations_unlock();
    trace_run.is_on = true;
}

/* ---- memory and errors ---- */

static void allocated(const void *start, size_t bytes, bool host)
{
    trace_allocated(start, bytes, host);
    trace_notify_memory(
        (struct trace_memory){.what = TRACE_ALLOCATED, .address = (uintptr_t)start, .bytes = bytes, .host = host});
}

static void freed(const void *start)
{
    trace_notify_memory((struct trace_memory){.what = TRACE_FREED, .address = (uintptr_t)start});
    trace_freed(start);
}

static void not_freed(const void *address, bool host)
{
    trace_notify_memory((struct trace_memory){.what = TRACE_NOT_FREED, .address = (uintptr_t)address, .host = host});
}

static void host_registered(const void *start, size_t bytes)
{
    trace_run.host_registered = true;
    trace_notify_memory(
        (struct trace_memory){.what = TRACE_REGISTERED, .address = (uintptr_t)start, .bytes = bytes, .host = true});
}

static void launch_refused(const struct hip_cpu_launch *launch, UNUSED hipError_t error)
{
    trace_failure_launch(launch);
}

static void failed(hipError_t error)
{
    if (trace_run.has_ended) /* the report asks for texts, too */
        return;
    if (error == hipSuccess)
        trace_failures_read();
    else if (!hip_cpu_current)
        trace_failure_add(error);
}

static bool fault(enum hip_cpu_fault which, uintptr_t address, const char *what, const char *file, unsigned line,
                  unsigned column)
{
    const struct trace_tool *tool = trace_run.tool;
    struct trace_fault event = {which, address, what, file, line, column};

    return tool && tool->fault && trace_run.is_on && hip_cpu_current && tool->fault(trace_run.state, &event);
}

/* ---- the end of the program ---- */

static void at_exit(int status, UNUSED void *unused)
{
    int code = trace_end(status, false);
    if (status == 0 && code != 0) {
        fflush(NULL);
        _exit(code);
    }
}

/* ---- the beginning ---- */

/* Nothing refers to this file: the linker is told to take it (platform/cpu.mk). */
extern const struct hip_cpu_observer trace_observer;
const struct hip_cpu_observer trace_observer = {
    .workers_max = TRACE_INTERLEAVED_MAX,
    .workers = trace_workers,
    .launch_begin = launch_begin,
    .launch_refused = launch_refused,
    .errors_read = trace_failure_returned,
    .launch_again = launch_again,
    .launch_end = launch_end,
    .block_wanted = block_wanted,
    .slot_begin = trace_slot_begin,
    .slot_end = trace_slot_end,
    .block_begin = block_begin,
    .block_end = block_end,
    .arrive = arrive,
    .arrive_early = arrive_early,
    .barrier = barrier,
    .meeting = meeting,
    .grid_arrive = trace_grid_arrive,
    .grid_resume = trace_grid_resume,
    .fence = fence,
    .copy_later = copy_later,
    .dynamic_shared = dynamic_shared,
    .exchanges = exchanges,
    .allocated = allocated,
    .freed = freed,
    .not_freed = not_freed,
    .host_registered = host_registered,
    .goes_on = goes_on,
    .memory_at = trace_memory_at,
    .failed = failed,
    .fault = fault,
    .stream = trace_stream,
    .copied = trace_copied,
    .memory = trace_memory,
    .finish = trace_finish,
};

static const struct trace_tool *tool_named(const char *name)
{
    for (size_t i = 0; i < TOOLS; i++)
        if (strcmp(name, tools[i]->name) == 0)
            return tools[i];
    if (&trace_of_program && strcmp(name, trace_of_program.name) == 0)
        return &trace_of_program;
    fprintf(stderr, "hip: HIP_CPU_TRACE=%s is not valid: use", name);
    for (size_t i = 0; i < TOOLS; i++)
        fprintf(stderr, "%s %s", i > 0 ? " or" : "", tools[i]->name);
    fprintf(stderr, "\n");
    _exit(EXIT_USAGE);
}

/* HIP_CPU_PARENT=PROCESS: the program ends with the script that started it, whatever ends the script. */
static void end_with_parent(void)
{
    const char *text = hip_cpu_setting("HIP_CPU_PARENT");
    pid_t parent = text ? (pid_t)atol(text) : 0;

    if (parent <= 0)
        return;
    if (getppid() == parent)
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent && kill(parent, 0) != 0)
        _exit(EXIT_DEVICE_FAULT); /* the script ended before that */
}

/* After the runtime has read its environment. */
__attribute__((constructor(102))) static void read_environment(void)
{
    const char *name = hip_cpu_setting("HIP_CPU_TRACE");

    trace_run.weak = weak_from_environment();
    if (name && *name)
        trace_run.tool = tool_named(name);
    if (!trace_run.tool && !trace_run.weak)
        return;
    end_with_parent();
    read_wanted();
    trace_run.is_on = true;
    symbols_open();
    if (trace_run.tool && trace_run.tool->start)
        trace_run.state = trace_run.tool->start(trace_run.weak != NULL);
    hip_cpu_observer = &trace_observer;
    hip_cpu_late = false; /* the order of streams shows what is not waited for */
    trace_progress_start();
    on_exit(at_exit, NULL);
}
