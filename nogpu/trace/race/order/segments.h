/* Segments, and the runs of launches and copies that those of global memory are of.
 *
 * A segment is what lanes of a warp do between two synchronization points of each; an access is identified by its segment
 * and lane.
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_SEGMENTS_H
#define TRACE_SEGMENTS_H

#include "../report/report.h"

struct segment {
    uint64_t block : 55, warp : 8;
    uint64_t early : 1; /* by lanes that had arrived at the barrier before the epoch, and not waited for it */
    uint32_t epoch;     /* barriers of the block before it, and that one */
    uint32_t clock;     /* of its lanes */
};

/* Numbered one after the other, from `base` on; 0 is none. */
struct segments {
    struct segment *segment;
    size_t count, room;
    size_t base;    /* number of segment[0] */
    uint32_t first; /* segments before it happened before all that runs now */
};
/* Returns its number. */
uint32_t segments_add(struct segments *s, struct segment added);

/* A launch or a copy. */
struct run {
    uint32_t task;    /* its number in streams.h */
    uint32_t segment; /* its first one */
    uint64_t block;   /* its first one, for it has numbers of its own */
    struct report_task said;
};

/* Those that something may still be unordered with; the current one is the last. */
struct runs {
    struct run *run;
    size_t count, room;
};
void runs_add(struct runs *r, struct run added);
const struct run *runs_now(const struct runs *r);
/* The run that a segment is of. */
const struct run *runs_of(const struct runs *r, uint32_t segment);
/* The first segment of the runs that are not before this task. */
uint32_t runs_since(const struct runs *r, uint32_t task, uint32_t otherwise);

#endif
