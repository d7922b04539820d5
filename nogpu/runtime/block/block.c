/* The threads of one block: which one runs, and how they wait for each other.
 *
 * Each thread that has started and not returned has a stack. A coroutine runs a thread to its end and then
 * the next one that has not started, on the same stack; so a kernel without waiting never switches. A
 * thread that has to wait switches directly to the next one that can run. Which threads can run, masks of
 * the warps say, or `sweep`.
 * SPDX-License-Identifier: MIT */
#include <sched.h>
#include <signal.h>
#include <string.h>

#include "block.h"

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

/* The thread to run next, or NULL when all have returned. No other thread runs now. */
static struct hip_cpu_thread *next_thread(struct worker *w)
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
    } while (hip_cpu_release_barrier(w));
    return NULL;
}

#ifdef HIP_CPU_ASAN
/* To detect uses of locals after return it would keep a second stack of megabytes for each coroutine: with
 * GCC 14, where this is the default, kernels with many threads take minutes. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_stack_use_after_return=0"; }
#endif

/* What the stack in use does next: a thread, or hip_cpu_leave(). */
struct step {
    void (*function)(const void *);
    const void *argument;
};

/* What hip_cpu_run_all() of launch.h does, for traced kernels: there the compiler takes threadIdx for a constant. */
static void run_straight(const void *arguments)
{
    const struct hip_cpu_launch *launch = hip_cpu_worker->run->launch;

    for (struct hip_cpu_thread *self = hip_cpu_current;;) {
        launch->body(arguments);
        if (++self >= hip_cpu_straight)
            return;
        become(self);
    }
}

static struct step run_thread(const struct worker *w)
{
    const struct hip_cpu_launch *launch = w->run->launch;
    void (*all)(const void *) = launch->all ? launch->all : run_straight;

    return (struct step){hip_cpu_straight ? all : launch->body, launch->arguments};
}

/* The thread that runs when the current one has returned; NULL: none. */
static struct hip_cpu_thread *after_return(struct worker *w)
{
    struct hip_cpu_thread *self = hip_cpu_current;

    if (hip_cpu_straight) {
        hip_cpu_straight = NULL;
        return NULL;
    }
    self->context = NULL;
    if (w->sweep && w->line != 0)
        hip_cpu_end_sweep(w);
    if (w->sweep)
        return self + 1 < w->sweep ? self + 1 : NULL;
    return next_thread(w);
}

__attribute__((noinline)) static struct step next_step(void)
{
    struct worker *w = hip_cpu_worker;
    unsigned stack = hip_cpu_straight ? w->first_stack : details_of(hip_cpu_current)->stack;
    struct hip_cpu_thread *thread = after_return(w);

    if (thread) {
        become(thread);
        if (!thread->context) {
            details_of(thread)->stack = stack;
            return run_thread(w);
        }
        __builtin_prefetch(thread[1].context);
    } else {
        if (hip_cpu_valgrind)
            hip_cpu_name_finder();
        hip_cpu_current = NULL;
    }
    w->idle[w->idle_count++] = stack;
    LEAVE_FOR(thread ? &w->stacks[details_of(thread)->stack] : &w->own, NULL);
    return (struct step){hip_cpu_leave, thread ? thread->context : w->context};
}

void hip_cpu_run_threads(void)
{
    ARRIVE(NULL);
    /* One call for both cases: a resumed thread returns to here, though on its own stack, and the processor predicts exactly
     * that. Nothing stays in this frame, which is in the cache once for each thread. */
    for (struct step step = run_thread(hip_cpu_worker);; step = next_step())
        step.function(step.argument);
}

void hip_cpu_start_on_new_stack(struct worker *w, void **from)
{
    if (!hip_cpu_stack_create(&w->stacks[w->stacks_count], w->stacks_count))
        hip_cpu_fatal("hip: no memory for the stacks of a block: use smaller blocks\n");
    w->idle[w->idle_count++] = w->stacks_count++;
    start_thread(w, from);
}

void hip_cpu_wait_turn(struct worker *w, struct hip_cpu_thread *self)
{
    struct hip_cpu_thread *next = next_thread(w);
    if (next != self)
        switch_thread(w, &self->context, next);
}

/* ---- threads that all do the same, in order ---- */

/* Most blocks are swept from their first thread to their last one, from barrier to barrier. As long as none of their threads
 * has waited, they even share a stack, in a loop of their launch (hip_cpu_straight). */
static void begin_sweep(struct worker *w)
{
    struct hip_cpu_thread *first = w->threads;

    w->sweep = first + w->threads_count;
    if (!w->waits) {
        hip_cpu_straight = w->sweep;
        w->first_stack = w->idle_count > 0 ? w->idle[w->idle_count - 1] : w->stacks_count;
    }
    switch_thread(w, &w->context, first);
}

