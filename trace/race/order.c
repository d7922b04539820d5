/* Happens-before: what each thread knows about the others. See order.h for the rules.
 * SPDX-License-Identifier: MIT */
#include "order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../trace_internal.h"
#include "knowledge.h"

/* ---- releases and the atomic variables that carry them ---- */

/* What a thread knew at a fence. */
struct release {
    uint64_t block;
    enum trace_scope scope;
    const struct known_block *own;
    struct knowledge others;
    /* It includes the first `prefix` releases of this log. */
    const struct log *log;
    size_t prefix;
};

/* The releases that a reader of an atomic variable acquires: one for each write since the last plain atomic
 * store. */
struct log {
    size_t count, room;
    const struct release **release;
};

/* An atomic variable. */
struct variable {
    uintptr_t address;
    struct log *log; /* NULL: no variable */
};

/* A hash table by address. */
struct variables {
    size_t count, room;
    struct variable *slot;
};

static struct variable *slot_of(const struct variables *v, uintptr_t address)
{
    size_t at = (size_t)(address * 0x9e3779b97f4a7c15ull >> 20) & (v->room - 1);
    while (v->slot[at].log && v->slot[at].address != address)
        at = (at + 1) & (v->room - 1);
    return &v->slot[at];
}

static struct variable *variable_at(struct arena *arena, struct variables *v, uintptr_t address)
{
    if (2 * (v->count + 1) > v->room) {
        struct variables larger = {v->count, v->room ? 2 * v->room : 64, NULL};
        larger.slot = arena_take_zeroed(arena, larger.room * sizeof *larger.slot);
        for (size_t i = 0; i < v->room; i++)
            if (v->slot[i].log)
                *slot_of(&larger, v->slot[i].address) = v->slot[i];
        *v = larger;
    }
    struct variable *found = slot_of(v, address);
    if (!found->log) {
        found->address = address;
        found->log = arena_take_zeroed(arena, sizeof *found->log);
        v->count++;
    }
    return found;
}

/* ---- threads, warps, blocks ---- */

#define PENDING_MAX 16

/* Allocated for threads that use fences or atomics. */
struct thread_state {
    struct knowledge known;            /* since the last barrier */
    const struct release *released[2]; /* at the last fence: for the block, for the device */
    struct {
        const struct log *log;
        size_t length;
    } pending[PENDING_MAX]; /* read, and no fence yet */
    unsigned pending_count;
    const struct log *log; /* the last one merged, and how much of it */
    size_t prefix;
};

struct warp_state {
    uint32_t clock, segment;
    bool lanes_known;
    uint32_t until[WARP_MAX][WARP_MAX]; /* [a][b]: up to which clock lane a knows lane b */
};

/* The block that a worker runs; allocated with its first one. */
static __thread struct block_state {
    uint64_t block;
    uint32_t epoch;
    struct knowledge known;
    struct thread_state *thread[THREADS_MAX];
    bool threads_used;
    const struct trace_place *hand_over;
    bool hand_over_volatile;
    struct warp_state warp[WARPS_MAX];
} * mine;

struct order {
    const struct trace_launch *launch;
    struct arena arena; /* for this launch */
    struct variables variables;
    struct segment *segment;
    size_t count, room;
    size_t base;           /* number of segment[0] */
    uint32_t first;        /* segments before it happened before all that runs now */
    unsigned grid_barrier; /* number of the last one */
};

struct order *order_create(void)
{
    struct order *o = trace_check_alloc(calloc(1, sizeof *o));

    o->count = o->first = 1;
    return o;
}

static uint32_t new_segment(struct order *o, unsigned warp)
{
    if (o->count == o->room) {
        o->room = o->room ? 2 * o->room : 4096;
        o->segment = trace_check_alloc(realloc(o->segment, o->room * sizeof *o->segment));
    }
    if (o->base + o->count >= UINT32_MAX)
        hip_cpu_fatal("hip: the trace counts up to 2^32 segments: use a smaller size\n");
    o->segment[o->count] = (struct segment){mine->block, mine->epoch, mine->warp[warp].clock, warp};
    return mine->warp[warp].segment = (uint32_t)(o->base + o->count++);
}

uint32_t order_first(const struct order *o)
{
    return o->first;
}

const struct segment *order_segment(const struct order *o, uint32_t number)
{
    return &o->segment[number - o->base];
}

