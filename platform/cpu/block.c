/* The threads of one block: which one runs, and how they wait for each other.
 *
 * Each thread that has started and not returned has a stack. A coroutine runs a thread to its end and then
 * the next one that has not started, on the same stack; so a kernel without waiting never switches. A
 * thread that has to wait switches directly to the next one that can run.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

__thread struct hip_cpu_thread *hip_cpu_current;
__thread struct worker *hip_cpu_worker;

/* Picks one of the bits set in a mask, which is not 0, according to the schedule. */
static inline unsigned choose(struct worker *w, uint64_t mask)
{
    if (hip_cpu_config.schedule == HIP_CPU_FORWARD)
        return (unsigned)__builtin_ctzll(mask);
    if (hip_cpu_config.schedule == HIP_CPU_REVERSE)
        return 63 - (unsigned)__builtin_clzll(mask);
    w->random = hip_cpu_mix(w->random, 0);
    for (uint64_t skip = w->random % (unsigned)__builtin_popcountll(mask); skip > 0; skip--)
        mask &= mask - 1;
    return (unsigned)__builtin_ctzll(mask);
}

/* ---- warp operations ---- */

/* The waiting lanes that are at the same operation as this one. */
uint64_t hip_cpu_lanes_with(const struct warp *warp, unsigned first)
{
    const struct thread *place = &warp->threads[first];
    uint64_t group = 0;

    for (uint64_t rest = warp->meeting; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        const struct thread *thread = &warp->threads[lane];
        if (warp->at[lane].op == warp->at[first].op &&
            hip_cpu_same_place(thread->file, thread->line, place->file, place->line))
            group |= (uint64_t)1 << lane;
    }
    return group;
}

/* Which lanes go on when the lanes of a warp wait at different places. Only __activemask() accepts a subset;
 * every other operation requires all lanes that have not returned. */
static unsigned choose_group(const struct warp *warp)
{
    for (uint64_t rest = warp->meeting; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        if (warp->at[lane].op == HIP_CPU_ACTIVE)
            return lane;
    }
    /* They may have converged since the first of them arrived. */
    if (warp->waiting || hip_cpu_lanes_with(warp, warp->first) != warp->meeting)
        hip_cpu_report_divergence(warp);
    return warp->first;
}

static void observe_meeting(struct warp *warp, enum hip_cpu_warp_op op)
{
    struct hip_cpu_meeting meeting = {.warp = (unsigned)(warp - hip_cpu_worker->warps),
                                      .op = op,
                                      .lanes = warp->group,
                                      .result = warp->result};

    for (uint64_t rest = warp->group; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        meeting.source[lane] = op <= HIP_CPU_SHFL_XOR ? warp->at[lane].source : lane;
    }
    OBSERVER->meeting(&meeting);
}

/* All lanes of the warp wait or have returned, some of them at warp operations. */
static void complete_meeting(struct warp *warp)
{
    uint64_t group = warp->meeting;
    unsigned first = warp->first;

    if (warp->mixed || warp->waiting) {
        first = choose_group(warp);
        group = hip_cpu_lanes_with(warp, first);
    }

    if (warp->at[first].op <= HIP_CPU_SHFL_XOR) {
        for (uint64_t rest = group; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctzll(rest);
            unsigned source = warp->at[lane].source;
            warp->result[lane] = group >> source & 1 ? warp->at[source].value : HIP_CPU_POISON;
        }
    }
    warp->group = group;
    warp->group_votes = warp->votes & group;
    warp->votes &= ~group;
    warp->ready = group;
    warp->meeting &= ~group;
    if (OBSERVER)
        observe_meeting(warp, warp->at[first].op);
    if (warp->meeting)
        warp->first = (unsigned)__builtin_ctzll(warp->meeting);
}

/* ---- barriers ---- */