static void end_straight(struct worker *w)
{
    if (w->block.loops == HIP_CPU_LOOPS_RUN)
        hip_cpu_fatal("hip: kernel %s waits where its source does not show it: compile with -O0\n", w->block.kernel);
    details_of(hip_cpu_current)->stack = w->first_stack;
    hip_cpu_straight = NULL;
    w->waits = true;
}

/* All threads have arrived. */
static void observe_barrier(const struct worker *w)
{
    uint64_t lanes[WARPS_MAX];

    if (!OBSERVER)
        return;
    for (unsigned i = 0; i < w->warps_count; i++)
        lanes[i] = i + 1 < w->warps_count ? UINT64_MAX >> (64 - warpSize) : w->last_lanes;
    OBSERVER->barrier(HIP_CPU_SYNCTHREADS, w->warps_count, lanes);
}

bool hip_cpu_sweep_barrier(struct worker *w, struct hip_cpu_thread *self, const char *file, int line)
{
    if (hip_cpu_straight)
        end_straight(w);
    if (w->line == 0 && self == w->threads) {
        w->file = file;
        w->line = line;
        w->op = HIP_CPU_SYNCTHREADS;
    }
    if (line != w->line || file != w->file)
        return false;
    if (self + 1 < w->sweep) {
        switch_ahead(w, self);
    } else {
        observe_barrier(w);
        w->line = 0;
        w->result_of = w->threads_count;
        if (self != w->threads)
            switch_thread(w, &self->context, w->threads);
    }
    return true;
}

void hip_cpu_end_sweep(struct worker *w)
{
    uint64_t all = UINT64_MAX >> (64 - warpSize);
    struct hip_cpu_thread *self = hip_cpu_current;

    if (hip_cpu_straight)
        end_straight(w);
    w->sweep = NULL;
    w->ready_warps = UINT64_MAX >> (64 - w->warps_count);
    for (unsigned i = 0; i < w->warps_count; i++) {
        struct warp *warp = &w->warps[i];
        long before = self - warp->threads; /* of the warp's threads, before the current one */
        uint64_t lanes = i + 1 < w->warps_count ? all : w->last_lanes;
        uint64_t done = before <= 0 ? 0 : before >= 64 ? UINT64_MAX : ((uint64_t)1 << before) - 1;
        warp->ready = lanes & ~done;
        warp->waiting = w->line != 0 ? lanes & done : 0;
        warp->apart = 0;
    }
    w->warp = details_of(self)->warp;
    w->warp->ready &= ~((uint64_t)1 << self->lane);
}

/* ---- a block as loops ---- */

static void look_closer(void)
{
    struct worker *w = hip_cpu_worker;
    sigset_t blocked;

    if (!hip_cpu_current || w->block.loops != HIP_CPU_LOOPS_RUN || w->last_look)
        return;
    w->looks = true;
    w->block.loops = HIP_CPU_NO_LOOPS_HERE;
    w->sweep = hip_cpu_straight = hip_cpu_current = NULL;
    w->idle[w->idle_count++] = w->first_stack;
    sigfillset(&blocked); /* by the handler that this never returns to */
    pthread_sigmask(SIG_UNBLOCK, &blocked, NULL);
    hip_cpu_leave(w->context);
}

__attribute__((constructor)) static void offer_closer_look(void) { hip_cpu_look_closer = look_closer; }

static void run_in_order(struct worker *w)
{
    bool loops = !w->looks && !hip_cpu_late;
    w->block.loops = loops ? HIP_CPU_LOOPS_OFFERED : HIP_CPU_NO_LOOPS_HERE;
    begin_sweep(w);
    if (!loops || !w->looks)
        return;
    begin_sweep(w);
    w->last_look = true; /* this time it did not fail: then no thread is known */
    w->block.loops = HIP_CPU_LOOPS_OFFERED;
    w->waits = false;
    begin_sweep(w);
}

/* ---- threads that wait for a word in memory ---- */

/* Of a warp other than the current thread's. */
static uint64_t ready_lanes(struct warp *warp)
{
    if (!warp->ready && warp->meeting)
        hip_cpu_complete_meeting(warp);
    return warp->ready;
}

/* Of the current thread's warp, which is not complete without it; but lanes of a mask may be. */
static uint64_t own_lanes(struct warp *warp, const struct hip_cpu_thread *self)
{
    uint64_t lanes = warp->ready ? 0 : warp->meeting & warp->masked;

    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(lanes);
        warp->ready = (uint64_t)1 << self->lane; /* it has not returned */
        if (hip_cpu_lanes_with(warp, lane) == hip_cpu_lanes_expected(warp, lane)) {
            hip_cpu_complete_meeting(warp);
            break;
        }
        warp->ready = 0;
    }
    return warp->ready;
}

