/* Between warp operations and barriers (meetings) the lanes of a warp run one after the other. The k-th access of
 * each lane at one place since the last meeting belongs to one instruction of the warp. */
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

static struct {
    struct site *sites;
    size_t used, room, last;
} warps[WARPS_MAX];
static unsigned warps_count;
static void (*complete)(const struct warp_instruction *, unsigned);

void warps_begin(unsigned count, void (*done)(const struct warp_instruction *, unsigned))
{
    warps_count = count;
    complete = done;
}

static struct site *site_of(unsigned warp, const struct trace_place *place, enum warp_kind kind,
                            enum trace_space space, unsigned size)
{
    struct site *sites = warps[warp].sites;

    for (size_t k = 0; k < warps[warp].used; k++) {
        size_t i = (warps[warp].last + k) % warps[warp].used; /* usually the same or the next one */
        struct site *s = &sites[i];
        if (s->place == place && s->kind == kind && s->space == space && s->size == size) {
            warps[warp].last = i;
            return s;
        }
    }
    if (warps[warp].used == warps[warp].room) {
        size_t room = 2 * warps[warp].room + 8;
        warps[warp].sites = trace_check_alloc(realloc(sites, room * sizeof *sites));
        memset(warps[warp].sites + warps[warp].room, 0, (room - warps[warp].room) * sizeof *sites);
        warps[warp].room = room;
    }
    struct site *s = &warps[warp].sites[warps[warp].used++];
    s->place = place;
    s->kind = kind;
    s->space = space;
    s->size = size;
    memset(s->count, 0, sizeof s->count);
    s->used = 0;
    return s;
}

void warps_take(const struct trace_who *who, const struct trace_place *place, enum warp_kind kind,
                enum trace_space space, uintptr_t address, unsigned size)
{
    struct site *s = site_of(who->warp, place, kind, space, size);
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

void warps_complete(unsigned warp)
{
    for (size_t k = 0; k < warps[warp].used; k++) {
        struct site *s = &warps[warp].sites[k];
        for (size_t i = 0; i < s->used; i++)
            complete(&s->instructions[i], warp);
        s->used = 0;
    }
    warps[warp].used = 0; /* the arrays for instructions stay allocated for the next use */
    warps[warp].last = 0;
}

void warps_complete_all(void)
{
    for (unsigned w = 0; w < warps_count; w++)
        warps_complete(w);
}
