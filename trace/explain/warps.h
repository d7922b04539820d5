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
    /* Merged with others of shared memory that lie side by side and are aligned: bytes of the wider one, 0: none; the
     * instructions that this saves, which the first of them has. */
    unsigned width, saved;
};

struct warps;
/* done(context, instruction, warp) is called for each instruction when it is complete. */
struct warps *warps_create(void (*done)(void *context, const struct warp_instruction *, unsigned),
                           void *context);
/* A new block with this many warps. */
void warps_begin(struct warps *w, unsigned count);
void warps_take(struct warps *w, const struct trace_who *who, const struct trace_place *place,
                enum warp_kind kind, enum trace_space space, uintptr_t address, unsigned size);
/* The lanes of a warp have met: what they did before is complete. */
void warps_complete(struct warps *w, unsigned warp);
void warps_complete_all(struct warps *w);

#endif
