/* The runner: the exercise with the runtime, and nothing that knows what is right. It does what the judge asks
 * for (protocol.h).
 *
 *   runner.c    the requests: fills, runs, reads back
 *   slot.c      a reduction: its memory, plan() and release()
 *   observe.c   what the host does with the device's memory, and calls.c of HIP (CPU)
 *   count.c     what the kernels do, access by access (CPU, TRACE=1)
 *   confine.c   no system calls but those of the C library (CPU)
 *   first.c     with last.c: the exercise's variables lie between theirs
 *
 * While code of the exercise runs on the host, the device's memory and what the judge has said are
 * inaccessible.
 * SPDX-License-Identifier: MIT */
#ifndef RUNNER_H
#define RUNNER_H

#include "../protocol.h"
#include "reduction.h"

/* The pages that the exercise cannot read. */
struct secret {
    int socket;
    struct request request;
    struct reply reply;
};
struct secret *observe_secret(void);

/* From now on. */
void confine(void);

/* CPU: all variables of the exercise are as when the program began; the first call notes how they were. */
void observe_restore(void);
/* CPU: what the device is called from now on; and how many units it has, of so many. */
void observe_arch(const char *arch);
unsigned observe_units(unsigned units);

/* CPU: bytes of the device that are allocated, up to a constant. */
int64_t observe_bytes(void);
/* CPU: bytes from malloc() that nobody has freed. */
uint64_t observe_heap(void);
/* The device works as late as HIP allows (late); what happens is noted in secret->reply.seen. stream: where launch() works. */
void observe_begin(bool late, hipStream_t stream);
/* CPU: from now on a crash says its line. */
void observe_faults(void);
/* The exercise's own host code runs between these two. open: it could use the device's memory, which costs less than to hide
 * it; other times show whether it does. */
void observe_open(bool open);
void observe_enter(void);
void observe_leave(void);
/* launch() has returned. */
void observe_finish_begins(void);
/* All work is done now, also what nothing waited for. */
void observe_end(void);

/* Which memory is the input. */
void observe_input(void *input, size_t bytes);
/* Memory of the device that hipMalloc() did not give, and that nothing writes to. */
void observe_memory(void *start, size_t bytes);
void observe_forget(void *start);

/* CPU: warp size and order; for the next launches. */
void observe_order(unsigned warp, int order, uint64_t seed);
/* CPU: only these blocks of a launch run; count 0: all. */
void observe_window(uint64_t first, uint64_t count);

/* count.c. A reduction of n elements of this many bytes begins. */
void count_begin(const void *input, size_t bytes, size_t element);
struct work count_end(void);

#endif
