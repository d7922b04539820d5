/* On a GPU the host cannot access device memory, and the device is asynchronous by itself.
 * SPDX-License-Identifier: MIT */
#include "observe.h"

#include <string.h>

#ifndef ON_CPU

void observe_begin(bool late, bool busy, hipStream_t stream)
{
    (void)late, (void)busy;
    (void)stream;
    memset(observe_note(), 0, sizeof *observe_note());
}

struct observed *observe_note(void)
{
    static struct observed seen;

    return &seen;
}

void observe_faults(void)
{
}

void observe_hide(bool hides)
{
    (void)hides;
}

void observe_enter(void)
{
}

void observe_leave(void)
{
}

int64_t observe_bytes(void)
{
    return 0;
}

void observe_finish_begins(void)
{
}

void observe_end(void)
{
}

void observe_input(void *input, size_t bytes)
{
    (void)input;
    (void)bytes;
}

void observe_memory(void *start, size_t bytes, bool read_only)
{
    (void)start;
    (void)bytes;
    (void)read_only;
}

void observe_forget(void *start)
{
    (void)start;
}

void observe_order(unsigned warp, int order, uint64_t seed)
{
    (void)warp;
    (void)order;
    (void)seed;
}

void observe_window(uint64_t first, uint64_t count)
{
    (void)first;
    (void)count;
}

#endif
