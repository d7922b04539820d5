/* A device sends 32 bits in each word of 64, with a mark above them, straight into the host's memory (see
 * reduction_single_pass). Where all ranks are on one host they read each other's words there, and nothing else is
 * needed: no message, no lock.
 *
 * There are TURNS places for the words of a rank, taken in turn. Whoever begins turn t clears its place of turn t + 1.
 * It has seen all words of turn t - 1, so all ranks have begun that one, and have read those of t - 2, which are what
 * is cleared. And it clears before it sends its words of turn t, without which nobody begins turn t + 1. On a host that
 * reorders stores and loads, releases and acquires keep that order.
 * SPDX-License-Identifier: MIT */
#include "combine.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../reduction_reproducible/binned_value.h"
#include "exit_codes.h"

#define TURNS      3
#define LINE       16 /* words; the places of two ranks share no cache line, nor a pair of them */
#define SPIN_LIMIT 1000000 /* polls before the runtime is asked, milliseconds */

static volatile uint64_t *place(const struct combine *c, size_t turn, size_t slot)
{
    return c->area + (turn % TURNS * c->slots + slot) * c->stride;
}

static void *need(void *memory)
{
    if (memory == NULL) {
        fprintf(stderr, "no memory on the host for the values of all ranks: start fewer\n");
        exit(EXIT_DEVICE);
    }
    return memory;
}

void combine_begin(struct combine *c, struct ranks *ranks, const struct variant_entry *own,
                   int type, int op, int payload, int how, unsigned folds,
                   const struct share *share)
{
    size_t all = (size_t)ranks->size, most = 0;
    int words = payload == PAYLOAD_BINS ? (int)BINNED_WORDS(folds)
                                        : (int)(type_size(type) / 4) *
                                              (payload == PAYLOAD_UNITS ? (int)share->units : 1);
    int mine = 4 * words, end = 0;

    *c = (struct combine){.ranks = ranks,
                          .own = own,
                          .type = type,
                          .op = op,
                          .payload = payload,
                          .how = how,
                          .folds = folds,
                          .all_units = share->all_units};
    c->bytes = need(calloc(all, sizeof *c->bytes));
    c->offsets = need(calloc(all, sizeof *c->offsets));
    ranks->gather(ranks, &mine, sizeof mine, c->bytes);
    for (size_t k = 0; k < all; k++) {
        c->offsets[k] = end;
        end += c->bytes[k];
        most = (size_t)c->bytes[k] / 4 > most ? (size_t)c->bytes[k] / 4 : most;
    }
    c->packed = need(calloc((size_t)end + 1, 1));
    c->stride = (most + LINE) / LINE * LINE;
    c->slots = how == COMBINE_DIRECT ? all : 1;
    c->slot = how == COMBINE_DIRECT ? (size_t)ranks->rank : 0;
    c->area_bytes = TURNS * c->slots * c->stride * sizeof *c->area;
    if (how != COMBINE_DIRECT) {
        HIP_CHECK(hipHostMalloc((void **)&c->area, c->area_bytes, 0));
        memset(c->area, 0, c->area_bytes);
        return;
    }
    c->area = need(ranks->share(ranks, c->area_bytes));
    if (ranks->mpi || ranks->rank == 0) {
        void *there = NULL;
        hipError_t error = hipHostRegister(c->area, c->area_bytes,
                                           hipHostRegisterPortable | hipHostRegisterMapped);
        if (error == hipSuccess)
            error = hipHostGetDevicePointer(&there, c->area, 0);
        if (error != hipSuccess || there != (void *)c->area) {
            fprintf(stderr,
                    "this device cannot write to memory that ranks share (hipHostRegister: %s): "
                    "give --combine %s\n",
                    error != hipSuccess ? hipGetErrorString(error) : "another address",
                    ranks->mpi ? "mpi" : "rccl, or start it with mpirun");
            exit(EXIT_DEVICE);
        }
    }
    ranks->barrier(ranks);
}

void combine_end(struct combine *c)
{
    struct ranks *r = c->ranks;

    r->barrier(r); /* all have read */
    if (c->how != COMBINE_DIRECT)
        HIP_CHECK(hipHostFree(c->area));
    else if (r->mpi || r->rank == 0)
        HIP_CHECK(hipHostUnregister(c->area));
    free(c->packed);
    free(c->offsets);
    free(c->bytes);
}

/* Whoever sees it sees what was sent before. */
static void put(volatile uint64_t *to, uint64_t word)
{
    __atomic_store_n(to, word, __ATOMIC_RELEASE);
}

void *combine_target(struct combine *c)
{
    volatile uint64_t *next = place(c, ++c->turn + 1, c->slot);
    size_t words = (size_t)c->bytes[c->ranks->rank] / 4;

    for (size_t k = 0; k < words; k++)
        put(&next[k], 0);
    return (void *)place(c, c->turn, c->slot);
}

