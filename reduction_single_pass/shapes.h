/* Launch shapes of single_pass, one row for each class of architecture. Units: a vector is 16 bytes, and a
 * thread has LOADS = 8 of them in flight.
 *
 * Little's law says what a compute unit must have in flight: bandwidth x latency / units. With 8 x 16
 * bytes per thread, 256 threads are 32 KiB and one block of 512 is 64 KiB.
 * SPDX-License-Identifier: MIT */
#ifndef SINGLE_PASS_SHAPES_H
#define SINGLE_PASS_SHAPES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct shape {
    const char *arch;   /* how the architecture's name begins; the first row that matches counts */
    unsigned one_block; /* vectors up to which one block does everything */
    unsigned few;       /* blocks while there is little to do: few partials are quick to collect */
    unsigned block;     /* threads of a full block */
    unsigned per_unit;  /* full blocks per compute unit when there is much to do */
    /* rounds up to which the blocks read side by side; above, each reads its own run */
    unsigned interleave;
};

static const struct shape shapes[] = {
    /* Measured on an H200 (132 SMs, 4.8 TB/s), 20-21 November 2026, results/h200/performance.md: one block is
     * fastest up to 128 KiB, 64 blocks up to 4 MiB, and 2 x 132 x 512 threads from there on. */
    {"sm_9", 8192, 64, 512, 2, 16},
    /* Not measured. 148 SMs and 8 TB/s need about 40 KiB in flight per SM: the row of sm_90 has that. */
    {"sm_1", 8192, 64, 512, 2, 16},
    /* Not measured. 108 SMs and 2 TB/s need about 14 KiB per SM; the row of sm_90 has more than
     * enough. */
    {"sm_8", 8192, 64, 512, 2, 16},
    /* Not measured. MI300X: 304 CUs and 5.3 TB/s need about 17 KiB in flight per CU. The CUs are many
     * and small, and partials cross from one XCD to another: use many blocks a little earlier. */
    {"gfx94", 4096, 64, 512, 2, 16},
    {"gfx95", 4096, 64, 512, 2, 16},
    /* Not measured. MI200: 104 CUs per die and 1.6 TB/s need about 12 KiB in flight per CU. */
    {"gfx90", 4096, 64, 512, 2, 16},
    /* Not measured. RDNA: up to 48 units of two CUs and 1 TB/s, wave32. */
    {"gfx1", 4096, 64, 512, 2, 16},
    /* The CPU: a block for each worker; threads of a block are not parallel. */
    {"cpu", 8192, 8, 256, 1, 1},
    /* Anything else. */
    {"", 8192, 64, 512, 2, 16},
};

static inline const struct shape *shape_for(const char *arch)
{
    const struct shape *shape = shapes;
    while (strncmp(arch, shape->arch, strlen(shape->arch)) != 0)
        shape++;
    return shape;
}

static inline unsigned round_up(size_t count, unsigned to, unsigned least, unsigned most)
{
    size_t rounded = (count / to + (count % to != 0)) * to;
    return rounded < least ? least : rounded > most ? most : (unsigned)rounded;
}

/* How many blocks of how many threads share the work of `threads` threads, where one block is not enough. */
static inline void shape_blocks(const struct shape *shape, unsigned compute_units, size_t threads,
                                unsigned *grid, unsigned *block)
{
    *grid = threads / shape->few < 64 ? shape->few / 2 : shape->few;
    *block = round_up((threads + *grid - 1) / *grid, 64, 64, shape->block);
    if ((size_t)*grid * *block < threads)
        *grid = round_up((threads + *block - 1) / *block, 1, 1, compute_units + 1);
    if (*grid > compute_units) /* the same number of blocks for every unit */
        *grid = compute_units * shape->per_unit;
}

/* How the blocks walk over the vectors: each takes `rounds` tiles. The tiles of a round lie side by side,
 * or, if not interleaved, a block's own tiles do. */
struct walk {
    size_t block_stride, round_stride; /* in vectors, from block to block and from round to round */
    unsigned rounds;
    unsigned tile; /* vectors, at most `most` */
};

/* Even shares of the vectors for all blocks; a block reads `most` at once. */
static inline struct walk walk_over(size_t vectors, unsigned grid, unsigned most,
                                    unsigned interleave)
{
    size_t all = (size_t)grid * most, rounds = vectors / all + (vectors % all != 0);
    size_t tiles = grid * (rounds > 0 ? rounds : 1);
    size_t tile = round_up((vectors + tiles - 1) / tiles, 8, 8, most); /* lines of 128 bytes */
    bool interleaved = rounds <= interleave;
    struct walk walk = {interleaved ? tile : tile * rounds, interleaved ? tile * grid : tile,
                        (unsigned)rounds, (unsigned)tile};
    return walk;
}

#endif
