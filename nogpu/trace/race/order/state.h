/* What the accesses' order is computed from, for order.c and events.c: the runs and their segments, and what each thread of
 * the blocks that run knows of the others.
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_ORDER_STATE_H
#define TRACE_ORDER_STATE_H

#include "../../trace_internal.h"
#include "order.h"
#include "releases.h"

#define ARENA_BYTES ((size_t)16 << 20)

/* What fences hand over. A barrier lets the fence of one thread count for the atomic operation of another, as the fences of
 * PTX do, which have one order. */
struct fenced {
    struct knowledge known;
    struct knowledge released[LEVELS]; /* at the last fence of this scope */
    struct knowledge pending[LEVELS];  /* read atomically, and no fence yet */
};

/* The latest places, the last one first. */
struct hand_overs {
    struct hand_over last[4];
};

/* Of threads that use fences or atomics: since the last barrier. */
struct thread_state {
    struct fenced fenced;
    struct hand_overs hand_overs;
};

#define CLOCKS 16 /* that lanes of a warp share segments of */

/* A lane's clock goes on when it hands over, or meets others: lanes that do the same have the same clocks. */
struct warp_state {
    /* own: a lane's clock; its own one, or what all have reached */
    uint32_t base, latest, own[WARP_MAX];
    struct {
        uint32_t clock, number; /* 0: none */
    } segment[2][2][CLOCKS];    /* by space, of lanes that arrived early, by clock */
    uint64_t early;             /* lanes that have arrived at the next barrier */
    bool lanes_known;
    uint32_t until[WARP_MAX][WARP_MAX]; /* [a][b]: up to which clock lane a knows lane b */
};

/* The block that a worker runs; allocated with its first one. */
struct block_state {
    uint64_t block;
    bool is_running;
    uint32_t epoch;
    struct fenced fenced; /* before the last barrier */
    struct fenced early;  /* what threads that have arrived at the next one bring there */
    struct thread_state thread[THREADS_MAX];
    bool threads_used;
    struct segments shared;       /* for accesses to shared memory, which ends with the block */
    struct hand_overs hand_overs; /* in global memory */
    struct warp_state warp[WARPS_MAX];
    struct block_state *next; /* of another worker */
};
static inline uint32_t clock_of(const struct warp_state *w, unsigned lane)
{
    return w->own[lane] > w->base ? w->own[lane] : w->base;
}

/* Its prefix tells symbols/read.c that it is no __shared__ variable. */
extern __thread struct block_state *trace_order_here;
/* One block runs at any time. */
extern struct block_state *order_blocks;

struct order {
    struct streams *streams;
    const struct trace_launch *launch; /* NULL: a copy */
    struct runs runs;
    uint64_t next_block;
    uint32_t live;         /* segments before it: all earlier runs come before this one and later ones; */
    uint32_t live_host;    /* and the host has waited for them */
    uint32_t passed;       /* segments of this launch before it: a grid barrier is between, */
    uint32_t passed_early; /* also early ones before this; */
    bool grid_early;       /* whether there are any */
    struct arena arena;    /* for these runs */
    size_t arena_limit;    /* of its bytes; then what is in use moves to another one */
    struct releases releases;
    struct segments global;
    unsigned grid_barrier; /* number of the last one */
    bool release_only;     /* it makes nothing visible by itself ... */
    /* ... but this, to whoever has a fence behind it: all that came before it */
    struct knowledge all;
};

/* ---- what each access asks ---- */

static inline const struct segments *segments_of(const struct order *o, enum trace_space space)
{
    return space == TRACE_SHARED ? &trace_order_here->shared : &o->global;
}

/* Segments are numbered, in each space; those below order_first() happened before all that runs now. 0 is none. */
static inline uint32_t order_first(const struct order *o, enum trace_space space)
{
    return segments_of(o, space)->first;
}

static inline const struct segment *order_segment(const struct order *o, enum trace_space space, uint32_t number)
{
    const struct segments *s = segments_of(o, space);
    return &s->segment[number - s->base];
}

bool order_knows(const struct order *o, enum trace_space space, uint32_t segment, unsigned lane,
                 const struct trace_who *who);
/* Whether what lane `lane` did in that segment comes before what `who`, in the current block, does now. */
static inline bool order_known(const struct order *o, enum trace_space space, uint32_t segment, unsigned lane,
                               const struct trace_who *who)
{
    if (segment < order_first(o, space) ||
        (space == TRACE_SHARED && order_segment(o, space, segment)->epoch < trace_order_here->epoch))
        return true;
    return order_knows(o, space, segment, lane, who);
}

uint32_t order_new_segment(struct order *o, enum trace_space space, const struct trace_who *who);
/* The segment of this thread of the current block now, or of a copy. */
static inline uint32_t order_now(struct order *o, enum trace_space space, const struct trace_who *who)
{
    if (o->launch) {
        const struct warp_state *w = &trace_order_here->warp[who->warp];
        uint32_t clock = clock_of(w, who->lane);
        unsigned early = w->early >> who->lane & 1;
        if (w->segment[space][early][clock % CLOCKS].clock == clock)
            return w->segment[space][early][clock % CLOCKS].number;
    }
    return order_new_segment(o, space, who);
}

#endif
