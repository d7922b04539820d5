/* What the events of the kernels do to the order: see order.h for the rules.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "state.h"

/* What the lane does from now on is later. */
static void set_clock(struct warp_state *w, unsigned lane, uint32_t clock)
{
    w->own[lane] = clock;
    w->latest = clock > w->latest ? clock : w->latest;
}

static void note_hand_over(struct hand_overs *h, const struct trace_place *place, bool is_volatile)
{
    unsigned i = 0;

    if (h->last[0].place == place)
        return;
    while (i + 1 < sizeof h->last / sizeof *h->last && h->last[i].place != place)
        i++;
    for (; i > 0; i--)
        h->last[i] = h->last[i - 1];
    h->last[0] = (struct hand_over){place, is_volatile};
}

void order_volatile_read(const struct trace_who *who, const struct trace_place *place)
{
    note_hand_over(&trace_order_here->hand_overs, place, true);
    note_hand_over(&trace_order_here->thread[who->thread].hand_overs, place, true);
    trace_order_here->threads_used = true;
}

static void begin_epoch(const struct order *o)
{
    for (unsigned i = 0; i < o->launch->warps; i++) {
        struct warp_state *w = &trace_order_here->warp[i];
        w->base = ++w->latest;
        if (w->lanes_known && !w->early)
            memset(w->until, 0, sizeof w->until);
        w->lanes_known = w->lanes_known && w->early;
        w->early = 0;
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
    move_fenced(&b->early, to);
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
    for (struct block_state *b = order_blocks; b; b = b->next)
        if (b->is_running)
            move_block(b, o, &to);
    arena_drop(&o->arena);
    o->arena = to;
    o->arena_limit = ARENA_BYTES + 2 * to.bytes;
}

/* ---- events ---- */

void order_block_begin(struct order *o, const struct trace_block *b)
{
    if (!trace_order_here) {
        trace_order_here = trace_check_alloc(calloc(1, sizeof *trace_order_here));
        trace_order_here->next = order_blocks;
        order_blocks = trace_order_here;
    }
    trace_order_here->block = runs_now(&o->runs)->block + b->block;
    trace_order_here->is_running = true;
    trace_order_here->epoch = 0;
    memset(&trace_order_here->fenced, 0, sizeof trace_order_here->fenced);
    memset(&trace_order_here->early, 0, sizeof trace_order_here->early);
    for (unsigned i = 0; i < o->launch->warps; i++) {
        struct warp_state *w = &trace_order_here->warp[i];
        memset(w->own, 0, sizeof w->own);
        memset(w->segment, 0, sizeof w->segment);
        w->base = w->latest = 0;
        w->early = 0;
    }
    if (trace_order_here->threads_used)
        memset(trace_order_here->thread, 0, sizeof trace_order_here->thread);
    trace_order_here->threads_used = false;
    memset(&trace_order_here->hand_overs, 0, sizeof trace_order_here->hand_overs);
    trace_order_here->shared.count = trace_order_here->shared.first = 1;
    begin_epoch(o);
}

void order_block_end(struct order *o)
{
    trace_order_here->is_running = false;
    collect(o);
}

static void join(struct order *o, struct fenced *to, const struct fenced *from)
{
    to->known = knowledge_union(&o->arena, to->known, from->known);
    for (unsigned level = 0; level < LEVELS; level++) {
        to->released[level] = knowledge_union(&o->arena, to->released[level], from->released[level]);
        to->pending[level] = knowledge_union(&o->arena, to->pending[level], from->pending[level]);
    }
}

static bool is_early(const struct order *o, unsigned thread)
{
    unsigned warp_size = o->launch->warp_size;
    return trace_order_here->warp[thread / warp_size].early >> thread % warp_size & 1;
}

void order_arrival(struct order *o, const struct trace_arrival *a)
{
    if (trace_order_here->threads_used)
        join(o, &trace_order_here->early, &trace_order_here->thread[a->who.thread].fenced);
    trace_order_here->warp[a->who.warp].early |= (uint64_t)1 << a->who.lane;
    o->grid_early = o->grid_early || a->grid;
}

void order_barrier(struct order *o)
{
    join(o, &trace_order_here->fenced, &trace_order_here->early);
    memset(&trace_order_here->early, 0, sizeof trace_order_here->early);
    for (unsigned i = 0; trace_order_here->threads_used && i < o->launch->threads; i++) {
        if (is_early(o, i))
            continue;
        join(o, &trace_order_here->fenced, &trace_order_here->thread[i].fenced);
        memset(&trace_order_here->thread[i], 0, sizeof trace_order_here->thread[i]);
    }
    trace_order_here->epoch++;
    begin_epoch(o);
}

static struct thread_state *state_of(unsigned thread)
{
    trace_order_here->threads_used = true;
    return &trace_order_here->thread[thread];
}

/* What all blocks did before the barrier that they wait at, for others to acquire. */
static struct knowledge before_barrier(struct order *o)
{
    struct knowledge all = {0, NULL};
    const struct known_thread none = {0, 0};

    for (const struct block_state *b = order_blocks; b; b = b->next)
        if (b->is_running)
            all = knowledge_union(&o->arena, all, knowledge_of(&o->arena, b->block, b->epoch, &none, 0));
    return all;
}

void order_grid_barrier(struct order *o, unsigned number)
{
    bool first = number != o->grid_barrier; /* of the blocks that go on */

    o->grid_barrier = number;
    if (!o->release_only) {
        if (first) {
            o->passed_early = o->passed;
            o->passed = (uint32_t)(o->global.base + o->global.count);
        }
        if (o->live == runs_now(&o->runs)->segment) /* nothing else may be unordered with it */
            o->global.first = o->grid_early ? o->passed_early : o->passed;
        begin_epoch(o);
        return;
    }
    if (first)
        o->all = before_barrier(o);
    for (unsigned i = 0; i < o->launch->threads; i++) {
        struct knowledge *read = &state_of(i)->fenced.pending[LEVEL_DEVICE];
        *read = knowledge_union(&o->arena, *read, o->all);
    }
}

void order_meeting(struct order *o, const struct trace_meeting *m)
{
    struct warp_state *w = &trace_order_here->warp[m->warp];
    uint32_t joined[WARP_MAX] = {0}, last = 0;

    if (m->op != HIP_CPU_SYNCWARP)
        return;
    for (uint64_t rest = m->lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        for (unsigned k = 0; k < WARP_MAX; k++)
            joined[k] = w->until[lane][k] > joined[k] ? w->until[lane][k] : joined[k];
    }
    for (uint64_t rest = m->lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        joined[lane] = clock_of(w, lane);
        last = joined[lane] > last ? joined[lane] : last;
    }
    for (uint64_t rest = m->lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        memcpy(w->until[lane], joined, sizeof joined);
        set_clock(w, lane, last + 1);
    }
    w->lanes_known = true;

    struct thread_state *first = &trace_order_here->thread[(size_t)m->warp * o->launch->warp_size];
    struct fenced all = {.known = {0, NULL}};
    for (uint64_t rest = trace_order_here->threads_used ? m->lanes : 0; rest; rest &= rest - 1)
        join(o, &all, &first[__builtin_ctzll(rest)].fenced);
    for (uint64_t rest = trace_order_here->threads_used ? m->lanes : 0; rest; rest &= rest - 1)
        first[__builtin_ctzll(rest)].fenced = all;
}

/* What the thread knows now, for others to acquire. */
static struct knowledge snapshot(struct order *o, const struct trace_who *who)
{
    struct warp_state *w = &trace_order_here->warp[who->warp];
    unsigned first = who->warp * o->launch->warp_size, count = 0;
    struct known_thread seen[WARP_MAX];

    for (unsigned lane = 0; lane < o->launch->warp_size; lane++) {
        uint32_t clock = lane == who->lane ? clock_of(w, lane) : w->until[who->lane][lane];
        if (clock > 0)
            seen[count++] = (struct known_thread){first + lane, clock};
    }
    struct knowledge own = knowledge_of(&o->arena, trace_order_here->block, trace_order_here->epoch, seen, count);
    own = knowledge_union(&o->arena, trace_order_here->fenced.known, own);
    set_clock(w, who->lane, clock_of(w, who->lane) + 1); /* later accesses are not part of it */
    return knowledge_union(&o->arena, state_of(who->thread)->fenced.known, own);
}

static void acquire(struct order *o, struct fenced *t, const struct knowledge read[LEVELS], enum trace_scope scope)
{
    for (int level = 0; level <= level_of(scope); level++)
        t->known = knowledge_union(&o->arena, t->known, read[level]);
}

void order_fence(struct order *o, const struct trace_fence *f)
{
    collect(o);
    struct fenced *t = &state_of(f->who.thread)->fenced;

    if (trace_acquires(f->order)) {
        acquire(o, t, trace_order_here->fenced.pending, f->scope);
        acquire(o, t, t->pending, f->scope);
    }
    if (!trace_releases(f->order))
        return;
    struct knowledge now = snapshot(o, &f->who);
    for (int level = 0; level <= level_of(f->scope); level++)
        t->released[level] = now;
}

void order_atomic(struct order *o, const struct trace_atomic *of_launch)
{
    struct trace_atomic of_run = *of_launch, *a = &of_run;

    a->who.block = trace_order_here->block;
    collect(o);
    struct thread_state *thread = state_of(a->who.thread);
    struct fenced *t = &thread->fenced;
    struct knowledge read[LEVELS] = {{0, NULL}}, known[LEVELS] = {{0, NULL}};

    if (a->reads) {
        note_hand_over(&thread->hand_overs, a->place, false);
        if (a->space == TRACE_GLOBAL)
            note_hand_over(&trace_order_here->hand_overs, a->place, false);
        releases_read(&o->releases, &o->arena, a, read);
        if (trace_acquires(a->order))
            acquire(o, t, read, a->scope);
        for (unsigned level = 0; level < LEVELS; level++)
            t->pending[level] = knowledge_union(&o->arena, t->pending[level], read[level]);
    }
    if (!a->writes)
        return;
    struct knowledge now = {0, NULL};
    if (trace_releases(a->order))
        now = snapshot(o, &a->who);
    for (int level = 0; level <= level_of(a->scope); level++)
        known[level] =
            now.root ? now : knowledge_union(&o->arena, trace_order_here->fenced.released[level], t->released[level]);
    releases_write(&o->releases, &o->arena, a, known);
}
