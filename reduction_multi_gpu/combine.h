/* From what every rank has, in words of the host's memory, to one value on all ranks.
 * SPDX-License-Identifier: MIT */
#ifndef MULTI_GPU_COMBINE_H
#define MULTI_GPU_COMBINE_H

#include <stddef.h>
#include <stdint.h>

#include <hip/hip_runtime_api.h>

#include "choices.h"
#include "ranks.h"
#include "reduction.h"
#include "scalar.h"
#include "share.h"

struct combine {
    struct ranks *ranks;
    const struct variant_entry *own; /* of multi_gpu.hip: the operation, on the host */
    int type, op, payload, how;      /* how: COMBINE_MPI or COMBINE_DIRECT */
    unsigned folds, all_units;
    int *bytes, *offsets; /* what each rank has, packed, and where it is in `packed` */
    char *packed;
    uint64_t *area; /* TURNS x slots x stride marked words, which devices write */
    size_t stride, slots, slot, turn, area_bytes;
};

/* All ranks; share is this rank's. Ends the program if there is no memory. */
void combine_begin(struct combine *c, struct ranks *ranks, const struct variant_entry *own,
                   int type, int op, int payload, int how, unsigned folds,
                   const struct share *share);
void combine_end(struct combine *c);

/* Where this rank's device has to write its words next: r->host of the reduction that is about to be launched. */
void *combine_target(struct combine *c);

/* Waits for the words of this rank's device, whose work is on the stream. */
void combine_receive(struct combine *c, hipStream_t stream);

/* Waits for count marked words; to, if it is not NULL, gets what they carry. stream: where this rank's kernel that
 * sends them is; NULL: another rank's. */
void combine_wait(const struct ranks *ranks, const volatile uint64_t *words, size_t count,
                  uint32_t *to, hipStream_t stream);

/* Then: the value of all ranks. */
struct scalar combine_finish(struct combine *c);

/* The combination without a reduction before it: of the same words again. */
struct scalar combine_again(struct combine *c);

#endif
