/* An index that leaves one array of dynamic shared memory and lands in its neighbour. Only the source tells the arrays
 * apart, by the name in `name[index]`. In a right kernel each name has elements of its own, or one name has what the other
 * has as well (a half, a row, a buffer that changes sides). So elements that two names share are a finding where they are
 * fewer than either name has alone, and where what each has alone lies apart. A store has the column of its `=`; a load with
 * GCC that of the last bracket, or of the variable that begins with it, and with clang that of the name.
 * SPDX-License-Identifier: MIT */
#include "parts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../trace_internal.h"

#define NAMES_MAX   12 /* in one launch */
#define NAME_LENGTH 40

/* Who was the first to use an element by this name. */
struct use {
    const struct trace_place *place; /* NULL: nobody */
    uint64_t block;
    unsigned thread;
    bool write; /* somebody does */
};
struct part {
    char name[NAME_LENGTH];
    const char *function;
    struct use *use; /* [byte where an element begins] */
    size_t bytes;    /* room */
    unsigned launch; /* whose elements these are */
};
struct parts {
    struct part part[NAMES_MAX];
    unsigned parts;
    /* [place->number], as number + 1 in the above, or: */
    enum { UNKNOWN, NAMELESS = NAMES_MAX + 1 } * known;
    unsigned known_room;
};

struct parts *parts_create(void) { return trace_check_alloc(calloc(1, sizeof(struct parts))); }

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The length of a name that begins here, in `name[`; 0: it is no such name. */
static size_t name_at(const char *text, size_t begin)
{
    size_t end = begin;

    if (begin > 0 && (is_word(text[begin - 1]) || strchr(".>:*", text[begin - 1])))
        return 0;
    while (is_word(text[end]))
        end++;
    return text[end + strspn(text + end, " ")] == '[' ? end - begin : 0;
}

/* The name in `name[...]` that ends at text[end]. */
static size_t name_before(const char *text, size_t end, size_t *length)
{
    unsigned depth = 0;
    size_t at = end + 1;

    do {
        at--;
        depth += (unsigned)(text[at] == ']') - (unsigned)(text[at] == '[');
    } while (at > 0 && depth > 0);
    size_t begin = at;
    while (begin > 0 && is_word(text[begin - 1]))
        begin--;
    *length = depth > 0 || (begin > 0 && strchr(".>:*", text[begin - 1])) ? 0 : at - begin;
    return begin;
}

/* The one bracket that closes in this statement, as in `int x = a[i];`, whose load has the column of x. */
static size_t only_bracket(const char *text, size_t at)
{
    size_t found = at, end = at + strcspn(text + at, ";");
    unsigned depth = 0, count = 0;

    for (; at < end; at++) {
        depth += text[at] == '[';
        if (text[at] != ']' || depth == 0 || --depth > 0)
            continue;
        count += text[at + 1] != '[';
        found = at;
    }
    return count == 1 ? found : at;
}

static size_t name_of_access(const char *text, size_t column, size_t *length)
{
    size_t at = column - 1;

    *length = 0;
    if (column == 0 || column > strlen(text))
        return 0;
    size_t sign = strspn(text + at, "+-*/%&|^<>");
    if (text[at + sign] == '=' && text[at + sign + 1] != '=')
        while (at > 0 && strchr("+-*/%&|^<>= \t", text[at]))
            at--;
    else if ((*length = name_at(text, at)) > 0)
        return at;
    else if (is_word(text[at]))
        at = only_bracket(text, at);
    return text[at] == ']' ? name_before(text, at, length) : 0;
}

static unsigned find_part(struct parts *p, const struct trace_place *place)
{
    unsigned indent, i;
    const char *line = trace_source_line(place->file, place->line, &indent) - indent;
    size_t length, begin = name_of_access(line, trace_column(place), &length);

    if (length == 0 || length >= NAME_LENGTH)
        return NAMELESS;
    for (i = 0; i < p->parts; i++)
        if (strlen(p->part[i].name) == length && strncmp(p->part[i].name, line + begin, length) == 0 &&
            strcmp(p->part[i].function, place->function) == 0)
            return i + 1;
    if (i == NAMES_MAX)
        return NAMELESS;
    __real_memcpy(p->part[i].name, line + begin, length);
    p->part[i].function = place->function;
    return ++p->parts;
}

