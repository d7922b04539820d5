/* Pages of lines of cells in a hash table, and a pool of nodes.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "../trace_internal.h"
#include "shadow.h"

#define PAGE_SHIFT 12
#define LINE_CELLS 32
#define LINE_BYTES ((uintptr_t)LINE_CELLS * CELL_BYTES)
#define LINES      (((size_t)1 << PAGE_SHIFT) / LINE_BYTES)
#define CACHED     1024

/* One access of a warp: cell i by lane (lane of the stamp) + i / (cells of an access), as far as `mask` says. Its bytes
 * are the number of cells. */
struct line {
    struct stamp stamp;
    uint32_t mask;
    struct cell *cell; /* [LINE_CELLS]: not so simple */
};

struct page {
    uintptr_t number;
    struct line line[LINES];
};

struct shadow {
    struct page **table; /* hash table with open addressing */
    size_t count, room;
    struct page *cached[CACHED];
    struct node *node;
    uint32_t nodes, nodes_room, free_node;
};

struct shadow *shadow_create(void)
{
    struct shadow *s = trace_check_alloc(calloc(1, sizeof *s));

    shadow_drop_nodes(s);
    return s;
}

static size_t slot_of(const struct shadow *s, uintptr_t number)
{
    size_t slot = (size_t)(number * 0x9e3779b97f4a7c15ull >> 24) & (s->room - 1);
    while (s->table[slot] && s->table[slot]->number != number)
        slot = (slot + 1) & (s->room - 1);
    return slot;
}

static void grow(struct shadow *s)
{
    struct page **old = s->table;
    size_t old_room = s->room;

    s->room = s->room ? 2 * s->room : 1024;
    s->table = trace_check_alloc(calloc(s->room, sizeof *s->table));
    for (size_t i = 0; i < old_room; i++)
        if (old[i])
            s->table[slot_of(s, old[i]->number)] = old[i];
    free(old);
}

static struct page *page_of(struct shadow *s, uintptr_t number)
{
    struct page **hint = &s->cached[number % CACHED];
    if (*hint && (*hint)->number == number)
        return *hint;
    if (2 * (s->count + 1) > s->room)
        grow(s);
    size_t slot = slot_of(s, number);
    if (!s->table[slot]) {
        s->table[slot] = trace_check_alloc(calloc(1, sizeof **s->table));
        s->table[slot]->number = number;
        s->count++;
    }
    return *hint = s->table[slot];
}

static struct line *line_of(struct shadow *s, uintptr_t address)
{
    return &page_of(s, address >> PAGE_SHIFT)->line[address / LINE_BYTES % LINES];
}

/* Cell i of a line that is one access. */
static struct cell cell_of(const struct line *l, unsigned i)
{
    uint32_t what = l->stamp.what;
    struct cell cell = {0};

    if (!(l->mask >> i & 1))
        return cell;
    unsigned lane = (STAMP_LANE(what) + i / STAMP_BYTES(what)) & 63;
    *(STAMP_WRITE(what) ? &cell.write : &cell.read) = (struct stamp){
        l->stamp.segment, STAMP(STAMP_PLACE(what), lane, 15, STAMP_WRITE(what), KIND_PLAIN)};
    return cell;
}

static void unfold(struct line *l)
{
    l->cell = trace_check_alloc(malloc(LINE_CELLS * sizeof *l->cell));
    for (unsigned i = 0; i < LINE_CELLS; i++)
        l->cell[i] = cell_of(l, i);
}

static bool is_of_line(struct line *l, struct stamp stamp, uint32_t mask, uint32_t first)
{
    if (l->stamp.segment < first) {
        l->stamp = stamp;
        l->mask = mask;
        return true;
    }
    if (l->stamp.segment != stamp.segment || l->stamp.what != stamp.what)
        return false;
    l->mask |= mask;
    return true;
}

