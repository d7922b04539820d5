/* The barriers that kernels call. meeting.c decides which threads go on.
 * SPDX-License-Identifier: MIT */
#include "block.h"

/* A thread other than the first reaches a barrier, perhaps another one. */
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

void hip_cpu_arrives(UNUSED enum hip_cpu_barrier_op op) { OBSERVE(arrive_early, op == HIP_CPU_SYNC_GRID); }

void hip_cpu_called(const char *kernel)
{
    hip_cpu_fatal("hip: the host calls kernel %s as a function: launch it, %s<<<grid, block>>>(...)\n", kernel, kernel);
}

void hip_cpu_returns(void) { details_of(hip_cpu_current)->warp->left |= (uint64_t)1 << hip_cpu_current->lane; }

/* Whether a kernel that was launched as name<int> or space::name is this function. */
static bool is_called(const char *kernel, const char *function)
{
    size_t length = strlen(function);

    for (const char *at = kernel; (at = strstr(at, function)); at++)
        if ((at == kernel || strchr(": ", at[-1])) && strchr("< ", at[length]))
            return true;
    return false;
}

void hip_cpu_returns_from(const char *function)
{
    if (hip_cpu_current && is_called(hip_cpu_worker->block.kernel, function))
        hip_cpu_returns();
}

int hip_cpu_is_cooperative(void) { return hip_cpu_worker->run->launch->cooperative; }

__attribute__((noinline)) static int barrier(enum hip_cpu_barrier_op op, int predicate, const char *file, int line)
{
    struct worker *w = hip_cpu_worker;
    struct hip_cpu_thread *self = hip_cpu_current;
    struct thread *details = details_of(self);
    uint64_t lane = (uint64_t)1 << self->lane;

    if (w->sweep)
        hip_cpu_end_sweep(w);
    details->file = file;
    details->line = line;
    if (line != w->line || file != w->file || op != w->op)
        note_barrier(w, op, file, line);
    w->warp->waiting |= lane;
    w->warp->apart |= lane;
    w->predicates += predicate != 0;
    hip_cpu_wait_turn(w, self);
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
    struct hip_cpu_thread *self = hip_cpu_current;
    struct worker *w = hip_cpu_worker;

    OBSERVE(arrive, CALLER);
    if (line == w->line && file == w->file && self + 1 < w->sweep)
        switch_ahead(w, self);
    else if (!w->sweep || !hip_cpu_sweep_barrier(w, self, file, line))
        barrier(HIP_CPU_SYNCTHREADS, 0, file, line);
}

int hip_cpu_barrier(enum hip_cpu_barrier_op op, int predicate, const char *file, int line)
{
    OBSERVE(arrive, CALLER);
    return barrier(op, predicate, file, line);
}
