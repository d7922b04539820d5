/* Happens-before: what each thread knows about the others. See order.h for the rules.
 * SPDX-License-Identifier: MIT */
#include "order.h"

#include <stdlib.h>
#include <string.h>

#include "../../trace_internal.h"
#include "knowledge.h"
#include "releases.h"

#define ARENA_BYTES  ((size_t)16 << 20)
#define SEGMENTS_MAX ((size_t)8 << 20) /* of runs that something may still be unordered with */

/* ---- threads, warps, blocks ---- */

/* What fences hand over. A barrier lets the fence of one thread count for the atomic operation of another, as the fences of
 * PTX do, which have one order. */
struct fenced {
    struct knowledge known;
    struct knowledge released[LEVELS]; /* at the last fence of this scope */
    struct knowledge pending[LEVELS];  /* read atomically, and no fence yet */
};

/* Of threads that use fences or atomics: since the last barrier. */
struct thread_state {
    struct fenced fenced;
    struct hand_over hand_over;
};

struct warp_state {
    uint32_t clock, segment[2]; /* by space; 0: none yet */
    bool lanes_known;
    uint32_t until[WARP_MAX][WARP_MAX]; /* [a][b]: up to which clock lane a knows lane b */
};

/* The block that a worker runs; allocated with its first one. */
static __thread struct block_state {
    uint64_t block;
    bool is_running;
    uint32_t epoch;
    struct fenced fenced; /* before the last barrier */
    struct thread_state thread[THREADS_MAX];
    bool threads_used;
    struct segments shared;     /* for accesses to shared memory, which ends with the block */
    struct hand_over hand_over; /* in global memory */
    struct warp_state warp[WARPS_MAX];
    struct block_state *next; /* of another worker */
} * mine;
/* One block runs at any time. */
static struct block_state *blocks;

struct order {
    struct streams *streams;
    const struct trace_launch *launch; /* NULL: a copy */
    struct runs runs;
    uint64_t next_block;
    uint32_t live; /* segments before it: all earlier runs come before this one and later ones; */
    uint32_t live_host; /* and the host has waited for them */
    uint32_t passed;    /* segments of this launch before it: a grid barrier is between */
    struct arena arena; /* for these runs */
    size_t arena_limit; /* of its bytes; then what is in use moves to another one */
    struct releases releases;
    struct segments global;
    unsigned grid_barrier; /* number of the last one */
    bool release_only;     /* it makes nothing visible by itself ... */
    struct knowledge
        all; /* ... but this, to whoever has a fence behind it: all that came before it */
};

static bool has_ended(uint64_t block)
{
    for (const struct block_state *b = blocks; b; b = b->next)
        if (b->is_running && b->block == block)
            return false;
    return true;
}

struct order *order_create(struct streams *streams, bool barriers_release_only)
{
    struct order *o = trace_check_alloc(calloc(1, sizeof *o));

    o->streams = streams;
    o->global.count = o->global.first = 1;
    o->releases.has_ended = has_ended;
    o->release_only = barriers_release_only;
    return o;
}

static const struct segments *segments_of(const struct order *o, enum trace_space space)
{
    return space == TRACE_SHARED ? &mine->shared : &o->global;
}

uint32_t order_first(const struct order *o, enum trace_space space)
{
    return segments_of(o, space)->first;
}

const struct segment *order_segment(const struct order *o, enum trace_space space, uint32_t number)
{
    const struct segments *s = segments_of(o, space);
    return &s->segment[number - s->base];
}

/* ---- launches and copies ---- */

const struct report_task *order_task(const struct order *o, uint32_t number)
{
    return number ? &runs_of(&o->runs, number)->said : &runs_now(&o->runs)->said;
}

bool order_is_here(const struct order *o, enum trace_space space, uint32_t number)
{
    return o->launch && order_segment(o, space, number)->block == mine->block;
}

uint64_t order_block(const struct order *o, enum trace_space space, uint32_t number)
{
    const struct run *run = space == TRACE_GLOBAL ? runs_of(&o->runs, number) : runs_now(&o->runs);
    return order_segment(o, space, number)->block - run->block;
}

uint32_t order_first_host(const struct order *o)
{
    return o->live_host;
}

