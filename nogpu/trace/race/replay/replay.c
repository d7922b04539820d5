/* Launches run again: see replay.h.
 * SPDX-License-Identifier: MIT */
#include "replay.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../text/names.h"
#include "../../trace_internal.h"

#define PLACES_MAX 16
#define HOLES_MAX  1024
/* What an undefined value may be instead of HIP_CPU_POISON, which is a NaN of each width. A reduction of any operation and
 * type that uses it gives another result with one of them. The lower bytes are the value of a narrower type. */
static const uint64_t others[] = {
    0,                     /* ends a product, an AND, a minimum of what has no sign */
    UINT64_MAX,            /* ends an OR, a maximum of what has no sign */
    0x7fefffff7f7fffffull, /* the largest double, and float */
    0xffefffffff7fffffull, /* the lowest */
    0x7fffffff7fffffffull, /* the largest int, and nearly the largest of 64 bits */
    0x8000000080000000ull, /* the lowest */
    0x7bff7bff7bff7bffull, /* the largest half */
    0xfbfffbfffbfffbffull, /* the lowest */
    0x7f7f7f7f7f7f7f7full, /* the largest bfloat16, and integer of 8 bits */
    0xff7fff7fff7fff7full, /* the lowest bfloat16 */
    0x8080808080808080ull, /* the lowest integer of 8 bits */
    0x7fff7fff7fff7fffull, /* the largest integer of 16 bits */
    0x8000800080008000ull, /* the lowest */
};
#define OTHERS (sizeof others / sizeof *others)
#define ALL    UINT_MAX

#define WORDS       16 /* of 8 bytes */
#define CHUNK_BYTES ((size_t)8 * WORDS)

/* Global memory, some words of which the launch has written. */
struct chunk {
    uintptr_t address;
    uint32_t written; /* a bit for each word */
};
typedef uint64_t chunk_values[WORDS];

struct replay {
    struct report *report;
    bool possible;
    enum { FIRST_RUN, SAME_AGAIN, CHANGED } turn;
    /* CHANGED: which value, and which of the undefined ones has it: absent[changed], after these hole[], or ALL that are
     * not known to be used. */
    unsigned value, changed;
    bool is_used[PLACES_MAX + 1], any_used;

    struct chunk *chunk;
    chunk_values *before, *after; /* [chunks]: the first run of the launch; after: if it runs again */
    size_t chunks, chunks_room, latest;
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
    r->chunks = 0;
    if (r->slots > 0)
        memset(r->slot, 0, r->slots * sizeof *r->slot);
    r->absent_count = r->unwritten_count = r->holes = 0;
    r->turn = FIRST_RUN;
}

static uint32_t *slot_of(struct replay *r, uintptr_t address)
{
    size_t slot = (size_t)(address / CHUNK_BYTES * 0x9e3779b97f4a7c15ull >> 24) & (r->slots - 1);
    while (r->slot[slot] && r->chunk[r->slot[slot] - 1].address != address)
        slot = (slot + 1) & (r->slots - 1);
    return &r->slot[slot];
}

static void make_room_after(struct replay *r)
{
    r->after = trace_check_alloc(realloc(r->after, r->chunks_room * sizeof *r->after));
}

static void grow(struct replay *r)
{
    r->chunks_room = r->chunks_room ? 2 * r->chunks_room : 256;
    r->chunk = trace_check_alloc(realloc(r->chunk, r->chunks_room * sizeof *r->chunk));
    r->before = trace_check_alloc(realloc(r->before, r->chunks_room * sizeof *r->before));
    if (r->turn != FIRST_RUN)
        make_room_after(r);
    r->slots = 2 * r->chunks_room;
    free(r->slot);
    r->slot = trace_check_alloc(calloc(r->slots, sizeof *r->slot));
    for (size_t i = 0; i < r->chunks; i++)
        *slot_of(r, r->chunk[i].address) = (uint32_t)i + 1;
}

