/* HIP_CPU_TRACE=races: unordered accesses, and reads of uninitialized memory.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../memory/memory.h"
#include "../trace_internal.h"
#include "access.h"
#include "parts.h"
#include "written.h"

static void *start(bool weak_memory)
{
    struct races *r = trace_check_alloc(calloc(1, sizeof *r));

    const char *mode = hip_cpu_setting("HIP_CPU_RACES");
    r->strict = mode && strcmp(mode, "strict") == 0;
    r->handed = trace_check_alloc(calloc(1, sizeof *r->handed));
    r->volatile_is_atomic = mode && strcmp(mode, "volatile") == 0;
    if (mode && *mode && !r->strict && !r->volatile_is_atomic)
        hip_cpu_reject("HIP_CPU_RACES", mode);
    r->coverage = coverage_create();
    const char *barrier = hip_cpu_setting("HIP_CPU_GRID_BARRIER");
    bool release = barrier && strcmp(barrier, "release") == 0;
    if (barrier && *barrier && !release)
        hip_cpu_reject("HIP_CPU_GRID_BARRIER", barrier);
    r->streams = streams_create();
    r->order = order_create(r->streams, release);
    r->shadow = shadow_create();
    r->weak = weak_memory; /* what a thread sees need not be in memory */
    r->report = report_create(r->coverage, r->volatile_is_atomic, r->strict);
    r->replay = replay_create(r->report, !weak_memory);
    r->lost = weak_memory ? NULL : lost_create(r->report, r->replay);
    r->parts = parts_create();
    r->written = weak_memory ? NULL : written_create();
    return r;
}

/* Nobody may use memory to which an asynchronous copy is under way. */
static bool is_pending(const struct races *r, const struct trace_access *a)
{
    const struct hip_cpu_pending *copy = hip_cpu_pending_at((const void *)a->address);
    const struct report_hint hint = {.is_pending = true};

    if (!copy)
        return false;
    struct report_side before = {.task = *order_task(r->order, 0),
                                 .block = a->who.block,
                                 .warp = copy->thread / trace_launch->warp_size,
                                 .lane = copy->thread % trace_launch->warp_size,
                                 .place = trace_place_of((uintptr_t)copy->code),
                                 .write = true};
    struct report_side now = before;
    now.warp = a->who.warp;
    now.lane = a->who.lane;
    now.place = a->place;
    now.write = a->write;
    report_race(r->report, &before, &now, a->address, a->size, a->space, &hint);
    return true;
}

static struct now now_of(struct races *r, const struct trace_access *a)
{
    return (struct now){
        .races = r, .who = &a->who, .address = a->address, .size = a->size, .space = a->space, .place = a->place};
}

static void see_copy_begin(void *tool, const struct trace_access *a)
{
    struct races *r = tool;
    struct now now = now_of(r, a);

    if (!is_pending(r, a))
        races_look_at(&now, true, KIND_PLAIN);
}

static void see_access(void *tool, const struct trace_access *a)
{
    struct races *r = tool;
    bool is_volatile = a->is_volatile && a->space == TRACE_GLOBAL;
    report_count_access(r->report, a->space, a->write);
    if (a->space == TRACE_SHARED) {
        if (is_pending(r, a))
            return;
        parts_access(r->parts, a);
    }
    if (r->lost && a->space == TRACE_GLOBAL)
        lost_access(r->lost, &a->who, a->address, a->size, a->place, a->write, false);
    if (r->written && a->write && a->space == TRACE_GLOBAL)
        written_store(r->written, a->address, a->size, a->place);
    if (is_volatile)
        report_count_volatile(r->report);
    if (is_volatile && r->volatile_is_atomic) {
        struct trace_atomic atomic = {.who = a->who,
                                      .address = a->address,
                                      .size = a->size,
                                      .space = a->space,
                                      .reads = !a->write,
                                      .writes = a->write,
                                      .order = __ATOMIC_RELAXED,
                                      .scope = TRACE_SCOPE_DEVICE,
                                      .place = a->place};
        struct now now = now_of(r, a);
        races_look_at(&now, a->write, TRACE_SCOPE_DEVICE);
        order_atomic(r->order, &atomic);
        return;
    }
    if (is_volatile && !a->write)
        order_volatile_read(&a->who, a->place);
    if (a->space == TRACE_GLOBAL && !a->write && !r->weak)
        races_check_fill(r, a->place, a->address, a->size);
    /* First, because what the rest needs takes time to copy. */
    if (a->space == TRACE_GLOBAL && !is_volatile &&
        races_join_line(r, &a->who, a->address, a->size, a->write, a->place))
        return;
    struct now now = now_of(r, a);
    races_look_at(&now, a->write, is_volatile ? KIND_VOLATILE : KIND_PLAIN);
}

