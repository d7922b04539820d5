/* Launches run again: see replay.h. */
#include <stdlib.h>
#include <string.h>

#include "../inside.h"
#include "replay.h"
#include "report.h"

#define PLACES_MAX 16
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
static int
    turn; /* -1: the first run; 0: again and nothing changed; 1, 2 ...: absent[turn - 1] changed */

void replay_launch_begin(void)
{
    words_count = 0;
    if (slots_count > 0)
        memset(slots, 0, slots_count * sizeof *slots);
    absent_count = 0;
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
    words = trace_must(realloc(words, words_room * sizeof *words));
    slots_count = 2 * words_room;
    free(slots);
    slots = trace_must(calloc(slots_count, sizeof *slots));
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
    return replay_on && turn > 0 && absent[turn - 1].place == place ? OTHER_VALUE : HIP_CPU_POISON;
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
    if (absent_count == 0)
        return false;
    if (turn < 0) {
        for (size_t i = 0; i < words_count; i++)
            __real_memcpy(&words[i].after, (const void *)words[i].address, 8);
    } else {
        bool different = restore_after();
        if (turn == 0 && different) /* the launch is not deterministic: no conclusion is possible */
            return replay_on = false;
        if (turn > 0 && different)
            report_absent(&absent[turn - 1].reader, absent[turn - 1].source);
    }
    if (turn == (int)absent_count)
        return replay_on = false;
    turn++;
    for (size_t i = 0; i < words_count; i++)
        __real_memcpy((void *)words[i].address, &words[i].before, 8);
    return replay_on = true;
}