/* No thread can run. False: all have returned. Otherwise all wait at a barrier and are released. */
static bool release_barrier(struct worker *w)
{
    unsigned waiting = 0;
    for (unsigned i = 0; i < w->warps_count; i++)
        waiting += (unsigned)__builtin_popcountll(w->warps[i].waiting);
    if (waiting == 0)
        return false;

    bool grid = w->op == HIP_CPU_SYNC_GRID;
    if ((waiting < w->threads_count || w->mixed) && (hip_cpu_config.strict_barrier || grid))
        hip_cpu_report_barrier(w);
    if (OBSERVER) {
        uint64_t lanes[WARPS_MAX];
        for (unsigned i = 0; i < w->warps_count; i++)
            lanes[i] = w->warps[i].waiting;
        OBSERVER->barrier(w->op, w->warps_count, lanes);
    }
    if (grid)
        hip_cpu_grid_barrier(w->file, w->line);

    w->result = w->predicates;
    w->result_of = waiting;
    w->predicates = 0;
    w->line = 0;
    w->mixed = false;
    for (unsigned i = 0; i < w->warps_count; i++) {
        w->warps[i].ready = w->warps[i].waiting;
        w->warps[i].waiting = 0;
    }
    w->ready_warps = UINT64_MAX >> (64 - w->warps_count);
    return true;
}

/* ---- scheduling ---- */

/* The thread to run next, or NULL when all have returned. No other thread runs now. */
static struct thread *next_thread(struct worker *w)
{
    do {
        while (w->ready_warps) {
            unsigned i = choose(w, w->ready_warps);
            struct warp *warp = &w->warps[i];
            if (warp->ready) {
                unsigned lane = choose(w, warp->ready);
                warp->ready &= ~((uint64_t)1 << lane);
                w->warp = warp;
                return &warp->threads[lane];
            }
            if (warp->meeting)
                complete_meeting(warp);
            else
                w->ready_warps &= ~((uint64_t)1 << i);
        }
    } while (release_barrier(w));
    return NULL;
}

/* ---- coroutines ---- */

#ifdef HIP_CPU_ASAN /* AddressSanitizer must know which stack is in use */
/* To detect uses of locals after return it would keep a second stack of megabytes for each coroutine: with
 * GCC 14, where this is the default, kernels with many threads take minutes. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_stack_use_after_return=0";
}
#define LEAVE_FOR(stack, fake) __sanitizer_start_switch_fiber(fake, (stack)->bottom, (stack)->bytes)
#define ARRIVE(fake)           __sanitizer_finish_switch_fiber(fake, NULL, NULL)
#else
#define LEAVE_FOR(stack, fake) ((void)(fake))
#define ARRIVE(fake)           ((void)(fake))
#endif

/* Runs the current thread to its end, and then the next ones on the same stack until one has a stack of
 * its own, or the block has ended. */
static void run_threads(void)
{
    struct worker *w = hip_cpu_worker;
    const struct hip_cpu_launch *launch = w->run->launch;
    struct thread *thread = (struct thread *)hip_cpu_current;
    unsigned stack = thread->stack;
    void (*function)(const void *) = launch->body;
    const void *argument = launch->arguments;

    ARRIVE(NULL);
    for (;;) {
        /* One call for both cases: a resumed thread returns to here, though on its own stack, and the
         * processor predicts exactly that. */
        function(argument);

        thread->context = NULL;
        thread = next_thread(w);
        hip_cpu_current = (struct hip_cpu_thread *)thread;
        if (thread && !thread->context) {
            thread->stack = stack;
            continue;
        }
        w->idle[w->idle_count++] = stack;
        function = hip_cpu_leave;
        argument = thread ? thread->context : w->context;
        LEAVE_FOR(thread ? &w->stacks[thread->stack] : &w->own, NULL);
    }
}

/* Starts the current thread on the stack that was in use last. */
static inline void start_thread(struct worker *w, void **from)
{
    unsigned stack = w->idle[--w->idle_count];
    void *fake = NULL;

    ((struct thread *)hip_cpu_current)->stack = stack;
    LEAVE_FOR(&w->stacks[stack], &fake);
    hip_cpu_start(from, &w->stacks[stack], run_threads);
    ARRIVE(fake);
}

/* The same on a new stack. */
__attribute__((noinline)) static void start_on_new_stack(struct worker *w, void **from)
{
    if (!hip_cpu_stack_create(&w->stacks[w->stacks_count], w->stacks_count))
        hip_cpu_fatal("hip: no memory for the stacks of a block: use smaller blocks\n");
    w->idle[w->idle_count++] = w->stacks_count++;
    start_thread(w, from);
}

/* Starts or resumes another thread. Returns when *from is resumed. */
static inline void switch_thread(struct worker *w, void **from, struct thread *to)
{
    void *fake = NULL;

    hip_cpu_current = &to->public;
    if (to->context) {
        LEAVE_FOR(&w->stacks[to->stack], &fake);
        hip_cpu_switch(from, to->context);
        ARRIVE(fake);
    } else if (w->idle_count > 0) {
        start_thread(w, from);
    } else {
        start_on_new_stack(w, from);
    }
}

