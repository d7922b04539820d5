/* On the CPU the linker puts functions between the exercise and the runtime (--wrap, calls.c). They record what is
 * launched, copied and allocated; the device's memory is inaccessible while the host's own code runs (observe.c); and
 * the runtime can do its work as late as HIP allows (hip_cpu_set_late()).
 * SPDX-License-Identifier: MIT */
#ifndef OBSERVE_H
#define OBSERVE_H

#include "runner.h"

void observe_hide_secret(bool hidden);

#ifdef ON_CPU
#include <hip_cpu/runtime.h>

struct memory {
    char *pages, *start;
    size_t pages_bytes, bytes;
    bool host;   /* hipHostMalloc */
    bool sparse; /* read-only, so that limits of data do not count it */
};

struct observation {
    const char *input;
    size_t input_bytes;
    uint64_t window_first, window_count;
    bool inside;                  /* the exercise's host code runs */
    bool counts;                  /* between observe_begin() and observe_end() */
    bool finish;                  /* launch() has returned */
    hipStream_t stream;           /* of the reduction */
    unsigned elsewhere;           /* launches on others, by launch() */
    bool joined;                  /* the stream waits for others, or launch() does */
    int64_t bytes;                /* allocated since observe_begin() */
    bool writing;                 /* somebody has written to the input */
    const char *volatile written; /* in this line */
    bool open; /* the host may use the device's memory in this run: others show whether it does */
    const char *name, *arch; /* what the device is called; arch NULL: as it is */
};
extern struct observation observation;

/* The runtime works between these two: it may use the device's memory, and kernels that it runs may not use the secret.
 * True: for the exercise. */
bool observe_runtime_begins(void);
void observe_runtime_ends(bool exercise);
/* What was seen. Between these two, for the exercise, while the runtime works. */
struct observed *observe_note(void);
void observe_noted(void);

/* Whether blocks may be left out of launches. */
bool observe_windows(void);
/* NULL: none that is known. */
const struct memory *observe_memory_at(const void *address);
void observe_remember(void *start, size_t bytes, bool host, bool sparse);
bool observe_in_input(const void *address);
#endif

#endif