/* The next thread in a circle that can run, or any where the schedule is random. */
static struct hip_cpu_thread *another_thread(struct worker *w, const struct hip_cpu_thread *self)
{
    const struct warp *warp_here = details_of(self)->warp;
    unsigned own = (unsigned)(warp_here - w->warps), count = w->warps_count, skip = 0;
    uint64_t above = warp_here->ready & (UINT64_MAX << self->lane);

    if (hip_cpu_config.schedule == HIP_CPU_RANDOM) {
        w->random = hip_cpu_mix(w->random, 0);
        skip = (unsigned)(w->random >> 32) % count;
        above = skip ? 0 : warp_here->ready;
    }
    for (unsigned k = skip; k <= count + skip; k++) {
        unsigned i = (own + k) % count;
        struct warp *warp = &w->warps[i];
        uint64_t lanes = i != own ? ready_lanes(warp) : k == 0 ? above : own_lanes(warp, self);
        if (!lanes)
            continue;
        unsigned lane = hip_cpu_config.schedule == HIP_CPU_RANDOM ? choose(w, lanes) : (unsigned)__builtin_ctzll(lanes);
        warp->ready &= ~((uint64_t)1 << lane);
        w->warp = warp;
        return &warp->threads[lane];
    }
    return NULL;
}

void hip_cpu_yield(void)
{
    struct worker *w = hip_cpu_worker;
    struct hip_cpu_thread *self = hip_cpu_current;
    struct warp *own = details_of(self)->warp;

    if (w->sweep)
        hip_cpu_end_sweep(w);
    struct hip_cpu_thread *next = another_thread(w, self);
    if (!next)
        return;
    own->ready |= (uint64_t)1 << self->lane;
    w->ready_warps |= (uint64_t)1 << (own - w->warps);
    switch_thread(w, &self->context, next);
}

/* Polls before we give up. Every other thread of the block runs between two polls: none of them will change the word. */
#define LOOKS_MAX (1u << 16)

void hip_cpu_pause(unsigned *looks, const char *file, int line)
{
    if (!hip_cpu_current)
        return;
    hip_cpu_yield();
    if (!looks)
        sched_yield();
    else if (!OBSERVER && ++*looks > LOOKS_MAX)
        hip_cpu_fail("waits for threads of its block that do not come: which of them should "
                     "arrive, or release?",
                     file, line);
}

/* ---- called by workers.c ---- */

static void set_index(uint3 *index, uint64_t linear, const dim3 *size)
{
    index->x = (unsigned)(linear % size->x);
    index->y = (unsigned)(linear / size->x % size->y);
    index->z = (unsigned)(linear / size->x / size->y);
}

void hip_cpu_block_prepare(struct worker *w, const struct run *run)
{
    const struct hip_cpu_launch *launch = run->launch;
    bool same = memcmp(&w->block.size, &launch->block, sizeof launch->block) == 0 && w->warp_size == warpSize;

    w->run = run;
    w->in_order = hip_cpu_config.schedule == HIP_CPU_FORWARD;
    w->waits = w->looks = hip_cpu_valgrind;
    w->last_look = false;
    w->sweep = NULL;
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
        struct hip_cpu_thread *thread = &w->threads[i];
        memset(thread, 0, sizeof *thread);
        set_index(&thread->index, i, &launch->block);
        thread->lane = i % (unsigned)warpSize;
        thread->block = &w->block;
        w->details[i].warp = &w->warps[i / (unsigned)warpSize];
    }
    for (unsigned i = 0; i < w->warps_count; i++) {
        w->warps[i].threads = &w->threads[(size_t)i * (unsigned)warpSize];
        w->warps[i].details = &w->details[(size_t)i * (unsigned)warpSize];
    }
    w->last_lanes = UINT64_MAX >> (64 - (w->threads_count - (w->warps_count - 1) * (unsigned)warpSize));
}

void hip_cpu_block_run(struct worker *w, uint64_t index)
{
    set_index(&w->block.index, index, &w->block.grid);
    blockIdx = w->block.index;
    hip_cpu_poison(w->block.shared, (size_t)(w->shared_end - (char *)w->block.shared));
    if (hip_cpu_valgrind)
        hip_cpu_announce_memory(w->block.shared, w->block.shared_bytes, HIP_CPU_UNWRITTEN);
    for (unsigned i = 0; i < w->warps_count; i++) {
        w->warps[i].ready = i + 1 < w->warps_count ? UINT64_MAX >> (64 - warpSize) : w->last_lanes;
        w->warps[i].left = 0;
    }
    w->ready_warps = UINT64_MAX >> (64 - w->warps_count);
    w->random = hip_cpu_mix(w->run->seed, index);

    OBSERVE(block_begin, index, w->threads_count, w->warps_count);
    if (w->in_order)
        run_in_order(w);
    else
        switch_thread(w, &w->context, next_thread(w));
    hip_cpu_check_beyond(&w->block);
    OBSERVE(block_end);
}
