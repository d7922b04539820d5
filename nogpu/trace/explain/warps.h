/* Combines accesses of single lanes into instructions of a warp.
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_WARPS_H
#define TRACE_WARPS_H

#include "../trace.h"

enum warp_kind { WARP_LOAD, WARP_STORE, WARP_ATOMIC };

/* One instruction of a warp, complete. address[] is valid for the lanes that take part. */
struct warp_instruction {
    const struct trace_place *place;
    enum warp_kind kind;
    enum trace_space space;
    unsigned size, epoch;
    uint64_t block, lanes;
    uintptr_t address[64];
    bool adds_one; /* of atomics: each lane, to an integer of 32 bits */
    /* Merged with others of shared memory that lie side by side and are aligned: bytes of the wider one, 0: none; the
     * instructions that this saves, which the first of them has. */
    unsigned width, saved;
    struct warp_values *values; /* NULL: they are not kept */
};

#define WARPS_VALUE_BYTES 16 /* of the widest access */
struct warp_values {
    uint64_t known; /* of these lanes */
    unsigned char lane[64][WARPS_VALUE_BYTES];
};

struct warps;
/* What the owner is asked, and told. */
struct warps_calls {
    /* Whether the values of a new instruction are to be kept. NULL: they never are. */
    bool (*keeps)(void *context, const struct trace_who *, const struct trace_place *, enum warp_kind);
    /* An instruction is complete. */
    void (*done)(void *context, const struct warp_instruction *, unsigned warp);
};
struct warps *warps_create(const struct warps_calls *calls, void *context);
/* A new block with this many warps. */
void warps_begin(struct warps *w, unsigned count);
/* value: NULL: unknown. */
void warps_take(struct warps *w, const struct trace_who *who, const struct trace_place *place, enum warp_kind kind,
                enum trace_space space, uintptr_t address, unsigned size, const void *value);
void warps_take_atomic(struct warps *w, const struct trace_atomic *a, enum warp_kind kind);
/* These lanes of a warp have met: what they do from now on belongs to no instruction before. all: of the warp. */
void warps_meet(struct warps *w, unsigned warp, uint64_t lanes, uint64_t all);
void warps_complete_all(struct warps *w);

#endif
