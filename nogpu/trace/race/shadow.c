/* Pages of lines of cells in a hash table, and a pool of nodes.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "../trace_internal.h"
#include "shadow.h"

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

struct page *shadow_find_page(struct shadow *s, uintptr_t number)
{
    if (2 * (s->count + 1) > s->room)
        grow(s);
    size_t slot = slot_of(s, number);
    if (!s->table[slot]) {
        s->table[slot] = trace_check_alloc(calloc(1, sizeof **s->table));
        s->table[slot]->number = number;
        s->count++;
    }
    return s->cached[number % SHADOW_CACHED] = s->table[slot];
}

/* Cell i of a line that is one access. */
static struct cell cell_of(const struct line *l, unsigned i)
{
    uint32_t what = l->stamp.what;
    struct cell cell = {0};

    if (!(l->mask >> i & 1))
        return cell;
    unsigned lane = (STAMP_LANE(what) + i / STAMP_BYTES(what)) & 63;
    *(STAMP_WRITE(what) ? &cell.write : &cell.read) =
        (struct stamp){l->stamp.segment, STAMP(STAMP_PLACE(what), lane, 15, STAMP_WRITE(what), KIND_PLAIN)};
    return cell;
}

void shadow_unfold(struct line *l)
{
    l->cell = trace_check_alloc(malloc(LINE_CELLS * sizeof *l->cell));
    for (unsigned i = 0; i < LINE_CELLS; i++)
        l->cell[i] = cell_of(l, i);
}

size_t shadow_range(struct shadow *s, uintptr_t address, size_t bytes, struct stamp stamp, uint32_t first)
{
    struct line *l = shadow_line_of(s, address);
    unsigned cell = (unsigned)(address % LINE_BYTES) / CELL_BYTES;
    size_t cells = bytes / CELL_BYTES;

    if (l->cell || cells == 0 || address % CELL_BYTES)
        return 0;
    if (cells > LINE_CELLS - cell)
        cells = LINE_CELLS - cell;
    uint32_t mask = (UINT32_MAX >> (LINE_CELLS - cells)) << cell;
    if (!shadow_continues(l, stamp, mask) && !shadow_begins(l, stamp, mask, first))
        return 0;
    return cells * CELL_BYTES;
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
    for (uintptr_t n = start >> PAGE_SHIFT; n <= (start + bytes - 1) >> PAGE_SHIFT && s->room; n++) {
        struct page *page = s->table[slot_of(s, n)];
        for (size_t i = 0; page && i < LINES; i++) {
            free(page->line[i].cell);
            page->line[i] = (struct line){.cell = NULL};
        }
    }
}

/* ---- nodes ---- */

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