/* Its number. Most stores follow one in the same chunk. */
static size_t chunk_of(struct replay *r, uintptr_t address)
{
    if (r->latest < r->chunks && r->chunk[r->latest].address == address)
        return r->latest;
    if (r->chunks == r->chunks_room)
        grow(r);
    uint32_t *slot = slot_of(r, address);
    if (!*slot) {
        r->chunk[r->chunks] = (struct chunk){address, 0};
        *slot = (uint32_t)++r->chunks;
    }
    return r->latest = *slot - 1;
}

/* Allocations begin and end at multiples of 16. */
void replay_note(struct replay *r, uintptr_t address, size_t size)
{
    for (uintptr_t at = address / 8 * 8; at < address + size; at += 8) {
        size_t i = chunk_of(r, at / CHUNK_BYTES * CHUNK_BYTES);
        unsigned word = (unsigned)(at % CHUNK_BYTES / 8);
        if (r->chunk[i].written >> word & 1)
            continue;
        r->chunk[i].written |= 1u << word;
        __real_memcpy(&r->before[i][word], (const void *)at, 8);
        if (r->turn != FIRST_RUN) /* only a changed value writes here */
            __real_memcpy(&r->after[i][word], (const void *)at, 8);
    }
}

static bool is_changed(const struct replay *r, unsigned i)
{
    return r->turn == CHANGED && (r->changed == i || (r->changed == ALL && !r->is_used[i]));
}

uint64_t replay_absent(struct replay *r, const struct trace_meeting *m)
{
    unsigned lane = (unsigned)__builtin_ctzll(m->absent), i = 0;

    while (i < r->absent_count && r->absent[i].place != m->place)
        i++;
    if (i == PLACES_MAX || (i == r->absent_count && r->turn != FIRST_RUN))
        return HIP_CPU_POISON;
    if (i == r->absent_count) {
        r->absent[i].place = m->place;
        r->absent[i].source = m->source[lane];
        r->absent[r->absent_count++].reader =
            (struct report_side){.block = m->block, .warp = m->warp, .lane = lane, .place = m->place};
    }
    return is_changed(r, i) ? others[r->value] : HIP_CPU_POISON;
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

bool replay_unwritten(struct replay *r, const struct trace_who *who, const struct trace_place *place, uintptr_t address,
                      unsigned size)
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
    const uint64_t other = others[r->value];

    if (!is_changed(r, r->absent_count))
        return;
    for (const struct hole *h = r->hole; h < r->hole + r->holes; h++) {
        uintptr_t address = shared_begin(h->is_fixed) + h->offset;
        for (unsigned i = 0; i < h->size; i++)
            ((unsigned char *)address)[i] = ((const unsigned char *)&other)[(address + i) % 8];
    }
}

/* From memory, or to it; whether it was different. */
static bool copy_written(const struct replay *r, chunk_values *values, bool to_memory)
{
    bool different = false;

    for (size_t i = 0; i < r->chunks; i++) {
        for (uint32_t rest = r->chunk[i].written; rest; rest &= rest - 1) {
            unsigned word = (unsigned)__builtin_ctz(rest);
            void *memory = (void *)(r->chunk[i].address + (size_t)8 * word);
            void *value = &values[i][word];
            different = different || memcmp(memory, value, 8) != 0;
            __real_memcpy(to_memory ? memory : value, to_memory ? value : memory, 8);
        }
    }
    return different;
}

static void report_use(struct replay *r, unsigned changed)
{
    r->is_used[changed] = r->any_used = true;
    if (changed < r->absent_count) {
        report_absent(r->report, &r->absent[changed].reader, r->absent[changed].source);
        return;
    }
    for (unsigned i = 0; i < r->unwritten_count; i++)
        report_unwritten(r->report, &r->unwritten[i].who, r->unwritten[i].place, r->unwritten[i].address,
                         r->unwritten[i].size);
}

