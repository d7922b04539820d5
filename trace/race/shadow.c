/* Pages of cells in a hash table, and a pool of nodes. */
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

static struct page **table; /* hash table with open addressing */
static size_t count, room;
static struct page *cached[CACHED];

static size_t slot_of(uintptr_t number)
{
    size_t slot = (size_t)(number * 0x9e3779b97f4a7c15ull >> 24) & (room - 1);
    while (table[slot] && table[slot]->number != number)
        slot = (slot + 1) & (room - 1);
    return slot;
}

static void grow(void)
{
    struct page **old = table;
    size_t old_room = room;

    room = room ? 2 * room : 1024;
    table = trace_check_alloc(calloc(room, sizeof *table));
    for (size_t i = 0; i < old_room; i++)
        if (old[i])
            table[slot_of(old[i]->number)] = old[i];
    free(old);
}

static struct page *page_of(uintptr_t number)
{
    struct page **hint = &cached[number % CACHED];
    if (*hint && (*hint)->number == number)
        return *hint;
    if (2 * (count + 1) > room)
        grow();
    size_t slot = slot_of(number);
    if (!table[slot]) {
        table[slot] = trace_check_alloc(calloc(1, sizeof **table));
        table[slot]->number = number;
        count++;
    }
    return *hint = table[slot];
}

struct cell *shadow_cell(uintptr_t address)
{
    return &page_of(address >> PAGE_SHIFT)->cell[address / CELL_BYTES % PAGE_CELLS];
}

void shadow_clear(uintptr_t start, size_t bytes)
{
    uintptr_t end = start + bytes;
    while (start < end) {
        size_t first = start / CELL_BYTES % PAGE_CELLS;
        size_t cells = PAGE_CELLS - first, wanted = (end - start + CELL_BYTES - 1) / CELL_BYTES;
        if (cells > wanted)
            cells = wanted;
        memset(&page_of(start >> PAGE_SHIFT)->cell[first], 0, cells * sizeof(struct cell));
        start += cells * CELL_BYTES;
    }
}

/* ---- nodes ---- */

static struct node *nodes;
static uint32_t nodes_count = 1, nodes_room, free_node;

struct node *shadow_node(uint32_t number)
{
    return &nodes[number];
}

uint32_t shadow_new_node(void)
{
    uint32_t number = free_node;
    if (number) {
        free_node = nodes[number].next;
        return number;
    }
    if (nodes_count >= nodes_room) {
        nodes_room = nodes_room ? 2 * nodes_room : 4096;
        nodes = trace_check_alloc(realloc(nodes, nodes_room * sizeof *nodes));
    }
    return nodes_count++;
}

void shadow_drop_node(uint32_t number)
{
    nodes[number].next = free_node;
    free_node = number;
}

void shadow_launch_begin(void)
{
    nodes_count = 1;
    free_node = 0;
}
