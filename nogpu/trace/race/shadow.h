/* Shadow memory: for every 4 bytes the last writer and the readers since then. Where lanes of a warp read or write
 * neighbours, as most do, a line of 128 bytes remembers that as one access.
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_SHADOW_H
#define TRACE_SHADOW_H

#include "../trace_internal.h"

#define CELL_BYTES 4

/* An access: its segment (order.h), and the rest in one word. */
struct stamp {
    uint32_t segment;
    uint32_t what;
};
#define STAMP(place, lane, bytes, write, kind)                                                                         \
    ((uint32_t)(place) << 15 | (uint32_t)(kind) << 12 | (uint32_t)(lane) << 6 | (uint32_t)(bytes) << 2 |               \
     (uint32_t)(write) << 1)
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
    uint32_t valid : 26;      /* shadow->valid when it was set */
    uint32_t changes : 1;     /* one of the nodes, or one that was, is no plain read */
    uint32_t wide : 1;        /* shared memory: an aligned 8 bytes that begin here were written in one go */
    uint32_t written : 4;     /* shared memory: bytes that this block has written */
};

#define PAGE_SHIFT  12
#define LINE_CELLS  32
#define LINE_BYTES  ((uintptr_t)LINE_CELLS * CELL_BYTES)
#define LINES       (((size_t)1 << PAGE_SHIFT) / LINE_BYTES)
#define SHADOW_BITS 10

/* One access of a warp: cell i by lane (lane of the stamp) + i / (cells of an access), as far as `mask` says. Its bytes
 * are the number of cells. */
struct strided {
    struct stamp stamp;
    uint32_t mask;
};
/* Accesses that nobody has to be compared with: each cell has one writer, or readers alone, or is used by one thread. */
struct line {
    struct strided one; /* the first, */
    uint16_t count, room;
    uint32_t used, written; /* cells that an access has, or may have had; of line cells: whether any may be in use */
    union {
        struct strided *more; /* [count - 1] */
        struct cell *cells;   /* [LINE_CELLS], with this room: not so simple */
    };
};
#define LINE_ACCESSES 32
#define ROOM_OF_CELLS UINT16_MAX

struct page {
    _Alignas(64) struct line line[LINES];
    uintptr_t number;
};

struct shadow {
    struct page **table; /* hash table with open addressing */
    size_t count, room;
    struct page *cached[1 << SHADOW_BITS];
    struct node *node; /* numbered from 1, and gone when all are; a new one may move them */
    uint32_t nodes, nodes_room, free_node;
    uint32_t valid;      /* lists of earlier numbers are gone */
    uint8_t latest[256]; /* [place modulo that]: which of its line's accesses the last one of this place was part of */
};
struct shadow *shadow_create(void);

struct page *shadow_find_page(struct shadow *s, uintptr_t number);
static inline struct line *shadow_line_of(struct shadow *s, uintptr_t address)
{
    uintptr_t number = address >> PAGE_SHIFT;
    struct page *page = s->cached[trace_slot_of(number, SHADOW_BITS)];

    if (!page || page->number != number)
        page = shadow_find_page(s, number);
    return &page->line[address / LINE_BYTES % LINES];
}

/* NULL: its accesses are simple. */
static inline struct cell *shadow_cells(const struct line *l) { return l->room == ROOM_OF_CELLS ? l->cells : NULL; }
/* Whether this access is one with the only one of the line, or with that of the last lane, and nobody else's writes or reads
 * are to be compared with it. */
static inline bool shadow_continues(const struct shadow *s, struct line *l, struct stamp stamp, uint32_t mask)
{
    unsigned i = s->latest[STAMP_PLACE(stamp.what) % sizeof s->latest];
    bool write = STAMP_WRITE(stamp.what);

    if (i >= l->count || (l->count > 1 && (mask & (write ? l->used : l->written))))
        return false;
    struct strided *a = i > 0 ? &l->more[i - 1] : &l->one;
    if (a->stamp.segment != stamp.segment || a->stamp.what != stamp.what)
        return false;
    a->mask |= mask;
    l->used |= mask;
    l->written |= write ? mask : 0;
    return true;
}
/* Whether the line can note it beside those since segment `first`. */
bool shadow_adds(struct shadow *s, struct line *l, struct stamp stamp, uint32_t mask, uint32_t first);
void shadow_unfold(struct shadow *s, struct line *l);
/* The cell of an address; created on first use. */
static inline struct cell *shadow_cell(struct shadow *s, uintptr_t address)
{
    struct line *l = shadow_line_of(s, address);

    if (!shadow_cells(l))
        shadow_unfold(s, l);
    l->used = 1;
    return &l->cells[address / CELL_BYTES % LINE_CELLS];
}

/* How many bytes from this address on are one line, also after this access, which has one word per lane; 0: none. */
size_t shadow_range(struct shadow *s, uintptr_t address, size_t bytes, struct stamp stamp, uint32_t first);
/* Who has accessed the cell of an address; it creates nothing. */
struct peeked {
    unsigned count;
    struct stamp stamp[LINE_ACCESSES];
    uint32_t more; /* first node */
};
/* False: nobody has accessed its page. */
bool shadow_peek(struct shadow *s, uintptr_t address, struct peeked *p);
/* Adds an access to the cell's list, to the node of its segment and place if there is one. */
void shadow_note(struct shadow *s, struct cell *cell, uint32_t segment, uint32_t what);
/* Forgets what happened to these bytes: a new block's shared memory. */
void shadow_clear(struct shadow *s, uintptr_t start, size_t bytes);
/* The same of all pages that have some of these bytes. */
void shadow_forget(struct shadow *s, uintptr_t start, size_t bytes);
void shadow_drop_node(struct shadow *s, uint32_t number);
uint32_t shadow_nodes(const struct shadow *s);
void shadow_drop_nodes(struct shadow *s);

#endif
