/* Happens-before: which accesses of one launch are ordered by the program.
 *
 * Only these order accesses:
 *   in a thread          program order
 *   in a block           __syncthreads() and its variants; of one in two parts, what came before the arrival and what
 *                        comes behind the wait
 *   in a warp            __syncwarp(), between the lanes that take part; shuffles and votes order nothing
 *   between any two      the writer's fence, then an atomic write; an atomic operation that reads its value
 *                        or that of a later read-modify-write, and then the reader's fence. A memory order
 *                        of the atomic itself (release, acquire) counts as a fence for this variable. Fences and
 *                        operations count for the threads that the scopes of all four have in common.
 *   in a grid            grid barriers; with HIP_CPU_GRID_BARRIER=release a grid barrier is a fence of the writers alone,
 *                        and the reader needs one of its own behind it
 *   launches             what streams.h says; so for copies, which are one thread
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_ORDER_H
#define TRACE_ORDER_H

#include "segments.h"
#include "streams.h"

struct order;
struct order *order_create(struct streams *streams, bool barriers_release_only);

/* The same of memory that the host can access, too: and before all that it does. */
uint32_t order_first_host(const struct order *o);
/* The launch or copy that made this segment of global memory; 0: the current one. */
const struct report_task *order_task(const struct order *o, uint32_t number);
/* The block of a segment in its grid; whether it is the current block. */
uint64_t order_block(const struct order *o, enum trace_space space, uint32_t number);
bool order_is_here(const struct order *o, enum trace_space space, uint32_t number);

/* A launch or a copy begins. Whether all earlier ones come before it and all later ones, and the host has waited. */
bool order_launch_begin(struct order *o, const struct trace_launch *l);
bool order_copy_begin(struct order *o, const struct report_task *copy);
void order_block_begin(struct order *o, const struct trace_block *b);
void order_block_end(struct order *o);
void order_arrival(struct order *o, const struct trace_arrival *a);
void order_barrier(struct order *o);
/* The current block goes on after the barrier with this number. */
void order_grid_barrier(struct order *o, unsigned number);
void order_meeting(struct order *o, const struct trace_meeting *m);
void order_fence(struct order *o, const struct trace_fence *f);
void order_atomic(struct order *o, const struct trace_atomic *a);

/* Whether it comes before what the host does now; the host has read what it wrote, and waits no longer. */
bool order_known_to_host(const struct order *o, uint32_t segment);
void order_host_saw(struct order *o, uint32_t segment);
/* Whether an atomic operation on this byte, in that segment, may have had a fence before it. */
bool order_hands_over(const struct order *o, uint32_t segment, uintptr_t address);
/* What was probably meant as the synchronization of lane `lane` in that segment and an access at this place. */
struct report_hint order_hint(const struct order *o, enum trace_space space, uint32_t segment, unsigned lane,
                              const struct trace_who *who, const struct trace_place *place);
void order_volatile_read(const struct trace_who *who, const struct trace_place *place);

#endif
