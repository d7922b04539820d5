/* Elements that do not reach a result, which no race and no fault shows: the last warp, half a wavefront, the tail.
 *
 *   never read      of what the host copied to the device, or a kernel wrote for another, no thread reads some elements
 *   read twice      by a launch with few results, which reads the others once
 *   read and lost   the launch runs again with other values in some elements, and writes the same (trials.c)
 *   kept            a ticket that an earlier launch has used is not reset, and now no block is the last (tickets.c)
 *
 * All are notes. A kernel may mean to read only a part, so a note needs elements that form a pattern, and others that are all
 * read equally often: a lookup table, a search, a stencil's corners have no note.
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_LOST_H
#define TRACE_LOST_H

#include "../../trace.h"
#include "../replay/replay.h"
#include "../report/report.h"

struct lost;
struct lost *lost_create(struct report *report, struct replay *replay);

/* Before a copy or a fill, and when memory ends. */
void lost_copied(struct lost *l, const struct trace_copy *c);
void lost_freed(struct lost *l, uintptr_t start);

void lost_launch_begin(struct lost *l, const struct trace_launch *launch);
/* An access to global memory. updates: an atomic operation that reads and writes. */
void lost_access(struct lost *l, const struct trace_who *who, uintptr_t address, unsigned size,
                 const struct trace_place *place, bool write, bool updates);
/* A load while the launch runs again. */
void lost_read_again(struct lost *l, uintptr_t address, unsigned size);
/* The launch has ended: whether it has to run again. In a process of its own, which this function ends. */
bool lost_again(struct lost *l);
void lost_launch_end(struct lost *l);

/* The program ends. */
void lost_finish(struct lost *l);

#endif
