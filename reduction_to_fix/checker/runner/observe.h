/* On the CPU the linker puts functions between the exercise and the runtime (--wrap, calls.c), which record launches,
 * copies and allocations. The device's memory is inaccessible while the exercise's host code runs (observe.c), and the
 * runtime can work as late as HIP allows (hip_cpu_set_late()).
 * SPDX-License-Identifier: MIT */
#ifndef OBSERVE_H
#define OBSERVE_H

#include "runner.h"

#ifdef ON_CPU
#include <hip_cpu/runtime.h>

struct memory {
    char *pages, *start;
    size_t pages_bytes, bytes;
    bool host;   /* hipHostMalloc */
    bool sparse; /* not from the runtime */
    bool read_only;
};

struct observation {
    const char *input;
    size_t input_bytes;
    uint64_t window_first, window_count;
    bool inside;                  /* the exercise's host code is running */
    bool counts;                  /* between observe_begin() and observe_end() */
    bool finish;                  /* launch() has returned */
    hipStream_t stream;           /* of the reduction */
    unsigned elsewhere;           /* launches on other streams, by launch() */
    bool joined;                  /* the stream, or launch(), waits for other streams */
    int64_t bytes;                /* allocated since observe_begin() */
    bool writing;                 /* the input has been written to */
    const char *volatile written; /* in this line */
    bool hides;                   /* the device's memory from host code, in this run */
};
extern struct observation observation;

/* Between these two the runtime works: it may use the device's memory. True: on behalf of the exercise. */
bool observe_runtime_begins(void);
void observe_runtime_ends(bool exercise);

/* Whether launches may leave out blocks. */
bool observe_windows(void);
/* NULL: none that is known. */
const struct memory *observe_memory_at(const void *address);
void observe_remember(void *start, size_t bytes, bool host, bool sparse);
bool observe_in_input(const void *address);

struct trace_access;
/* places.c. A window begins that looks for an element of n; a thread of it reads some, in a launch of `grid` blocks. */
void places_begin(size_t n, uint64_t element);
void places_note(uint64_t grid, const struct trace_access *access, uint64_t element, unsigned elements);
#endif

#endif
