/* The warp operations that kernels call: shuffles, votes and the like. meeting.c computes their results.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "block.h"

static inline struct hip_cpu_thread *begin_meeting(void)
{
    if (hip_cpu_worker->sweep)
        hip_cpu_end_sweep(hip_cpu_worker);
    return hip_cpu_current;
}

/* Notes where the current thread waits, and for which operation. */
static inline struct warp *arrive(const struct hip_cpu_thread *self, enum hip_cpu_warp_op op, uint64_t value,
                                  unsigned source, const char *file, int line)
{
    struct warp *warp = hip_cpu_worker->warp;
    unsigned lane = self->lane;

    warp->details[lane].file = file;
    warp->details[lane].line = line;
    warp->at[lane].value = value;
    warp->at[lane].op = op;
    warp->at[lane].source = source;
    if (warp->meeting == 0) {
        warp->first = lane;
        warp->mixed = false;
    } else if (line != warp->details[warp->first].line || file != warp->details[warp->first].file ||
               op != warp->at[warp->first].op) {
        warp->mixed = true;
    }
    warp->meeting |= (uint64_t)1 << lane;
    return warp;
}

static inline void meet(struct hip_cpu_thread *self, enum hip_cpu_warp_op op, uint64_t value, unsigned source,
                        const char *file, int line)
{
    struct warp *warp = arrive(self, op, value, source, file, line);

    if (can_switch_lane(warp))
        switch_lane(hip_cpu_worker, warp, self);
    else
        hip_cpu_wait_turn(hip_cpu_worker, self);
}

/* The same for the lanes of a mask. */
static void meet_mask(uint64_t mask, struct hip_cpu_thread *self, enum hip_cpu_warp_op op, uint64_t value,
                      unsigned source, const char *file, int line)
{
    unsigned lane = self->lane;

    if (!(mask >> lane & 1)) {
        char text[256];
        snprintf(text, sizeof text, "the mask %#llx lacks lane %u, which calls: give every lane that calls its bit%s",
                 (unsigned long long)mask, lane,
                 lane >= 32 && mask <= UINT32_MAX ? "; a program for warps of 32 needs HIP_CPU_WARP_SIZE=32" : "");
        hip_cpu_fail(text, file, line);
    }
    struct warp *warp = arrive(self, op, value, source, file, line);
    warp->mixed = true;
    warp->masked |= (uint64_t)1 << lane;
    warp->at[lane].mask = mask;
    hip_cpu_wait_turn(hip_cpu_worker, self);
}

static inline unsigned source_of(enum hip_cpu_warp_op op, unsigned lane, unsigned operand, int width, const char *file,
                                 int line)
{
    if (width < 1 || width > warpSize || (width & (width - 1)) != 0) {
        char text[128];
        snprintf(text, sizeof text, "shuffle with width %d: use a power of two from 1 to warpSize (%d)", width,
                 warpSize);
        hip_cpu_fail(text, file, line);
    }

    return hip_cpu_source(op, lane, operand, width);
}

uint64_t hip_cpu_shuffle(enum hip_cpu_warp_op op, uint64_t bits, unsigned operand, int width, const char *file,
                         int line)
{
    struct hip_cpu_thread *self = begin_meeting();
    struct warp *warp = hip_cpu_worker->warp;
    unsigned lane = self->lane;
    unsigned source = source_of(op, lane, operand, width, file, line);

    OBSERVE(arrive, CALLER);
    meet(self, op, bits, source, file, line);
    return warp->result[lane];
}

uint64_t hip_cpu_shuffle_mask(uint64_t mask, enum hip_cpu_warp_op op, uint64_t bits, unsigned operand, int width,
                              const char *file, int line)
{
    struct hip_cpu_thread *self = begin_meeting();
    struct warp *warp = hip_cpu_worker->warp;
    unsigned lane = self->lane;
    unsigned source = source_of(op, lane, operand, width, file, line);

    OBSERVE(arrive, CALLER);
    meet_mask(mask, self, op, bits, source, file, line);
    return warp->result[lane];
}

/* The result of the current lane. */
static uint64_t outcome(const struct warp *warp, unsigned lane, enum hip_cpu_warp_op op)
{
    switch (op) {
    case HIP_CPU_ANY:
        return warp->group_votes != 0;
    case HIP_CPU_ALL:
        return warp->group_votes == warp->group;
    case HIP_CPU_BALLOT:
        return warp->group_votes;
    case HIP_CPU_ACTIVE:
    case HIP_CPU_SYNCWARP:
        return warp->group;
    default:
        return warp->result[lane];
    }
}

uint64_t hip_cpu_vote(enum hip_cpu_warp_op op, int predicate, const char *file, int line)
{
    struct hip_cpu_thread *self = begin_meeting();
    struct warp *warp = hip_cpu_worker->warp;

    if (predicate)
        warp->votes |= (uint64_t)1 << self->lane;
    OBSERVE(arrive, CALLER);
    meet(self, op, 0, 0, file, line);
    return outcome(warp, self->lane, op);
}

uint64_t hip_cpu_vote_mask(uint64_t mask, enum hip_cpu_warp_op op, uint64_t value, const char *file, int line)
{
    struct hip_cpu_thread *self = begin_meeting();
    struct warp *warp = hip_cpu_worker->warp;

    if (value && op <= HIP_CPU_BALLOT)
        warp->votes |= (uint64_t)1 << self->lane;
    OBSERVE(arrive, CALLER);
    meet_mask(mask, self, op, value, 0, file, line);
    return outcome(warp, self->lane, op);
}
