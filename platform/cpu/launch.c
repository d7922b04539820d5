/* Launches: checks the shape and distributes the blocks over the workers. The launching host thread is one of
 * them, so that a launch of one block, or with one worker, wakes no other thread. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

static struct {
    pthread_mutex_t lock; /* one launch at a time */
    struct worker **workers;
    unsigned count; /* started so far */

    /* The launch in progress. */
    struct run run;
    uint64_t first;          /* of them, 0 but for hip_cpu_config.window_first */
    uint64_t chunk;          /* blocks that a worker takes at once */
    uint64_t stride, offset; /* SCHEDULE_RANDOM: block i is the (i * stride + offset)-th */
    uint64_t launches;
    _Atomic uint64_t next; /* block not yet taken */
    atomic_uint busy;      /* workers not yet finished */
    sem_t done;
    pthread_key_t end_of_thread; /* frees the worker that a host thread is */
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t go;
    uint64_t arrived, left, generation;
} grid = {.lock = PTHREAD_MUTEX_INITIALIZER, .go = PTHREAD_COND_INITIALIZER};

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

static void shuffle_blocks(uint64_t blocks)
{
    uint64_t random = hip_cpu_mix(hip_cpu_config.seed, ++pool.launches);
    pool.offset = random % blocks;
    do {
        random = hip_cpu_mix(random, 0);
        pool.stride = random % blocks;
    } while (greatest_common_divisor(pool.stride, blocks) != 1);
}

