/* Distributes the blocks of a launch over the workers. The launching host thread is one of them, so that a launch of one
 * block, or with one worker, wakes no other thread.
 * SPDX-License-Identifier: MIT */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../internal.h"
#include "workers.h"

/* The only device: host threads launch on it one at a time. */
static struct {
    pthread_once_t once;
    pthread_mutex_t lock;
    struct worker **workers;
    unsigned count;              /* started so far */
    pthread_key_t end_of_thread; /* frees the worker that a host thread is */
    uint64_t launches;

    /* The launch in progress. */
    struct run run;
    uint64_t chunk;          /* blocks that a worker takes at once */
    uint64_t stride, offset; /* HIP_CPU_RANDOM: block i is the (i * stride + offset)-th */
    _Atomic uint64_t next;   /* block not yet taken */
    atomic_uint busy;        /* workers not yet finished */
    atomic_bool refused;     /* more threads than the kernel's __launch_bounds__ */
    sem_t done;
} pool = {.once = PTHREAD_ONCE_INIT, .lock = PTHREAD_MUTEX_INITIALIZER};

static void wait_for(sem_t *semaphore)
{
    while (sem_wait(semaphore) != 0 && errno == EINTR)
        ;
}

/* ---- the order of blocks ---- */

__extension__ typedef unsigned __int128 wide_t; /* a product of two 64-bit numbers */

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Each launch has an order of its own. */
static void shuffle_blocks(uint64_t blocks)
{
    uint64_t random = pool.run.seed = hip_cpu_mix(hip_cpu_config.seed, ++pool.launches);
    pool.offset = random % blocks;
    do {
        random = hip_cpu_mix(random, 0);
        pool.stride = random % blocks;
    } while (greatest_common_divisor(pool.stride, blocks) != 1);
}

static uint64_t scheduled(uint64_t i, uint64_t blocks)
{
    switch (hip_cpu_config.schedule) {
    case HIP_CPU_REVERSE:
        return blocks - 1 - i;
    case HIP_CPU_RANDOM:
        return (uint64_t)(((wide_t)i * pool.stride + pool.offset) % blocks);
    default:
        return i;
    }
}

/* ---- workers ---- */

/* The host thread that was this worker has ended. */
static void destroy_worker(void *argument)
{
    struct worker *w = argument;

    for (unsigned i = 0; i < w->stacks_count; i++)
        hip_cpu_stack_destroy(&w->stacks[i], i);
    hip_cpu_unmap_guarded(w->shared_end - SHARED_PAGES, SHARED_PAGES);
    sem_destroy(&w->wake);
    free(w);
}

/* The stack of the calling pthread. */
static void find_own_stack(struct stack *stack)
{
    pthread_attr_t attributes;
    void *bottom = NULL;

    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getstack(&attributes, &bottom, &stack->bytes);
        pthread_attr_destroy(&attributes);
    }
    stack->bottom = bottom;
}

/* Runs blocks of the launch in progress until none is left. */
static void take_blocks(struct worker *w)
{
    const uint64_t blocks = pool.run.blocks;

    hip_cpu_block_prepare(w, &pool.run);
    for (;;) {
        uint64_t first = atomic_fetch_add(&pool.next, pool.chunk);
        if (first >= blocks)
            break;
        for (uint64_t i = first; i < blocks && i < first + pool.chunk; i++) {
            uint64_t block = pool.run.first + scheduled(i, blocks);
            OBSERVE(slot_begin, (unsigned)i);
            hip_cpu_copies_drop();
            if (!OBSERVER || OBSERVER->block_wanted(block))
                hip_cpu_block_run(w, block);
            OBSERVE(slot_end);
            if (pool.run.launch->cooperative)
                hip_cpu_grid_leave();
        }
    }
}

static struct worker *create_worker(void)
{
    struct worker *w = aligned_alloc(_Alignof(struct worker), sizeof *w);

    if (!w)
        return NULL;
    memset(w, 0, sizeof *w);
    w->shared_end = hip_cpu_map_guarded(SHARED_PAGES);
    if (!w->shared_end) {
        free(w);
        return NULL;
    }
    w->shared_end += SHARED_PAGES;
    sem_init(&w->wake, 0, 0);
    return w;
}

/* Binds the calling pthread and the worker to each other. */
static void become_worker(struct worker *w)
{
    hip_cpu_worker = w;
    hip_cpu_signal_stack();
    find_own_stack(&w->own);
}

static void *work(void *argument)
{
    struct worker *w = argument;

    become_worker(w);
    for (;;) {
        wait_for(&w->wake);
        take_blocks(w);
        if (atomic_fetch_sub(&pool.busy, 1) == 1)
            sem_post(&pool.done);
    }
    return NULL;
}

static bool start_worker(void)
{
    pthread_t thread;
    struct worker *w = create_worker();

    if (!w)
        return false;
    if (pthread_create(&thread, NULL, work, w) != 0) {
        destroy_worker(w);
        return false;
    }
    pthread_detach(thread);
    pool.workers[pool.count++] = w;
    return true;
}

unsigned hip_cpu_workers(void) { return pool.count; }

