/* Launches run again: see replay.h. */
#include <stdlib.h>
#include <string.h>

#include "../trace_internal.h"
#include "../weak.h"
#include "replay.h"
#include "report.h"

#define PLACES_MAX 16
#define HOLES_MAX  1024
/* -DBL_MAX; its lower half is -FLT_MAX and a negative int. HIP_CPU_POISON is a NaN, and positive. */
#define OTHER_VALUE 0xffefffffff7fffffull

bool replay_on;

/* Words of global memory that the launch has written. */
struct word {
    uintptr_t address;
    uint64_t before, after; /* in the first run of the launch */
    bool first;             /* written in the first run, not only in a later one */
};
static struct word *words;
static size_t words_count, words_room;
static uint32_t *slots; /* hash table from address to number + 1 */
static size_t slots_count;

static struct {
    const struct trace_place *place;
    struct report_side reader;
    unsigned source;
} absent[PLACES_MAX];
static unsigned absent_count;

/* Reads of shared memory that nobody wrote: the first at each place, and bytes that are filled. */
static struct {
    struct trace_who who;
    const struct trace_place *place;
    uintptr_t address;
    unsigned size;
} unwritten[PLACES_MAX];
static unsigned unwritten_count;
static struct {
    uintptr_t address;
    unsigned size;
} holes[HOLES_MAX];
static unsigned holes_count;

/* -1: the first run; 0: again and nothing changed; 1, 2 ...: absent[turn - 1] changed; then holes[] */
static int turn;

void replay_launch_begin(void)
{
    words_count = 0;
    if (slots_count > 0)
        memset(slots, 0, slots_count * sizeof *slots);
    absent_count = unwritten_count = holes_count = 0;
    turn = -1;
}

static uint32_t *slot_of(uintptr_t address)
{
    size_t slot = (size_t)(address / 8 * 0x9e3779b97f4a7c15ull >> 24) & (slots_count - 1);
    while (slots[slot] && words[slots[slot] - 1].address != address)
        slot = (slot + 1) & (slots_count - 1);
    return &slots[slot];
}

static void grow(void)
{
    words_room = words_room ? 2 * words_room : 1024;
    words = trace_check_alloc(realloc(words, words_room * sizeof *words));
    slots_count = 2 * words_room;
    free(slots);
    slots = trace_check_alloc(calloc(slots_count, sizeof *slots));
    for (size_t i = 0; i < words_count; i++)
        *slot_of(words[i].address) = (uint32_t)i + 1;
}

/* Allocations begin and end at multiples of 16. */
void replay_note(uintptr_t address, size_t size)
{
    for (uintptr_t at = address / 8 * 8; at < address + size; at += 8) {
        if (words_count == words_room)
            grow();
        uint32_t *slot = slot_of(at);
        if (*slot)
            continue;
        struct word *w = &words[words_count++];
        *slot = (uint32_t)words_count;
        w->address = at;
        w->first = !replay_on;
        __real_memcpy(&w->before, (const void *)at, sizeof w->before);
        w->after = w->before;
    }
}

void replay_absent(const struct trace_meeting *m)
{
    for (unsigned i = 0; i < absent_count; i++)
        if (absent[i].place == m->place)
            return;
    if (absent_count == PLACES_MAX)
        return;
    unsigned lane = (unsigned)__builtin_ctzll(m->absent);
    absent[absent_count].place = m->place;
    absent[absent_count].source = m->source[lane];
    absent[absent_count++].reader =
        (struct report_side){m->block, m->warp, lane, m->place, false, false};
}

uint64_t replay_value(const struct trace_place *place)
{
    bool changed = replay_on && turn > 0 && turn <= (int)absent_count;
    return changed && absent[turn - 1].place == place ? OTHER_VALUE : HIP_CPU_POISON;
}

bool replay_unwritten(const struct trace_who *who, const struct trace_place *place,
                      uintptr_t address, unsigned size)
{
    unsigned i = 0, k = 0;

    if (weak_on || trace_launch->interleaved)
        return true; /* launches do not run again; the run without it tells */
    if (trace_launch->cooperative)
        return false; /* blocks of other workers are under way */
    while (i < unwritten_count && unwritten[i].place != place)
        i++;
    while (k < holes_count && holes[k].address != address)
        k++;
    if (i == PLACES_MAX)
        return false;
    if (k == HOLES_MAX)
        return true;
    if (i == unwritten_count) {
        unwritten[i].who = *who;
        unwritten[i].place = place;
        unwritten[i].address = address;
        unwritten[unwritten_count++].size = size;
    }
    if (k == holes_count) {
        holes[k].address = address;
        holes[holes_count++].size = size;
    }
    return true;
}

void replay_block_begin(void)
{
    const uint64_t other = OTHER_VALUE;

    if (turn <= (int)absent_count)
        return;
    for (unsigned k = 0; k < holes_count; k++)
        for (unsigned i = 0; i < holes[k].size; i++)
            ((unsigned char *)holes[k].address)[i] =
                ((const unsigned char *)&other)[(holes[k].address + i) % 8];
}

/* Memory as it was after the first run; whether it was different. */
static bool restore_after(void)
{
    bool different = false;
    for (size_t i = 0; i < words_count; i++) {
        different = different || memcmp((void *)words[i].address, &words[i].after, 8) != 0;
        __real_memcpy((void *)words[i].address, &words[i].after, 8);
    }
    return different;
}

bool replay_again(void)
{
    int turns = (int)absent_count + (holes_count > 0);

    if (turns == 0)
        return false;
    if (turn < 0) {
        for (size_t i = 0; i < words_count; i++)
            __real_memcpy(&words[i].after, (const void *)words[i].address, 8);
    } else {
        bool different = restore_after();
        if (turn == 0 && different) /* the launch is not deterministic: no conclusion is possible */
            return replay_on = false;
        if (turn > (int)absent_count && different)
            for (unsigned i = 0; i < unwritten_count; i++)
                report_unwritten(&unwritten[i].who, unwritten[i].place, unwritten[i].address,
                                 unwritten[i].size);
        else if (turn > 0 && different)
            report_absent(&absent[turn - 1].reader, absent[turn - 1].source);
    }
    if (turn == turns)
        return replay_on = false;
    turn++;
    for (size_t i = 0; i < words_count; i++)
        __real_memcpy((void *)words[i].address, &words[i].before, 8);
    return replay_on = true;
}
