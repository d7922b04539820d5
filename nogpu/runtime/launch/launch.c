/* Launches: checks grid and block and distributes the blocks over the workers. The launching host thread is one of
 * them, so that a launch of one block, or with one worker, wakes no other thread.
 * SPDX-License-Identifier: MIT */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../internal.h"
#include "hip_cpu/refused.h"

/* The only device: host threads launch on it one at a time. */
static struct {
    pthread_once_t once;
    pthread_mutex_t lock;
    struct worker **workers;
    unsigned count;              /* started so far */
    pthread_key_t end_of_thread; /* frees the worker that a host thread is */
    uint64_t launches;

    _Atomic uint64_t started; /* launches so far */

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

/* A fork has only the calling thread: the child starts workers of its own. */
static void forget_workers(void)
{
    pthread_mutex_init(&pool.lock, NULL);
    pool.count = 0;
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

/* ---- launches ---- */

__attribute__((noreturn)) static void refuse_launch(const char *kernel, const char *why)
{
    char who[512];

    hip_cpu_describe_thread(who, sizeof who);
    hip_cpu_fatal("%s, launches kernel %s: %s\n", who, kernel, why);
}

/* The error of its numbers alone. */
static hipError_t check_shape(const struct hip_cpu_launch *l)
{
    dim3 g = l->grid, b = l->block;

    if (b.x == 0 || b.y == 0 || b.z == 0 || g.x == 0 || g.y == 0 || g.z == 0)
        return hipErrorInvalidConfiguration;
    if (b.x > THREADS_MAX || b.y > THREADS_MAX || b.z > (unsigned)BLOCK_Z_MAX ||
        (uint64_t)b.x * b.y * b.z > THREADS_MAX)
        return hipErrorInvalidConfiguration;
    /* AMD counts the threads of the grid along each axis in 32 bits. */
    if (g.x > GRID_X_MAX || g.y > GRID_YZ_MAX || g.z > GRID_YZ_MAX || (uint64_t)g.x * b.x > UINT32_MAX ||
        (uint64_t)g.y * b.y > UINT32_MAX || (uint64_t)g.z * b.z > UINT32_MAX)
        return hipErrorInvalidConfiguration;
    if (l->shared_bytes > hip_cpu_shared_limit(l->function))
        return hipErrorInvalidValue;
    if (l->cooperative &&
        (uint64_t)g.x * g.y * g.z >
            (uint64_t)hip_cpu_config.workers * hip_cpu_blocks_per_unit((size_t)b.x * b.y * b.z, l->shared_bytes))
        return hipErrorCooperativeLaunchTooLarge;
    return hipSuccess;
}

/* The error that HIP returns for this launch. */
static hipError_t check(const struct hip_cpu_launch *l)
{
    if (hip_cpu_fails("launch"))
        return hipErrorLaunchFailure;
    if (hip_cpu_config.devices == 0)
        return hipErrorNoDevice;
    if (!hip_cpu_is_stream(l->stream))
        return hipErrorInvalidHandle;
    return check_shape(l);
}

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

static hipError_t run_launch(const struct hip_cpu_launch *launch)
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

/* A launch for later: its arguments, and what they are. */
struct late {
    struct late *next; /* of those from kernels */
    struct hip_cpu_launch launch;
    _Alignas(HIP_CPU_WORK_ALIGN) char arguments[];
};

static size_t description_at(const struct hip_cpu_launch *launch)
{
    size_t align = _Alignof(struct hip_cpu_argument);

    return (launch->arguments_bytes + align - 1) / align * align;
}

static struct hip_cpu_launch launch_of(const struct late *late)
{
    struct hip_cpu_launch launch = late->launch;

    launch.arguments = late->arguments;
    launch.argument = (const struct hip_cpu_argument *)(late->arguments + description_at(&launch));
    return launch;
}

/* A copy, for free(). NULL: no memory. */
static struct late *keep(const struct hip_cpu_launch *launch, size_t *bytes)
{
    size_t described = launch->argument_count * sizeof *launch->argument;
    struct late *late = NULL;

    *bytes = sizeof *late + description_at(launch) + described;
    if (posix_memalign((void **)&late, HIP_CPU_WORK_ALIGN, *bytes) != 0)
        return NULL;
    late->next = NULL;
    late->launch = *launch;
    memcpy(late->arguments, launch->arguments, launch->arguments_bytes);
    if (described > 0)
        memcpy(late->arguments + description_at(launch), launch->argument, described);
    return late;
}

/* ---- launches from kernels ---- */

/* They run when the grid has ended which launches them, and before what comes after it in its stream: CUDA promises no more.
 * Those into the stream of tail launches come last. */
static struct children {
    struct late *first, **end;
} children[2];
static pthread_mutex_t children_lock = PTHREAD_MUTEX_INITIALIZER;

static void launch_from_kernel(const struct hip_cpu_launch *launch)
{
    struct children *to = &children[launch->stream == HIP_CPU_TAIL];
    hipError_t error = launch->cooperative ? hipErrorNotSupported : check_shape(launch);
    size_t bytes;
    struct late *late;

    if (!hip_cpu_config.cuda)
        refuse_launch(launch->kernel, HIP_CPU_TEXT_LAUNCH);
    if (error == hipSuccess && !(late = keep(launch, &bytes)))
        error = hipErrorOutOfMemory;
    if (error != hipSuccess)
        refuse_launch(launch->kernel, hipGetErrorString(error));
    late->launch.stream = pool.run.launch->stream;
    pthread_mutex_lock(&children_lock);
    *(to->first ? to->end : &to->first) = late;
    to->end = &late->next;
    pthread_mutex_unlock(&children_lock);
}

static hipError_t run_family(const struct hip_cpu_launch *launch)
{
    hipError_t error = run_launch(launch);
    struct late *own[] = {children[0].first, children[1].first}, *late;

    children[0].first = children[1].first = NULL;
    for (int i = 0; i < 2; i++) {
        while ((late = own[i])) {
            struct hip_cpu_launch child = launch_of(late);
            own[i] = late->next;
            OBSERVE(stream, HIP_CPU_QUEUED, child.stream, NULL);
            if (error == hipSuccess)
                error = run_family(&child);
            free(late);
        }
    }
    return error;
}

static hipError_t run_now(const struct hip_cpu_launch *launch)
{
    hipError_t error = join_pool();

    if (error == hipSuccess) {
        pthread_mutex_lock(&pool.lock);
        error = run_family(launch);
        pthread_mutex_unlock(&pool.lock);
    }
    return error;
}

static hipError_t run_late(const void *work)
{
    struct hip_cpu_launch launch = launch_of(work);

    return run_now(&launch);
}

static hipError_t postpone(const struct hip_cpu_launch *launch)
{
    size_t bytes;
    struct late *late = keep(launch, &bytes);

    if (!late)
        return hipErrorOutOfMemory;
    hipError_t error = hip_cpu_on_stream(launch->stream, run_late, late, bytes);
    free(late);
    return error;
}

hipError_t hip_cpu_run(const struct hip_cpu_launch *launch)
{
    if (hip_cpu_current) {
        launch_from_kernel(launch);
        return hipSuccess;
    }
    hipError_t error = check(launch);

    if (error == hipSuccess)
        error = hip_cpu_may_use(launch->stream);
    if (error == hipSuccess) {
        atomic_fetch_add(&pool.started, 1);
        if (hip_cpu_late || hip_cpu_captures(launch->stream)) {
            error = postpone(launch);
        } else {
            OBSERVE(stream, HIP_CPU_QUEUED, launch->stream, NULL);
            error = run_now(launch);
        }
    }
    if (error != hipSuccess)
        OBSERVE(launch_refused, launch, error);
    return hip_cpu_error(error);
}

uint64_t hip_cpu_launches(void) { return pool.started; }