/* A fork has only the calling thread: the child starts workers of its own, and needs no stacks of others. */
static void forget_workers(void)
{
    pthread_mutex_init(&pool.lock, NULL);
    for (; pool.count > 0; pool.count--)
        if (pool.workers[pool.count - 1] != hip_cpu_worker)
            destroy_worker(pool.workers[pool.count - 1]);
}

static void start_pool(void)
{
    unsigned room = WORKERS_MAX;
    if (OBSERVER)
        room += OBSERVER->workers_max;
    pool.workers = calloc(room, sizeof *pool.workers);
    if (!pool.workers || sem_init(&pool.done, 0, 0) != 0)
        hip_cpu_fatal("hip: no memory for %u workers\n", room);
    pthread_atfork(NULL, NULL, forget_workers);
    pthread_key_create(&pool.end_of_thread, destroy_worker);
    hip_cpu_catch_faults();
}

/* ---- the launch in progress ---- */

/* The calling host thread becomes a worker, if it is none yet. */
static hipError_t join_pool(void)
{
    pthread_once(&pool.once, start_pool);
    if (hip_cpu_worker)
        return hipSuccess;
    struct worker *w = create_worker();
    if (!w || pthread_setspecific(pool.end_of_thread, w) != 0)
        return hipErrorLaunchOutOfResources;
    become_worker(w);
    return hipSuccess;
}

/* The blocks that run. */
static struct run run_of(const struct hip_cpu_launch *launch)
{
    const struct hip_cpu_config *c = &hip_cpu_config;
    uint64_t blocks = (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
    struct run run = {launch, 0, blocks, 0};

    if (c->window_count > 0 && !launch->cooperative) {
        run.first = c->window_first < blocks ? c->window_first : blocks;
        run.blocks = blocks - run.first < c->window_count ? blocks - run.first : c->window_count;
    }
    return run;
}

/* How many workers run these blocks, the calling one included; they are started. 0: too few for a cooperative launch. */
static unsigned gather_workers(const struct run *run)
{
    unsigned workers = run->launch->cooperative ? WORKERS_MAX : hip_cpu_config.workers;

    if (run->blocks < workers)
        workers = (unsigned)run->blocks;
    if (OBSERVER)
        workers = OBSERVER->workers(run->launch, run->blocks, workers);
    while (pool.count + 1 < workers && start_worker())
        ;
    if (workers <= pool.count + 1)
        return workers;
    return run->launch->cooperative ? 0 : pool.count + 1;
}

/* A library never ends its program: before a block begins, there is a stack for each of its threads. */
static bool reserve_stacks(unsigned workers, dim3 block)
{
    for (unsigned i = 0; i < workers; i++) {
        struct worker *w = i + 1 < workers ? pool.workers[i] : hip_cpu_worker;
        while (w->stacks_count < block.x * block.y * block.z) {
            if (!hip_cpu_stack_create(&w->stacks[w->stacks_count], w->stacks_count))
                return false;
            w->idle[w->idle_count++] = w->stacks_count++;
        }
    }
    return true;
}

/* Runs all blocks of the launch in progress. */
static void run_blocks(unsigned workers)
{
    pool.chunk = pool.run.blocks / (8 * (uint64_t)workers);
    pool.chunk = pool.chunk < 1 ? 1 : pool.chunk > 32 ? 32 : pool.chunk;
    hip_cpu_grid_begin();
    atomic_store(&pool.next, 0);
    atomic_store(&pool.busy, workers);
    for (unsigned i = 0; i + 1 < workers; i++)
        sem_post(&pool.workers[i]->wake);
    take_blocks(hip_cpu_worker);
    if (atomic_fetch_sub(&pool.busy, 1) != 1)
        wait_for(&pool.done);
}

int hip_cpu_exceeds(const char *kernel, unsigned most, ...)
{
    dim3 b = pool.run.launch->block;
    unsigned threads = b.x * b.y * b.z;

    if (threads > most && !atomic_exchange(&pool.refused, true))
        fprintf(stderr, "hip: kernel %s has __launch_bounds__ of %u threads: a launch of %u fails\n", kernel, most,
                threads);
    return threads > most;
}

hipError_t hip_cpu_workers_run(const struct hip_cpu_launch *launch)
{
    struct run run = run_of(launch);

    if (run.blocks == 0)
        return hipSuccess;
    unsigned workers = gather_workers(&run);
    if (workers == 0 || (IN_LIBRARY && !reserve_stacks(workers, launch->block)))
        return hipErrorLaunchOutOfResources;

    if (hip_cpu_late)
        hip_cpu_late_begin();
    OBSERVE(launch_begin, launch);
    pool.run = run;
    if (hip_cpu_config.schedule == HIP_CPU_RANDOM)
        shuffle_blocks(run.blocks);
    do
        run_blocks(workers);
    while (OBSERVER && OBSERVER->launch_again() && (workers = gather_workers(&run)) > 0);
    OBSERVE(launch_end);
    return atomic_exchange(&pool.refused, false) ? hipErrorLaunchFailure : hipSuccess;
}

hipError_t hip_cpu_workers_take(void)
{
    hipError_t error = join_pool();

    if (error == hipSuccess)
        pthread_mutex_lock(&pool.lock);
    return error;
}

void hip_cpu_workers_leave(void) { pthread_mutex_unlock(&pool.lock); }

hipStream_t hip_cpu_workers_stream(void) { return pool.run.launch->stream; }
