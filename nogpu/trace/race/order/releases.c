/* See releases.h.
 * SPDX-License-Identifier: MIT */
#include "releases.h"

#include <stdlib.h>
#include <string.h>

#include "../../trace_internal.h"

#define BYTES 4

/* What the threads of one warp or block alone acquire. */
struct narrow {
    struct narrow *next;
    uint64_t block;
    unsigned warp; /* LEVEL_BLOCK: 0 */
    enum level level;
    struct knowledge known;
};

/* What was handed over by some bytes. */
struct value {
    struct knowledge known;
    struct narrow *narrow;
};

struct variable {
    uintptr_t address; /* 0: none */
    struct value whole;
    /* [BYTES]: instead of the whole, since some of them were written alone; NULL: none was */
    struct value *byte;
};

static struct variable *slot_of(const struct releases *r, uintptr_t address)
{
    size_t at = (size_t)(address * 0x9e3779b97f4a7c15ull >> 20) & (r->room - 1);
    while (r->slot[at].address && r->slot[at].address != address)
        at = (at + 1) & (r->room - 1);
    return &r->slot[at];
}

static struct variable *create(struct releases *r, uintptr_t address)
{
    if (2 * (r->count + 1) > r->room) {
        struct releases larger = {r->count, r->room ? 2 * r->room : 64, NULL, r->has_ended};
        larger.slot = trace_check_alloc(calloc(larger.room, sizeof *larger.slot));
        for (size_t i = 0; i < r->room; i++)
            if (r->slot[i].address)
                *slot_of(&larger, r->slot[i].address) = r->slot[i];
        free(r->slot);
        *r = larger;
    }
    struct variable *v = slot_of(r, address);
    r->count += v->address == 0;
    v->address = address;
    return v;
}

static struct narrow *narrow_of(const struct value *v, const struct trace_who *who, enum level level)
{
    unsigned warp = level == LEVEL_WARP ? who->warp : 0;
    struct narrow *n = v->narrow;

    while (n && (n->level != level || n->block != who->block || n->warp != warp))
        n = n->next;
    return n;
}

static void forget_ended(const struct releases *r, struct value *v)
{
    for (struct narrow **link = &v->narrow; *link;) {
        struct narrow *n = *link;
        if (r->has_ended(n->block)) {
            *link = n->next;
            free(n);
        } else {
            link = &n->next;
        }
    }
}

static void write_level(const struct releases *r, struct value *v, struct arena *arena, const struct trace_atomic *a,
                        enum level level, struct knowledge known)
{
    struct narrow *n = level == LEVEL_DEVICE ? NULL : narrow_of(v, &a->who, level);

    if (level != LEVEL_DEVICE && !n) {
        if (!known.root)
            return;
        forget_ended(r, v);
        n = trace_check_alloc(calloc(1, sizeof *n));
        n->next = v->narrow;
        n->block = a->who.block;
        n->warp = level == LEVEL_WARP ? a->who.warp : 0;
        n->level = level;
        v->narrow = n;
    }
    struct knowledge *at = n ? &n->known : &v->known;
    *at = knowledge_union(arena, *at, known);
}

static void clear(struct value *v)
{
    v->known = (struct knowledge){0, NULL};
    for (struct narrow *n = v->narrow; n; n = n->next)
        n->known = v->known;
}

static void drop(struct value *v)
{
    while (v->narrow) {
        struct narrow *next = v->narrow->next;
        free(v->narrow);
        v->narrow = next;
    }
}

/* ---- bytes ---- */

/* Each byte has a copy of what the whole had. */
static void split(struct variable *v)
{
    v->byte = trace_check_alloc(calloc(BYTES, sizeof *v->byte));
    for (unsigned i = 0; i < BYTES; i++) {
        v->byte[i].known = v->whole.known;
        for (const struct narrow *n = v->whole.narrow; n; n = n->next) {
            struct narrow *copy = trace_check_alloc(malloc(sizeof *copy));
            *copy = *n;
            copy->next = v->byte[i].narrow;
            v->byte[i].narrow = copy;
        }
    }
    drop(&v->whole);
    v->whole.known = (struct knowledge){0, NULL};
}

/* The values that an access to the bytes from `first` to before `end` is about. */
static struct value *values_of(struct variable *v, uintptr_t first, uintptr_t end, unsigned *count)
{
    uintptr_t low = first > v->address ? first - v->address : 0;
    uintptr_t high = end - v->address < BYTES ? end - v->address : BYTES;

    *count = v->byte ? (unsigned)(high - low) : 1;
    return v->byte ? v->byte + low : &v->whole;
}

/* ---- accesses ---- */

void releases_write(struct releases *r, struct arena *arena, const struct trace_atomic *a,
                    const struct knowledge known[LEVELS])
{
    bool any = known[LEVEL_WARP].root || known[LEVEL_BLOCK].root || known[LEVEL_DEVICE].root;
    unsigned count;

    if (!any && (a->reads || r->room == 0))
        return;
    for (uintptr_t at = a->address / BYTES * BYTES; at < a->address + a->size; at += BYTES) {
        struct variable *v = any ? create(r, at) : slot_of(r, at);
        if (v->address == 0)
            continue;
        if (a->size < BYTES && !v->byte)
            split(v);
        struct value *value = values_of(v, a->address, a->address + a->size, &count);
        for (unsigned i = 0; i < count; i++) {
            if (!a->reads)
                clear(&value[i]);
            for (int level = 0; level < LEVELS; level++)
                write_level(r, &value[i], arena, a, (enum level)level, known[level]);
        }
    }
}

void releases_read(const struct releases *r, struct arena *arena, const struct trace_atomic *a,
                   struct knowledge known[LEVELS])
{
    int widest = level_of(a->scope);
    unsigned count;

    for (uintptr_t at = a->address / BYTES * BYTES; at < a->address + a->size; at += BYTES) {
        struct variable *v = r->room ? slot_of(r, at) : NULL;
        if (!v || v->address == 0)
            continue;
        const struct value *value = values_of(v, a->address, a->address + a->size, &count);
        for (unsigned i = 0; i < count; i++) {
            for (int level = 0; level <= widest; level++) {
                const struct narrow *n =
                    level == LEVEL_DEVICE ? NULL : narrow_of(&value[i], &a->who, (enum level)level);
                if (level == LEVEL_DEVICE || n)
                    known[level] = knowledge_union(arena, known[level], n ? n->known : value[i].known);
            }
        }
    }
}

static void move_value(const struct releases *r, struct value *v, struct arena *to)
{
    forget_ended(r, v);
    v->known = knowledge_move(to, v->known);
    for (struct narrow *n = v->narrow; n; n = n->next)
        n->known = knowledge_move(to, n->known);
}

void releases_move(struct releases *r, struct arena *to)
{
    for (struct variable *v = r->slot; v < r->slot + r->room; v++) {
        move_value(r, &v->whole, to);
        for (unsigned i = 0; v->byte && i < BYTES; i++)
            move_value(r, &v->byte[i], to);
    }
}

void releases_drop(struct releases *r)
{
    for (struct variable *v = r->slot; v < r->slot + r->room; v++) {
        drop(&v->whole);
        for (unsigned i = 0; v->byte && i < BYTES; i++)
            drop(&v->byte[i]);
        free(v->byte);
    }
    free(r->slot);
    r->slot = NULL;
    r->count = r->room = 0;
}