/* Lets others run until this thread is ready again and its turn comes. */
__attribute__((noinline)) static void wait_turn(struct worker *w, struct thread *self)
{
    struct thread *next = next_thread(w);
    if (next != self)
        switch_thread(w, &self->context, next);
}

/* The common case, without a call: the next lane of the warp. */
static inline void switch_lane(struct worker *w, struct warp *warp, struct thread *self)
{
    struct thread *next = &warp->threads[__builtin_ctzll(warp->ready)];

    warp->ready &= warp->ready - 1;
    if (warp->ready) /* the stack after that is no longer in the L1 cache */
        __builtin_prefetch(warp->threads[__builtin_ctzll(warp->ready)].context);
    switch_thread(w, &self->context, next);
}

static inline bool can_switch_lane(const struct warp *warp)
{
    return warp->ready != 0 && hip_cpu_config.schedule == HIP_CPU_FORWARD;
}

/* ---- called by kernels ---- */

#define CALLER __builtin_return_address(0)

/* A thread other than the first reaches a barrier that is not obviously the same one. */
static void note_barrier(struct worker *w, enum hip_cpu_barrier_op op, const char *file, int line)
{
    if (op == HIP_CPU_SYNC_GRID && !w->run->launch->cooperative)
        hip_cpu_fail("grid barrier in a kernel that was not started with "
                     "hipLaunchCooperativeKernel: use that",
                     file, line);
    if (w->line == 0) {
        w->file = file;
        w->line = line;
        w->op = op;
        return;
    }
    if (op != w->op || !hip_cpu_same_place(file, line, w->file, w->line))
        w->mixed = true;
    if (op == HIP_CPU_SYNC_GRID)
        w->op = op;
}

__attribute__((noinline)) static int barrier(enum hip_cpu_barrier_op op, int predicate,
                                             const char *file, int line)
{
    struct thread *self = (struct thread *)hip_cpu_current;
    struct worker *w = self->worker;

    self->file = file;
    self->line = line;
    if (line != w->line || file != w->file || op != w->op)
        note_barrier(w, op, file, line);
    self->warp->waiting |= (uint64_t)1 << self->public.lane;
    w->predicates += predicate != 0;
    wait_turn(w, self);
    switch (op) {
    case HIP_CPU_SYNCTHREADS_COUNT:
        return (int)w->result;
    case HIP_CPU_SYNCTHREADS_AND:
        return w->result == w->result_of;
    case HIP_CPU_SYNCTHREADS_OR:
        return w->result > 0;
    default:
        return 0;
    }
}

void hip_cpu_syncthreads(const char *file, int line)
{
    /* The warp is not loaded through `self`, which was stored just now: without that dependence the
     * processor can execute further ahead. */
    struct thread *self = (struct thread *)hip_cpu_current;
    struct worker *w = hip_cpu_worker;
    struct warp *warp = w->warp;

    OBSERVE(arrive, CALLER);
    if (!can_switch_lane(warp) || line != w->line || file != w->file ||
        w->op != HIP_CPU_SYNCTHREADS) {
        barrier(HIP_CPU_SYNCTHREADS, 0, file, line);
        return;
    }
    self->file = file;
    self->line = line;
    warp->waiting |= (uint64_t)1 << self->public.lane;
    switch_lane(w, warp, self);
}

int hip_cpu_barrier(enum hip_cpu_barrier_op op, int predicate, const char *file, int line)
{
    OBSERVE(arrive, CALLER);
    return barrier(op, predicate, file, line);
}

static inline void meet(struct thread *self, enum hip_cpu_warp_op op, uint64_t value,
                        unsigned source, const char *file, int line)
{
    struct warp *warp = hip_cpu_worker->warp;
    unsigned lane = self->public.lane;

    self->file = file;
    self->line = line;
    warp->at[lane].value = value;
    warp->at[lane].op = op;
    warp->at[lane].source = source;
    if (warp->meeting == 0) {
        warp->first = lane;
        warp->mixed = false;
    } else if (line != warp->threads[warp->first].line || file != warp->threads[warp->first].file ||
               op != warp->at[warp->first].op) {
        warp->mixed = true;
    }
    warp->meeting |= (uint64_t)1 << lane;
    if (can_switch_lane(warp))
        switch_lane(self->worker, warp, self);
    else
        wait_turn(self->worker, self);
}

