/* A device sends 32 bits in each word of 64, with a mark above them, straight into the host's memory (see
 * reduction_single_pass). Where all ranks are on one host they read each other's words there, and nothing else is
 * needed: no message, no lock.
 *
 * Each rank has TURNS slots for its words, taken in turn. On entering turn t, a rank clears its slot for turn t + 1; that
 * slot was last read in turn t - 2, which all ranks have left: their words of turn t - 1 have come. It clears before it
 * sends its words of turn t, without which no rank enters turn t + 1. On a host that reorders stores and loads, releases
 * and acquires keep that order.
 * SPDX-License-Identifier: MIT */
#include "combine.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../reduction_reproducible/binned_value.h"
#include "exit_codes.h"

#define TURNS      3
#define LINE       16 /* words; the places of two ranks share no cache line, nor a pair of them */
#define SPIN_LIMIT 1000000 /* polls before the runtime is asked, milliseconds */

static volatile uint64_t *place(const struct words *w, size_t turn, size_t slot)
{
    return w->area + (turn % TURNS * w->slots + slot) * w->stride;
}

static void *need(void *memory)
{
    if (memory == NULL) {
        fprintf(stderr, "no memory on the host for the values of all ranks: start fewer\n");
        exit(EXIT_DEVICE);
    }
    return memory;
}

/* Of 32 bits each. */
static size_t count_words(const struct task *t)
{
    if (t->payload == PAYLOAD_BINS)
        return BINNED_WORDS(t->folds);
    return type_size(t->type) / 4 * (t->payload == PAYLOAD_UNITS ? t->share.units : 1);
}

/* Where the devices of this host write, each into the memory of all ranks. A device may see it at another address. */
static void share_area(struct words *w, struct ranks *ranks)
{
    hipError_t error = hipSuccess;
    void *there = NULL;

    w->area = need(ranks->share(ranks, w->area_bytes));
    if (ranks->mpi || ranks->rank == 0)
        error = hipHostRegister(w->area, w->area_bytes,
                                hipHostRegisterPortable | hipHostRegisterMapped);
    ranks->barrier(ranks);
    if (error == hipSuccess)
        error = hipHostGetDevicePointer(&there, w->area, 0);
    if (error != hipSuccess) {
        fprintf(stderr,
                "this device cannot write to memory that ranks share (hipHostRegister: %s): "
                "give --combine %s\n",
                hipGetErrorString(error), ranks->mpi ? "mpi" : "rccl, or start it with mpirun");
        exit(EXIT_DEVICE);
    }
    w->on_device = there == (void *)w->area ? NULL : there;
    ranks->barrier(ranks);
}

static void begin(struct combine *c)
{
    struct words *w = &c->words;
    struct ranks *ranks = c->task.ranks;
    bool direct = c->task.how == COMBINE_DIRECT;
    size_t all = (size_t)ranks->size, most = 0;
    int mine = 4 * (int)count_words(&c->task), end = 0;

    w->bytes = need(calloc(all, sizeof *w->bytes));
    w->offsets = need(calloc(all, sizeof *w->offsets));
    ranks->gather(ranks, &mine, sizeof mine, w->bytes);
    for (size_t k = 0; k < all; k++) {
        w->offsets[k] = end;
        end += w->bytes[k];
        most = (size_t)w->bytes[k] / 4 > most ? (size_t)w->bytes[k] / 4 : most;
    }
    w->all = need(calloc((size_t)end + 1, 1));
    w->stride = (most + LINE) / LINE * LINE;
    w->slots = direct ? all : 1;
    w->slot = direct ? (size_t)ranks->rank : 0;
    w->area_bytes = TURNS * w->slots * w->stride * sizeof *w->area;
    if (direct) {
        share_area(w, ranks);
        return;
    }
    HIP_CHECK(hipHostMalloc((void **)&w->area, w->area_bytes, 0));
    memset(w->area, 0, w->area_bytes);
}

static void end(struct combine *c)
{
    struct words *w = &c->words;
    struct ranks *r = c->task.ranks;

    r->barrier(r); /* all have read */
    if (c->task.how != COMBINE_DIRECT)
        HIP_CHECK(hipHostFree(w->area));
    else if (r->mpi || r->rank == 0)
        HIP_CHECK(hipHostUnregister(w->area));
    free(w->all);
    free(w->offsets);
    free(w->bytes);
}

