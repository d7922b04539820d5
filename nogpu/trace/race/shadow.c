/* Pages of lines of cells in a hash table, and a pool of nodes.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "../trace_internal.h"
#include "shadow.h"

struct shadow *shadow_create(void)
{
    struct shadow *s = trace_check_alloc(calloc(1, sizeof *s));

    s->valid = 1;
    shadow_drop_nodes(s);
    return s;
}

#define NODES_MAX 32 /* per cell; beyond that, some reads or atomics are dropped */

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
        s->table[slot] = trace_check_alloc(aligned_alloc(_Alignof(struct page), sizeof **s->table));
        memset(s->table[slot], 0, sizeof **s->table);
        s->table[slot]->number = number;
        s->count++;
    }
    return s->cached[trace_slot_of(number, SHADOW_BITS)] = s->table[slot];
}

static struct strided *access_of(struct line *l, unsigned i) { return i ? &l->more[i - 1] : &l->one; }

static struct strided *one_more(struct line *l)
{
    unsigned more = l->count++;

    if (more > 0)
        TRACE_ONE_MORE(l->more, more - 1, l->room, 4);
    return access_of(l, more);
}

bool shadow_adds(struct shadow *s, struct line *l, struct stamp stamp, uint32_t mask, uint32_t first)
{
    struct strided *own = NULL, *spare = NULL;
    bool write = STAMP_WRITE(stamp.what), is_noted = false;
    uint32_t used = 0, written = 0;
    uint8_t *latest = &s->latest[STAMP_PLACE(stamp.what) % sizeof s->latest];

    for (unsigned i = 0; i < l->count; i++) {
        struct strided *a = access_of(l, i);
        bool is_write = STAMP_WRITE(a->stamp.what);
        if (a->stamp.segment < first) {
            spare = a;
            continue;
        }
        used |= a->mask;
        written |= is_write ? a->mask : 0;
        if (a->stamp.segment == stamp.segment && a->stamp.what == stamp.what) {
            own = a;
            *latest = (uint8_t)i;
            continue;
        }
        if ((a->mask & mask) == 0)
            continue;
        bool is_same = a->stamp.segment == stamp.segment && ((a->stamp.what ^ stamp.what) & (63 << 6 | 15 << 2)) == 0;
        if ((write || is_write) && !is_same)
            return false;
        if (write) /* a thread's last access counts, as in a cell */
            a->mask &= ~mask;
        is_noted = is_noted || (!write && !is_write && is_same && (a->mask & mask) == mask);
    }
    if (own) {
        own->mask |= mask;
    } else if (!is_noted) {
        if (!spare && l->count == LINE_ACCESSES)
            return false;
        own = spare ? spare : one_more(l);
        *own = (struct strided){stamp, mask};
        *latest = own == &l->one ? 0 : (uint8_t)(own - l->more + 1);
    }
    l->used = used | mask;
    l->written = written | (write ? mask : 0);
    return true;
}

/* Who has accessed cell i of a line. */
static struct stamp stamp_of(const struct strided *a, unsigned i)
{
    uint32_t what = a->stamp.what;
    unsigned lane = (STAMP_LANE(what) + i / STAMP_BYTES(what)) & 63;

    return (struct stamp){a->stamp.segment, STAMP(STAMP_PLACE(what), lane, 15, STAMP_WRITE(what), KIND_PLAIN)};
}

void shadow_unfold(struct shadow *s, struct line *l)
{
    struct cell *cells = trace_check_alloc(calloc(LINE_CELLS, sizeof *cells));

    for (unsigned k = 0; k < l->count; k++) {
        for (uint32_t rest = access_of(l, k)->mask; rest; rest &= rest - 1) {
            unsigned i = (unsigned)__builtin_ctz(rest);
            struct stamp stamp = stamp_of(access_of(l, k), i);
            struct stamp *alone = STAMP_WRITE(stamp.what) ? &cells[i].write : &cells[i].read;
            if (alone->segment)
                shadow_note(s, &cells[i], stamp.segment, stamp.what);
            else
                *alone = stamp;
        }
    }
    free(l->more);
    l->cells = cells;
    l->count = 0;
    l->room = ROOM_OF_CELLS;
}

