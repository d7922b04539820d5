/* Whether it matters what a shuffle returned to a lane whose source does not take part.
 *
 * The value is undefined, but if it is not used there is no mistake: for example in a last warp that is not
 * full. So a launch in which this happened runs again with another such value, once for each such place in
 * the source: if memory differs afterwards, the value was used.
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
/* The launch has ended: whether it has to run again. */
bool replay_again(void);

#endif
