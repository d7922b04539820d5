/* From what every rank has on its device to one value on each of them, in the order of the stream: RCCL or NCCL.
 * SPDX-License-Identifier: MIT */
#ifndef MULTI_GPU_COMBINE_DEVICES_H
#define MULTI_GPU_COMBINE_DEVICES_H

#include <hip/hip_runtime_api.h>

#include "choices.h"
#include "collective.h"
#include "scalar.h"
#include "reduction.h"
#include "share.h"

struct combine_devices {
    struct collective *collective;
    const struct variant_entry *own; /* of multi_gpu.hip */
    int type, op, payload;
    size_t count;       /* values of a rank, words of its bins, or words of all units */
    struct reduction r; /* the kernel that combines what came together */
    char *d_words;      /* PAYLOAD_BINS: this rank's; PAYLOAD_UNITS: of all units, the others 0 */
    char *d_all;        /* what came together */
    void *d_value;
    void *h_value;
};

/* All ranks; share is this rank's. */
void combine_devices_begin(struct combine_devices *c, struct collective *collective,
                           const struct ranks *ranks, const struct variant_entry *own, int type,
                           int op, int payload, unsigned folds, const struct share *share,
                           hipStream_t stream);
void combine_devices_end(struct combine_devices *c);

/* PAYLOAD_UNITS, PAYLOAD_BINS: where this rank's device has to write its words. */
void *combine_devices_target(struct combine_devices *c, const struct share *share);

/* from: this rank's value, where that is the payload. Then the value of all ranks is at c->d_value. */
void combine_devices_launch(struct combine_devices *c, const void *from);

/* Waits, and copies the value to the host. */
struct scalar combine_devices_finish(struct combine_devices *c);

#endif
