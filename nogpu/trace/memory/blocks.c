/* See blocks.h.
 * SPDX-License-Identifier: MIT */
#include "blocks.h"

#include <stdlib.h>
#include <string.h>

#include "../trace_internal.h"

/* of an allocation, which nobody else has: runtime/memory/heap.c */
#define AROUND        ((uintptr_t)1 << 20)
#define AROUND_KERNEL ((uintptr_t)64) /* the same: kernel_heap.c */

struct blocks {
    struct block **block; /* by address; they do not overlap */
    size_t count, room;
    struct block *last; /* that was found */
};

struct blocks *blocks_create(void) { return trace_check_alloc(calloc(1, sizeof(struct blocks))); }

/* The first block that ends after the address. */
static size_t find(const struct blocks *b, uintptr_t address)
{
    size_t low = 0, high = b->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (b->block[middle]->start + b->block[middle]->bytes <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* What was there before has been freed. */
struct block *blocks_add(struct blocks *b, uintptr_t start, size_t bytes)
{
    size_t at = find(b, start), end = at;

    while (end < b->count && b->block[end]->start < start + bytes) {
        free(b->block[end]->written);
        free(b->block[end++]);
    }
    b->last = NULL;
    memmove(b->block + at, b->block + end, (b->count - end) * sizeof *b->block);
    b->count -= end - at;
    TRACE_ONE_MORE(b->block, b->count, b->room, 64);
    memmove(b->block + at + 1, b->block + at, (b->count - at) * sizeof *b->block);
    b->count++;
    struct block *block = trace_check_alloc(calloc(1, sizeof *block));
    block->start = start;
    block->bytes = bytes;
    return b->block[at] = block;
}

struct block *blocks_at(struct blocks *b, uintptr_t address)
{
    if (b->last && address - b->last->start < b->last->bytes)
        return b->last;
    size_t at = find(b, address);
    if (at == b->count || address < b->block[at]->start)
        return NULL;
    return b->last = b->block[at];
}

static uintptr_t distance(const struct block *block, uintptr_t address)
{
    return address < block->start                  ? block->start - address
           : address - block->start < block->bytes ? 0
                                                   : address - (block->start + block->bytes) + 1;
}

static bool is_near(const struct block *block, uintptr_t address)
{
    uintptr_t around = block->registered ? 0 : block->in_kernel ? AROUND_KERNEL : AROUND;
    return distance(block, address) <= around;
}

struct block *blocks_near(struct blocks *b, uintptr_t address)
{
    size_t at = find(b, address);
    struct block *after = at < b->count ? b->block[at] : NULL;
    struct block *before = at > 0 ? b->block[at - 1] : NULL, *best = NULL;

    if (after && is_near(after, address))
        best = after;
    if (before && is_near(before, address) && (!best || distance(before, address) < distance(best, address)))
        best = before;
    return best;
}

struct block *blocks_number(struct blocks *b, size_t index) { return index < b->count ? b->block[index] : NULL; }

/* ---- bytes ---- */

void block_wrote(struct block *block, uintptr_t address, size_t bytes)
{
    size_t at = address - block->start, end = at + bytes;

    if (end > block->bytes)
        end = block->bytes;
    if (!block->written)
        block->written = trace_check_alloc(calloc(block->bytes / 64 + 1, sizeof(uint64_t)));
    while (at < end) {
        size_t bit = at % 64, count = 64 - bit < end - at ? 64 - bit : end - at;
        uint64_t mask = count == 64 ? ~(uint64_t)0 : (((uint64_t)1 << count) - 1) << bit;
        block->written[at / 64] |= mask;
        at += count;
    }
}

/* What the host may have written where nobody saw it no longer holds the runtime's pattern. */
bool block_is_written(const struct block *block, uintptr_t address)
{
    static const uint64_t pattern = HIP_CPU_POISON;
    size_t at = address - block->start;

    if (block->written && block->written[at / 64] >> at % 64 & 1)
        return true;
    return block->host && *(const char *)address != ((const char *)&pattern)[address % sizeof pattern];
}

uintptr_t block_next(const struct block *block, uintptr_t at, uintptr_t end, bool written)
{
    uint64_t same = written ? 0 : ~(uint64_t)0; /* words that hold none */

    while (at < end) {
        size_t bit = at - block->start;
        if (!block->host && bit % 64 == 0 && end - at >= 64 && (block->written ? block->written[bit / 64] : 0) == same)
            at += 64;
        else if (block_is_written(block, at) == written)
            return at;
        else
            at++;
    }
    return end;
}
