/* The weak memory: see weak.h.
 *
 * While a block runs, memory holds what the block sees. Its stores that others do not see yet are in a list
 * with the overwritten values; when another block's turn comes they are undone, and later they become visible
 * one by one.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../trace_internal.h"

#define WORD        8 /* no store in the list crosses a multiple of this many bytes */
#define HASH_SLOTS  ((size_t)1 << 16)
#define ARRIVE_EACH 64 /* stores and atomics, on average, until a store arrives */

struct store {
    uint64_t block;
    uintptr_t address;
    unsigned char size;
    bool late; /* not yet visible to others */
    bool undone;
    bool released; /* with `at`: whoever acquires there sees it */
    uint16_t thread;
    uint32_t epoch, meetings; /* of the block, of the warp */
    unsigned char before[WORD], value[WORD];
    uintptr_t at;
    uint32_t older; /* in the same slot of the hash; 0: none */
};

struct weak {
    uint64_t random;
    struct store *store; /* of this launch; number 0 is not used */
    uint32_t count, room;
    uint32_t latest[HASH_SLOTS]; /* number of the latest store to the words of this slot */
    uint32_t *released;          /* numbers of the late stores that an atomic operation has released */
    uint32_t releases, releases_room;
};

/* Of the block that this worker runs. */
static __thread struct {
    uint64_t block;
    uint32_t *number; /* of its stores that may be late, in their order */
    uint32_t count, room;
    /* Stores of other blocks, released at a word that this block has read since: a fence acquires them. */
    uint32_t *read;
    uint32_t reads, reads_room;
    uint32_t meetings[WARPS_MAX];
} mine;

static struct weak *create(uint64_t seed)
{
    struct weak *w = trace_check_alloc(calloc(1, sizeof *w));

    w->random = seed + 1;
    w->count = 1;
    return w;
}

struct weak *weak_from_environment(void)
{
    const char *text = hip_cpu_setting("HIP_CPU_MEMORY");
    char *end;

    if (!text || strcmp(text, "strong") == 0)
        return NULL;
    if (strcmp(text, "weak") == 0)
        return create(0);
    if (strncmp(text, "weak:", 5) == 0 && text[5] >= '0' && text[5] <= '9') {
        uint64_t seed = strtoull(text + 5, &end, 10);
        if (*end == '\0')
            return create(seed);
    }
    hip_cpu_reject("HIP_CPU_MEMORY", text);
}

static uint64_t draw(struct weak *w) { return w->random = hip_cpu_mix(w->random, 0); }

static uint32_t *slot_of(struct weak *w, uintptr_t address)
{
    return &w->latest[(address / WORD * 0x9e3779b97f4a7c15ull >> 40) % HASH_SLOTS];
}

static bool same_word(const struct store *a, uintptr_t address) { return a->address / WORD == address / WORD; }

/* Makes the late stores of a block to this word visible, up to number `from`, the oldest first. */
static void arrive(struct weak *w, uint64_t block, uintptr_t address, uint32_t from)
{
    for (;;) {
        struct store *oldest = NULL;
        for (uint32_t i = from; i; i = w->store[i].older)
            if (w->store[i].late && w->store[i].block == block && same_word(&w->store[i], address))
                oldest = &w->store[i];
        if (!oldest)
            return;
        if (oldest->undone)
            __real_memcpy((void *)oldest->address, oldest->value, oldest->size);
        oldest->late = false;
    }
}

/* Makes a store visible from time to time. */
static void step(struct weak *w)
{
    uint64_t random = draw(w);
    if (w->count == 1 || random % ARRIVE_EACH != 0)
        return;
    uint32_t number = 1 + (uint32_t)((random >> 20) % (w->count - 1));
    if (w->store[number].late) {
        struct store s = w->store[number];
        arrive(w, s.block, s.address, number);
    }
}

static void note(struct weak *w, const struct trace_who *who, uintptr_t address, unsigned size)
{
    TRACE_ONE_MORE(w->store, w->count, w->room, 4096);
    TRACE_ONE_MORE(mine.number, mine.count, mine.room, 256);
    struct store *s = &w->store[w->count];
    memset(s, 0, sizeof *s);
    s->block = mine.block;
    s->address = address;
    s->size = (unsigned char)size;
    s->late = true;
    s->thread = (uint16_t)who->thread;
    s->epoch = who->epoch;
    s->meetings = mine.meetings[who->warp];
    __real_memcpy(s->before, (const void *)address, size);
    s->older = *slot_of(w, address);
    *slot_of(w, address) = w->count;
    mine.number[mine.count++] = w->count++;
}

void weak_store(struct weak *w, const struct trace_who *who, uintptr_t address, size_t size)
{
    step(w);
    while (size > 0) {
        unsigned part = WORD - (unsigned)(address % WORD);
        if (part > size)
            part = (unsigned)size;
        note(w, who, address, part);
        address += part;
        size -= part;
    }
}

