/* Launches run again: see replay.h.
 * SPDX-License-Identifier: MIT */
#include "replay.h"

#include <stdlib.h>
#include <string.h>

#include "../trace_internal.h"

#define PLACES_MAX 16
#define HOLES_MAX  1024
/* -DBL_MAX; its lower half is -FLT_MAX and a negative int. HIP_CPU_POISON is a NaN, and positive. */
#define OTHER_VALUE 0xffefffffff7fffffull

/* A word of global memory that the launch has written. */
struct word {
    uintptr_t address;
    uint64_t before, after; /* in the first run of the launch */
};

struct replay {
    struct report *report;
    bool possible;
    /* -1: the first run; 0: again and nothing changed; 1, 2 ...: absent[turn - 1] changed; then hole[] */
    int turn;

    struct word *word;
    size_t words, words_room;
    uint32_t *slot; /* hash table from address to number + 1 */
    size_t slots;

    /* Shuffles with absent sources: the first at each place. */
    struct {
        const struct trace_place *place;
        struct report_side reader;
        unsigned source;
    } absent[PLACES_MAX];
    unsigned absent_count;

    /* Reads of shared memory that was not written: the first at each place, and bytes that are filled. */
    struct {
        struct trace_who who;
        const struct trace_place *place;
        uintptr_t address;
        unsigned size;
    } unwritten[PLACES_MAX];
    unsigned unwritten_count;
    struct hole {
        size_t offset;
        bool is_fixed; /* in static __shared__ variables, else in dynamic shared memory */
        unsigned size;
    } hole[HOLES_MAX];
    unsigned holes;
};

struct replay *replay_create(struct report *report, bool possible)
{
    struct replay *r = trace_check_alloc(calloc(1, sizeof *r));

    r->report = report;
    r->possible = possible;
    return r;
}

void replay_launch_begin(struct replay *r)
{
    r->words = 0;
    if (r->slots > 0)
        memset(r->slot, 0, r->slots * sizeof *r->slot);
    r->absent_count = r->unwritten_count = r->holes = 0;
    r->turn = -1;
}

static uint32_t *slot_of(struct replay *r, uintptr_t address)
{
    size_t slot = (size_t)(address / 8 * 0x9e3779b97f4a7c15ull >> 24) & (r->slots - 1);
    while (r->slot[slot] && r->word[r->slot[slot] - 1].address != address)
        slot = (slot + 1) & (r->slots - 1);
    return &r->slot[slot];
}

static void grow(struct replay *r)
{
    r->words_room = r->words_room ? 2 * r->words_room : 1024;
    r->word = trace_check_alloc(realloc(r->word, r->words_room * sizeof *r->word));
    r->slots = 2 * r->words_room;
    free(r->slot);
    r->slot = trace_check_alloc(calloc(r->slots, sizeof *r->slot));
    for (size_t i = 0; i < r->words; i++)
        *slot_of(r, r->word[i].address) = (uint32_t)i + 1;
}

/* Allocations begin and end at multiples of 16. */
void replay_note(struct replay *r, uintptr_t address, size_t size)
{
    for (uintptr_t at = address / 8 * 8; at < address + size; at += 8) {
        if (r->words == r->words_room)
            grow(r);
        uint32_t *slot = slot_of(r, at);
        if (*slot)
            continue;
        struct word *w = &r->word[r->words++];
        *slot = (uint32_t)r->words;
        w->address = at;
        __real_memcpy(&w->before, (const void *)at, sizeof w->before);
        w->after = w->before;
    }
}

uint64_t replay_absent(struct replay *r, const struct trace_meeting *m)
{
    unsigned lane = (unsigned)__builtin_ctzll(m->absent), i = 0;

    while (i < r->absent_count && r->absent[i].place != m->place)
        i++;
    if (i == PLACES_MAX)
        return HIP_CPU_POISON;
    if (i == r->absent_count) {
        r->absent[i].place = m->place;
        r->absent[i].source = m->source[lane];
        r->absent[r->absent_count++].reader = (struct report_side){
            .block = m->block, .warp = m->warp, .lane = lane, .place = m->place};
    }
    return r->turn == (int)i + 1 ? OTHER_VALUE : HIP_CPU_POISON;
}

