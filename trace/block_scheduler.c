/* Only one block runs at a time, so that a run can be repeated. Those of a cooperative launch take turns; with a random
 * schedule so do those of a small launch, because code that reads what other blocks hand over depends on how far they
 * are. */
#include <pthread.h>
#include <string.h>

#include "trace_internal.h"
#include "weak.h"

enum turn_state { ABSENT, READY, WAITING, GONE };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t go;
    enum turn_state state[1024]; /* a cooperative launch has no more blocks than workers */
    unsigned turn, barriers;
    uint64_t random;
} turns = {.lock = PTHREAD_MUTEX_INITIALIZER, .go = PTHREAD_COND_INITIALIZER};

static __thread unsigned my_slot;

static bool takes_turns(void)
{
    return trace_on && trace_launch && (trace_launch->cooperative || trace_launch->interleaved);
}

unsigned trace_workers(uint64_t blocks)
{
    bool small = blocks <= TRACE_TURNS && hip_cpu_config.schedule == SCHEDULE_RANDOM;
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

void trace_turn_begin(unsigned slot)
{
    if (!takes_turns())
        return;
    pthread_mutex_lock(&turns.lock);
    my_slot = slot;
    turns.state[slot] = READY;
    await_turn();
    pthread_mutex_unlock(&turns.lock);
}

void trace_turn_end(void)
{
    if (!takes_turns())
        return;
    pthread_mutex_lock(&turns.lock);
    turns.state[my_slot] = GONE;
    pass_turn();
    pthread_mutex_unlock(&turns.lock);
}

void trace_turn_wait(void)
{
    if (!takes_turns())
        return;
    if (weak_on)
        weak_publish();
    pthread_mutex_lock(&turns.lock);
    turns.state[my_slot] = WAITING;
    pass_turn();
    pthread_mutex_unlock(&turns.lock);
}

void trace_turn_release(void)
{
    if (!takes_turns())
        return;
    if (weak_on)
        weak_publish();
    pthread_mutex_lock(&turns.lock);
    for (unsigned i = 0; i < trace_launch->blocks; i++)
        if (turns.state[i] == WAITING)
            turns.state[i] = READY;
    turns.barriers++;
    pthread_mutex_unlock(&turns.lock);
}

void trace_turn_resume(void)
{
    if (!takes_turns())
        return;
    pthread_mutex_lock(&turns.lock);
    await_turn();
    pthread_mutex_unlock(&turns.lock);
    struct trace_grid_barrier barrier = {trace_block_now(), turns.barriers};
    if (trace_tool && trace_tool->grid_barrier)
        trace_tool->grid_barrier(&barrier);
}

void trace_turn_yield(void)
{
    if (!takes_turns())
        return;
    turns.random = hip_cpu_mix(turns.random, 0);
    if (hip_cpu_config.schedule == SCHEDULE_RANDOM && turns.random % 2)
        return; /* not always: the blocks get out of step */
    if (weak_on)
        weak_leave();
    pthread_mutex_lock(&turns.lock);
    pass_turn();
    await_turn();
    pthread_mutex_unlock(&turns.lock);
    if (weak_on)
        weak_return();
}

void trace_turns_begin(void)
{
    memset(turns.state, 0, sizeof turns.state);
    turns.turn = 0;
    turns.random = hip_cpu_config.seed;
}