size_t shadow_range(struct shadow *s, uintptr_t address, size_t bytes, struct stamp stamp, uint32_t first)
{
    struct line *l = shadow_line_of(s, address);
    unsigned cell = (unsigned)(address % LINE_BYTES) / CELL_BYTES;
    size_t cells = bytes / CELL_BYTES;

    if (shadow_cells(l) || cells == 0 || address % CELL_BYTES)
        return 0;
    if (cells > LINE_CELLS - cell)
        cells = LINE_CELLS - cell;
    uint32_t mask = (UINT32_MAX >> (LINE_CELLS - cells)) << cell;
    if (!shadow_continues(s, l, stamp, mask) && !shadow_adds(s, l, stamp, mask, first))
        return 0;
    return cells * CELL_BYTES;
}

bool shadow_peek(struct shadow *s, uintptr_t address, struct peeked *p)
{
    uintptr_t number = address >> PAGE_SHIFT;
    struct page *page = s->room ? s->table[slot_of(s, number)] : NULL;

    if (!page)
        return false;
    struct line *l = &page->line[address / LINE_BYTES % LINES];
    unsigned i = address / CELL_BYTES % LINE_CELLS;
    p->count = p->more = 0;
    for (unsigned k = 0; k < l->count; k++)
        if (access_of(l, k)->mask >> i & 1)
            p->stamp[p->count++] = stamp_of(access_of(l, k), i);
    const struct cell *cell = shadow_cells(l) ? &l->cells[i] : NULL;
    if (cell) {
        p->stamp[p->count++] = cell->write;
        p->stamp[p->count++] = cell->read;
        p->more = cell->valid == s->valid ? cell->more : 0;
    }
    return true;
}

void shadow_clear(struct shadow *s, uintptr_t start, size_t bytes)
{
    for (uintptr_t at = start / CELL_BYTES * CELL_BYTES, end = start + bytes; at < end;) {
        size_t first = at / CELL_BYTES % LINE_CELLS, cells = LINE_CELLS - first;
        size_t wanted = (end - at + CELL_BYTES - 1) / CELL_BYTES;
        if (cells > wanted)
            cells = wanted;
        struct line *l = shadow_line_of(s, at);
        if (l->used)
            memset(shadow_cell(s, at), 0, cells * sizeof(struct cell));
        if (cells == LINE_CELLS)
            l->used = 0;
        at += cells * CELL_BYTES;
    }
}

void shadow_forget(struct shadow *s, uintptr_t start, size_t bytes)
{
    for (uintptr_t n = start >> PAGE_SHIFT; n <= (start + bytes - 1) >> PAGE_SHIFT && s->room; n++) {
        struct page *page = s->table[slot_of(s, n)];
        for (size_t i = 0; page && i < LINES; i++) {
            free(page->line[i].more); /* or its cells */
            page->line[i] = (struct line){.count = 0};
        }
    }
}

/* ---- nodes ---- */

static uint32_t new_node(struct shadow *s)
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

void shadow_note(struct shadow *s, struct cell *cell, uint32_t segment, uint32_t what)
{
    uint32_t kind = what & ~(uint32_t)(63 << 6), *link = NULL;
    struct node *all = s->node;
    unsigned count = 0;

    if (cell->valid != s->valid) {
        cell->valid = s->valid;
        cell->more = 0;
        cell->changes = 0;
    }
    cell->changes |= (what & 2) != 0 || STAMP_KIND(what) != KIND_PLAIN;
    for (uint32_t i = cell->more; i; i = all[i].next) {
        struct node *node = &all[i];
        if (node->stamp.segment == segment && (node->stamp.what & ~(uint32_t)(63 << 6)) == kind) {
            node->lanes |= (uint64_t)1 << STAMP_LANE(what);
            return;
        }
        if (++count == NODES_MAX - 8)
            link = &node->next;
    }
    if (count >= NODES_MAX) { /* forget what came after the latest ones */
        for (uint32_t i = *link; i;) {
            uint32_t next = all[i].next;
            shadow_drop_node(s, i);
            i = next;
        }
        *link = 0;
    }
    uint32_t number = new_node(s);
    struct node *node = &s->node[number];
    node->stamp = (struct stamp){segment, what};
    node->lanes = (uint64_t)1 << STAMP_LANE(what);
    node->next = cell->more;
    cell->more = number;
}

uint32_t shadow_nodes(const struct shadow *s) { return s->nodes; }

void shadow_drop_nodes(struct shadow *s)
{
    s->nodes = 1;
    s->free_node = 0;
}