/* The next undefined value from this one on that is not known to be used; or ALL. */
static unsigned next_unknown(const struct replay *r, unsigned i)
{
    while (i < r->absent_count + (r->holes > 0) && r->is_used[i])
        i++;
    return i < r->absent_count + (r->holes > 0) ? i : ALL;
}

/* The launch has run with a change. If memory differs with all values changed, each is changed alone; false: all is known. */
static bool change_next(struct replay *r, bool different)
{
    unsigned unknown = next_unknown(r, 0);

    if (r->changed == ALL && different && next_unknown(r, unknown + 1) != ALL) {
        r->changed = unknown;
        r->any_used = false;
        return true;
    }
    if (different)
        report_use(r, r->changed == ALL ? unknown : r->changed);
    if (r->changed != ALL && (r->changed = next_unknown(r, r->changed + 1)) != ALL)
        return true;
    if (!r->any_used) /* none alone, but all together */
        report_use(r, unknown);
    r->any_used = true;
    return next_unknown(r, 0) != ALL && ++r->value < OTHERS;
}

bool replay_again(struct replay *r)
{
    if (r->absent_count == 0 && r->holes == 0)
        return false;
    if (r->turn == FIRST_RUN) {
        make_room_after(r);
        copy_written(r, r->after, false);
        r->turn = SAME_AGAIN;
    } else {
        bool different = copy_written(r, r->after, true);
        if (r->turn == SAME_AGAIN) {
            if (different) /* the launch is not deterministic: no conclusion is possible */
                return false;
            r->turn = CHANGED;
            r->value = 0;
            r->changed = ALL;
            memset(r->is_used, 0, sizeof r->is_used);
            r->any_used = true;
        } else if (!change_next(r, different)) {
            return false;
        }
    }
    copy_written(r, r->before, true);
    return true;
}

/* ---- for trials ---- */

size_t replay_written(const struct replay *r)
{
    size_t words = 0;

    for (size_t i = 0; i < r->chunks; i++)
        words += (size_t)__builtin_popcount(r->chunk[i].written);
    return 8 * words;
}

/* A sum, because another run may write in another order. Words that keep their value do not count. */
uint64_t replay_result(const struct replay *r)
{
    uint64_t result = 0, value;

    for (size_t i = 0; i < r->chunks; i++) {
        for (uint32_t rest = r->chunk[i].written; rest; rest &= rest - 1) {
            unsigned word = (unsigned)__builtin_ctz(rest);
            uintptr_t address = r->chunk[i].address + (uintptr_t)8 * word;
            __real_memcpy(&value, (const void *)address, 8);
            if (value != r->before[i][word])
                result += hip_cpu_mix(address, value);
        }
    }
    return result;
}

double replay_sum(const struct replay *r)
{
    double sum = 0;

    for (size_t i = 0; i < r->chunks; i++) {
        uintptr_t first = r->chunk[i].address + 8 * (uintptr_t)__builtin_ctz(r->chunk[i].written);
        struct trace_scalar s = trace_scalar_at(TRACE_GLOBAL, first, 8);
        for (uint32_t rest = r->chunk[i].written; rest; rest &= rest - 1) {
            uintptr_t at = r->chunk[i].address + 8 * (uintptr_t)__builtin_ctz(rest);
            for (uintptr_t end = at + 8; s.bytes > 0 && at < end; at += s.bytes) {
                double value = trace_scalar_number(s, (const void *)at);
                uint64_t bits = 0;
                __real_memcpy(&bits, (const void *)at, s.bytes < 8 ? s.bytes : 8);
                if (s.kind == HIP_CPU_KIND_SIGNED || s.kind == HIP_CPU_KIND_UNSIGNED)
                    value = (double)bits;
                sum += isfinite(value) ? value : 0;
            }
        }
    }
    return sum;
}

void replay_restore(struct replay *r) { copy_written(r, r->before, true); }

void replay_restart(struct replay *r) { replay_launch_begin(r); }
