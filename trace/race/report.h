/* The report of the race tool: each pair of lines once, with the first two threads that raced there.
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_REPORT_H
#define TRACE_REPORT_H

#include "../trace.h"

struct report_side {
    uint64_t block;
    unsigned warp, lane;
    const struct trace_place *place;
    bool write, atomic;
};

struct report;
struct report *report_create(void);

void report_launch(struct report *r, const struct trace_launch *l);
void report_count_access(struct report *r, enum trace_space space, bool write);
void report_count_atomic(struct report *r, enum trace_space space);
void report_count_barrier(struct report *r);
void report_count_meeting(struct report *r);

/* a came first in this run. hand_over: the atomic operation that was probably meant as the synchronization, or NULL; or
 * a volatile load. */
void report_race(struct report *r, const struct report_side *a, const struct report_side *b,
                 uintptr_t address, unsigned size, enum trace_space space,
                 const struct trace_place *hand_over, bool is_volatile);
void report_unwritten(struct report *r, const struct trace_who *who,
                      const struct trace_place *place, uintptr_t address, unsigned size);
/* The reader uses what a shuffle got from lane `source`, which does not take part. */
void report_absent(struct report *r, const struct report_side *reader, unsigned source);
/* Prints all findings and the summary. 1: something was found. */
int report_finish(struct report *r, const struct trace_end *end);

#endif