static struct part *part_of(struct parts *p, const struct trace_place *place)
{
    if (place->number >= p->known_room) {
        unsigned room = 2 * place->number + 64;
        p->known = trace_check_alloc(realloc(p->known, room * sizeof *p->known));
        for (unsigned i = p->known_room; i < room; i++)
            p->known[i] = UNKNOWN;
        p->known_room = room;
    }
    if (p->known[place->number] == UNKNOWN)
        p->known[place->number] = find_part(p, place);
    return p->known[place->number] == NAMELESS ? NULL : &p->part[p->known[place->number] - 1];
}

void parts_access(struct parts *p, const struct trace_access *a)
{
    size_t bytes = trace_launch->shared_bytes, at = a->address - (uintptr_t)hip_cpu_block()->shared;
    struct part *part = at < bytes ? part_of(p, a->place) : NULL;

    if (!part)
        return;
    if (part->launch != trace_launch->number) {
        if (part->bytes < bytes) {
            part->use = trace_check_alloc(realloc(part->use, bytes * sizeof *part->use));
            part->bytes = bytes;
        }
        __real_memset(part->use, 0, part->bytes * sizeof *part->use);
        part->launch = trace_launch->number;
    }
    bool writes = part->use[at].write || a->write;
    if (!part->use[at].place)
        part->use[at] = (struct use){a->place, a->who.block, a->who.thread, false};
    part->use[at].write = writes;
}

/* ---- the end of a launch ---- */

/* Which bytes begin an element of one name, and of both. */
struct elements {
    size_t count, low, high;
};
static void add_element(struct elements *e, size_t at)
{
    if (e->count++ == 0)
        e->low = at;
    e->high = at;
}

static void tell(struct report *r, const struct part *part, const struct part *neighbour, size_t at)
{
    const struct use *use = &part->use[at];
    const struct report_side side = {.block = use->block,
                                     .warp = use->thread / trace_launch->warp_size,
                                     .lane = use->thread % trace_launch->warp_size,
                                     .place = use->place,
                                     .write = use->write};

    report_leaves(r, &side, part->name, neighbour->name, at);
}

/* Whether the line that uses this element uses others of the array, which the two do not share. */
static bool is_usual(const struct part *part, const struct part *other, size_t at)
{
    for (size_t i = 0; i < trace_launch->shared_bytes; i++)
        if (!other->use[i].place && part->use[i].place == part->use[at].place)
            return true;
    return false;
}

/* Above its end `low` meets what `high` writes; below its begin `high` may well read what was put before it (the margin of a
 * tile), but not write it as `low` does. */
static void look_between(struct report *r, const struct part *low, const struct elements *of_low,
                         const struct part *high, const struct elements *of_high)
{
    for (size_t at = 0; at < trace_launch->shared_bytes; at++) {
        const struct use *by_low = &low->use[at], *by_high = &high->use[at];
        if (!by_low->place || !by_high->place)
            continue;
        bool leaves_low = at > of_low->high && by_high->write,
             leaves_high = at < of_high->low && by_low->write && by_high->write;
        if (leaves_low && leaves_high)
            leaves_low = !is_usual(low, high, at) || is_usual(high, low, at);
        if (leaves_low || leaves_high) {
            tell(r, leaves_low ? low : high, leaves_low ? high : low, at);
            return;
        }
    }
}

static void compare(struct report *r, const struct part *a, const struct part *b)
{
    struct elements both = {0}, of_a = {0}, of_b = {0};

    for (size_t at = 0; at < trace_launch->shared_bytes; at++) {
        bool in_a = a->use[at].place, in_b = b->use[at].place;
        if (in_a || in_b)
            add_element(in_a && in_b ? &both : in_a ? &of_a : &of_b, at);
    }
    if (both.count == 0 || both.count >= of_a.count || both.count >= of_b.count)
        return;
    /* Two names that begin at one place are the same memory at other times. */
    if (of_a.high < of_b.low && both.low > of_a.low)
        look_between(r, a, &of_a, b, &of_b);
    else if (of_b.high < of_a.low && both.low > of_b.low)
        look_between(r, b, &of_b, a, &of_a);
}

void parts_launch_end(struct parts *p, struct report *r)
{
    unsigned launch = trace_launch->number;

    for (unsigned i = 0; i < p->parts; i++)
        for (unsigned j = 0; j < i; j++)
            if (p->part[i].launch == launch && p->part[j].launch == launch &&
                p->part[i].function == p->part[j].function)
                compare(r, &p->part[i], &p->part[j]);
}
