/* HIP_CPU_MEMORY=weak[:SEED]: stores to global memory become visible to other blocks late, and in any
 * order that HIP's memory model allows; the seed chooses.
 *
 * A block sees its own stores at once. Others see a plain, volatile or relaxed atomic store at some later
 * time; only stores to the same word keep their order. It is visible at the latest after
 *   a fence with device scope by a thread that the store is ordered before (the storing thread; after a barrier any of
 *   the block, after __syncwarp() any of the warp)
 *   an acquire, or a read and then a fence, of the word at which such a thread's atomic operation released it before
 *   a read-modify-write of the same word by the same block
 *   a grid barrier, and the end of the launch
 * Barriers of a block and relaxed atomics make nothing visible. A thread that polls a word atomically sees it
 * change in the end.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_TRACE_WEAK_H
#define HIP_CPU_TRACE_WEAK_H

#include "trace.h"

struct weak;

/* As HIP_CPU_MEMORY requests; NULL: the memory of the host. */
struct weak *weak_from_environment(void);

/* Before the store. */
void weak_store(struct weak *w, const struct trace_who *who, uintptr_t address, size_t size);
void weak_atomic(struct weak *w, const struct trace_atomic *a);
/* A thread reads this word, and will see it change if it does so often enough. */
void weak_poll(struct weak *w, uintptr_t address);
void weak_fence(struct weak *w, const struct trace_who *who, int order);
void weak_meeting(const struct trace_meeting *m);
void weak_block_begin(uint64_t block);
void weak_block_end(struct weak *w);
/* All stores of the block become visible: it waits at a grid barrier. */
void weak_publish(struct weak *w);
/* Another block of a cooperative launch runs for a while. */
void weak_leave(struct weak *w);
void weak_return(struct weak *w);
void weak_launch_end(struct weak *w);

#endif
