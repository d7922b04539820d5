/* For a tool that observes kernels: see observer.h.
 * SPDX-License-Identifier: MIT */
#include "observer.h"

#include "internal.h"

/* ---- what only these calls of kernels report ---- */

void hip_cpu_exchanges(size_t bytes, enum hip_cpu_scalar_kind kind) { OBSERVE(exchanges, bytes, kind); }

void *hip_cpu_dynamic_shared(const char *name, size_t bytes, enum hip_cpu_scalar_kind kind)
{
    OBSERVE(dynamic_shared, name, bytes, kind);
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

/* ---- what a tool asks ---- */

const struct hip_cpu_block *hip_cpu_block(void) { return &hip_cpu_worker->block; }

unsigned hip_cpu_number(void) { return number_of(hip_cpu_current); }

const struct hip_cpu_thread *hip_cpu_threads(void) { return hip_cpu_worker->threads; }

enum hip_cpu_state hip_cpu_state_of(unsigned thread)
{
    const struct worker *w = hip_cpu_worker;
    const struct hip_cpu_thread *t = &w->threads[thread];

    if (w->sweep && t < hip_cpu_current)
        return w->line != 0 ? HIP_CPU_AT_BARRIER : HIP_CPU_RETURNED;
    if (w->sweep)
        return HIP_CPU_READY;
    const struct warp *warp = details_of(t)->warp;
    uint64_t lane = (uint64_t)1 << t->lane;

    if (warp->waiting & lane)
        return HIP_CPU_AT_BARRIER;
    if (warp->meeting & lane)
        return HIP_CPU_AT_MEETING;
    bool is_ready = warp->ready & lane || t == hip_cpu_current;
    return is_ready ? HIP_CPU_READY : HIP_CPU_RETURNED;
}

enum hip_cpu_schedule hip_cpu_schedule(void) { return hip_cpu_config.schedule; }

uint64_t hip_cpu_seed(void) { return hip_cpu_config.seed; }