static bool begin_run(struct order *o, struct report_task said, uint64_t blocks)
{
    uint32_t task = streams_run(o->streams), done = streams_done(o->streams);
    uint32_t done_host = streams_done_host(o->streams);
    bool alone = (done >= task && done_host >= task) || o->global.count > SEGMENTS_MAX;

    if (alone) {
        o->global.base += o->global.count;
        o->global.count = o->runs.count = 0;
    }
    if (alone || done >= task) { /* nothing that kernels have handed over matters any more */
        o->next_block = 0;
        arena_drop(&o->arena);
        releases_drop(&o->releases);
    }
    o->all = (struct knowledge){0, NULL};
    uint32_t next = (uint32_t)(o->global.base + o->global.count);
    said.number = task;
    said.stream = streams_number(o->streams, task);
    o->live = runs_since(&o->runs, done, next);
    o->live_host = runs_since(&o->runs, done < done_host ? done : done_host, next);
    runs_add(&o->runs, (struct run){task, next, o->next_block, said});
    o->next_block += blocks;
    o->passed = next;
    o->global.first = o->live;
    return alone;
}

bool order_launch_begin(struct order *o, const struct trace_launch *l)
{
    struct report_task said = {.kind = TASK_KERNEL,
                               .name = l->kernel,
                               .grid = l->grid,
                               .block = l->block,
                               .warp_size = l->warp_size};

    o->launch = l;
    o->arena_limit = ARENA_BYTES;
    return begin_run(o, said, l->blocks);
}

bool order_copy_begin(struct order *o, const struct report_task *copy)
{
    o->launch = NULL;
    return begin_run(o, *copy, 1);
}

bool order_known_to_host(const struct order *o, uint32_t segment)
{
    return segment < o->live_host || o->runs.count == 0 ||
           streams_before_host(o->streams, runs_of(&o->runs, segment)->task);
}

void order_host_saw(struct order *o, uint32_t segment)
{
    streams_host_saw(o->streams, runs_of(&o->runs, segment)->task);
}

/* ---- segments ---- */

uint32_t order_now(struct order *o, enum trace_space space, unsigned warp)
{
    if (!o->launch) { /* a copy: one segment */
        if (runs_now(&o->runs)->segment == o->global.base + o->global.count)
            segments_add(&o->global, (struct segment){.block = runs_now(&o->runs)->block});
        return runs_now(&o->runs)->segment;
    }
    struct warp_state *w = &mine->warp[warp];
    if (!w->segment[space])
        w->segment[space] =
            segments_add(space == TRACE_SHARED ? &mine->shared : &o->global,
                         (struct segment){mine->block, warp, mine->epoch, w->clock});
    return w->segment[space];
}

/* What the warp does from now on is later. */
static void next_segment(struct warp_state *w)
{
    w->clock++;
    w->segment[TRACE_GLOBAL] = w->segment[TRACE_SHARED] = 0;
}

struct report_hint order_hint(const struct order *o, const struct trace_who *who)
{
    return (struct report_hint){mine->hand_over, mine->thread[who->thread].hand_over,
                                o->all.root != NULL};
}

void order_volatile_read(const struct trace_who *who, const struct trace_place *place)
{
    mine->hand_over = mine->thread[who->thread].hand_over = (struct hand_over){place, true};
    mine->threads_used = true;
}

static void begin_epoch(const struct order *o)
{
    for (unsigned i = 0; i < o->launch->warps; i++) {
        struct warp_state *w = &mine->warp[i];
        next_segment(w);
        w->clock = 1;
        if (w->lanes_known)
            memset(w->until, 0, sizeof w->until);
        w->lanes_known = false;
    }
}

/* ---- memory that is no longer in use ---- */

static void move_fenced(struct fenced *f, struct arena *to)
{
    f->known = knowledge_move(to, f->known);
    for (unsigned level = 0; level < LEVELS; level++) {
        f->released[level] = knowledge_move(to, f->released[level]);
        f->pending[level] = knowledge_move(to, f->pending[level]);
    }
}

static void move_block(struct block_state *b, const struct order *o, struct arena *to)
{
    move_fenced(&b->fenced, to);
    for (unsigned i = 0; b->threads_used && i < o->launch->threads; i++)
        move_fenced(&b->thread[i].fenced, to);
}

/* Where nothing but the blocks' states and the variables refers to the arena. */
static void collect(struct order *o)
{
    struct arena to = {NULL, 0};

    if (o->arena.bytes < o->arena_limit)
        return;
    releases_move(&o->releases, &to);
    o->all = knowledge_move(&to, o->all);
    for (struct block_state *b = blocks; b; b = b->next)
        if (b->is_running)
            move_block(b, o, &to);
    arena_drop(&o->arena);
    o->arena = to;
    o->arena_limit = ARENA_BYTES + 2 * to.bytes;
}

