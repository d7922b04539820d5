/* How much of global memory a kernel has to load at least: the sectors that its loads touch, each counted once. */
#include <stdlib.h>
#include <string.h>

#include "../trace_internal.h"
#include "explain.h"

/* Addresses of sectors, in a hash table with open addressing; 0 is no address. */
static uintptr_t *seen;
static size_t room, used;

void explain_footprint_begin(void)
{
    if (seen)
        memset(seen, 0, room * sizeof *seen);
    used = 0;
}

static bool enter(uintptr_t sector)
{
    size_t slot = (sector * 0x9e3779b97f4a7c15ull >> 32) & (room - 1);

    while (seen[slot] != 0 && seen[slot] != sector)
        slot = (slot + 1) & (room - 1);
    if (seen[slot] == sector)
        return false;
    seen[slot] = sector;
    used++;
    return true;
}

static void grow(void)
{
    uintptr_t *old = seen;
    size_t count = room;

    room = room ? 2 * room : 1 << 12;
    used = 0;
    seen = trace_check_alloc(calloc(room, sizeof *seen));
    for (size_t i = 0; i < count; i++)
        if (old[i] != 0)
            enter(old[i]);
    free(old);
}

unsigned explain_footprint(const struct warp_instruction *i)
{
    const struct trace_allocation *a = trace_allocation_of(i->address[__builtin_ctzll(i->lanes)]);
    uintptr_t start = a ? a->start : 0, bytes = explain_machine->sector;
    unsigned count = 0;

    for (uint64_t rest = i->lanes; rest; rest &= rest - 1) {
        uintptr_t from = i->address[__builtin_ctzll(rest)] - start;
        for (uintptr_t s = from / bytes; s <= (from + i->size - 1) / bytes; s++) {
            if (2 * used >= room)
                grow();
            count += enter(start + s * bytes);
        }
    }
    return count;
}
