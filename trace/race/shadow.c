/* Pages of cells in a hash table, and a pool of nodes.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "../trace_internal.h"
#include "shadow.h"

#define PAGE_SHIFT 12
#define PAGE_CELLS (((size_t)1 << PAGE_SHIFT) / CELL_BYTES)
#define CACHED     1024

struct page {
    uintptr_t number;
    struct cell cell[PAGE_CELLS];
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

    shadow_launch_begin(s);
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

struct cell *shadow_cell(struct shadow *s, uintptr_t address)
{
    return &page_of(s, address >> PAGE_SHIFT)->cell[address / CELL_BYTES % PAGE_CELLS];
}

void shadow_clear(struct shadow *s, uintptr_t start, size_t bytes)
{
    uintptr_t end = start + bytes;
    while (start < end) {
        size_t first = start / CELL_BYTES % PAGE_CELLS;
        size_t cells = PAGE_CELLS - first, wanted = (end - start + CELL_BYTES - 1) / CELL_BYTES;
        if (cells > wanted)
            cells = wanted;
        memset(&page_of(s, start >> PAGE_SHIFT)->cell[first], 0, cells * sizeof(struct cell));
        start += cells * CELL_BYTES;
    }
}

/* ---- nodes ---- */

struct node *shadow_node(struct shadow *s, uint32_t number)
{
    return &s->node[number];
}

uint32_t shadow_new_node(struct shadow *s)
{
    uint32_t number = s->free_node;
    if (number) {
        s->free_node = s->node[number].next;
        return number;
    }
    if (s->nodes >= s->nodes_room) {
        s->nodes_room = s->nodes_room ? 2 * s->nodes_room : 4096;
        s->node = trace_check_alloc(realloc(s->node, s->nodes_room * sizeof *s->node));
    }
    return s->nodes++;
}

void shadow_drop_node(struct shadow *s, uint32_t number)
{
    s->node[number].next = s->free_node;
    s->free_node = number;
}

void shadow_launch_begin(struct shadow *s)
{
    s->nodes = 1;
    s->free_node = 0;
}
