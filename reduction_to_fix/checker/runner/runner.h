/* The runner: the exercise and the runtime, without any knowledge of right results. It does what the judge asks
 * (protocol.h).
 *
 *   runner.c    the requests: fills, runs, reads back
 *   slot.c      a reduction: its memory, plan() and release()
 *   observe.c   the host's accesses to the device's memory; calls.c: its HIP calls (CPU)
 *   count.c     what the kernels do, access by access (CPU, TRACE=1); places.c: which block reads an element
 *
 * While code of the exercise runs on the host, the device's memory is inaccessible.
 * SPDX-License-Identifier: MIT */
#ifndef RUNNER_H
#define RUNNER_H

#include "../protocol.h"
#include "reduction.h"

#ifdef ON_CPU
/* Bytes of the device that are allocated, up to a constant. */
int64_t observe_bytes(void);
/* Bytes from malloc() that nobody has freed. */
uint64_t observe_heap(void);
/* late: the device works as late as HIP allows; busy: RUN_BUSY. Records in *observe_note(). stream: launch()'s. */
void observe_begin(bool late, bool busy, hipStream_t stream);
/* From now on crashes report their line. */
void observe_faults(void);
/* The exercise's host code runs between enter and leave. hides: it cannot use the device's memory, which costs time
 * and is so in some runs. */
void observe_hide(bool hides);
void observe_enter(void);
void observe_leave(void);
/* launch() has returned. */
void observe_finish_begins(void);
/* All work has been done, even if nothing waited for it. */
void observe_end(void);

/* Tells where the input is. */
void observe_input(void *input, size_t bytes);
/* Device memory that did not come from hipMalloc(). read_only: nothing writes to it. */
void observe_memory(void *start, size_t bytes, bool read_only);
void observe_forget(void *start);

/* A byte for each page from the first one on that these bytes are in, 0 where nobody has written yet: zeros. To be
 * freed; NULL: not known. */
unsigned char *observe_pages(const void *start, size_t bytes);

/* Warp size and order of the next launches. */
void observe_order(unsigned warp, int order, uint64_t seed);
/* Only these blocks of a launch run; count 0: all. */
void observe_window(uint64_t first, uint64_t count);
#else /* a GPU: the host cannot access its memory, and it is asynchronous by itself */
#define observe_bytes()                   ((int64_t)0)
#define observe_begin(late, busy, stream) memset(observe_note(), 0, sizeof *observe_note())
#define observe_faults()                  (void)0
#define observe_hide(hides)               (void)0
#define observe_enter()                   (void)0
#define observe_leave()                   (void)0
#define observe_finish_begins()           (void)0
#define observe_end()                     (void)0
#define observe_input(input, bytes)       (void)0
#define observe_order(warp, order, seed)  (void)0
#define observe_window(first, count)      (void)0
#endif
/* runner.c. What was seen since observe_begin(). */
struct observed *observe_note(void);

#ifdef HIP_CPU_TRACE
/* count.c. A reduction of elements of this many bytes begins. look_for: as in a request. */
void count_begin(const void *input, size_t bytes, size_t element, uint64_t look_for);
struct work count_end(void);

/* places.c. Blocks that may read this element of an input of n, by what the last two windows have read; how many. */
unsigned places_of(size_t n, uint64_t element, uint64_t place[PLACES_MAX]);
/* Whether the last window has read what it was to look for; anything that is not 0. */
bool places_read(void);
bool places_show(void);

#else
#define count_begin(input, bytes, element, look_for) (void)0
#define count_end()                                                                                                    \
    (struct work) { 0 }
#define places_of(n, element, place) 0
#define places_read()                false
#define places_show()                false
#endif

#endif