static uint64_t scheduled(uint64_t i, uint64_t blocks)
{
    switch (hip_cpu_config.schedule) {
    case SCHEDULE_REVERSE:
        return blocks - 1 - i;
    case SCHEDULE_RANDOM:
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
        hip_cpu_stack_destroy(&w->stacks[i]);
    hip_cpu_unmap_guarded(w->shared_end - SHARED_BYTES_MAX, SHARED_BYTES_MAX);
    sem_destroy(&w->wake);
    free(w);
}

/* Where the stack of the calling pthread is. */
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

    hip_cpu_block_shape(w, &pool.run);
    for (;;) {
        uint64_t first = atomic_fetch_add(&pool.next, pool.chunk);
        if (first >= blocks)
            break;
        for (uint64_t i = first; i < blocks && i < first + pool.chunk; i++) {
            HIP_CPU_HOOK(trace_turn_begin((unsigned)i));
            hip_cpu_block_run(w, pool.first + scheduled(i, blocks));
            HIP_CPU_HOOK(trace_turn_end());
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
    w->shared_end = hip_cpu_map_guarded(SHARED_BYTES_MAX);
    if (!w->shared_end) {
        free(w);
        return NULL;
    }
    w->shared_end += SHARED_BYTES_MAX;
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

/* Threads do not survive a fork: the child starts its own. */
static void forget_workers(void)
{
    pthread_mutex_init(&pool.lock, NULL);
    pool.count = 0;
}

static void start_pool(void)
{
    unsigned room = hip_cpu_config.workers;
    HIP_CPU_HOOK(room += TRACE_TURNS);
    pool.workers = calloc(room, sizeof *pool.workers);
    if (!pool.workers || sem_init(&pool.done, 0, 0) != 0) {
        fprintf(stderr, "hip: no memory for %u workers: lower HIP_CPU_WORKERS\n",
                hip_cpu_config.workers);
        _exit(EXIT_DEVICE_FAULT);
    }
    pthread_atfork(NULL, NULL, forget_workers);
    pthread_key_create(&pool.end_of_thread, destroy_worker);
    hip_cpu_catch_faults();
}

/* ---- launches ---- */

/* The error that HIP returns for this shape. */
static hipError_t check(const struct hip_cpu_launch *l)
{
    dim3 g = l->grid, b = l->block;

    if (b.x == 0 || b.y == 0 || b.z == 0 || g.x == 0 || g.y == 0 || g.z == 0)
        return hipErrorInvalidConfiguration;
    if (b.x > THREADS_MAX || b.y > THREADS_MAX || b.z > THREADS_MAX ||
        (uint64_t)b.x * b.y * b.z > THREADS_MAX)
        return hipErrorInvalidConfiguration;
    /* AMD counts the threads of the grid along each axis in 32 bits. */
    if (g.x > GRID_X_MAX || g.y > GRID_YZ_MAX || g.z > GRID_YZ_MAX ||
        (uint64_t)g.x * b.x > UINT32_MAX || (uint64_t)g.y * b.y > UINT32_MAX ||
        (uint64_t)g.z * b.z > UINT32_MAX)
        return hipErrorInvalidConfiguration;
    if (l->shared_bytes > SHARED_BYTES_MAX)
        return hipErrorInvalidValue;
    if (l->cooperative && (uint64_t)g.x * g.y * g.z > hip_cpu_config.workers)
        return hipErrorCooperativeLaunchTooLarge;
    return hipSuccess;
}

/* Runs all blocks of the launch in progress with this number of workers. */
static void run_blocks(uint64_t blocks, unsigned wanted)
{
    pool.chunk = blocks / (8 * (uint64_t)wanted);
    pool.chunk = pool.chunk < 1 ? 1 : pool.chunk > 32 ? 32 : pool.chunk;
    grid.arrived = grid.left = 0;
    atomic_store(&pool.next, 0);
    atomic_store(&pool.busy, wanted);
    for (unsigned i = 0; i + 1 < wanted; i++)
        sem_post(&pool.workers[i]->wake);
    take_blocks(hip_cpu_worker);
    if (atomic_fetch_sub(&pool.busy, 1) != 1)
        wait_for(&pool.done);
}

hipError_t hip_cpu_run(const struct hip_cpu_launch *launch)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    if (hip_cpu_fails("launch"))
        return hip_cpu_error(hipErrorLaunchFailure);
    if (!hip_cpu_config.visible)
        return hip_cpu_error(hipErrorNoDevice);
    hipError_t error = check(launch);
    if (error != hipSuccess)
        return hip_cpu_error(error);
    if (hip_cpu_current)
        return hip_cpu_error(hipErrorNotSupported); /* a kernel that launches a kernel */

    pthread_once(&once, start_pool);
    if (!hip_cpu_worker) {
        struct worker *w = create_worker();
        if (!w || pthread_setspecific(pool.end_of_thread, w) != 0)
            return hip_cpu_error(hipErrorLaunchOutOfResources);
        become_worker(w);
    }
    pthread_mutex_lock(&pool.lock);

    uint64_t blocks = (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
    pool.first = 0;
    if (hip_cpu_config.window_count > 0 && !launch->cooperative) {
        pool.first = hip_cpu_config.window_first < blocks ? hip_cpu_config.window_first : blocks;
        blocks = blocks - pool.first < hip_cpu_config.window_count ? blocks - pool.first
                                                                   : hip_cpu_config.window_count;
        if (blocks == 0) {
            pthread_mutex_unlock(&pool.lock);
            return hipSuccess;
        }
    }
    unsigned wanted = blocks < hip_cpu_config.workers ? (unsigned)blocks : hip_cpu_config.workers;
    HIP_CPU_HOOK(wanted = trace_on && !launch->cooperative ? trace_workers(blocks) : wanted);
    while (pool.count + 1 < wanted && start_worker())
        ;
    if (wanted > pool.count + 1) {
        wanted = pool.count + 1;
        if (launch->cooperative) {
            pthread_mutex_unlock(&pool.lock);
            return hip_cpu_error(hipErrorLaunchOutOfResources);
        }
    }

    HIP_CPU_HOOK(trace_launch_begin(launch));
    pool.run.launch = launch;
    pool.run.blocks = blocks;
    if (hip_cpu_config.schedule == SCHEDULE_RANDOM)
        shuffle_blocks(blocks);
    run_blocks(blocks, wanted);
    while (HIP_CPU_AGAIN())
        run_blocks(blocks, wanted);
    HIP_CPU_HOOK(trace_launch_end());

    pthread_mutex_unlock(&pool.lock);
    return hipSuccess;
}

/* ---- the barrier of a cooperative launch ---- */

void hip_cpu_grid_barrier(const char *file, int line)
{
    pthread_mutex_lock(&grid.lock);
    uint64_t generation = grid.generation;
    if (++grid.arrived == pool.run.blocks) {
        grid.arrived = 0;
        grid.generation++;
        pthread_cond_broadcast(&grid.go);
        HIP_CPU_HOOK(trace_turn_release());
    } else {
        HIP_CPU_HOOK(trace_turn_wait());
    }
    while (generation == grid.generation) {
        if (grid.arrived + grid.left == pool.run.blocks) {
            hip_cpu_begin_fatal();
            fflush(stdout);
            fprintf(stderr,
                    "hip: kernel %s: %llu of %llu blocks wait at the grid barrier %s:%d and the "
                    "others have returned: let every block reach it\n",
                    pool.run.launch->kernel, (unsigned long long)grid.arrived,
                    (unsigned long long)pool.run.blocks, file, line);
            _exit(EXIT_DEVICE_FAULT);
        }
        pthread_cond_wait(&grid.go, &grid.lock);
    }
    pthread_mutex_unlock(&grid.lock);
    HIP_CPU_HOOK(trace_turn_resume());
}

void hip_cpu_grid_leave(void)
{
    pthread_mutex_lock(&grid.lock);
    grid.left++;
    pthread_cond_broadcast(&grid.go); /* those who wait have to look */
    pthread_mutex_unlock(&grid.lock);
}
