/* The state of the race tool, and the access that it looks at.
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_ACCESS_H
#define TRACE_ACCESS_H

#include "report/coverage.h"
#include "order/state.h"
#include "lost/lost.h"
#include "replay/replay.h"
#include "report/report.h"
#include "shadow.h"
#include "order/streams.h"

/* Passed to the tool with each event. */
struct races {
    struct order *order;
    struct shadow *shadow;
    struct replay *replay;
    /* NULL: with weak memory a launch cannot run again, and loads are not what memory has */
    struct lost *lost;
    struct report *report;
    struct coverage *coverage;
    struct streams *streams;
    struct parts *parts;
    struct written *written; /* NULL: not compared with another run */
    bool in_function;        /* a stream is calling a host function, */
    bool has_unlocked;       /* which has released a mutex */
    /* HIP_CPU_RACES: values that are handed over atomically need order; a volatile access to global memory is atomic. */
    bool strict, volatile_is_atomic, weak;
    struct handed *handed;   /* strict */
    const char *returned_in; /* the kernel that has a note about it */
    const char *masked_in;   /* a mask of it names lanes that have returned */
};

/* Words of a launch that one line changed without order. */
struct handed {
    uint32_t launch;
    unsigned count;
    uintptr_t word[3];
};

struct now {
    const struct races *races;
    const struct trace_who *who;
    uint32_t segment;
    uint32_t what; /* its stamp; the bytes belong to the cell */
    uintptr_t address;
    unsigned size;
    enum trace_space space;
    bool other_width; /* an atomic operation, and the last one there had another number of bytes */
    bool unwritten;   /* reads bytes of shared memory that this block has not written */
    const struct trace_place *place;
    uintptr_t code; /* of the host, instead of a place */
};

/* access.c */
/* Whether the access and an earlier one race if nothing orders them. */
bool races_conflict(const struct now *now, struct stamp before);
/* Reports that they do. lane: of the earlier access. */
void races_report_pair(const struct now *now, struct stamp before, unsigned lane);
/* Compares the access with those before it, and notes it. */
void races_look_at(struct now *now, bool write, unsigned kind);
/* Accesses of earlier segments of global memory can be forgotten. */
uint32_t races_first_of(const struct races *r, uintptr_t address);
/* Whether these bytes of global memory, since all that can be forgotten, were accessed as lines, and are so with this plain
 * access, which is noted: there is nothing to compare it with. */
bool races_join_line(const struct races *r, const struct trace_who *who, uintptr_t address, unsigned size, bool write,
                     const struct trace_place *place);
/* A launch or a copy begins. alone: all earlier work comes before it, so the lists can be emptied. */
void races_forget_lists(struct races *r, bool alone);

/* host.c: events */
void races_see_copy(void *tool, const struct trace_copy *c);
void races_see_stream(void *tool, const struct trace_stream *e);
void races_see_host(void *tool, const struct trace_host_access *a);

/* unwritten.c: reports what of them the thread uses. */
void races_check_unwritten(const struct now *now);
void races_check_fill(const struct races *r, const struct trace_place *place, uintptr_t address, unsigned size);

#endif