size_t shadow_range(struct shadow *s, uintptr_t address, size_t bytes, struct stamp stamp,
                    uint32_t first)
{
    struct line *l = line_of(s, address);
    unsigned cell = (unsigned)(address % LINE_BYTES) / CELL_BYTES;
    size_t cells = bytes / CELL_BYTES;

    if (l->cell || cells == 0 || address % CELL_BYTES)
        return 0;
    if (cells > LINE_CELLS - cell)
        cells = LINE_CELLS - cell;
    uint32_t mask = (UINT32_MAX >> (LINE_CELLS - cells)) << cell;
    return is_of_line(l, stamp, mask, first) ? cells * CELL_BYTES : 0;
}

bool shadow_line(struct shadow *s, uintptr_t address, unsigned size, struct stamp stamp,
                 uint32_t first)
{
    struct line *l = line_of(s, address);
    unsigned cell = (unsigned)(address % LINE_BYTES) / CELL_BYTES, wide = size / CELL_BYTES;

    if (l->cell || wide == 0 || wide > 4 || size % CELL_BYTES || address % size)
        return false;
    uint32_t what = STAMP(STAMP_PLACE(stamp.what), (STAMP_LANE(stamp.what) - cell / wide) & 63,
                          wide, STAMP_WRITE(stamp.what), KIND_PLAIN);
    uint32_t mask = (UINT32_MAX >> (LINE_CELLS - wide)) << cell;
    return is_of_line(l, (struct stamp){stamp.segment, what}, mask, first);
}

struct cell *shadow_cell(struct shadow *s, uintptr_t address)
{
    struct line *l = line_of(s, address);

    if (!l->cell)
        unfold(l);
    return &l->cell[address / CELL_BYTES % LINE_CELLS];
}

bool shadow_peek(struct shadow *s, uintptr_t address, struct cell *cell)
{
    uintptr_t number = address >> PAGE_SHIFT;
    const struct page *page = s->room ? s->table[slot_of(s, number)] : NULL;

    if (!page)
        return false;
    const struct line *l = &page->line[address / LINE_BYTES % LINES];
    unsigned i = address / CELL_BYTES % LINE_CELLS;
    *cell = l->cell ? l->cell[i] : cell_of(l, i);
    return true;
}

void shadow_clear(struct shadow *s, uintptr_t start, size_t bytes)
{
    for (uintptr_t at = start / CELL_BYTES * CELL_BYTES, end = start + bytes; at < end;) {
        size_t first = at / CELL_BYTES % LINE_CELLS, cells = LINE_CELLS - first;
        size_t wanted = (end - at + CELL_BYTES - 1) / CELL_BYTES;
        if (cells > wanted)
            cells = wanted;
        memset(shadow_cell(s, at), 0, cells * sizeof(struct cell));
        at += cells * CELL_BYTES;
    }
}

void shadow_forget(struct shadow *s, uintptr_t start, size_t bytes)
{
    for (uintptr_t n = start >> PAGE_SHIFT; n <= (start + bytes - 1) >> PAGE_SHIFT && s->room;
         n++) {
        struct page *page = s->table[slot_of(s, n)];
        for (size_t i = 0; page && i < LINES; i++) {
            free(page->line[i].cell);
            page->line[i] = (struct line){.cell = NULL};
        }
    }
}

/* ---- nodes ---- */

struct node *shadow_nodes_all(struct shadow *s)
{
    return s->node;
}

uint32_t shadow_new_node(struct shadow *s)
{
    uint32_t number = s->free_node;
    if (number) {
        s->free_node = s->node[number].next;
        return number;
    }
    TRACE_ONE_MORE(s->node, s->nodes, s->nodes_room, 4096);
    return s->nodes++;
}

void shadow_drop_node(struct shadow *s, uint32_t number)
{
    s->node[number].next = s->free_node;
    s->free_node = number;
}

uint32_t shadow_nodes(const struct shadow *s)
{
    return s->nodes;
}

void shadow_drop_nodes(struct shadow *s)
{
    s->nodes = 1;
    s->free_node = 0;
}
