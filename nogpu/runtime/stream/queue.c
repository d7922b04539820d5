/* The work on streams, and when it is done.
 *
 * Usually a call does its work at once. With HIP_CPU_LATE=1 it is done as late as HIP allows, so that a program that does
 * not wait for it is wrong here as well: when the host waits for its stream, its event or the device, and streams know
 * nothing of each other but what events and the default stream say. A host that polls gets it from a thread that plays
 * the device, after a while.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../internal.h"

#define NAP        200000 /* nanoseconds between works of the late device */
#define ASKED_MOST 256    /* queries that are answered with "not ready" */
#define ASKED_FOR  1.5    /* seconds, if there are more of them */

/* A stream whose work waits for a word: what is behind it waits, too. */
struct waiting {
    struct waiting *next;
    hipStream_t stream;
    bool (*is_over)(const void *work);
    const void *work;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t more;
    bool by_host;               /* only the host does the work */
    bool device;                /* the thread that plays it is there, */
    atomic_bool dawdles;        /* and at work */
    struct hip_cpu_node *first; /* of the work that is not done yet */
    uint64_t number;            /* of the latest work */
    uint64_t asked_for;         /* the number when a query was answered with "not ready" */
    unsigned asked;             /* how often, since then, */
    unsigned asked_most;        /* at most, before the work is done: the host may poll */
    struct timespec since;      /* the first time */
    hipError_t error;
    struct waiting *waiting;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER, .asked_most = ASKED_MOST};

static void nap(void) { nanosleep(&(struct timespec){.tv_nsec = NAP}, NULL); }

/* ---- the order of work ---- */

/* Whether work on `stream` waits for earlier work on `other`: the default stream and those that are not hipStreamNonBlocking wait
 * for each other. */
static bool waits_for(hipStream_t stream, hipStream_t other)
{
    if (stream == other)
        return true;
    hipStream_t named = stream ? stream : other;
    return (!stream || !other) && !(named->flags & hipStreamNonBlocking);
}

/* Whether a word has to come before what is on this stream, or an event of work that is being done. */
static bool is_held(hipStream_t stream)
{
    for (const struct waiting *w = queue.waiting; w; w = w->next)
        if (waits_for(stream, w->stream) && !w->is_over(w->work))
            return true;
    return false;
}

static bool is_pending(hipStream_t stream, uint64_t upto)
{
    bool pending = false;

    for (const struct hip_cpu_node *t = queue.first; t && t->number <= upto; t = t->next)
        pending = pending || waits_for(stream, t->stream);
    return pending;
}

static bool can_be_done(const struct hip_cpu_node *t)
{
    const struct hip_cpu_point *point = (const void *)t->work;

    return !is_held(t->stream) && !is_pending(t->stream, t->number - 1) &&
           !(t->run == hip_cpu_do_meet && is_pending(point->stream, point->number));
}

static void take_out(struct hip_cpu_node *t)
{
    struct hip_cpu_node **at = &queue.first;

    while (*at != t)
        at = &(*at)->next;
    *at = t->next;
}

static void run(struct hip_cpu_node *t)
{
    take_out(t); /* NOLINT(clang-analyzer-unix.Malloc): only earlier work is done by now */
    hipError_t error = t->run(t->work);
    if (queue.error == hipSuccess)
        queue.error = error;
    free(t);
}

/* Work that waits for nothing, or a pause, in which other threads of the host may add some or write a word. */
static void do_other_work(void)
{
    struct hip_cpu_node *t = queue.first;

    while (t && !can_be_done(t))
        t = t->next;
    if (t) {
        run(t);
        return;
    }
    pthread_mutex_unlock(&queue.lock);
    nap();
    pthread_mutex_lock(&queue.lock);
}

static void hold(struct waiting *self)
{
    self->next = queue.waiting;
    queue.waiting = self;
}

static void let_go(struct waiting *self)
{
    struct waiting **at = &queue.waiting;

    while (*at != self)
        at = &(*at)->next;
    *at = self->next;
}

void hip_cpu_wait_until(hipStream_t stream, bool (*is_over)(const void *work), const void *work)
{
    struct waiting self = {NULL, stream, is_over, work};

    if (!hip_cpu_late) {
        while (!is_over(work))
            nap();
        return;
    }
    hold(&self);
    while (!is_over(work))
        do_other_work();
    let_go(&self);
}

static bool never(UNUSED const void *work) { return false; }

static struct hip_cpu_node *work_of(uint64_t number)
{
    struct hip_cpu_node *t = queue.first;

    while (t && t->number != number)
        t = t->next;
    return t;
}

/* Does all work that this stream waits for, up to a number. */
static void flush(hipStream_t stream, uint64_t upto)
{
    struct hip_cpu_node *t = queue.first;

    while (t && t->number <= upto) {
        if (!waits_for(stream, t->stream)) {
            t = t->next;
            continue;
        }
        uint64_t number = t->number;
        if (t->stream != stream) /* what that one waits for comes first */
            flush(t->stream, number - 1);
        while ((t = work_of(number)) && is_held(t->stream))
            do_other_work();
        if (!t) { /* another thread has done it */
            t = queue.first;
            continue;
        }
        struct waiting self = {NULL, t->stream, never, NULL};
        bool meets = t->run == hip_cpu_do_meet;
        if (meets)
            hold(&self);
        run(t);
        if (meets)
            let_go(&self);
        t = queue.first; /* the work may have done some itself */
    }
}

