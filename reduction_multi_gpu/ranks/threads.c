/* Ranks that are threads of one process. They wait by spinning: a wake-up by the system takes longer than a small
 * reduction.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "exit_codes.h"
#include "ranks.h"

struct team {
    int size;
    _Alignas(64) atomic_int arrived;
    _Alignas(64) atomic_uint turn;
    char *board; /* RANKS_GATHER_MAX bytes of each rank */
    int (*work)(struct ranks *, void *);
    void *context;
};

struct member {
    struct ranks ranks;
    int status;
    pthread_t thread;
};

static void barrier(struct ranks *r)
{
    struct team *t = r->state;
    unsigned turn = atomic_load(&t->turn), polls = 0;

    if (atomic_fetch_add(&t->arrived, 1) + 1 == t->size) {
        atomic_store(&t->arrived, 0);
        atomic_store(&t->turn, turn + 1);
        return;
    }
    while (atomic_load(&t->turn) == turn)
        if (++polls > r->polls)
            sched_yield();
}

static void gather(struct ranks *r, const void *mine, size_t bytes, void *all)
{
    struct team *t = r->state;

    if (bytes > RANKS_GATHER_MAX)
        abort(); /* a mistake in this program */
    memcpy(t->board + (size_t)r->rank * RANKS_GATHER_MAX, mine, bytes);
    barrier(r);
    for (int k = 0; k < t->size; k++)
        memcpy((char *)all + (size_t)k * bytes, t->board + (size_t)k * RANKS_GATHER_MAX, bytes);
    barrier(r); /* the board may be written again */
}

static void *share(struct ranks *r, size_t bytes)
{
    void *all[1 + r->size], *memory = NULL;

    if (r->rank == 0)
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    gather(r, &memory, sizeof memory, all);
    return all[0] == MAP_FAILED ? NULL : all[0];
}

/* The rank that this thread is. */
static _Thread_local const struct ranks *this_rank;

static void *run(void *context)
{
    struct member *m = context;
    struct team *t = m->ranks.state;

    this_rank = &m->ranks;
    m->status = t->work(&m->ranks, t->context);
    return NULL;
}

/* A thread that calls exit() must not meet others that are still at work. */
static void leave(int status, void *team)
{
    if (((struct team *)team)->work != NULL) {
        if (this_rank != NULL)
            ranks_end_others(this_rank);
        fflush(NULL);
        _exit(status);
    }
}

int ranks_run_threads(int size, int (*work)(struct ranks *, void *), void *context)
{
    static struct team t;
    struct member *members = calloc((size_t)size, sizeof *members);
    int status = 0, started = 1;

    t.size = size;
    t.work = work;
    t.context = context;
    t.board = calloc((size_t)size, RANKS_GATHER_MAX);
    if (members == NULL || t.board == NULL) {
        fprintf(stderr, "no memory on the host for %d ranks: give fewer --gpus\n", size);
        exit(EXIT_DEVICE);
    }
    for (int k = 0; k < size; k++) {
        struct ranks *r = &members[k].ranks;
        *r = (struct ranks){.rank = k,
                            .size = size,
                            .local = k,
                            .locals = size,
                            .polls = ranks_polls(size),
                            .state = &t,
                            .barrier = barrier,
                            .gather = gather,
                            .share = share};
        snprintf(r->about, sizeof r->about, size == 1 ? "one process" : "%d threads of one process",
                 size);
    }
    if (size > 1)
        on_exit(leave, &t);
    for (; started < size; started++) {
        if (pthread_create(&members[started].thread, NULL, run, &members[started]) != 0) {
            fprintf(stderr, "the system refuses to start %d threads: give fewer --gpus\n", size);
            exit(EXIT_DEVICE);
        }
    }
    run(&members[0]);
    for (int k = 1; k < size; k++)
        pthread_join(members[k].thread, NULL);
    t.work = NULL;
    for (int k = 0; k < size; k++)
        status = members[k].status > status ? members[k].status : status;
    free(t.board);
    free(members);
    return status;
}
