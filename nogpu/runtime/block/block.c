/* The threads of one block: which one runs, and how they wait for each other.
 *
 * Each thread that has started and not returned has a stack. A coroutine runs a thread to its end and then
 * the next one that has not started, on the same stack; so a kernel without waiting never switches. A
 * thread that has to wait switches directly to the next one that can run.
 * SPDX-License-Identifier: MIT */
#include <sched.h>
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
    } while (hip_cpu_release_barrier(w));
    return NULL;
}

#ifdef HIP_CPU_ASAN
/* To detect uses of locals after return it would keep a second stack of megabytes for each coroutine: with
 * GCC 14, where this is the default, kernels with many threads take minutes. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_stack_use_after_return=0";
}
#endif

void hip_cpu_run_threads(void)
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

void hip_cpu_start_on_new_stack(struct worker *w, void **from)
{
    if (!hip_cpu_stack_create(&w->stacks[w->stacks_count], w->stacks_count))
        hip_cpu_fatal("hip: no memory for the stacks of a block: use smaller blocks\n");
    w->idle[w->idle_count++] = w->stacks_count++;
    start_thread(w, from);
}

void hip_cpu_wait_turn(struct worker *w, struct thread *self)
{
    struct thread *next = next_thread(w);
    if (next != self)
        switch_thread(w, &self->context, next);
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
static uint64_t own_lanes(struct warp *warp, const struct thread *self)
{
    uint64_t lanes = warp->ready ? 0 : warp->meeting & warp->masked;

    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(lanes);
        warp->ready = (uint64_t)1 << self->public.lane; /* it has not returned */
        if (hip_cpu_lanes_with(warp, lane) == hip_cpu_lanes_expected(warp, lane)) {
            hip_cpu_complete_meeting(warp);
            break;
        }
        warp->ready = 0;
    }
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
        uint64_t lanes = i != own ? ready_lanes(warp) : k == 0 ? above : own_lanes(warp, self);
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
        w->warps[i].left = 0;
    }
    w->ready_warps = UINT64_MAX >> (64 - w->warps_count);
    w->random = hip_cpu_mix(w->run->seed, index);

    OBSERVE(block_begin, index, w->threads_count, w->warps_count);
    switch_thread(w, &w->context, next_thread(w));
    hip_cpu_check_beyond(&w->block);
    OBSERVE(block_end);
}
