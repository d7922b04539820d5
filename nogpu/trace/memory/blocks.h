/* All memory that the program has allocated for the device, and what it has freed, by address; which bytes have been
 * written.
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_BLOCKS_H
#define TRACE_BLOCKS_H

#include "../trace.h"

/* Where something happened: in the host's code, or by a thread of a kernel. */
struct event_place {
    const struct trace_place *place; /* NULL: unknown */
    const char *kernel;              /* NULL: by the host */
};

struct block {
    uintptr_t start;
    size_t bytes;
    bool host;       /* can access it, too */
    bool registered; /* memory of the host, which no call of HIP allocated */
    bool in_kernel;  /* by malloc() there */
    bool freed;
    bool left_out;        /* of a launch that does not count */
    unsigned char widest; /* store, in bytes */
    uintptr_t code;       /* behind the call that allocated it */
    struct event_place allocated_at, freed_at;
    uint64_t *written; /* a bit for each byte; NULL: none */
};

struct blocks;
struct blocks *blocks_create(void);
struct block *blocks_add(struct blocks *b, uintptr_t start, size_t bytes);
/* The block that holds the address, freed or not; NULL: none. */
struct block *blocks_at(struct blocks *b, uintptr_t address);
/* The block that the address is nearest to, within the pages around it that nobody else has; NULL: none. */
struct block *blocks_near(struct blocks *b, uintptr_t address);
/* The blocks in the order of their addresses; NULL: no more. */
struct block *blocks_number(struct blocks *b, size_t index);

void block_wrote(struct block *block, uintptr_t address, size_t bytes);
bool block_is_written(const struct block *block, uintptr_t address);
/* The first byte of the range, within the block, that is not written (or is); the end of the range: none. */
uintptr_t block_next(const struct block *block, uintptr_t at, uintptr_t end, bool written);

#endif
