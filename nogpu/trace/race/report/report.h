/* The report of the race tool: each pair of lines once, with the first two threads that raced there.
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_REPORT_H
#define TRACE_REPORT_H

#include "../../trace.h"

#define STREAMS_OF_GRAPH 0x8000u

/* Work on a stream, or what the host does. */
struct report_task {
    enum { TASK_KERNEL, TASK_COPY, TASK_FILL, TASK_ALLOCATION, TASK_RELEASE, TASK_FUNCTION, TASK_HOST } kind;
    const char *name; /* of the kernel */
    dim3 grid, block;
    unsigned warp_size;
    uint32_t number;
    unsigned stream; /* 0: the default one; from STREAMS_OF_GRAPH on: a branch of a graph */
};

struct report_side {
    struct report_task task;
    uint64_t block; /* of a kernel, as are */
    unsigned warp, lane;
    const struct trace_place *place;
    bool write, atomic, is_volatile;
    enum trace_scope scope; /* of an atomic operation */
};

/* An atomic operation or a volatile load that was probably meant as the synchronization, though the latter is none;
 * place NULL: none. */
struct hand_over {
    const struct trace_place *place;
    bool is_volatile;
};
/* Before the later access: the last one in its block, of global memory; the last one of its thread since the last
 * barrier. */
struct report_hint {
    struct hand_over of_block, of_thread;
    bool grid_barrier; /* behind one that makes nothing visible */
    /* the thread has read what hands the earlier access over, and has had no fence since */
    bool lacks_fence;
    bool other_width; /* two atomic operations of 4 and of 8 bytes */
    bool is_pending;  /* the earlier access is an asynchronous copy that nobody has waited for */
};

struct coverage;
struct report;
struct report *report_create(struct coverage *coverage, bool volatile_is_atomic, bool strict);

void report_launch(struct report *r, const struct trace_launch *l);
void report_count_access(struct report *r, enum trace_space space, bool write);
void report_count_atomic(struct report *r, enum trace_space space);
void report_count_volatile(struct report *r); /* of global memory */
void report_count_barrier(struct report *r);
void report_count_meeting(struct report *r);
void report_count_copy(struct report *r); /* or a fill */
void report_count_stream(struct report *r);

/* a came first in this run. */
void report_race(struct report *r, const struct report_side *a, const struct report_side *b, uintptr_t address,
                 unsigned size, enum trace_space space, const struct report_hint *hint);
void report_unwritten(struct report *r, const struct trace_who *who, const struct trace_place *place, uintptr_t address,
                      unsigned size);
/* Global memory that nothing has written is read at this place: a note, and no finding. */
void report_unset(struct report *r, const struct trace_place *place);
/* A note of another tool. False: it is known already. */
bool report_note(struct report *r, const char *text);
/* The reader uses what a shuffle got from lane `source`, which does not take part. */
void report_absent(struct report *r, const struct report_side *reader, unsigned source);
/* Whether there is such a finding. */
bool report_has_absent(const struct report *r);
/* An index of array `name` lands at byte `at` of dynamic shared memory, in `neighbour`. */
void report_leaves(struct report *r, const struct report_side *side, const char *name, const char *neighbour,
                   size_t at);
/* Prints all findings and the summary. 1: something was found. */
int report_finish(struct report *r, const struct trace_end *end);

#endif
