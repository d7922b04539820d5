/* Whether it matters what a shuffle returned to a lane whose source does not take part, and what shared memory held that
 * nobody wrote.
 *
 * Such a value is undefined, but if it is not used there is no mistake: for example in a last warp that is not full, or
 * where a struct is copied as a whole. So a launch in which this happened runs again with another value, once for each
 * such shuffle in the source and once for shared memory: if memory differs afterwards, the value was used.
 */
#ifndef HIP_CPU_TRACE_REPLAY_H
#define HIP_CPU_TRACE_REPLAY_H

#include "../trace.h"

/* Set while a launch runs again: tools see nothing of it. */
extern bool replay_on;

void replay_launch_begin(void);
/* Before a store to global memory. */
void replay_note(uintptr_t address, size_t size);
/* A lane of the shuffle reads from one that does not take part. */
void replay_absent(const struct trace_meeting *m);
/* What the shuffle returns then; the usual value or another. */
uint64_t replay_value(const struct trace_place *place);
/* A thread reads more bytes of shared memory than these, which nobody wrote. False if it cannot be tried whether it uses
 * them. */
bool replay_unwritten(const struct trace_who *who, const struct trace_place *place,
                      uintptr_t address, unsigned size);
/* A block begins while a launch runs again. */
void replay_block_begin(void);
/* The launch has ended: whether it has to run again. */
bool replay_again(void);

#endif
