/* Whether it matters what a shuffle returned to a lane whose source does not take part, and what shared memory held that
 * no thread of the block wrote.
 *
 * Such a value is undefined, but if it is not used there is no mistake: for example in a last warp that is not full, or
 * where a struct is copied as a whole. So a launch in which this happened runs again with other values (replay.c lists
 * them), and if memory differs afterwards, once for each such shuffle in the source and once for shared memory: where it
 * still differs, the value was used.
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_REPLAY_H
#define TRACE_REPLAY_H

#include "../../trace.h"
#include "../report/report.h"

struct replay;
/* possible: launches can run again. */
struct replay *replay_create(struct report *report, bool possible);

void replay_launch_begin(struct replay *r);
/* Before a store to global memory. */
void replay_note(struct replay *r, uintptr_t address, size_t size);
/* Lanes of the shuffle read from some that do not take part. Returns what they get: the usual value or another. */
uint64_t replay_absent(struct replay *r, const struct trace_meeting *m);
/* A thread reads more bytes of shared memory than these, which were not written. False if it cannot be tried whether it
 * uses them. */
bool replay_unwritten(struct replay *r, const struct trace_who *who, const struct trace_place *place, uintptr_t address,
                      unsigned size);
/* A block begins while a launch runs again. */
void replay_block_begin(struct replay *r);
/* The launch has ended: whether it has to run again. */
bool replay_again(struct replay *r);

/* For trials (lost/): how many bytes the launch has written; a number for the values, by which to compare two runs; memory as
 * it was before the launch; nothing counts as written. */
size_t replay_written(const struct replay *r);
uint64_t replay_result(const struct replay *r);
/* The sum of the numbers that the launch has written; those that are none do not count. */
double replay_sum(const struct replay *r);
void replay_restore(struct replay *r);
void replay_restart(struct replay *r);

#endif
