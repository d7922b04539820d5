/* What the runtime reports to the trace, in builds with TRACE=1 only: HIP_CPU_HOOK(call) is empty elsewhere. */
#ifndef HIP_CPU_HOOKS_H
#define HIP_CPU_HOOKS_H

#ifdef HIP_CPU_TRACE

#include "trace.h"

struct worker;
struct warp;

#define HIP_CPU_HOOK(call) call
#define HIP_CPU_AGAIN()    trace_launch_again()

/* Whether a tool or the weak memory is active. */
extern bool trace_on;

/* launch.c */
void trace_launch_begin(const struct hip_cpu_launch *launch);
/* All blocks have ended: whether they have to run once more. */
bool trace_launch_again(void);
void trace_launch_end(void);
/* Workers for a launch that is not cooperative. More than one: its blocks take turns, too. */
#define TRACE_TURNS 32
unsigned trace_workers(uint64_t blocks);
/* Blocks take turns (block_scheduler.c): slot i is the i-th that a worker took. */
void trace_turn_begin(unsigned slot);
void trace_turn_end(void);
/* The block waits at a grid barrier; all have arrived; this one goes on. */
void trace_turn_wait(void);
void trace_turn_release(void);
void trace_turn_resume(void);

/* block.c */
void trace_block_begin(struct worker *w, uint64_t index);
void trace_block_end(struct worker *w);
/* The current thread calls a barrier or a warp operation from this code address. */
void trace_arrive(void *code);
void trace_barrier_done(struct worker *w, enum hip_cpu_barrier_op op);
void trace_meeting_done(struct worker *w, struct warp *warp, enum hip_cpu_warp_op op);

/* memory.c */
void trace_allocated(const void *start, size_t bytes, bool host);
void trace_freed(const void *start);
/* The program has made some memory of the host known to the device. */
extern bool trace_host_registered;

/* Called wherever the runtime ends the program after a fault. */
void trace_finish(void);

#else
#define HIP_CPU_HOOK(call) ((void)0)
#define HIP_CPU_AGAIN()    false
#endif

#endif
