/* What a thread knows about other blocks, and beyond barriers about its own: up to which point their accesses come before
 * its next one. Everything here lasts until the end of the launch.
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_KNOWLEDGE_H
#define TRACE_KNOWLEDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Memory that is freed all at once. */
struct arena {
    struct chunk *chunks;
};
void *arena_take(struct arena *a, size_t bytes); /* 16-byte aligned */
void *arena_take_zeroed(struct arena *a, size_t bytes);
void arena_drop(struct arena *a);

/* About one block: everything before this epoch, and for some threads what they did in it up to a clock. Immutable. */
struct known_block {
    uint64_t block;
    uint32_t epoch;
    unsigned count;
    struct {
        uint32_t thread, clock;
    } seen[];
};

/* A hash table by block; empty if all zero. */
struct knowledge {
    size_t count, room; /* a power of two, or 0 */
    const struct known_block **slot;
};
void knowledge_add(struct arena *a, struct knowledge *k, const struct known_block *b);
void knowledge_add_all(struct arena *a, struct knowledge *k, const struct knowledge *other);
/* Whether what the thread of that block did at this clock of the epoch is known. */
bool knowledge_has(const struct knowledge *k, uint64_t block, uint32_t epoch, uint32_t clock,
                   unsigned thread);

#endif