uint32_t order_now(unsigned warp)
{
    return mine->warp[warp].segment;
}

const struct trace_place *order_hand_over(bool *is_volatile)
{
    *is_volatile = mine->hand_over_volatile;
    return mine->hand_over;
}

void order_volatile_read(const struct trace_place *place)
{
    mine->hand_over = place;
    mine->hand_over_volatile = true;
}

static void begin_epoch(struct order *o)
{
    for (unsigned i = 0; i < o->launch->warps; i++) {
        struct warp_state *w = &mine->warp[i];
        w->clock = 1;
        if (w->lanes_known)
            memset(w->until, 0, sizeof w->until);
        w->lanes_known = false;
        new_segment(o, i);
    }
}

void order_launch_begin(struct order *o, const struct trace_launch *l)
{
    o->launch = l;
    o->base += o->count;
    o->count = 0;
    o->first = (uint32_t)o->base;
}

void order_launch_end(struct order *o)
{
    arena_drop(&o->arena);
    memset(&o->variables, 0, sizeof o->variables);
}

void order_block_begin(struct order *o, const struct trace_block *b)
{
    if (!mine)
        mine = trace_check_alloc(calloc(1, sizeof *mine));
    mine->block = b->block;
    mine->epoch = 0;
    memset(&mine->known, 0, sizeof mine->known);
    memset(mine->thread, 0, sizeof mine->thread);
    mine->threads_used = false;
    mine->hand_over = NULL;
    begin_epoch(o);
}

void order_barrier(struct order *o)
{
    if (mine->threads_used) {
        for (unsigned i = 0; i < o->launch->threads; i++) {
            if (!mine->thread[i])
                continue;
            knowledge_add_all(&o->arena, &mine->known, &mine->thread[i]->known);
            memset(&mine->thread[i]->known, 0, sizeof mine->thread[i]->known);
        }
    }
    mine->epoch++;
    begin_epoch(o);
}

void order_grid_barrier(struct order *o, unsigned number)
{
    if (number != o->grid_barrier)
        o->first = (uint32_t)(o->base + o->count);
    o->grid_barrier = number;
    begin_epoch(o);
}

static struct thread_state *state_of(struct order *o, unsigned thread)
{
    mine->threads_used = true;
    if (!mine->thread[thread])
        mine->thread[thread] = arena_take_zeroed(&o->arena, sizeof *mine->thread[thread]);
    return mine->thread[thread];
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

    if (mine->threads_used) {
        struct knowledge all = {0};
        unsigned first = m->warp * o->launch->warp_size;
        for (uint64_t rest = m->lanes; rest; rest &= rest - 1) {
            struct thread_state *t = mine->thread[first + (unsigned)__builtin_ctzll(rest)];
            if (t)
                knowledge_add_all(&o->arena, &all, &t->known);
        }
        for (uint64_t rest = all.count ? m->lanes : 0; rest; rest &= rest - 1)
            knowledge_add_all(&o->arena,
                              &state_of(o, first + (unsigned)__builtin_ctzll(rest))->known, &all);
    }
    w->clock++;
    new_segment(o, m->warp);
}

/* A snapshot of what the thread knows now, for others to acquire. */
static const struct release *snapshot(struct order *o, const struct trace_who *who,
                                      enum trace_scope scope)
{
    struct warp_state *w = &mine->warp[who->warp];
    struct thread_state *t = state_of(o, who->thread);
    struct release *r = arena_take_zeroed(&o->arena, sizeof *r);
    unsigned warp_size = o->launch->warp_size, lanes = w->lanes_known ? warp_size : 1;
    struct known_block *own = arena_take(&o->arena, sizeof *own + lanes * sizeof own->seen[0]);

    own->block = mine->block;
    own->epoch = mine->epoch;
    own->seen[0].thread = who->thread;
    own->seen[0].clock = w->clock;
    own->count = 1;
    for (unsigned lane = 0; w->lanes_known && lane < warp_size; lane++) {
        if (lane == who->lane || w->until[who->lane][lane] == 0)
            continue;
        own->seen[own->count].thread = who->warp * warp_size + lane;
        own->seen[own->count++].clock = w->until[who->lane][lane];
    }
    r->block = mine->block;
    r->scope = scope;
    r->own = own;
    knowledge_add_all(&o->arena, &r->others, &mine->known);
    knowledge_add_all(&o->arena, &r->others, &t->known);
    r->log = t->log;
    r->prefix = t->prefix;
    /* Later accesses of the thread are not part of it. */
    w->clock++;
    new_segment(o, who->warp);
    return r;
}

