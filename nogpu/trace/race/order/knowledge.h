/* What a thread knows about other blocks and, across barriers, about its own: up to which point their accesses come before
 * its next one. Knowledge is a value: it is copied by its root, and what two of them have in common is there once.
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_KNOWLEDGE_H
#define TRACE_KNOWLEDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Memory that is freed all at once. */
struct arena {
    struct chunk *chunks;
    size_t bytes; /* taken from it */
};
void arena_drop(struct arena *a);

struct known_thread {
    uint32_t thread, clock;
};

/* A tree by the digits of the block's number, which never changes; without digits, what is known of one block. Nothing is
 * known if all is zero. */
struct knowledge {
    unsigned digits;
    const struct known *root;
};

/* About one block: everything before this epoch, and for some threads, in their order, what they did up to a clock. */
struct knowledge knowledge_of(struct arena *a, uint64_t block, uint32_t epoch, const struct known_thread *seen,
                              unsigned count);
struct knowledge knowledge_union(struct arena *a, struct knowledge x, struct knowledge y);
/* Whether what the thread of that block did in this epoch, at this clock, is known. */
bool knowledge_has(struct knowledge k, uint64_t block, uint32_t epoch, uint32_t clock, unsigned thread);
/* The same in another arena, so that the one that it is in can be dropped: all that is there has to move, once. */
struct knowledge knowledge_move(struct arena *to, struct knowledge k);

#endif
