/* From what every rank has to one value on all ranks, in one of two ways: words in the host's memory (words.c), or on
 * the devices by RCCL or NCCL (devices.c).
 * SPDX-License-Identifier: MIT */
#ifndef MULTI_GPU_COMBINE_H
#define MULTI_GPU_COMBINE_H

#include <stdint.h>

#include <hip/hip_runtime_api.h>

#include "../ranks/ranks.h"
#include "choices.h"
#include "collective.h"
#include "reduction.h"
#include "values/scalar.h"
#include "share.h"

/* What is combined, and how. */
struct task {
    struct ranks *ranks;
    struct collective *collective; /* COMBINE_RCCL */
    /* of multi_gpu.hip: the operation, on the host and on a device */
    const struct combination *own;
    int type, op, payload, how; /* PAYLOAD_*; COMBINE_*, but not auto */
    unsigned folds;
    struct share share; /* of this rank */
    hipStream_t stream;
};

/* Words of the host's memory that devices write. */
struct words {
    int *bytes, *offsets; /* what each rank has, and where it is in `all` */
    char *all;            /* without marks */
    uint64_t *area;       /* TURNS x slots x stride words with marks, */
    char *on_device;      /* and where this rank's device sees them; NULL: at the same address */
    size_t stride, slots, slot, turn, area_bytes;
};

/* Words or a value on each device. */
struct on_devices {
    const void *from; /* this rank's value, or words */
    void *d_words;    /* PAYLOAD_BINS: this rank's; PAYLOAD_UNITS: of all units, the others 0 */
    void *d_all;      /* what came together */
    void *d_value, *h_value;
    size_t count; /* values of a rank, words of its bins, or words of all units */
};

/* What becomes one value: the units of the tree, or what each rank has. */
static inline unsigned parts_of_all(const struct task *t)
{
    return t->payload == PAYLOAD_UNITS ? t->share.all_units : (unsigned)t->ranks->size;
}

struct combine {
    struct task task;
    const struct way *way;
    struct words words;
    struct on_devices on_devices;
};

struct way {
    void (*begin)(struct combine *c);
    void (*end)(struct combine *c);
    /* Where this rank's device has to write its words next: r->host of the reduction that is about to be launched, and
     * r->host_on_device. Unchanged: it leaves a value on its device. */
    void (*target)(struct combine *c, struct reduction *r);
    /* Waits for the words of this rank's device. from: where its value is on the device, or NULL; there the stream
     * waits. */
    void (*receive)(struct combine *c, const void *from);
    /* Then: the value of all ranks. */
    struct scalar (*finish)(struct combine *c);
    /* The combination without a reduction before it: of the same words again. */
    struct scalar (*again)(struct combine *c);
};
extern const struct way words_way, devices_way;

/* All ranks. Ends the program if there is no memory. */
static inline void combine_begin(struct combine *c, const struct task *task)
{
    *c = (struct combine){.task = *task,
                          .way = task->how == COMBINE_RCCL ? &devices_way : &words_way};
    c->way->begin(c);
}

/* Waits for count words with marks; to, if it is not NULL, gets what they carry. stream: where this rank's kernel that
 * sends them is; NULL: another rank's. */
void words_wait(const struct ranks *ranks, const volatile uint64_t *words, size_t count,
                uint32_t *to, hipStream_t stream);

#endif