/* A worker's own shared memory: another one may run the block the next time. */
static uintptr_t shared_begin(bool is_fixed)
{
    uintptr_t begin;
    size_t bytes;

    if (!is_fixed)
        return (uintptr_t)hip_cpu_block()->shared;
    symbols_shared_range(&begin, &bytes);
    return begin;
}

bool replay_unwritten(struct replay *r, const struct trace_who *who,
                      const struct trace_place *place, uintptr_t address, unsigned size)
{
    const struct hip_cpu_block *block = hip_cpu_block();
    bool is_fixed = address - (uintptr_t)block->shared >= block->shared_bytes;
    size_t offset = address - shared_begin(is_fixed);
    unsigned i = 0, k = 0;

    if (!r->possible)
        return true; /* launches cannot be repeated: a run without weak memory reports it */
    if (trace_launch->cooperative)
        return false; /* blocks of other workers are under way */
    while (i < r->unwritten_count && r->unwritten[i].place != place)
        i++;
    while (k < r->holes && (r->hole[k].offset != offset || r->hole[k].is_fixed != is_fixed))
        k++;
    if (i == PLACES_MAX)
        return false;
    if (k == HOLES_MAX)
        return true;
    if (i == r->unwritten_count) {
        r->unwritten[i].who = *who;
        r->unwritten[i].place = place;
        r->unwritten[i].address = address;
        r->unwritten[r->unwritten_count++].size = size;
    }
    if (k == r->holes)
        r->hole[r->holes++] = (struct hole){offset, is_fixed, size};
    return true;
}

void replay_block_begin(struct replay *r)
{
    const uint64_t other = OTHER_VALUE;

    if (r->turn <= (int)r->absent_count)
        return;
    for (const struct hole *h = r->hole; h < r->hole + r->holes; h++) {
        uintptr_t address = shared_begin(h->is_fixed) + h->offset;
        for (unsigned i = 0; i < h->size; i++)
            ((unsigned char *)address)[i] = ((const unsigned char *)&other)[(address + i) % 8];
    }
}

/* Memory as it was after the first run; whether it was different. */
static bool restore_after(struct replay *r)
{
    bool different = false;
    for (struct word *w = r->word; w < r->word + r->words; w++) {
        different = different || memcmp((void *)w->address, &w->after, 8) != 0;
        __real_memcpy((void *)w->address, &w->after, 8);
    }
    return different;
}

/* Memory differs, so the value that this turn changed was used. */
static void report_use(struct replay *r)
{
    if (r->turn <= (int)r->absent_count) {
        report_absent(r->report, &r->absent[r->turn - 1].reader, r->absent[r->turn - 1].source);
        return;
    }
    for (unsigned i = 0; i < r->unwritten_count; i++)
        report_unwritten(r->report, &r->unwritten[i].who, r->unwritten[i].place,
                         r->unwritten[i].address, r->unwritten[i].size);
}

bool replay_again(struct replay *r)
{
    int turns = (int)r->absent_count + (r->holes > 0);

    if (turns == 0)
        return false;
    if (r->turn < 0) {
        for (struct word *w = r->word; w < r->word + r->words; w++)
            __real_memcpy(&w->after, (const void *)w->address, 8);
    } else {
        bool different = restore_after(r);
        if (r->turn == 0 &&
            different) /* the launch is not deterministic: no conclusion is possible */
            return false;
        if (different)
            report_use(r);
    }
    if (r->turn == turns)
        return false;
    r->turn++;
    for (struct word *w = r->word; w < r->word + r->words; w++)
        __real_memcpy((void *)w->address, &w->before, 8);
    return true;
}
