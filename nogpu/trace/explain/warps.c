/* Between warp operations and barriers (meetings) the lanes of a warp run one after the other. The k-th access of
 * each lane at one place since the last meeting of all belongs to one instruction of the warp. Lanes that meet without the
 * others go on with the same k.
 * SPDX-License-Identifier: MIT */
#include "warps.h"

#include <stdlib.h>
#include <string.h>

#include "../trace_internal.h"
#include "values.h"

#define MERGED_MAX  16   /* bytes */
#define WAITING_MAX 4096 /* instructions of a warp whose lanes meet without the others */

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
    const struct warps_calls *calls;
    void *context;
};

struct warps *warps_create(const struct warps_calls *calls, void *context)
{
    struct warps *w = trace_check_alloc(calloc(1, sizeof *w));

    w->calls = calls;
    w->context = context;
    return w;
}

void warps_begin(struct warps *w, unsigned count) { w->count = count; }

static struct site *site_of(struct warp_sites *w, const struct trace_place *place, enum warp_kind kind,
                            enum trace_space space, unsigned size)
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

static struct warp_instruction *take(struct warps *w, const struct trace_who *who, const struct trace_place *place,
                                     enum warp_kind kind, enum trace_space space, uintptr_t address, unsigned size)
{
    struct site *s = site_of(&w->warp[who->warp], place, kind, space, size);
    size_t turn = s->count[who->lane]++;

    while (turn >= s->used) {
        TRACE_ONE_MORE(s->instructions, s->used, s->room, 4);
        struct warp_instruction *i = &s->instructions[s->used++];
        i->place = place;
        i->kind = kind;
        i->space = space;
        i->size = size;
        i->epoch = who->epoch;
        i->block = who->block;
        i->lanes = 0;
        i->width = i->saved = 0;
        i->adds_one = true;
        i->values = NULL;
        if (w->calls->keeps && size <= WARPS_VALUE_BYTES && w->calls->keeps(w->context, who, place, kind))
            i->values = trace_check_alloc(calloc(1, sizeof *i->values));
    }
    s->instructions[turn].lanes |= (uint64_t)1 << who->lane;
    s->instructions[turn].address[who->lane] = address;
    return &s->instructions[turn];
}

void warps_take(struct warps *w, const struct trace_who *who, const struct trace_place *place, enum warp_kind kind,
                enum trace_space space, uintptr_t address, unsigned size, const void *value)
{
    struct warp_values *v = take(w, who, place, kind, space, address, size)->values;

    if (!v || !value)
        return;
    __real_memcpy(v->lane[who->lane], value, size);
    v->known |= (uint64_t)1 << who->lane;
}

void warps_take_atomic(struct warps *w, const struct trace_atomic *a, enum warp_kind kind)
{
    struct warp_instruction *i = take(w, &a->who, a->place, kind, a->space, a->address, a->size);

    i->adds_one = i->adds_one && a->adds_one && a->size == 4;
    if (i->values)
        values_take_later(i->values->lane[a->who.lane], a->address, a->size, &i->values->known,
                          (uint64_t)1 << a->who.lane);
}

/* ---- neighbours ---- */

/* Whether b accesses what lies `distance` bytes behind what a does, in all lanes. */
static bool is_behind(const struct warp_instruction *a, const struct warp_instruction *b, unsigned distance)
{
    if (a->lanes != b->lanes || a->kind != b->kind || a->size != b->size || b->space != a->space)
        return false;
    for (uint64_t rest = a->lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        if (b->address[lane] != a->address[lane] + distance)
            return false;
    }
    return true;
}

static bool is_aligned(const struct warp_instruction *i, unsigned bytes)
{
    for (uint64_t rest = i->lanes; rest; rest &= rest - 1)
        if (i->address[__builtin_ctzll(rest)] % bytes != 0)
            return false;
    return true;
}

/* The neighbour of instruction `turn` of a site that lies `distance` behind: a later one of the site, as in a loop that
 * is unrolled, or the one of another site of the line or one of the next lines. */
static struct warp_instruction *neighbour_of(const struct warp_sites *w, const struct site *s, size_t turn,
                                             unsigned distance)
{
    const struct warp_instruction *i = &s->instructions[turn];
    size_t later = turn + distance / s->size;

    if (later < s->used && is_behind(i, &s->instructions[later], distance))
        return &s->instructions[later];
    for (struct site *other = w->site; other < w->site + w->used; other++)
        if (other != s && other->used == s->used && is_behind(i, &other->instructions[turn], distance))
            return &other->instructions[turn];
    return NULL;
}

/* Where an array of shared memory begins is known when a kernel is compiled, so loads and stores that lie side by side can
 * be merged, up to 16 bytes. */
static void merge(const struct warp_sites *w, const struct site *s, size_t turn)
{
    struct warp_instruction *i = &s->instructions[turn], *part[MERGED_MAX] = {i};

    for (unsigned width = MERGED_MAX; width >= 2 * s->size && !i->width; width /= 2) {
        unsigned parts = width / s->size, found = 1;
        while (found < parts && is_aligned(i, width) && (part[found] = neighbour_of(w, s, turn, found * s->size)) &&
               !part[found]->width)
            found++;
        if (found < parts)
            continue;
        i->saved = parts - 1;
        for (unsigned k = 0; k < parts; k++)
            part[k]->width = width;
    }
}

static void merge_all(const struct warp_sites *w)
{
    for (const struct site *s = w->site; s < w->site + w->used; s++)
        for (size_t turn = 0; turn < s->used; turn++)
            if (s->space == TRACE_SHARED && s->kind != WARP_ATOMIC && s->size < MERGED_MAX)
                merge(w, s, turn);
}

static void complete(struct warps *w, unsigned warp)
{
    struct warp_sites *sites = &w->warp[warp];

    merge_all(sites);

    for (struct site *s = sites->site; s < sites->site + sites->used; s++) {
        for (size_t i = 0; i < s->used; i++)
            w->calls->done(w->context, &s->instructions[i], warp);
        for (size_t i = 0; i < s->used; i++)
            free(s->instructions[i].values);
        s->used = 0;
    }
    sites->used = 0; /* the arrays for instructions stay allocated for the next use */
    sites->last = 0;
}

/* These lanes go on with the same k. Returns how many instructions wait for the other lanes. */
static size_t align(struct warp_sites *sites, uint64_t lanes)
{
    size_t waiting = 0;

    for (struct site *s = sites->site; s < sites->site + sites->used; s++) {
        unsigned most = 0;
        for (uint64_t rest = lanes; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctzll(rest);
            most = s->count[lane] > most ? s->count[lane] : most;
        }
        for (uint64_t rest = lanes; rest; rest &= rest - 1)
            s->count[__builtin_ctzll(rest)] = most;
        waiting += s->used;
    }
    return waiting;
}

void warps_meet(struct warps *w, unsigned warp, uint64_t lanes, uint64_t all)
{
    if (lanes == all || align(&w->warp[warp], lanes) > WAITING_MAX)
        complete(w, warp);
}

void warps_complete_all(struct warps *w)
{
    for (unsigned i = 0; i < w->count; i++)
        complete(w, i);
}