static void see(struct weak *w, uint32_t number)
{
    struct store s = w->store[number];

    if (s.late)
        arrive(w, s.block, s.address, number);
}

/* The block reads this word: what was released there arrives now, or at the next fence of the block. */
static void read_released(struct weak *w, uintptr_t address, bool acquires)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < w->releases; i++) {
        uint32_t number = w->released[i];
        if (!w->store[number].late)
            continue;
        bool found = w->store[number].at / WORD == address / WORD;
        if (found && acquires) {
            see(w, number);
            continue;
        }
        if (found) {
            TRACE_ONE_MORE(mine.read, mine.reads, mine.reads_room, 64);
            mine.read[mine.reads++] = number;
        }
        w->released[kept++] = number;
    }
    w->releases = kept;
}

void weak_poll(struct weak *w, uintptr_t address)
{
    step(w);
    for (uint32_t i = *slot_of(w, address); i; i = w->store[i].older) {
        if (w->store[i].late && w->store[i].block != mine.block && same_word(&w->store[i], address) &&
            draw(w) % 2 == 0) {
            arrive(w, w->store[i].block, address, i);
            break;
        }
    }
    read_released(w, address, false);
}

/* A release by this thread, at a word, or for all (0): its stores, and those of its block that are ordered before it. A store
 * that is released at two words arrives. */
static void release(struct weak *w, const struct trace_who *who, uintptr_t at)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < mine.count; i++) {
        uint32_t number = mine.number[i];
        struct store *s = &w->store[number];
        bool before = s->thread == who->thread || s->epoch < who->epoch ||
                      (s->thread / (unsigned)warpSize == who->warp && s->meetings < mine.meetings[who->warp]);
        if (s->late && before && (at == 0 || (s->released && s->at / WORD != at / WORD))) {
            arrive(w, s->block, s->address, number);
        } else if (s->late && before && !s->released) {
            s->released = true;
            s->at = at;
            TRACE_ONE_MORE(w->released, w->releases, w->releases_room, 256);
            w->released[w->releases++] = number;
        }
        if (w->store[number].late)
            mine.number[kept++] = number;
    }
    mine.count = kept;
}

void weak_atomic(struct weak *w, const struct trace_atomic *a)
{
    bool wide = a->scope >= TRACE_SCOPE_DEVICE;

    if (a->reads)
        read_released(w, a->address, wide && trace_acquires(a->order));
    if (a->writes && wide && trace_releases(a->order))
        release(w, &a->who, a->address);
    if (a->reads && a->writes) { /* is visible to all threads at once */
        step(w);
        arrive(w, mine.block, a->address, *slot_of(w, a->address));
    } else if (a->writes) {
        weak_store(w, &a->who, a->address, a->size);
    } else {
        weak_poll(w, a->address);
    }
}

void weak_fence(struct weak *w, const struct trace_who *who, int order)
{
    for (uint32_t i = 0; trace_acquires(order) && i < mine.reads; i++)
        see(w, mine.read[i]);
    if (trace_acquires(order))
        mine.reads = 0;
    if (trace_releases(order))
        release(w, who, 0);
}

void weak_meeting(const struct trace_meeting *m)
{
    if (m->op == HIP_CPU_SYNCWARP)
        mine.meetings[m->warp]++;
}

void weak_block_begin(uint64_t block)
{
    mine.block = block;
    mine.count = mine.reads = 0;
    memset(mine.meetings, 0, sizeof mine.meetings);
}

void weak_publish(struct weak *w)
{
    for (uint32_t i = 0; i < mine.count; i++)
        w->store[mine.number[i]].late = false;
    mine.count = 0;
}

void weak_leave(struct weak *w)
{
    for (uint32_t i = mine.count; i-- > 0;) {
        struct store *s = &w->store[mine.number[i]];
        if (!s->late)
            continue;
        __real_memcpy(s->value, (const void *)s->address, s->size);
        __real_memcpy((void *)s->address, s->before, s->size);
        s->undone = true;
    }
}

void weak_return(struct weak *w)
{
    for (uint32_t i = 0; i < mine.count; i++) {
        struct store *s = &w->store[mine.number[i]];
        if (!s->late)
            continue;
        __real_memcpy(s->before, (const void *)s->address, s->size);
        __real_memcpy((void *)s->address, s->value, s->size);
        s->undone = false;
    }
}

void weak_block_end(struct weak *w)
{
    weak_leave(w);
    mine.count = 0;
}

void weak_launch_end(struct weak *w)
{
    for (uint32_t i = 1; i < w->count; i++)
        if (w->store[i].late)
            __real_memcpy((void *)w->store[i].address, w->store[i].value, w->store[i].size);
    w->count = 1;
    w->releases = 0;
    memset(w->latest, 0, sizeof w->latest);
}
