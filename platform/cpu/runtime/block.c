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
__thread uint3 threadIdx, blockIdx;
__thread dim3 blockDim, gridDim;

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
                hip_cpu_complete_meeting(warp);
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

/* The thread that runs from now on. */
static inline void become(struct thread *thread)
{
    hip_cpu_current = &thread->public;
    threadIdx = thread->public.index;
}

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
        if (thread && !thread->context) {
            become(thread);
            thread->stack = stack;
            continue;
        }
        if (thread)
            become(thread);
        else
            hip_cpu_current = NULL;
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

    become(to);
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

#ifdef HIP_CPU_TRACE
/* Of a warp other than the current thread's. */
static uint64_t ready_lanes(struct warp *warp)
{
    if (!warp->ready && warp->meeting)
        hip_cpu_complete_meeting(warp);
    return warp->ready;
}

/* The next thread in a circle that can run, or any where the schedule is random. */
static struct thread *another_thread(struct worker *w, const struct thread *self)
{
    unsigned own = (unsigned)(self->warp - w->warps), count = w->warps_count, skip = 0;
    uint64_t above = self->warp->ready & (UINT64_MAX << self->public.lane);

    if (hip_cpu_config.schedule == HIP_CPU_RANDOM) {
        w->random = hip_cpu_mix(w->random, 0);
        skip = (unsigned)(w->random >> 32) % count;
        above = skip ? 0 : self->warp->ready;
    }
    for (unsigned k = skip; k <= count + skip; k++) {
        unsigned i = (own + k) % count;
        struct warp *warp = &w->warps[i];
        uint64_t lanes = i != own ? ready_lanes(warp) : k == 0 ? above : warp->ready;
        if (!lanes)
            continue;
        unsigned lane = hip_cpu_config.schedule == HIP_CPU_RANDOM
                            ? choose(w, lanes)
                            : (unsigned)__builtin_ctzll(lanes);
        warp->ready &= ~((uint64_t)1 << lane);
        w->warp = warp;
        return &warp->threads[lane];
    }
    return NULL;
}

void hip_cpu_yield(void)
{
    struct worker *w = hip_cpu_worker;
    struct thread *self = (struct thread *)hip_cpu_current;
    struct warp *own = self->warp;
    struct thread *next = another_thread(w, self);

    if (!next)
        return;
    own->ready |= (uint64_t)1 << self->public.lane;
    w->ready_warps |= (uint64_t)1 << (own - w->warps);
    switch_thread(w, &self->context, next);
}
#endif

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

