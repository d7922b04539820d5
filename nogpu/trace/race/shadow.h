/* Shadow memory: for every 4 bytes the last writer and the readers since then. Where all lanes of a warp read or write
 * neighbours once, as most do, a line of 128 bytes remembers that as one access.
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_SHADOW_H
#define TRACE_SHADOW_H

#include "../trace.h"

#define CELL_BYTES 4

/* An access: its segment (order.h), and the rest in one word. */
struct stamp {
    uint32_t segment;
    uint32_t what;
};
#define STAMP(place, lane, bytes, write, kind)                                                     \
    ((uint32_t)(place) << 15 | (uint32_t)(kind) << 12 | (uint32_t)(lane) << 6 |                    \
     (uint32_t)(bytes) << 2 | (uint32_t)(write) << 1)
#define STAMP_PLACE(what) ((what) >> 15)
#define STAMP_KIND(what)  ((what) >> 12 & 7)
#define STAMP_LANE(what)  ((what) >> 6 & 63)
#define STAMP_BYTES(what) ((what) >> 2 & 15)
#define STAMP_WRITE(what) ((what) >> 1 & 1)
/* An atomic operation: its scope. */
#define KIND_PLAIN    0
#define KIND_VOLATILE 7

/* An access of several lanes of one segment that does not fit into a cell. */
struct node {
    struct stamp stamp; /* the lane is any of them */
    uint64_t lanes;
    uint32_t next; /* 0: the last */
};

struct cell {
    struct stamp write, read; /* segment 0: none */
    uint32_t more;            /* first node, valid until nodes are dropped: */
    uint32_t valid : 27;      /* races->valid when it was set */
    uint32_t
        wide : 1; /* shared memory: an aligned 8 bytes that begin here were written in one go */
    uint32_t written : 4; /* shared memory: bytes that this block has written */
};

struct shadow;
struct shadow *shadow_create(void);

/* Whether these bytes of global memory, since segment `first`, were accessed as a line alone, and are so with this
 * access: there is nothing to compare it with. */
bool shadow_line(struct shadow *s, uintptr_t address, unsigned size, struct stamp stamp,
                 uint32_t first);
/* How many bytes from this address on are one line, also after this access, which has one word per lane; 0: none. */
size_t shadow_range(struct shadow *s, uintptr_t address, size_t bytes, struct stamp stamp,
                    uint32_t first);
/* The cell of an address; created on first use. */
struct cell *shadow_cell(struct shadow *s, uintptr_t address);
/* The same, but copies the cell and creates nothing; false: it does not exist. */
bool shadow_peek(struct shadow *s, uintptr_t address, struct cell *cell);
/* Forgets what happened to these bytes: a new block's shared memory. */
void shadow_clear(struct shadow *s, uintptr_t start, size_t bytes);
/* The same of all pages that have some of these bytes. */
void shadow_forget(struct shadow *s, uintptr_t start, size_t bytes);
/* Nodes are numbered from 1, and are gone when all are; a new one may move them. */
struct node *shadow_nodes_all(struct shadow *s);
uint32_t shadow_new_node(struct shadow *s);
void shadow_drop_node(struct shadow *s, uint32_t number);
uint32_t shadow_nodes(const struct shadow *s);
void shadow_drop_nodes(struct shadow *s);

#endif