uint64_t hip_cpu_shuffle(enum hip_cpu_warp_op op, uint64_t bits, unsigned operand, int width,
                         const char *file, int line)
{
    struct thread *self = (struct thread *)hip_cpu_current;

    if (width < 1 || width > warpSize || (width & (width - 1)) != 0) {
        char text[128];
        snprintf(text, sizeof text,
                 "shuffle with width %d: use a power of two from 1 to warpSize (%d)", width,
                 warpSize);
        hip_cpu_fail(text, file, line);
    }

    /* Lanes form sections of `width`; a lane whose source is outside its section reads itself. */
    unsigned lane = self->public.lane, size = (unsigned)width;
    unsigned begin = lane & ~(size - 1), place = lane - begin, source = lane;
    switch (op) {
    case HIP_CPU_SHFL:
        source = begin + (operand & (size - 1));
        break;
    case HIP_CPU_SHFL_UP:
        if (operand <= place)
            source = lane - operand;
        break;
    case HIP_CPU_SHFL_DOWN:
        if (operand < size - place)
            source = lane + operand;
        break;
    default: /* xor: lower sections can be reached, higher ones not */
        if ((lane ^ operand) < begin + size)
            source = lane ^ operand;
    }
    OBSERVE(arrive, CALLER);
    meet(self, op, bits, source, file, line);
    return self->warp->result[lane];
}

uint64_t hip_cpu_vote(enum hip_cpu_warp_op op, int predicate, const char *file, int line)
{
    struct thread *self = (struct thread *)hip_cpu_current;
    struct warp *warp = self->warp;

    if (predicate)
        warp->votes |= (uint64_t)1 << self->public.lane;
    OBSERVE(arrive, CALLER);
    meet(self, op, 0, 0, file, line);
    switch (op) {
    case HIP_CPU_ANY:
        return warp->group_votes != 0;
    case HIP_CPU_ALL:
        return warp->group_votes == warp->group;
    case HIP_CPU_BALLOT:
        return warp->group_votes;
    default:
        return warp->group;
    }
}

/* ---- called by launch.c ---- */

static void set_index(uint3 *index, uint64_t linear, const dim3 *size)
{
    index->x = (unsigned)(linear % size->x);
    index->y = (unsigned)(linear / size->x % size->y);
    index->z = (unsigned)(linear / size->x / size->y);
}

void hip_cpu_block_prepare(struct worker *w, const struct run *run)
{
    const struct hip_cpu_launch *launch = run->launch;
    bool same = memcmp(&w->block.size, &launch->block, sizeof launch->block) == 0 &&
                w->warp_size == warpSize;

    w->run = run;
    w->block.kernel = launch->kernel;
    w->block.grid = launch->grid;
    w->block.size = launch->block;
    w->block.shared_bytes = launch->shared_bytes;
    w->block.shared = w->shared_end - (launch->shared_bytes + 15) / 16 * 16;
    if (same)
        return;

    w->warp_size = warpSize;
    w->threads_count = launch->block.x * launch->block.y * launch->block.z;
    w->warps_count = (w->threads_count + (unsigned)warpSize - 1) / (unsigned)warpSize;
    for (unsigned i = 0; i < w->threads_count; i++) {
        struct thread *thread = &w->threads[i];
        memset(thread, 0, sizeof *thread);
        set_index(&thread->public.index, i, &launch->block);
        thread->public.lane = i % (unsigned)warpSize;
        thread->public.block = &w->block;
        thread->worker = w;
        thread->warp = &w->warps[i / (unsigned)warpSize];
    }
}

void hip_cpu_block_run(struct worker *w, uint64_t index)
{
    unsigned warp_size = (unsigned)warpSize;

    set_index(&w->block.index, index, &w->block.grid);
    hip_cpu_poison(w->block.shared, (size_t)(w->shared_end - (char *)w->block.shared));
    for (unsigned i = 0; i < w->warps_count; i++) {
        unsigned left = w->threads_count - i * warp_size;
        w->warps[i].threads = &w->threads[(size_t)i * warp_size];
        w->warps[i].ready = UINT64_MAX >> (64 - (left < warp_size ? left : warp_size));
    }
    w->ready_warps = UINT64_MAX >> (64 - w->warps_count);
    w->random = hip_cpu_mix(hip_cpu_config.seed, index);

    OBSERVE(block_begin, index, w->threads_count, w->warps_count);
    switch_thread(w, &w->context, next_thread(w));
    OBSERVE(block_end);
}
