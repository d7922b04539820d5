/* Between warp operations and barriers (meetings) the lanes of a warp run one after the other. The k-th access of
 * each lane at one place since the last meeting belongs to one instruction of the warp.
 * SPDX-License-Identifier: MIT */
#include "warps.h"

#include <stdlib.h>
#include <string.h>

#include "../trace_internal.h"

/* One place of one warp since its last meeting. */
struct site {
    const struct trace_place *place;
    enum warp_kind kind;
    enum trace_space space;
    unsigned size, count[64]; /* how many times each lane was here */
    struct warp_instruction *instructions;
    size_t used, room;
    size_t order; /* of the first access */
};

/* The places of one warp since its last meeting. */
struct warp_sites {
    struct site *site;
    size_t used, room, last;
};

struct warps {
    struct warp_sites warp[WARPS_MAX];
    unsigned count;
    void (*done)(void *context, const struct warp_instruction *, unsigned warp);
    void *context;
};

struct warps *warps_create(void (*done)(void *context, const struct warp_instruction *, unsigned),
                           void *context)
{
    struct warps *w = trace_check_alloc(calloc(1, sizeof *w));

    w->done = done;
    w->context = context;
    return w;
}

void warps_begin(struct warps *w, unsigned count)
{
    w->count = count;
}

static struct site *site_of(struct warp_sites *w, const struct trace_place *place,
                            enum warp_kind kind, enum trace_space space, unsigned size)
{
    for (size_t k = 0; k < w->used; k++) {
        size_t i = (w->last + k) % w->used; /* usually the same or the next one */
        struct site *s = &w->site[i];
        if (s->place == place && s->kind == kind && s->space == space && s->size == size) {
            w->last = i;
            return s;
        }
    }
    if (w->used == w->room) {
        size_t room = 2 * w->room + 8;
        w->site = trace_check_alloc(realloc(w->site, room * sizeof *w->site));
        memset(w->site + w->room, 0, (room - w->room) * sizeof *w->site);
        w->room = room;
    }
    struct site *s = &w->site[w->used++];
    s->place = place;
    s->kind = kind;
    s->space = space;
    s->size = size;
    memset(s->count, 0, sizeof s->count);
    s->used = 0;
    return s;
}

void warps_take(struct warps *w, const struct trace_who *who, const struct trace_place *place,
                enum warp_kind kind, enum trace_space space, uintptr_t address, unsigned size)
{
    struct site *s = site_of(&w->warp[who->warp], place, kind, space, size);
    size_t turn = s->count[who->lane]++;

    if (turn >= s->used) { /* one more: no lane is further than one ahead of the furthest */
        if (s->used == s->room) {
            s->room = 2 * s->room + 4;
            s->instructions =
                trace_check_alloc(realloc(s->instructions, s->room * sizeof *s->instructions));
        }
        struct warp_instruction *i = &s->instructions[s->used++];
        i->place = place;
        i->kind = kind;
        i->space = space;
        i->size = size;
        i->epoch = who->epoch;
        i->block = who->block;
        i->lanes = 0;
    }
    s->instructions[turn].lanes |= (uint64_t)1 << who->lane;
    s->instructions[turn].address[who->lane] = address;
}

void warps_complete(struct warps *w, unsigned warp)
{
    struct warp_sites *sites = &w->warp[warp];

    for (struct site *s = sites->site; s < sites->site + sites->used; s++) {
        for (size_t i = 0; i < s->used; i++)
            w->done(w->context, &s->instructions[i], warp);
        s->used = 0;
    }
    sites->used = 0; /* the arrays for instructions stay allocated for the next use */
    sites->last = 0;
}

void warps_complete_all(struct warps *w)
{
    for (unsigned i = 0; i < w->count; i++)
        warps_complete(w, i);
}
