/* Only one block runs at a time, so that a run can be repeated. Those of a cooperative launch take turns; so do those of a
 * small launch where one waits for another, and with a random schedule wherever they read what others hand over.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <string.h>

#include "../trace_internal.h"

#define SLOTS 1024 /* a cooperative launch has no more blocks than workers */

enum turn_state { ABSENT, READY, WAITING, GONE };

/* Global, because the callbacks of the runtime pass no pointer of ours. */
static struct {
    pthread_mutex_t lock;
    struct {
        enum turn_state state;
        pthread_cond_t go;
    } slot[SLOTS];
    unsigned turn, barriers;
    uint64_t random;
} turns = {.lock = PTHREAD_MUTEX_INITIALIZER, .slot = {[0 ... SLOTS - 1] = {ABSENT, PTHREAD_COND_INITIALIZER}}};

static __thread unsigned my_slot; /* of the block that this worker runs */

bool trace_takes_turns(void)
{
    return trace_run.is_on && trace_launch && (trace_launch->cooperative || trace_launch->interleaved);
}

unsigned trace_workers(const struct hip_cpu_launch *launch, uint64_t blocks, unsigned usual)
{
    if (launch->cooperative)
        return usual;
    return blocks <= TRACE_INTERLEAVED_MAX ? (unsigned)blocks : 1;
}

uint64_t trace_draw(void) { return turns.random = hip_cpu_mix(turns.random, 0); }

/* To the next block that is not waiting, or to any of these where the schedule is random. A block that no worker has taken
 * yet counts, too: some worker will take it. */
static void pass_turn(void)
{
    unsigned blocks = (unsigned)trace_launch->blocks;
    bool random = hip_cpu_schedule() == HIP_CPU_RANDOM && blocks > 2;
    unsigned first = my_slot + 1 + (random ? trace_draw() % (blocks - 1) : 0);
    for (unsigned i = 0; i < blocks; i++) {
        unsigned next = (first + i) % blocks;
        if (turns.slot[next].state == READY || turns.slot[next].state == ABSENT) {
            turns.turn = next;
            pthread_cond_signal(&turns.slot[next].go);
            break;
        }
    }
}

static void await_turn(void)
{
    while (turns.turn != my_slot)
        pthread_cond_wait(&turns.slot[my_slot].go, &turns.lock);
    trace_run.worker = pthread_self();
}

void trace_slot_begin(unsigned slot)
{
    if (!trace_takes_turns())
        return;
    pthread_mutex_lock(&turns.lock);
    my_slot = slot;
    turns.slot[slot].state = READY;
    await_turn();
    pthread_mutex_unlock(&turns.lock);
}

void trace_slot_end(void)
{
    if (!trace_takes_turns())
        return;
    pthread_mutex_lock(&turns.lock);
    turns.slot[my_slot].state = GONE;
    pass_turn();
    pthread_mutex_unlock(&turns.lock);
}

void trace_grid_arrive(bool last)
{
    if (!trace_takes_turns())
        return;
    if (trace_run.weak)
        weak_publish(trace_run.weak);
    pthread_mutex_lock(&turns.lock);
    if (last) {
        for (unsigned i = 0; i < trace_launch->blocks; i++)
            if (turns.slot[i].state == WAITING)
                turns.slot[i].state = READY;
        turns.barriers++;
    } else {
        turns.slot[my_slot].state = WAITING;
        pass_turn();
    }
    pthread_mutex_unlock(&turns.lock);
}

void trace_grid_resume(void)
{
    if (!trace_takes_turns())
        return;
    pthread_mutex_lock(&turns.lock);
    await_turn();
    pthread_mutex_unlock(&turns.lock);
    struct trace_grid_barrier barrier = {trace_here.block, turns.barriers};
    TRACE_NOTIFY(grid_barrier, &barrier);
}

void trace_turn_yield(bool polls)
{
    if (!trace_takes_turns())
        return;
    if (!polls && !trace_launch->cooperative && hip_cpu_schedule() == HIP_CPU_FORWARD)
        return;
    if (!polls && hip_cpu_schedule() == HIP_CPU_RANDOM && trace_draw() % 2) /* so that blocks get out of step */
        return;
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
    for (unsigned i = 0; i < SLOTS; i++)
        turns.slot[i].state = ABSENT;
    turns.turn = 0;
    turns.random = hip_cpu_mix(hip_cpu_seed(), trace_launch->number);
}