/* The thread acquires what it has read atomically so far. */
static void acquire(struct order *o, const struct trace_who *who, enum trace_scope scope)
{
    struct thread_state *t = state_of(o, who->thread);

    for (unsigned i = 0; i < t->pending_count; i++) {
        const struct log *log = t->pending[i].log;
        size_t from = 0;
        for (size_t k = t->pending[i].length; k-- > from;) {
            const struct release *r = log->release[k];
            bool reaches = scope != TRACE_SCOPE_BLOCK && r->scope != TRACE_SCOPE_BLOCK;
            if (!reaches && r->block != mine->block)
                continue;
            knowledge_add(&o->arena, &t->known, r->own);
            knowledge_add_all(&o->arena, &t->known, &r->others);
            if (r->log == log && r->prefix > from)
                from = r->prefix;
        }
        t->log = log;
        t->prefix = t->pending[i].length;
    }
    t->pending_count = 0;
}

void order_fence(struct order *o, const struct trace_fence *f)
{
    struct thread_state *t = state_of(o, f->who.thread);

    acquire(o, &f->who, f->scope);
    const struct release *r = snapshot(o, &f->who, f->scope);
    t->released[0] = r;
    if (f->scope != TRACE_SCOPE_BLOCK)
        t->released[1] = r;
}

static void append(struct arena *arena, struct log *log, const struct release *r)
{
    if (log->count == log->room) {
        size_t room = log->room ? 2 * log->room : 4;
        const struct release **larger = arena_take(arena, room * sizeof *larger);
        if (log->count > 0)
            memcpy(larger, log->release, log->count * sizeof *larger);
        log->release = larger;
        log->room = room;
    }
    log->release[log->count++] = r;
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

void order_atomic(struct order *o, const struct trace_atomic *a)
{
    struct thread_state *t = state_of(o, a->who.thread);
    struct variable *v = variable_at(&o->arena, &o->variables, a->address);

    if (a->reads) {
        if (a->space == TRACE_GLOBAL) {
            mine->hand_over = a->place;
            mine->hand_over_volatile = false;
        }
        unsigned i = 0;
        while (i < t->pending_count && t->pending[i].log != v->log)
            i++;
        if (v->log->count > 0) {
            if (i == PENDING_MAX) { /* the oldest is forgotten */
                memmove(t->pending, t->pending + 1, (PENDING_MAX - 1) * sizeof t->pending[0]);
                i = PENDING_MAX - 1;
            }
            t->pending[i].log = v->log;
            t->pending[i].length = v->log->count;
            if (i >= t->pending_count)
                t->pending_count = i + 1;
        }
        if (has_acquire(a->order))
            acquire(o, &a->who, TRACE_SCOPE_DEVICE);
    }
    if (!a->writes)
        return;
    if (!a->reads)
        v->log = arena_take_zeroed(&o->arena, sizeof *v->log);
    if (has_release(a->order)) {
        append(&o->arena, v->log, snapshot(o, &a->who, TRACE_SCOPE_DEVICE));
        return;
    }
    if (t->released[1])
        append(&o->arena, v->log, t->released[1]);
    if (t->released[0] && t->released[0] != t->released[1])
        append(&o->arena, v->log, t->released[0]);
}

bool order_known(const struct order *o, uint32_t number, unsigned lane, const struct trace_who *who)
{
    if (number < o->first)
        return true;
    const struct segment *s = order_segment(o, number);
    if (s->block == mine->block) {
        if (s->epoch < mine->epoch)
            return true;
        if (s->warp == who->warp &&
            (lane == who->lane || s->clock <= mine->warp[who->warp].until[who->lane][lane]))
            return true;
    }
    unsigned thread = s->warp * o->launch->warp_size + lane;
    if (knowledge_has(&mine->known, s->block, s->epoch, s->clock, thread))
        return true;
    const struct thread_state *t = mine->thread[who->thread];
    return t && knowledge_has(&t->known, s->block, s->epoch, s->clock, thread);
}
