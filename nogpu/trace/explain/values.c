/* The values that lanes load and store.
 * SPDX-License-Identifier: MIT */
#include "values.h"

#include "../trace_internal.h"

/* One thread of a block runs until its next event, so one access at most is about to happen. */
static __thread struct {
    void *to;
    uintptr_t from;
    unsigned bytes;
    uint64_t *known, bit; /* NULL: none */
} later;

void values_take(void *to, uintptr_t from, unsigned bytes) { __real_memcpy(to, (const void *)from, bytes); }

void values_take_later(void *to, uintptr_t from, unsigned bytes, uint64_t *known, uint64_t bit)
{
    later.to = to;
    later.from = from;
    later.bytes = bytes;
    later.known = known;
    later.bit = bit;
}

void values_complete(void)
{
    if (!later.known)
        return;
    values_take(later.to, later.from, later.bytes);
    *later.known += later.bit;
    later.known = NULL;
}
