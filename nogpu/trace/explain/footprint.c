/* How much of global memory a kernel has to load at least: the sectors that its loads touch, each counted once.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "../trace_internal.h"
#include "explain.h"

void footprint_clear(struct footprint *f)
{
    if (f->seen)
        memset(f->seen, 0, f->room * sizeof *f->seen);
    f->used = 0;
}

static bool enter(struct footprint *f, uintptr_t sector)
{
    size_t slot = (sector * 0x9e3779b97f4a7c15ull >> 32) & (f->room - 1);

    while (f->seen[slot] != 0 && f->seen[slot] != sector)
        slot = (slot + 1) & (f->room - 1);
    if (f->seen[slot] == sector)
        return false;
    f->seen[slot] = sector;
    f->used++;
    return true;
}

static void grow(struct footprint *f)
{
    struct footprint larger = {.room = f->room ? 2 * f->room : 1 << 12};

    larger.seen = trace_check_alloc(calloc(larger.room, sizeof *larger.seen));
    for (size_t i = 0; i < f->room; i++)
        if (f->seen[i] != 0)
            enter(&larger, f->seen[i]);
    free(f->seen);
    *f = larger;
}

unsigned footprint_add(struct footprint *f, const struct warp_instruction *i, unsigned bytes)
{
    const struct trace_allocation *a = trace_allocation_of(i->address[__builtin_ctzll(i->lanes)]);
    uintptr_t start = a ? a->start : 0;
    unsigned count = 0;

    for (uint64_t rest = i->lanes; rest; rest &= rest - 1) {
        uintptr_t from = i->address[__builtin_ctzll(rest)] - start;
        for (uintptr_t s = from / bytes; s <= (from + i->size - 1) / bytes; s++) {
            if (2 * f->used >= f->room)
                grow(f);
            count += enter(f, start + s * bytes);
        }
    }
    return count;
}
