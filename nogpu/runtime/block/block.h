/* The switch from one thread of a block to another: inline, because barriers and shuffles do little else.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_BLOCK_H
#define HIP_CPU_BLOCK_H

#include "../internal.h"

#ifdef HIP_CPU_ASAN /* AddressSanitizer must know which stack is in use */
#define LEAVE_FOR(stack, fake) __sanitizer_start_switch_fiber(fake, (stack)->bottom, (stack)->bytes)
#define ARRIVE(fake)           __sanitizer_finish_switch_fiber(fake, NULL, NULL)
#else
#define LEAVE_FOR(stack, fake) ((void)(fake))
#define ARRIVE(fake)           ((void)(fake))
#endif

/* block.c: runs the current thread to its end, and then the next ones on the same stack until one has a stack of its own,
 * or the block has ended. */
void hip_cpu_run_threads(void);
/* start_thread() on a new stack. */
__attribute__((noinline)) void hip_cpu_start_on_new_stack(struct worker *w, void **from);
/* Other threads run until this one is ready and its turn comes. */
__attribute__((noinline)) void hip_cpu_wait_turn(struct worker *w, struct thread *self);

/* The thread that runs from now on. */
static inline void become(struct thread *thread)
{
    hip_cpu_current = &thread->public;
    threadIdx = thread->public.index;
}

/* Starts the current thread on the stack that was in use last. */
static inline void start_thread(struct worker *w, void **from)
{
    unsigned stack = w->idle[--w->idle_count];
    void *fake = NULL;

    ((struct thread *)hip_cpu_current)->stack = stack;
    LEAVE_FOR(&w->stacks[stack], &fake);
    hip_cpu_start(from, &w->stacks[stack], hip_cpu_run_threads);
    ARRIVE(fake);
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
        hip_cpu_start_on_new_stack(w, from);
    }
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

#endif
