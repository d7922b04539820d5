/* Happens-before: which accesses of one launch are ordered by the program.
 *
 * Only these order accesses:
 *   in a thread          program order
 *   in a block           __syncthreads() and its variants
 *   in a warp            __syncwarp(), between the lanes that take part; shuffles and votes order nothing
 *   between any two      the writer's fence, then an atomic write; an atomic operation that reads its value
 *                        or that of a later read-modify-write, and then the reader's fence. A memory order
 *                        of the atomic itself (release, acquire) counts as the fence. A fence with block
 *                        scope counts inside the block.
 *   in a grid            grid barriers, and the end of the launch
 *
 * A segment is what a warp does between two synchronization points; an access is identified by its segment
 * and lane.
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_ORDER_H
#define TRACE_ORDER_H

#include "../trace.h"

struct order;
struct order *order_create(void);

struct segment {
    uint64_t block;
    uint32_t epoch; /* barriers of the block before it */
    uint32_t clock; /* of the warp within the epoch */
    uint32_t warp;
};

/* Segments are numbered; those below order_first() happened before all that runs now. 0 is none. */
uint32_t order_first(const struct order *o);
const struct segment *order_segment(const struct order *o, uint32_t number);

void order_launch_begin(struct order *o, const struct trace_launch *l);
void order_launch_end(struct order *o);
void order_block_begin(struct order *o, const struct trace_block *b);
void order_barrier(struct order *o);
/* The current block goes on after the barrier with this number. */
void order_grid_barrier(struct order *o, unsigned number);
void order_meeting(struct order *o, const struct trace_meeting *m);
void order_fence(struct order *o, const struct trace_fence *f);
void order_atomic(struct order *o, const struct trace_atomic *a);

/* The segment of this warp of the current block now. */
uint32_t order_now(unsigned warp);
/* Whether what lane `lane` did in that segment comes before what `who`, in the current block, does now. */
bool order_known(const struct order *o, uint32_t segment, unsigned lane,
                 const struct trace_who *who);
/* The last atomic operation or volatile load of the current block that read global memory, or NULL: probably meant as
 * the synchronization, though a volatile load is none. */
const struct trace_place *order_hand_over(bool *is_volatile);
void order_volatile_read(const struct trace_place *place);

#endif