/* Whoever sees it sees what was sent before. */
static void put(volatile uint64_t *to, uint64_t word)
{
    __atomic_store_n(to, word, __ATOMIC_RELEASE);
}

/* The place of this rank's words in the next turn. */
static volatile uint64_t *next_place(struct combine *c)
{
    struct words *w = &c->words;
    volatile uint64_t *next = place(w, ++w->turn + 1, w->slot);

    for (int k = 0; k < w->bytes[c->task.ranks->rank] / 4; k++)
        put(&next[k], 0);
    return place(w, w->turn, w->slot);
}

static void target(struct combine *c, struct reduction *r)
{
    const struct words *w = &c->words;

    r->host = (void *)next_place(c);
    if (w->on_device != NULL)
        r->host_on_device = w->on_device + ((char *)r->host - (char *)w->area);
}

/* A kernel that fails sends no words: after a while let the runtime wait for it, which also reports errors. */
void words_wait(const struct ranks *ranks, const volatile uint64_t *words, size_t count,
                uint32_t *to, hipStream_t stream)
{
    size_t polls = 0;

    for (size_t k = 0; k < count; k++) {
        uint64_t word;
        while ((word = __atomic_load_n(&words[k], __ATOMIC_ACQUIRE)) < MARK) {
            if (++polls > ranks->polls)
                sched_yield();
            if (stream != NULL && polls == SPIN_LIMIT)
                HIP_CHECK(hipStreamSynchronize(stream));
        }
        if (to != NULL)
            to[k] = (uint32_t)word;
    }
}

static void take(struct combine *c, size_t slot, int rank, hipStream_t stream)
{
    struct words *w = &c->words;

    words_wait(c->task.ranks, place(w, w->turn, slot), (size_t)w->bytes[rank] / 4,
               (uint32_t *)(w->all + w->offsets[rank]), stream);
}

static void receive(struct combine *c, const void *from)
{
    (void)from;
    take(c, c->words.slot, c->task.ranks->rank, c->task.stream);
}

/* In the order of the ranks, or of the units. */
static struct scalar value_of_all(const struct combine *c)
{
    const struct task *t = &c->task;
    struct scalar value = {.type = t->type};

    if (t->payload == PAYLOAD_BINS) {
        struct binned sum = binned_unpack((uint32_t *)c->words.all, t->folds);
        for (int k = 1; k < t->ranks->size; k++) {
            const char *words = c->words.all + c->words.offsets[k];
            struct binned other = binned_unpack((const uint32_t *)words, t->folds);
            binned_add(&sum, &other, t->folds);
        }
        if (t->type == TYPE_FLOAT)
            value.as.f = (float)binned_value(&sum, t->folds, LEAST_FLOAT);
        else
            value.as.d = binned_value(&sum, t->folds, LEAST_DOUBLE);
        return value;
    }
    t->own->on_host(t->payload, c->words.all, &value.as, parts_of_all(t));
    return value;
}

/* MPI need not propagate NaN, nor order -0 below +0; it knows neither units nor bins. */
static bool mpi_has(const struct task *t)
{
    return t->payload == PAYLOAD_VALUE && (t->op == OP_SUM || !type_is_floating(t->type));
}

static struct scalar finish(struct combine *c)
{
    const struct task *t = &c->task;
    struct words *w = &c->words;
    struct ranks *r = t->ranks;
    const char *mine = w->all + w->offsets[r->rank];

    if (t->how == COMBINE_DIRECT) {
        for (int k = 0; k < r->size; k++)
            if (k != r->rank)
                take(c, (size_t)k, k, NULL);
        return value_of_all(c);
    }
    if (mpi_has(t)) {
        struct scalar value = {.type = t->type};
        memcpy(&value.as, mine, type_size(t->type));
        r->all_reduce(r, &value.as, t->type, t->op);
        return value;
    }
    r->gather_parts(r, w->all, w->bytes, w->offsets);
    return value_of_all(c);
}

static struct scalar again(struct combine *c)
{
    int rank = c->task.ranks->rank;
    volatile uint64_t *to = next_place(c);
    const uint32_t *mine = (const uint32_t *)(c->words.all + c->words.offsets[rank]);

    for (int k = 0; k < c->words.bytes[rank] / 4; k++)
        put(&to[k], MARK | mine[k]);
    return finish(c);
}

const struct way words_way = {begin, end, target, receive, finish, again};