int hip_cpu_is_cooperative(void)
{
    return hip_cpu_worker->run->launch->cooperative;
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

/* Where the current thread waits, and what for. */
static inline struct warp *arrive(struct thread *self, enum hip_cpu_warp_op op, uint64_t value,
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
    return warp;
}

static inline void meet(struct thread *self, enum hip_cpu_warp_op op, uint64_t value,
                        unsigned source, const char *file, int line)
{
    struct warp *warp = arrive(self, op, value, source, file, line);

    if (can_switch_lane(warp))
        switch_lane(self->worker, warp, self);
    else
        wait_turn(self->worker, self);
}

/* The same for the lanes of a mask. */
static void meet_mask(uint64_t mask, struct thread *self, enum hip_cpu_warp_op op, uint64_t value,
                      unsigned source, const char *file, int line)
{
    unsigned lane = self->public.lane;

    if (!(mask >> lane & 1)) {
        char text[256];
        snprintf(text, sizeof text,
                 "the mask %#llx lacks lane %u, which calls: give every lane that calls its bit%s",
                 (unsigned long long)mask, lane,
                 lane >= 32 && mask <= UINT32_MAX
                     ? "; a program for warps of 32 needs HIP_CPU_WARP_SIZE=32"
                     : "");
        hip_cpu_fail(text, file, line);
    }
    struct warp *warp = arrive(self, op, value, source, file, line);
    warp->mixed = true;
    warp->masked |= (uint64_t)1 << lane;
    warp->at[lane].mask = mask;
    wait_turn(self->worker, self);
}

/* The lane that a shuffle reads: lanes form sections of `width`, and a lane whose source is outside its section reads
 * itself. */
static inline unsigned source_of(enum hip_cpu_warp_op op, unsigned lane, unsigned operand,
                                 int width, const char *file, int line)
{
    if (width < 1 || width > warpSize || (width & (width - 1)) != 0) {
        char text[128];
        snprintf(text, sizeof text,
                 "shuffle with width %d: use a power of two from 1 to warpSize (%d)", width,
                 warpSize);
        hip_cpu_fail(text, file, line);
    }

    unsigned size = (unsigned)width, begin = lane & ~(size - 1), place = lane - begin;
    switch (op) {
    case HIP_CPU_SHFL:
        return begin + (operand & (size - 1));
    case HIP_CPU_SHFL_UP:
        return operand <= place ? lane - operand : lane;
    case HIP_CPU_SHFL_DOWN:
        return operand < size - place ? lane + operand : lane;
    default: /* xor: lower sections can be reached, higher ones not */
        return (lane ^ operand) < begin + size ? lane ^ operand : lane;
    }
}

uint64_t hip_cpu_shuffle(enum hip_cpu_warp_op op, uint64_t bits, unsigned operand, int width,
                         const char *file, int line)
{
    struct thread *self = (struct thread *)hip_cpu_current;
    unsigned lane = self->public.lane;
    unsigned source = source_of(op, lane, operand, width, file, line);

    OBSERVE(arrive, CALLER);
    meet(self, op, bits, source, file, line);
    return self->warp->result[lane];
}

uint64_t hip_cpu_shuffle_mask(uint64_t mask, enum hip_cpu_warp_op op, uint64_t bits,
                              unsigned operand, int width, const char *file, int line)
{
    struct thread *self = (struct thread *)hip_cpu_current;
    unsigned lane = self->public.lane;
    unsigned source = source_of(op, lane, operand, width, file, line);

    OBSERVE(arrive, CALLER);
    meet_mask(mask, self, op, bits, source, file, line);
    return self->warp->result[lane];
}

/* What the current lane gets. */
static uint64_t outcome(const struct thread *self, enum hip_cpu_warp_op op)
{
    const struct warp *warp = self->warp;

    switch (op) {
    case HIP_CPU_ANY:
        return warp->group_votes != 0;
    case HIP_CPU_ALL:
        return warp->group_votes == warp->group;
    case HIP_CPU_BALLOT:
        return warp->group_votes;
    case HIP_CPU_ACTIVE:
    case HIP_CPU_SYNCWARP:
        return warp->group;
    default:
        return warp->result[self->public.lane];
    }
}

uint64_t hip_cpu_vote(enum hip_cpu_warp_op op, int predicate, const char *file, int line)
{
    struct thread *self = (struct thread *)hip_cpu_current;

    if (predicate)
        self->warp->votes |= (uint64_t)1 << self->public.lane;
    OBSERVE(arrive, CALLER);
    meet(self, op, 0, 0, file, line);
    return outcome(self, op);
}

uint64_t hip_cpu_vote_mask(uint64_t mask, enum hip_cpu_warp_op op, uint64_t value, const char *file,
                           int line)
{
    struct thread *self = (struct thread *)hip_cpu_current;

    if (value && op <= HIP_CPU_BALLOT)
        self->warp->votes |= (uint64_t)1 << self->public.lane;
    OBSERVE(arrive, CALLER);
    meet_mask(mask, self, op, value, 0, file, line);
    return outcome(self, op);
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
    gridDim = launch->grid;
    blockDim = launch->block;
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
    blockIdx = w->block.index;
    hip_cpu_poison(w->block.shared, (size_t)(w->shared_end - (char *)w->block.shared));
    for (unsigned i = 0; i < w->warps_count; i++) {
        unsigned left = w->threads_count - i * warp_size;
        w->warps[i].threads = &w->threads[(size_t)i * warp_size];
        w->warps[i].ready = UINT64_MAX >> (64 - (left < warp_size ? left : warp_size));
    }
    w->ready_warps = UINT64_MAX >> (64 - w->warps_count);
    w->random = hip_cpu_mix(w->run->seed, index);

    OBSERVE(block_begin, index, w->threads_count, w->warps_count);
    switch_thread(w, &w->context, next_thread(w));
    OBSERVE(block_end);
}
