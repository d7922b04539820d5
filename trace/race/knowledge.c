/* See knowledge.h.
 * SPDX-License-Identifier: MIT */
#include "knowledge.h"

#include <stdlib.h>
#include <string.h>

#include "../trace_internal.h"

/* ---- memory ---- */

#define CHUNK_BYTES ((size_t)1 << 18)

struct chunk {
    struct chunk *next;
    size_t used, room;
    _Alignas(16) char bytes[];
};

void *arena_take(struct arena *a, size_t bytes)
{
    struct chunk *chunk = a->chunks;

    bytes = (bytes + 15) / 16 * 16;
    if (!chunk || chunk->room - chunk->used < bytes) {
        size_t room = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
        chunk = trace_check_alloc(malloc(sizeof *chunk + room));
        chunk->next = a->chunks;
        chunk->used = 0;
        chunk->room = room;
        a->chunks = chunk;
    }
    void *memory = chunk->bytes + chunk->used;
    chunk->used += bytes;
    return memory;
}

void *arena_take_zeroed(struct arena *a, size_t bytes)
{
    return memset(arena_take(a, bytes), 0, bytes);
}

void arena_drop(struct arena *a)
{
    while (a->chunks) {
        struct chunk *next = a->chunks->next;
        free(a->chunks);
        a->chunks = next;
    }
}

/* ---- knowledge ---- */

static size_t slot_of(const struct knowledge *k, uint64_t block)
{
    size_t slot = (size_t)(block * 0x9e3779b97f4a7c15ull >> 20) & (k->room - 1);
    while (k->slot[slot] && k->slot[slot]->block != block)
        slot = (slot + 1) & (k->room - 1);
    return slot;
}

/* Two about the same epoch of a block as one. */
static const struct known_block *unite(struct arena *arena, const struct known_block *a,
                                       const struct known_block *b)
{
    struct known_block *both =
        arena_take(arena, sizeof *both + (a->count + b->count) * sizeof both->seen[0]);

    memcpy(both, a, sizeof *a + a->count * sizeof a->seen[0]);
    for (unsigned i = 0; i < b->count; i++) {
        unsigned k = 0;
        while (k < both->count && both->seen[k].thread != b->seen[i].thread)
            k++;
        if (k == both->count)
            both->seen[both->count++] = b->seen[i];
        else if (both->seen[k].clock < b->seen[i].clock)
            both->seen[k].clock = b->seen[i].clock;
    }
    return both;
}

static void grow(struct arena *a, struct knowledge *k)
{
    struct knowledge larger = {k->count, k->room ? 2 * k->room : 8, NULL};

    larger.slot = arena_take_zeroed(a, larger.room * sizeof *larger.slot);
    for (size_t i = 0; i < k->room; i++)
        if (k->slot[i])
            larger.slot[slot_of(&larger, k->slot[i]->block)] = k->slot[i];
    *k = larger;
}

void knowledge_add(struct arena *a, struct knowledge *k, const struct known_block *b)
{
    if (2 * (k->count + 1) > k->room)
        grow(a, k);
    const struct known_block **old = &k->slot[slot_of(k, b->block)];
    if (!*old)
        k->count++;
    if (!*old || (*old)->epoch < b->epoch)
        *old = b;
    else if (*old != b && (*old)->epoch == b->epoch)
        *old = unite(a, *old, b);
}

void knowledge_add_all(struct arena *a, struct knowledge *k, const struct knowledge *other)
{
    for (size_t i = 0; i < other->room; i++)
        if (other->slot[i])
            knowledge_add(a, k, other->slot[i]);
}

bool knowledge_has(const struct knowledge *k, uint64_t block, uint32_t epoch, uint32_t clock,
                   unsigned thread)
{
    const struct known_block *b = k->count > 0 ? k->slot[slot_of(k, block)] : NULL;

    if (!b || epoch > b->epoch)
        return false;
    if (epoch < b->epoch)
        return true;
    for (unsigned i = 0; i < b->count; i++)
        if (b->seen[i].thread == thread)
            return clock <= b->seen[i].clock;
    return false;
}
