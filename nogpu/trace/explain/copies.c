/* Copies of structs, as a GPU makes them: pieces of up to 16 bytes.
 *
 * GCC copies a struct as a whole here; clang loads and stores its members one by one, as it does for a GPU, where it puts
 * them together again later (LoadStoreVectorizer). So do we. Accesses of a thread are parts of one copy if they belong to
 * one expression of the source (line, column, inlined call), lie side by side, and come from different code addresses: a
 * loop comes from the same one again and again. Traced kernels are compiled without unrolled loops for that.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "../trace_internal.h"
#include "explain.h"
#include "values.h"

#define COPIES_MAX 8   /* that a thread has begun */
#define PARTS_MAX  32  /* of a copy */
#define COPY_BYTES 512 /* 16 for each part */

struct copy {
    uint64_t expression;
    struct trace_who who;
    const struct trace_place *place;
    enum warp_kind kind;
    enum trace_space space;
    uintptr_t address;
    unsigned size, parts;
    uintptr_t code[PARTS_MAX];
    uint64_t known; /* parts whose values are */
    unsigned char value[COPY_BYTES + 8];
};

struct copies {
    struct warps *warps; /* receives complete copies */
    bool has_ended;      /* a copy of this thread, with the access that was seen last */
    unsigned ended;
    struct {
        struct copy copy[COPIES_MAX]; /* in the order in which they began */
        unsigned count;
    } begun[THREADS_MAX];
};

struct copies *copies_create(struct warps *warps)
{
    struct copies *c = trace_check_alloc(calloc(1, sizeof *c));

    c->warps = warps;
    return c;
}

/* A GPU accesses at most 16 bytes at once, and of a struct in global memory at most its alignment. The compiler knows where
 * shared memory begins, so there the actual addresses count. */
static void take_pieces(struct warps *w, const struct copy *c)
{
    unsigned piece = c->size;

    if (c->size > 8) {
        size_t align = c->space == TRACE_GLOBAL ? trace_align_at(c->address) : 0;
        piece = 1u << __builtin_ctzll(16 | align | c->size | c->address);
    }
    for (unsigned done = 0; done < c->size; done += piece)
        warps_take(w, &c->who, c->place, c->kind, c->space, c->address + done, piece,
                   c->known == c->parts ? c->value + done : NULL);
}

/* A struct may end with bytes that belong to no member; clang leaves them out. */
static void add_padding(struct copy *c)
{
    uintptr_t element;
    size_t bytes = c->parts > 1 ? trace_element_at(c->space, c->address, &element) : 0;

    if (bytes > 0 && c->address + c->size < element + bytes && element + bytes < c->address + c->size + 8)
        c->size = (unsigned)(element + bytes - c->address);
}

static void complete(struct copies *c, unsigned thread)
{
    for (unsigned i = 0; i < c->begun[thread].count; i++) {
        add_padding(&c->begun[thread].copy[i]);
        take_pieces(c->warps, &c->begun[thread].copy[i]);
    }
    c->begun[thread].count = 0;
}

void copies_complete(struct copies *c, unsigned first, unsigned threads)
{
    for (unsigned i = first; i < first + threads && i < THREADS_MAX; i++)
        complete(c, i);
}

void copies_proceed(struct copies *c)
{
    values_complete();
    if (c->has_ended)
        complete(c, c->ended);
    c->has_ended = false;
}

static bool has_part_from(const struct copy *c, uintptr_t code)
{
    for (unsigned i = 0; i < c->parts; i++)
        if (c->code[i] == code)
            return true;
    return false;
}

/* Whether the access continues the copy, and does not begin the next element of the array. Padding may
 * precede a member of 8 bytes. */
static bool extend(struct copy *c, const struct trace_access *a)
{
    uintptr_t end = c->address + c->size, element;
    bool is_behind =
        a->address == end || (a->size == 8 && a->address % 8 == 0 && a->address > end && a->address < end + 8);
    bool is_within = a->address >= c->address && a->address + a->size <= end; /* a member that was copied already */
    uintptr_t second = is_behind ? a->address : c->address;
    size_t bytes = trace_element_at(a->space, second, &element);

    if (c->parts == PARTS_MAX || c->space != a->space ||
        !(is_within || is_behind || a->address + a->size == c->address) ||
        (!is_within && second == element && bytes > 8))
        return false;
    c->code[c->parts++] = a->code;
    if (is_within)
        return true;
    if (is_behind) {
        end = a->address + a->size;
    } else {
        __real_memmove(c->value + a->size, c->value, c->size);
        c->address = a->address;
    }
    c->size = (unsigned)(end - c->address);
    return true;
}

/* A part: what it loads, or what it stores. */
static void take_value(struct copy *c, const struct trace_access *a)
{
    unsigned char *to = c->value + (a->address - c->address);

    if (a->address + a->size > c->address + COPY_BYTES)
        return;
    if (a->write) {
        values_take_later(to, a->address, a->size, &c->known, 1);
    } else {
        values_take(to, a->address, a->size);
        c->known++;
    }
}

static void begin(struct copy *c, uint64_t expression, const struct trace_access *a)
{
    c->expression = expression;
    c->who = a->who;
    c->place = a->place;
    c->kind = a->write ? WARP_STORE : WARP_LOAD;
    c->space = a->space;
    c->address = a->address;
    c->size = a->size;
    c->code[0] = a->code;
    c->parts = 1;
    c->known = 0;
}

void copies_take(struct copies *c, const struct trace_access *a)
{
    uint64_t expression = trace_expression_of(a->code);
    unsigned thread = a->who.thread;

    for (unsigned i = 0; i < c->begun[thread].count; i++) {
        struct copy *copy = &c->begun[thread].copy[i];
        if (copy->expression != expression || (copy->kind == WARP_STORE) != a->write)
            continue;
        if (has_part_from(copy, a->code)) { /* the next turn of a loop */
            complete(c, thread);
            break;
        }
        if (extend(copy, a)) {
            take_value(copy, a);
            return;
        }
    }
    if (c->begun[thread].count == COPIES_MAX)
        complete(c, thread);
    struct copy *copy = &c->begun[thread].copy[c->begun[thread].count++];
    begin(copy, expression, a);
    take_value(copy, a);
    if (expression == 0) {
        c->has_ended = true;
        c->ended = thread;
    }
}