/* A kernel that fails sends no words: after a while let the runtime wait for it, which also reports errors. */
void combine_wait(const struct ranks *ranks, const volatile uint64_t *words, size_t count,
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
    combine_wait(c->ranks, place(c, c->turn, slot), (size_t)c->bytes[rank] / 4,
                 (uint32_t *)(c->packed + c->offsets[rank]), stream);
}

void combine_receive(struct combine *c, hipStream_t stream)
{
    take(c, c->slot, c->ranks->rank, stream);
}

static void fold_bins(void *sum, const void *other, size_t bytes)
{
    unsigned folds = (unsigned)(bytes / 4 - 1) / 3;
    struct binned a = binned_unpack(sum, folds), b = binned_unpack(other, folds);

    binned_add(&a, &b, folds);
    binned_pack(&a, folds, sum);
}

/* The operation of the process; with MPI there is one rank in it. */
static const struct variant_entry *folded;

static void fold_values(void *sum, const void *other, size_t bytes)
{
    int64_t values[2];
    struct reduction r = {.n = 2, .host = values};

    memcpy(values, sum, bytes);
    memcpy((char *)values + bytes, other, bytes);
    folded->finish(&r, sum);
}

static bool mpi_has(int type, int op)
{
    return op == OP_SUM || !type_is_floating(type);
}

/* packed: the values of all ranks, or of all units. */
static struct scalar value_of(const struct combine *c, size_t count)
{
    struct scalar value = {.type = c->type};
    struct reduction r = {.n = count, .host = c->packed};

    r.option[METHOD] = c->payload == PAYLOAD_UNITS ? METHOD_TREE : METHOD_PLAIN;
    r.option[UNITS] = c->all_units;
    c->own->finish(&r, &value.as);
    return value;
}

static struct scalar value_of_bins(const struct combine *c, const void *words)
{
    struct scalar value = {.type = c->type};
    struct binned sum = binned_unpack(words, c->folds);

    if (c->type == TYPE_FLOAT)
        value.as.f = (float)binned_value(&sum, c->folds, LEAST_FLOAT);
    else
        value.as.d = binned_value(&sum, c->folds, LEAST_DOUBLE);
    return value;
}

static struct scalar finish_by_mpi(struct combine *c)
{
    struct ranks *r = c->ranks;
    char *mine = c->packed + c->offsets[r->rank];
    struct ranks_operation operation = {
        .type = c->type, .op = c->op, .bytes = (size_t)c->bytes[r->rank]};
    struct scalar value = {.type = c->type};
    uint32_t words[BINNED_WORDS(FOLDS_MAX)];

    if (c->payload == PAYLOAD_UNITS) {
        char units[c->bytes[r->rank] +
                   1]; /* not in place: what is sent and received must not overlap */
        memcpy(units, mine, operation.bytes);
        r->gather_parts(r, units, c->packed, c->bytes, c->offsets);
        return value_of(c, c->all_units);
    }
    memcpy(words, mine, operation.bytes);
    if (c->payload == PAYLOAD_BINS || !mpi_has(c->type, c->op))
        operation.type = -1;
    operation.fold = c->payload == PAYLOAD_BINS ? fold_bins : fold_values;
    folded = c->own;
    r->all_reduce(r, words, &operation);
    if (c->payload == PAYLOAD_BINS)
        return value_of_bins(c, words);
    memcpy(&value.as, words, type_size(c->type));
    return value;
}

static struct scalar finish_directly(struct combine *c)
{
    struct ranks *r = c->ranks;

    for (int k = 0; k < r->size; k++)
        if (k != r->rank)
            take(c, (size_t)k, k, NULL);
    if (c->payload != PAYLOAD_BINS)
        return value_of(c, (size_t)r->size);

    uint32_t sum[BINNED_WORDS(FOLDS_MAX)];
    memcpy(sum, c->packed, (size_t)c->bytes[0]);
    for (int k = 1; k < r->size; k++)
        fold_bins(sum, c->packed + c->offsets[k], (size_t)c->bytes[k]);
    return value_of_bins(c, sum);
}

struct scalar combine_finish(struct combine *c)
{
    return c->how == COMBINE_DIRECT ? finish_directly(c) : finish_by_mpi(c);
}

struct scalar combine_again(struct combine *c)
{
    int rank = c->ranks->rank;
    volatile uint64_t *to = combine_target(c);
    const uint32_t *words = (const uint32_t *)(c->packed + c->offsets[rank]);

    for (int k = 0; k < c->bytes[rank] / 4; k++)
        put(&to[k], MARK | words[k]);
    return combine_finish(c);
}