static void see_atomic(void *tool, const struct trace_atomic *a)
{
    struct races *r = tool;
    struct now now = {
        .races = r, .who = &a->who, .address = a->address, .size = a->size, .space = a->space, .place = a->place};
    report_count_atomic(r->report, a->space);
    if (r->lost && a->space == TRACE_GLOBAL)
        lost_access(r->lost, &a->who, a->address, a->size, a->place, a->writes, a->updates);
    if (r->written && a->writes && a->space == TRACE_GLOBAL)
        written_store(r->written, a->address, a->size, a->place);
    if (a->space == TRACE_SHARED && a->reads && a->writes)
        races_check_unwritten(&now);
    if (a->space == TRACE_GLOBAL && a->reads && a->writes && !r->weak)
        races_check_fill(r, a->place, a->address, a->size);
    races_look_at(&now, a->writes, a->scope);
    order_atomic(r->order, a);
}

static void see_launch(void *tool, const struct trace_launch *l)
{
    struct races *r = tool;

    races_forget_lists(r, order_launch_begin(r->order, l));
    replay_launch_begin(r->replay);
    if (r->lost)
        lost_launch_begin(r->lost, l);
    report_launch(r->report, l);
    coverage_launch(r->coverage, l);
}

static void see_block(void *tool, const struct trace_block *b)
{
    struct races *r = tool;

    shadow_clear(r->shadow, b->shared, b->shared_bytes);
    shadow_clear(r->shadow, b->fixed, b->fixed_bytes);
    order_block_begin(r->order, b);
}

static void see_block_end(void *tool, UNUSED const struct trace_block *b)
{
    order_block_end(((struct races *)tool)->order);
}

static void see_fence(void *tool, const struct trace_fence *f) { order_fence(((struct races *)tool)->order, f); }

static void see_arrival(void *tool, const struct trace_arrival *a) { order_arrival(((struct races *)tool)->order, a); }

/* Threads that have returned count as arrived by PTX. HIP promises that of no target. One note for each kernel. */
static void check_returned(struct races *r, const struct trace_barrier *b)
{
    const char *file = b->place->file, *end = strrchr(file, '.');
    unsigned warp_size = trace_launch->warp_size, left = trace_launch->threads, thread = 0;
    char text[500];

    for (unsigned w = 0; w < b->warps; w++)
        left -= (unsigned)__builtin_popcountll(b->lanes[w]);
    if (left == 0 || b->op == HIP_CPU_SYNC_GRID || r->returned_in == trace_launch->kernel ||
        (end && strncmp(end, ".cu", 3) == 0))
        return;
    while (b->lanes[thread / warp_size] >> thread % warp_size & 1)
        thread++;
    if (hip_cpu_state_of(thread) != HIP_CPU_RETURNED)
        return;
    r->returned_in = trace_launch->kernel;
    snprintf(text, sizeof text,
             "%s:%u: threads of kernel %s have returned before this barrier. On NVIDIA GPUs they "
             "count as arrived; HIP wants all threads of a block there, and ROCm programs have "
             "hung: let them skip the work and reach the barrier",
             file, b->place->line, trace_launch->kernel);
    report_note(r->report, text);
}

static void see_barrier(void *tool, const struct trace_barrier *b)
{
    struct races *r = tool;

    report_count_barrier(r->report);
    check_returned(r, b);
    coverage_barrier(r->coverage, b);
    order_barrier(r->order);
}

