/* The two ways from what every rank has to one value on all ranks: words in the host's memory (words.c), or on the
 * devices by RCCL or NCCL (devices.c).
 * SPDX-License-Identifier: MIT */
#ifndef MULTI_GPU_WAYS_H
#define MULTI_GPU_WAYS_H

#include <stdint.h>

#include <hip/hip_runtime_api.h>

#include "../ranks/ranks.h"
#include "choices.h"
#include "collective.h"
#include "reduction.h"
#include "scalar.h"
#include "share.h"

/* What is combined, and how. */
struct task {
    struct ranks *ranks;
    struct collective *collective; /* COMBINE_RCCL */
    const struct combination
        *own;                   /* of multi_gpu.hip: the operation, on the host and on a device */
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
    struct words words;
    struct on_devices on_devices;
};

/* Waits for count words with marks; to, if it is not NULL, gets what they carry. stream: where this rank's kernel that
 * sends them is; NULL: another rank's. */
void words_wait(const struct ranks *ranks, const volatile uint64_t *words, size_t count,
                uint32_t *to, hipStream_t stream);

/* The functions of combine.h, one way each. */
void words_begin(struct combine *c);
void words_end(struct combine *c);
void *words_target(struct combine *c);
void *words_on_device(const struct combine *c, const void *target);
void words_receive(struct combine *c);
void words_send_again(struct combine *c);
struct scalar words_finish(struct combine *c);
void devices_begin(struct combine *c);
void devices_end(struct combine *c);
void *devices_target(struct combine *c);
struct scalar devices_finish(struct combine *c);

#endif
