/* For a tool that observes kernels: see observer.h.
 * SPDX-License-Identifier: MIT */
#include "observer.h"

#include "internal.h"

/* One for the process: kernels report to it, and are not passed anything. */
const struct hip_cpu_observer *hip_cpu_observer;

/* ---- what kernels report by these calls alone ---- */

void *hip_cpu_dynamic_shared(const char *name, size_t bytes)
{
    OBSERVE(dynamic_shared, name, bytes);
    return hip_cpu_current->block->shared;
}

void hip_cpu_fence(int scope)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    OBSERVE(fence, scope, __builtin_return_address(0));
}

void hip_cpu_look(const void *address, void *value, size_t bytes)
{
    if (bytes == 4)
        *(uint32_t *)value = __atomic_load_n((const uint32_t *)address, __ATOMIC_RELAXED);
    else
        *(uint64_t *)value = __atomic_load_n((const uint64_t *)address, __ATOMIC_RELAXED);
}

/* ---- what it asks ---- */

const struct hip_cpu_block *hip_cpu_block(void)
{
    return &hip_cpu_worker->block;
}

struct hip_cpu_position hip_cpu_position(void)
{
    const struct thread *self = (const struct thread *)hip_cpu_current;
    const struct worker *w = self->worker;

    return (struct hip_cpu_position){(unsigned)(self - w->threads),
                                     (unsigned)(self->warp - w->warps), self->public.lane};
}

bool hip_cpu_is_private(const void *address)
{
    const struct thread *self = (const struct thread *)hip_cpu_current;
    const struct worker *w = self->worker;
    const struct stack *stack = &w->stacks[self->stack];
    uintptr_t at = (uintptr_t)address;

    return address == (const void *)&hip_cpu_current ||
           at - (uintptr_t)stack->bottom < stack->bytes || at - (uintptr_t)w < sizeof *w;
}

enum hip_cpu_schedule hip_cpu_schedule(void)
{
    return hip_cpu_config.schedule;
}

uint64_t hip_cpu_seed(void)
{
    return hip_cpu_config.seed;
}