static void see_grid_barrier(void *tool, const struct trace_grid_barrier *g)
{
    order_grid_barrier(((struct races *)tool)->order, g->number);
}

/* CUDA: all lanes that a mask names and that have not returned must execute the operation. One note for each kernel. */
static void check_mask(struct races *r, const struct trace_meeting *m)
{
    unsigned lane = (unsigned)__builtin_ctzll(m->left), count = (unsigned)__builtin_popcountll(m->left);
    char text[500];

    if (r->masked_in == trace_launch->kernel)
        return;
    r->masked_in = trace_launch->kernel;
    snprintf(text, sizeof text,
             "%s:%u: the mask of kernel %s names lane %u, which has returned without this call%s. "
             "On NVIDIA GPUs that counts as arrived; HIP wants exactly the lanes that call: make the "
             "mask with __ballot_sync() before the branch",
             m->place->file, m->place->line, trace_launch->kernel, lane, count > 1 ? ", and others have" : "");
    report_note(r->report, text);
}

static void see_meeting(void *tool, const struct trace_meeting *m)
{
    struct races *r = tool;

    if (m->left)
        check_mask(r, m);

    report_count_meeting(r->report);
    order_meeting(r->order, m);
}

static void see_launch_end(void *tool, UNUSED const struct trace_launch *l)
{
    struct races *r = tool;

    if (r->lost)
        lost_launch_end(r->lost);
    parts_launch_end(r->parts, r->report);
    if (r->written)
        written_launch_end(r->written);
}

static void see_freed(void *tool, uintptr_t start)
{
    struct races *r = tool;

    if (r->lost)
        lost_freed(r->lost, start);
}

/* The first launch that failed is the cause of what follows. */
static void note_failure(const struct races *r)
{
    const struct trace_failure *f;
    unsigned i = 0;
    char text[500];

    while ((f = trace_failure_number(i)) && *f->launch == '\0')
        i++;
    if (!f)
        return;
    const struct trace_place *place = trace_place_of(f->code);
    snprintf(text, sizeof text,
             "%s:%u: the launch of %s, failed, and nothing asks for it: %s. Check "
             "%sGetLastError() after each launch",
             place->file, place->line, f->launch, hipGetErrorString(f->error), memory_of_cuda() ? "cuda" : "hip");
    report_note(r->report, text);
}

static int finish(void *tool, const struct trace_end *end)
{
    struct races *r = tool;

    if (r->lost && !end->stopped)
        lost_finish(r->lost);
    note_failure(r);
    return report_finish(r->report, end);
}

static bool launch_again(void *tool)
{
    struct races *r = tool;

    return (!trace_run.is_trial && replay_again(r->replay)) || (r->lost && lost_again(r->lost));
}

static void block_again(void *tool) { replay_block_begin(((struct races *)tool)->replay); }

static void see_store(void *tool, uintptr_t address, size_t size)
{
    replay_note(((struct races *)tool)->replay, address, size);
}

static void see_load(void *tool, uintptr_t address, unsigned size)
{
    lost_read_again(((struct races *)tool)->lost, address, size);
}

static uint64_t absent_value(void *tool, const struct trace_meeting *m)
{
    return replay_absent(((struct races *)tool)->replay, m);
}

const struct trace_tool trace_races = {
    .name = "races",
    .start = start,
    .launch_begin = see_launch,
    .launch_end = see_launch_end,
    .block_begin = see_block,
    .block_end = see_block_end,
    .access = see_access,
    .copy_begins = see_copy_begin,
    .atomic = see_atomic,
    .fence = see_fence,
    .arrival = see_arrival,
    .barrier = see_barrier,
    .grid_barrier = see_grid_barrier,
    .meeting = see_meeting,
    .stream = races_see_stream,
    .copy = races_see_copy,
    .freed = see_freed,
    .host_access = races_see_host,
    .finish = finish,
    .launch_again = launch_again,
    .block_again = block_again,
    .store = see_store,
    .load = see_load,
    .absent_value = absent_value,
};