hipError_t hip_cpu_do_meet(const void *point)
{
    const struct hip_cpu_point *p = point;

    flush(p->stream, p->number);
    return hipSuccess;
}

/* Does all work. Of independent streams the one with the latest work comes first. */
static void flush_all(void)
{
    while (queue.first) {
        const struct hip_cpu_node *last = queue.first;
        while (last->next)
            last = last->next;
        flush(last->stream, HIP_CPU_FOREVER);
    }
}

/* Plays the device for a host that does not wait. */
static void *dawdle(UNUSED void *unused)
{
    for (;;) {
        pthread_mutex_lock(&queue.lock);
        while (!queue.first)
            pthread_cond_wait(&queue.more, &queue.lock);
        pthread_mutex_unlock(&queue.lock);
        nap();
        pthread_mutex_lock(&queue.lock);
        queue.dawdles = true;
        if (queue.first)
            flush(queue.first->stream, queue.first->number);
        queue.dawdles = false;
        pthread_mutex_unlock(&queue.lock);
    }
    return NULL;
}

void hip_cpu_late_word(void)
{
    if (queue.dawdles)
        nap();
}

static void forget_device(void)
{
    pthread_mutex_init(&queue.lock, NULL);
    pthread_cond_init(&queue.more, NULL);
    queue.device = false;
    queue.dawdles = false;
}

static void start_device(void)
{
    static bool known;
    pthread_t thread;

    if (!known)
        pthread_atfork(NULL, NULL, forget_device);
    known = true;
    queue.device = pthread_create(&thread, NULL, dawdle, NULL) == 0;
    if (queue.device)
        pthread_detach(thread);
}

hipError_t hip_cpu_on_stream(hipStream_t stream, hipError_t (*run)(const void *work), const void *work, size_t bytes)
{
    if (!hip_cpu_is_stream(stream))
        return hipErrorInvalidHandle;
    hipError_t error = hip_cpu_may_use(stream);
    if (error != hipSuccess)
        return error;
    if (hip_cpu_captures(stream))
        return hip_cpu_capture(stream, run, work, bytes);
    if (!hip_cpu_late) {
        OBSERVE(stream, HIP_CPU_QUEUED, stream, NULL);
        return run(work);
    }
    pthread_mutex_lock(&queue.lock);
    if (!queue.device && !queue.by_host)
        start_device();
    struct hip_cpu_node *node = hip_cpu_append(&queue.first, run, work, bytes);
    if (node) {
        node->number = ++queue.number;
        node->stream = stream;
        pthread_cond_signal(&queue.more);
    }
    pthread_mutex_unlock(&queue.lock);
    return node ? hipSuccess : hipErrorOutOfMemory;
}

/* The call that waits for late work returns its error. */
static hipError_t unlock(void)
{
    hipError_t error = queue.error;

    queue.error = hipSuccess;
    pthread_mutex_unlock(&queue.lock);
    return error;
}

hipError_t hip_cpu_wait_for(hipStream_t stream, uint64_t upto)
{
    if (!hip_cpu_late)
        return hipSuccess;
    pthread_mutex_lock(&queue.lock);
    flush(stream, upto);
    return unlock();
}

hipError_t hip_cpu_wait(void)
{
    OBSERVE(stream, HIP_CPU_HOST_WAITED_ALL, NULL, NULL);
    if (!hip_cpu_late)
        return hipSuccess;
    pthread_mutex_lock(&queue.lock);
    flush_all();
    return unlock();
}

hipError_t hip_cpu_set_late(bool late)
{
    hipError_t error = hip_cpu_wait();

    queue.by_host = hip_cpu_late = late && !OBSERVER; /* which checks the order itself */
    return error;
}

uint64_t hip_cpu_queued(void) { return queue.number; }

bool hip_cpu_is_pending(hipStream_t stream, uint64_t upto)
{
    pthread_mutex_lock(&queue.lock);
    bool pending = hip_cpu_late && is_pending(stream, upto);
    pthread_mutex_unlock(&queue.lock);
    return pending;
}

void hip_cpu_set_queries(unsigned most) { queue.asked_most = most > 0 ? most : ASKED_MOST; }

static bool is_asked_too_often(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    if (queue.asked_for != queue.number) {
        queue.asked_for = queue.number;
        queue.asked = 0;
        queue.since = now;
    }
    double seconds = (double)(now.tv_sec - queue.since.tv_sec) + 1e-9 * (double)(now.tv_nsec - queue.since.tv_nsec);
    return queue.asked++ >= queue.asked_most || seconds > ASKED_FOR;
}

hipError_t hip_cpu_query(hipStream_t stream, uint64_t upto)
{
    if (!hip_cpu_late)
        return hipSuccess;
    pthread_mutex_lock(&queue.lock);
    bool pending = is_pending(stream, upto) && !is_asked_too_often();
    pthread_mutex_unlock(&queue.lock);
    return pending ? hipErrorNotReady : hip_cpu_wait_for(stream, upto);
}