/* ---- events ---- */

void order_block_begin(struct order *o, const struct trace_block *b)
{
    if (!mine) {
        mine = trace_check_alloc(calloc(1, sizeof *mine));
        mine->next = blocks;
        blocks = mine;
    }
    mine->block = runs_now(&o->runs)->block + b->block;
    mine->is_running = true;
    mine->epoch = 0;
    memset(&mine->fenced, 0, sizeof mine->fenced);
    if (mine->threads_used)
        memset(mine->thread, 0, sizeof mine->thread);
    mine->threads_used = false;
    mine->hand_over = (struct hand_over){NULL, false};
    mine->shared.count = mine->shared.first = 1;
    begin_epoch(o);
}

void order_block_end(struct order *o)
{
    mine->is_running = false;
    collect(o);
}

static void join(struct order *o, struct fenced *to, const struct fenced *from)
{
    to->known = knowledge_union(&o->arena, to->known, from->known);
    for (unsigned level = 0; level < LEVELS; level++) {
        to->released[level] =
            knowledge_union(&o->arena, to->released[level], from->released[level]);
        to->pending[level] = knowledge_union(&o->arena, to->pending[level], from->pending[level]);
    }
}

void order_barrier(struct order *o)
{
    for (unsigned i = 0; mine->threads_used && i < o->launch->threads; i++) {
        join(o, &mine->fenced, &mine->thread[i].fenced);
        memset(&mine->thread[i], 0, sizeof mine->thread[i]);
    }
    mine->epoch++;
    begin_epoch(o);
}

static struct thread_state *state_of(unsigned thread)
{
    mine->threads_used = true;
    return &mine->thread[thread];
}

/* What all blocks did before the barrier that they wait at, for others to acquire. */
static struct knowledge before_barrier(struct order *o)
{
    struct knowledge all = {0, NULL};
    const struct known_thread none = {0, 0};

    for (const struct block_state *b = blocks; b; b = b->next)
        if (b->is_running)
            all = knowledge_union(&o->arena, all,
                                  knowledge_of(&o->arena, b->block, b->epoch + 1, &none, 0));
    return all;
}

void order_grid_barrier(struct order *o, unsigned number)
{
    bool first = number != o->grid_barrier; /* of the blocks that go on */

    o->grid_barrier = number;
    if (!o->release_only) {
        if (first)
            o->passed = (uint32_t)(o->global.base + o->global.count);
        if (o->live == runs_now(&o->runs)->segment) /* nothing else may be unordered with it */
            o->global.first = o->passed;
        begin_epoch(o);
        return;
    }
    if (first)
        o->all = before_barrier(o);
    order_barrier(o);
    for (unsigned i = 0; i < o->launch->threads; i++) {
        struct knowledge *read = &state_of(i)->fenced.pending[LEVEL_DEVICE];
        *read = knowledge_union(&o->arena, *read, o->all);
    }
}

void order_meeting(struct order *o, const struct trace_meeting *m)
{
    struct warp_state *w = &mine->warp[m->warp];
    uint32_t joined[WARP_MAX] = {0};

    if (m->op != HIP_CPU_SYNCWARP)
        return;
    for (uint64_t rest = m->lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        for (unsigned k = 0; k < WARP_MAX; k++)
            joined[k] = w->until[lane][k] > joined[k] ? w->until[lane][k] : joined[k];
    }
    for (uint64_t rest = m->lanes; rest; rest &= rest - 1)
        joined[__builtin_ctzll(rest)] = w->clock;
    for (uint64_t rest = m->lanes; rest; rest &= rest - 1)
        memcpy(w->until[__builtin_ctzll(rest)], joined, sizeof joined);
    w->lanes_known = true;

    struct thread_state *first = &mine->thread[(size_t)m->warp * o->launch->warp_size];
    struct fenced all = {.known = {0, NULL}};
    for (uint64_t rest = mine->threads_used ? m->lanes : 0; rest; rest &= rest - 1)
        join(o, &all, &first[__builtin_ctzll(rest)].fenced);
    for (uint64_t rest = mine->threads_used ? m->lanes : 0; rest; rest &= rest - 1)
        first[__builtin_ctzll(rest)].fenced = all;
    next_segment(w);
}

