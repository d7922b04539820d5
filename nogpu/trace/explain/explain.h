/* What HIP_CPU_TRACE=explain counts, and how it is printed.
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_EXPLAIN_H
#define TRACE_EXPLAIN_H

#include "../trace.h"
#include "machines.h"
#include "warps.h"

#define EXPLAIN_STEPS         12 /* of a loop with a barrier that are listed separately */
#define EXPLAIN_SAMPLES       64 /* addresses are kept of so many instructions of a line */
#define EXPLAIN_STEP_SAMPLES  8  /* and of each of its steps */
#define EXPLAIN_ELEMENT_CHARS 80
#define EXPLAIN_VALUE_CHARS   72

/* What a line did between two barriers, in all blocks. */
struct explain_step {
    unsigned epoch; /* barriers that the block has passed */
    uint64_t instructions, lanes, passes;
};

/* One instruction of the first warp that came to the line, with its addresses. */
struct explain_sample {
    unsigned epoch, warp;
    uint64_t block, lanes;
    unsigned order; /* of all samples of the kernel */
    unsigned cost;  /* passes of shared memory, sectors of global memory */
    /* in bytes, from the beginning of the allocation or of shared memory; of `lanes`. Of a shuffle: the lane that is read */
    uint64_t offset[64];
    char (*value)[EXPLAIN_VALUE_CHARS]; /* [64]: "1.5", of `lanes`; NULL: they are unknown, or have no text */
    char first[EXPLAIN_ELEMENT_CHARS], last[EXPLAIN_ELEMENT_CHARS]; /* "shared[0]", by address */
};

/* What is counted of a line. A counter is a row: where lines are joined it is added up, or the largest is kept, and JSON has
 * it under its name there.
 *   bytes, sectors, lines     of global memory
 *   passes, needed            of shared memory: passes, and how many there would be without conflicts
 *   worst                     passes of one instruction, over those without conflicts
 *   same                      of atomics: lanes that share their address with another lane of the instruction
 *   mergeable, saved, width   instructions that can be merged with neighbours, how many that saves, and bytes of the widest
 *   idle                      of barriers: warps that did nothing since the last one */
// clang-format off
#define EXPLAIN_COUNTERS(row)                   \
    row(instructions, ADDED,   "instructions")  \
    row(lanes,        ADDED,   "lanes")         \
    row(bytes,        ADDED,   "bytes")         \
    row(sectors,      ADDED,   "sectors")       \
    row(lines,        ADDED,   "lines")         \
    row(passes,       ADDED,   "passes")        \
    row(needed,       ADDED,   "passes_needed") \
    row(worst,        LARGEST, "worst")         \
    row(same,         ADDED,   "same_address")  \
    row(mergeable,    ADDED,   "mergeable")     \
    row(saved,        ADDED,   "saved")         \
    row(width,        LARGEST, "widest")        \
    row(idle,         ADDED,   "idle_warps")
// clang-format on
#define EXPLAIN_COUNTER(name, joined, json) uint64_t name;

/* One source line, one kind of access, one array; loads that cost different amounts have a row each. */
struct explain_line {
    const struct trace_place *place;
    unsigned column; /* of a load; those of equal cost are one line in the end */
    enum { LINE_LOAD, LINE_STORE, LINE_ATOMIC, LINE_WARP, LINE_BARRIER } kind;
    enum trace_space space;
    unsigned size;
    uintptr_t array; /* trace_array_of() */
    EXPLAIN_COUNTERS(EXPLAIN_COUNTER)
    struct explain_step step[EXPLAIN_STEPS]; /* the last one includes all later ones */
    unsigned steps;
    struct explain_sample *sample;
    unsigned samples;
};

/* One kernel: the first of its launches with this grid and block is counted. */
struct explain_kernel {
    const char *name;
    const struct machine *machine;
    dim3 grid, block;
    unsigned launches, warp_size, warps;
    uint64_t blocks;
    uint64_t footprint;        /* different sectors of global memory that loads touched */
    struct explain_line *line; /* by place, then kind */
    size_t lines, room;
};

