/* What atomic variables hand over: what their writers knew, for those who read them.
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_RELEASES_H
#define TRACE_RELEASES_H

#include "../../trace.h"
#include "knowledge.h"

/* A scope orders the threads of a warp, of a block, or all of them; a wider one orders those of a narrower, too. */
enum level { LEVEL_WARP, LEVEL_BLOCK, LEVEL_DEVICE, LEVELS };
static inline int level_of(enum trace_scope scope) /* -1: the thread alone */
{
    return scope >= TRACE_SCOPE_DEVICE ? (int)LEVEL_DEVICE : (int)scope - TRACE_SCOPE_WARP;
}

/* A hash table by address, 4 bytes each; empty if all zero but the function. */
struct releases {
    size_t count, room;
    struct variable *slot;
    bool (*has_ended)(uint64_t block); /* then what only its threads could acquire is dropped */
};

/* An atomic write at this level: known[level] is what those who read it there acquire. A write that does not read ends
 * what was there. */
void releases_write(struct releases *r, struct arena *arena, const struct trace_atomic *a,
                    const struct knowledge known[LEVELS]);
/* Adds what a read of these bytes acquires at each level. */
void releases_read(const struct releases *r, struct arena *arena, const struct trace_atomic *a,
                   struct knowledge known[LEVELS]);
/* All knowledge moves to another arena. */
void releases_move(struct releases *r, struct arena *to);
void releases_drop(struct releases *r);

#endif
