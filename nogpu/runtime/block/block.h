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
__attribute__((noinline)) void hip_cpu_wait_turn(struct worker *w, struct hip_cpu_thread *self);

/* block.c: the first or the last thread of a sweep is at a barrier. Returns when the thread goes on; false: it is the
 * first one that does what the others do not. */
__attribute__((noinline)) bool hip_cpu_sweep_barrier(struct worker *w, struct hip_cpu_thread *self, const char *file,
                                                     int line);
/* The current thread does something else: from now on the masks count. */
__attribute__((noinline)) void hip_cpu_end_sweep(struct worker *w);

/* The thread that runs from now on. */
static inline void become(struct hip_cpu_thread *thread)
{
    if (__builtin_expect(hip_cpu_valgrind, false))
        hip_cpu_name_finder();
    hip_cpu_current = thread;
    threadIdx = thread->index;
}

/* Starts the current thread on the stack that was in use last. */
static inline void start_thread(struct worker *w, void **from)
{
    unsigned stack = w->idle[--w->idle_count];
    void *fake = NULL;

    details_of(hip_cpu_current)->stack = stack;
    LEAVE_FOR(&w->stacks[stack], &fake);
    hip_cpu_start(from, &w->stacks[stack], hip_cpu_run_threads);
    ARRIVE(fake);
}

/* Starts or resumes another thread. Returns when *from is resumed. */
static inline void switch_thread(struct worker *w, void **from, struct hip_cpu_thread *to)
{
    void *fake = NULL;

    become(to);
    if (to->context) {
        LEAVE_FOR(&w->stacks[details_of(to)->stack], &fake);
        hip_cpu_switch(from, to->context);
        ARRIVE(fake);
    } else if (w->idle_count > 0) {
        start_thread(w, from);
    } else {
        hip_cpu_start_on_new_stack(w, from);
    }
}

/* The next thread of a sweep. */
static inline void switch_ahead(struct worker *w, struct hip_cpu_thread *self)
{
    __builtin_prefetch(self[2].context); /* its stack may be no longer in the L1 cache */
    switch_thread(w, &self->context, self + 1);
}

/* The next lane of the warp. */
static inline void switch_lane(struct worker *w, struct warp *warp, struct hip_cpu_thread *self)
{
    struct hip_cpu_thread *next = &warp->threads[__builtin_ctzll(warp->ready)];

    warp->ready &= warp->ready - 1;
    if (warp->ready) /* the stack after that may be no longer in the L1 cache */
        __builtin_prefetch(next[1].context);
    switch_thread(w, &self->context, next);
}

static inline bool can_switch_lane(const struct warp *warp)
{
    return warp->ready != 0 && hip_cpu_config.schedule == HIP_CPU_FORWARD;
}

#endif