struct explain_totals {
    uint64_t instructions, lanes, barriers, idle, meetings, atomics;
    struct explain_traffic {
        uint64_t requests, lanes, sectors, bytes; /* global memory */
        uint64_t instructions, shared_lanes, passes, conflicts;
    } load, store, atomic;
};

/* Sectors that the loads of the kernel have touched: a hash table with open addressing; 0 is no address. */
struct footprint {
    uintptr_t *seen;
    size_t room, used;
};

/* The state of the tool; passed to it with each event. */
struct explain {
    const char *wanted_machine; /* NULL: the first one with the warp size of the run */
    const char *output;         /* a file; NULL: the standard output */
    bool wants_values;          /* in its samples */
    void (*print)(const struct explain_kernel *k, size_t count);

    struct explain_kernel *kernel;
    size_t kernels;

    /* The launch in progress. */
    struct explain_kernel *now; /* NULL: it is not counted */
    struct footprint footprint;
    unsigned samples; /* kept of all kernels */
};

/* count.c: the events of the trace. */
void explain_launch(struct explain *e, const struct trace_launch *l, const struct machine *m);
void explain_block_begin(void *tool, const struct trace_block *b);
void explain_block_end(void *tool, const struct trace_block *b);
void explain_access(void *tool, const struct trace_access *a);
void explain_atomic(void *tool, const struct trace_atomic *a);
void explain_barrier(void *tool, const struct trace_barrier *b);
void explain_meeting(void *tool, const struct trace_meeting *m);
/* The kernels that showed accesses or barriers, in the order of their first launch. */
struct explain_kernel *explain_kernels(struct explain *e, size_t *count);
struct explain_totals explain_totals_of(const struct explain_kernel *k);

/* copies.c: an access, perhaps as a part of a copy. */
struct copies *copies_create(struct warps *warps);
void copies_take(struct copies *c, const struct trace_access *a);
/* At each event, first of all: the last access has taken place. */
void copies_proceed(struct copies *c);
/* Copies that these threads have begun are complete: they reach a barrier, a warp operation or their end. */
void copies_complete(struct copies *c, unsigned first, unsigned threads);

/* sample.c: keeps an instruction's addresses where there is room. */
void explain_keep(struct explain *e, struct explain_line *l, const struct warp_instruction *i, unsigned warp,
                  unsigned cost);

/* The same of a shuffle: instead of addresses, the lanes that are read. */
void explain_keep_shuffle(struct explain *e, struct explain_line *l, const struct trace_meeting *m);

/* cost.c: passes that shared memory needs for an instruction. *needed: without conflicts. */
unsigned explain_passes(const struct machine *m, const struct warp_instruction *i, unsigned *needed);
/* The aligned pieces of `bytes` bytes of global memory that an instruction touches. */
unsigned explain_pieces(const struct warp_instruction *i, unsigned bytes);

/* footprint.c */
void footprint_clear(struct footprint *f);
/* Sectors of this many bytes that an instruction is the first to touch. */
unsigned footprint_add(struct footprint *f, const struct warp_instruction *i, unsigned bytes);

/* The ways to print it. */
void explain_print(const struct explain_kernel *k, size_t count);
void explain_json(const struct explain_kernel *k, size_t count);
/* A line for each kernel after one of names, which all begin with "explain,". */
void explain_csv(const struct explain_kernel *k, size_t count);

/* For all of them. */
/* Whether a compiler that knows only what the source says may merge the neighbours: nearly all have some. */
static inline bool explain_merges(const struct explain_line *l)
{
    return l->mergeable > 0 && 4 * l->mergeable >= 3 * l->instructions;
}
/* "load", "store", "atomic", "warp", "barrier" */
const char *explain_kind(const struct explain_line *l);
bool explain_same_line(const struct explain_line *a, const struct explain_line *b);
static inline double explain_ratio(uint64_t a, uint64_t b) { return b > 0 ? (double)a / (double)b : 0; }

#endif