/* What the thread knows now, for others to acquire. */
static struct knowledge snapshot(struct order *o, const struct trace_who *who)
{
    struct warp_state *w = &mine->warp[who->warp];
    unsigned first = who->warp * o->launch->warp_size, count = 0;
    struct known_thread seen[WARP_MAX];

    for (unsigned lane = 0; lane < o->launch->warp_size; lane++) {
        uint32_t clock = lane == who->lane ? w->clock : w->until[who->lane][lane];
        if (clock > 0)
            seen[count++] = (struct known_thread){first + lane, clock};
    }
    struct knowledge own = knowledge_of(&o->arena, mine->block, mine->epoch, seen, count);
    own = knowledge_union(&o->arena, mine->fenced.known, own);
    next_segment(w); /* later accesses of the thread are not part of it */
    return knowledge_union(&o->arena, state_of(who->thread)->fenced.known, own);
}

static bool has_acquire(int order)
{
    return order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME || order == __ATOMIC_ACQ_REL ||
           order == __ATOMIC_SEQ_CST;
}

static bool has_release(int order)
{
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

static void acquire(struct order *o, struct fenced *t, const struct knowledge read[LEVELS],
                    enum trace_scope scope)
{
    for (int level = 0; level <= level_of(scope); level++)
        t->known = knowledge_union(&o->arena, t->known, read[level]);
}

void order_fence(struct order *o, const struct trace_fence *f)
{
    collect(o);
    struct fenced *t = &state_of(f->who.thread)->fenced;

    if (has_acquire(f->order)) {
        acquire(o, t, mine->fenced.pending, f->scope);
        acquire(o, t, t->pending, f->scope);
    }
    if (!has_release(f->order))
        return;
    struct knowledge now = snapshot(o, &f->who);
    for (int level = 0; level <= level_of(f->scope); level++)
        t->released[level] = now;
}

void order_atomic(struct order *o, const struct trace_atomic *of_launch)
{
    struct trace_atomic of_run = *of_launch, *a = &of_run;

    a->who.block = mine->block;
    collect(o);
    struct thread_state *thread = state_of(a->who.thread);
    struct fenced *t = &thread->fenced;
    struct knowledge read[LEVELS] = {{0, NULL}}, known[LEVELS] = {{0, NULL}};

    if (a->reads) {
        thread->hand_over = (struct hand_over){a->place, false};
        if (a->space == TRACE_GLOBAL)
            mine->hand_over = thread->hand_over;
        releases_read(&o->releases, &o->arena, a, read);
        if (has_acquire(a->order))
            acquire(o, t, read, a->scope);
        for (unsigned level = 0; level < LEVELS; level++)
            t->pending[level] = knowledge_union(&o->arena, t->pending[level], read[level]);
    }
    if (!a->writes)
        return;
    struct knowledge now = {0, NULL};
    if (has_release(a->order))
        now = snapshot(o, &a->who);
    for (int level = 0; level <= level_of(a->scope); level++)
        known[level] =
            now.root ? now
                     : knowledge_union(&o->arena, mine->fenced.released[level], t->released[level]);
    releases_write(&o->releases, &o->arena, a, known);
}

bool order_known(const struct order *o, enum trace_space space, uint32_t number, unsigned lane,
                 const struct trace_who *who)
{
    if (number < order_first(o, space))
        return true;
    if (space == TRACE_GLOBAL) {
        if (number < runs_now(&o->runs)->segment
                ? streams_before(o->streams, runs_of(&o->runs, number)->task)
                : number < o->passed)
            return true;
        if (!o->launch) /* a copy knows of no hand-over by kernels, and has one segment */
            return number >= runs_now(&o->runs)->segment;
    }
    const struct segment *s = order_segment(o, space, number);
    if (s->block == mine->block) {
        if (s->epoch < mine->epoch)
            return true;
        if (s->warp == who->warp &&
            (lane == who->lane || s->clock <= mine->warp[who->warp].until[who->lane][lane]))
            return true;
    }
    unsigned thread = s->warp * o->launch->warp_size + lane;
    return knowledge_has(mine->fenced.known, s->block, s->epoch, s->clock, thread) ||
           (mine->threads_used && knowledge_has(mine->thread[who->thread].fenced.known, s->block,
                                                s->epoch, s->clock, thread));
}
