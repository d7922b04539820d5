/* The state of the race tool, and the access that it looks at.
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_ACCESS_H
#define TRACE_ACCESS_H

#include "coverage.h"
#include "order.h"
#include "replay.h"
#include "report.h"
#include "shadow.h"

/* Passed to the tool with each event. */
struct races {
    struct order *order;
    struct shadow *shadow;
    struct replay *replay;
    struct report *report;
    struct coverage *coverage;
    uint32_t launch;
    /* HIP_CPU_RACES: values that are handed over atomically need order; a volatile access to global memory is atomic. */
    bool strict, volatile_is_atomic;
    struct handed *handed; /* strict */
};

/* Words of a launch that one line changed without order. */
struct handed {
    uint32_t launch;
    unsigned count;
    uintptr_t word[3];
};

struct now {
    const struct races *races;
    struct trace_who who;
    uint32_t segment;
    uint32_t what; /* its stamp; the bytes belong to the cell */
    uintptr_t address;
    unsigned size;
    enum trace_space space;
    bool unwritten; /* reads bytes of shared memory that this block has not written */
    const struct trace_place *place;
};

/* unwritten.c: reports what of them the thread uses. */
void races_check_unwritten(const struct now *now);

#endif
