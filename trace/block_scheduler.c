/* Only one block runs at a time, so that a run can be repeated. Those of a cooperative launch take turns; with a random
 * schedule so do those of a small launch, because code that reads what other blocks hand over depends on how far they
 * are.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <string.h>

#include "trace_internal.h"

enum turn_state { ABSENT, READY, WAITING, GONE };

/* The workers of a launch share it, and the runtime calls them with nothing of ours. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t go;
    enum turn_state state[1024]; /* a cooperative launch has no more blocks than workers */
    unsigned turn, barriers;
    uint64_t random;
} turns = {.lock = PTHREAD_MUTEX_INITIALIZER, .go = PTHREAD_COND_INITIALIZER};

static __thread unsigned my_slot; /* of the block that this worker runs */

static bool takes_turns(void)
{
    return trace_run.is_on && trace_launch &&
           (trace_launch->cooperative || trace_launch->interleaved);
}

unsigned trace_workers(const struct hip_cpu_launch *launch, uint64_t blocks, unsigned usual)
{
    if (launch->cooperative)
        return usual;
    bool small = blocks <= TRACE_INTERLEAVED_MAX && hip_cpu_schedule() == HIP_CPU_RANDOM;
    return small ? (unsigned)blocks : 1;
}

/* The next block that does not wait; one that no worker has taken yet will come. */
static void pass_turn(void)
{
    unsigned blocks = (unsigned)trace_launch->blocks;
    for (unsigned i = 1; i <= blocks; i++) {
        unsigned next = (my_slot + i) % blocks;
        if (turns.state[next] == READY || turns.state[next] == ABSENT) {
            turns.turn = next;
            break;
        }
    }
    pthread_cond_broadcast(&turns.go);
}

static void await_turn(void)
{
    while (turns.turn != my_slot)
        pthread_cond_wait(&turns.go, &turns.lock);
}

void trace_slot_begin(unsigned slot)
{
    if (!takes_turns())
        return;
    pthread_mutex_lock(&turns.lock);
    my_slot = slot;
    turns.state[slot] = READY;
    await_turn();
    pthread_mutex_unlock(&turns.lock);
}

void trace_slot_end(void)
{
    if (!takes_turns())
        return;
    pthread_mutex_lock(&turns.lock);
    turns.state[my_slot] = GONE;
    pass_turn();
    pthread_mutex_unlock(&turns.lock);
}

void trace_grid_arrive(bool last)
{
    if (!takes_turns())
        return;
    if (trace_run.weak)
        weak_publish(trace_run.weak);
    pthread_mutex_lock(&turns.lock);
    if (last) {
        for (unsigned i = 0; i < trace_launch->blocks; i++)
            if (turns.state[i] == WAITING)
                turns.state[i] = READY;
        turns.barriers++;
    } else {
        turns.state[my_slot] = WAITING;
        pass_turn();
    }
    pthread_mutex_unlock(&turns.lock);
}

void trace_grid_resume(void)
{
    if (!takes_turns())
        return;
    pthread_mutex_lock(&turns.lock);
    await_turn();
    pthread_mutex_unlock(&turns.lock);
    struct trace_grid_barrier barrier = {trace_block_now(), turns.barriers};
    TRACE_NOTIFY(grid_barrier, &barrier);
}

void trace_turn_yield(void)
{
    if (!takes_turns())
        return;
    turns.random = hip_cpu_mix(turns.random, 0);
    if (hip_cpu_schedule() == HIP_CPU_RANDOM && turns.random % 2)
        return; /* not always: the blocks get out of step */
    if (trace_run.weak)
        weak_leave(trace_run.weak);
    pthread_mutex_lock(&turns.lock);
    pass_turn();
    await_turn();
    pthread_mutex_unlock(&turns.lock);
    if (trace_run.weak)
        weak_return(trace_run.weak);
}

void trace_turns_begin(void)
{
    memset(turns.state, 0, sizeof turns.state);
    turns.turn = 0;
    turns.random = hip_cpu_seed();
}
