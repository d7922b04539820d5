/* Happens-before: which accesses are ordered, and of which launch or copy they are. See order.h for the rules.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "state.h"

#define SEGMENTS_MAX ((size_t)8 << 20) /* of runs that something may still be unordered with */

__thread struct block_state *trace_order_here;
struct block_state *order_blocks;

static bool has_ended(uint64_t block)
{
    for (const struct block_state *b = order_blocks; b; b = b->next)
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

/* ---- launches and copies ---- */

const struct report_task *order_task(const struct order *o, uint32_t number)
{
    return number ? &runs_of(&o->runs, number)->said : &runs_now(&o->runs)->said;
}

bool order_is_here(const struct order *o, enum trace_space space, uint32_t number)
{
    return o->launch && order_segment(o, space, number)->block == trace_order_here->block;
}

uint64_t order_block(const struct order *o, enum trace_space space, uint32_t number)
{
    const struct run *run = space == TRACE_GLOBAL ? runs_of(&o->runs, number) : runs_now(&o->runs);
    return order_segment(o, space, number)->block - run->block;
}

uint32_t order_first_host(const struct order *o) { return o->live_host; }

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
    o->passed = o->passed_early = next;
    o->grid_early = false;
    o->global.first = o->live;
    return alone;
}

bool order_launch_begin(struct order *o, const struct trace_launch *l)
{
    struct report_task said = {
        .kind = TASK_KERNEL, .name = l->kernel, .grid = l->grid, .block = l->block, .warp_size = l->warp_size};

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

bool order_hands_over(const struct order *o, uint32_t segment, uintptr_t address)
{
    struct trace_atomic a = {.address = address, .size = 1, .scope = TRACE_SCOPE_SYSTEM};
    struct knowledge known[LEVELS] = {{0, NULL}};

    if (segment < runs_now(&o->runs)->segment) /* what earlier runs released may be forgotten */
        return true;
    releases_read(&o->releases, NULL, &a, known);
    return known[LEVEL_DEVICE].root;
}

void order_host_saw(struct order *o, uint32_t segment)
{
    streams_host_saw(o->streams, runs_of(&o->runs, segment)->task);
}

/* ---- segments ---- */

uint32_t order_new_segment(struct order *o, enum trace_space space, const struct trace_who *who)
{
    if (!o->launch) { /* a copy: one segment */
        if (runs_now(&o->runs)->segment == o->global.base + o->global.count)
            segments_add(&o->global, (struct segment){.block = runs_now(&o->runs)->block});
        return runs_now(&o->runs)->segment;
    }
    struct warp_state *w = &trace_order_here->warp[who->warp];
    bool early = w->early >> who->lane & 1;
    uint32_t clock = clock_of(w, who->lane);
    struct segments *s = space == TRACE_SHARED ? &trace_order_here->shared : &o->global;
    uint32_t number = segments_add(
        s, (struct segment){trace_order_here->block, who->warp, early, trace_order_here->epoch + early, clock});
    w->segment[space][early][clock % CLOCKS].clock = clock;
    w->segment[space][early][clock % CLOCKS].number = number;
    return number;
}

/* What stands behind the access, or takes its value, was not meant. */
static struct hand_over last_before(const struct hand_overs *h, const struct trace_place *place)
{
    for (size_t i = 0; i < sizeof h->last / sizeof *h->last && h->last[i].place; i++) {
        const struct trace_place *p = h->last[i].place;
        if (p->line < place->line || strcmp(p->file, place->file) != 0 || strcmp(p->function, place->function) != 0)
            return h->last[i];
    }
    return h->last[0];
}

static bool is_pending(const struct fenced *f, const struct segment *s, unsigned thread)
{
    bool found = false;

    for (unsigned level = 0; level < LEVELS; level++)
        found = found || knowledge_has(f->pending[level], s->block, s->epoch, s->clock, thread);
    return found;
}

struct report_hint order_hint(const struct order *o, enum trace_space space, uint32_t number, unsigned lane,
                              const struct trace_who *who, const struct trace_place *place)
{
    const struct segment *s = order_segment(o, space, number);
    const struct thread_state *t = &trace_order_here->thread[who->thread];
    unsigned thread = s->warp * o->launch->warp_size + lane;

    return (struct report_hint){.of_block = last_before(&trace_order_here->hand_overs, place),
                                .of_thread = last_before(&t->hand_overs, place),
                                .grid_barrier = o->all.root != NULL,
                                .lacks_fence = is_pending(&trace_order_here->fenced, s, thread) ||
                                               (trace_order_here->threads_used && is_pending(&t->fenced, s, thread))};
}

bool order_knows(const struct order *o, enum trace_space space, uint32_t number, unsigned lane,
                 const struct trace_who *who)
{
    const struct segment *s = order_segment(o, space, number);
    if (space == TRACE_GLOBAL) {
        if (number < runs_now(&o->runs)->segment ? streams_before(o->streams, runs_of(&o->runs, number)->task)
                                                 : number < (s->early ? o->passed_early : o->passed))
            return true;
        if (!o->launch) /* a copy knows of no hand-over by kernels, and has one segment */
            return number >= runs_now(&o->runs)->segment;
    }
    if (s->block == trace_order_here->block) {
        if (s->epoch < trace_order_here->epoch)
            return true;
        if (s->warp == who->warp &&
            (lane == who->lane || s->clock <= trace_order_here->warp[who->warp].until[who->lane][lane]))
            return true;
    }
    unsigned thread = s->warp * o->launch->warp_size + lane;
    return knowledge_has(trace_order_here->fenced.known, s->block, s->epoch, s->clock, thread) ||
           (trace_order_here->threads_used &&
            knowledge_has(trace_order_here->thread[who->thread].fenced.known, s->block, s->epoch, s->clock, thread));
}
