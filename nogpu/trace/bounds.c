/* Whether `name[index]` stays in the static __shared__ array of that name. Such arrays lie side by side, so an index that
 * leaves one lands in another, and only the source says which was meant. GCC gives a load the column of the last bracket
 * of `name[index]`, and a store that of its `=`; where the source reads otherwise, nothing is said.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols.h"
#include "trace_internal.h"

#define SAME_MAX 16 /* a template has an array of the name for each of its types */

/* What a place accesses by name, from the begin of the static __shared__ variables. */
struct named {
    bool is_known;
    unsigned count; /* 0: nothing that is known */
    struct symbols_variable array[SAME_MAX];
};

static struct named **named; /* [place->number] */
static unsigned named_room;

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The name in `name[..][..]` or `name[..].member`, which ends at text[end], and how many brackets; 0: it is something else. */
static size_t name_before(const char *text, size_t end, size_t *length, unsigned *brackets)
{
    size_t at = end + 1;

    *brackets = 0;
    for (;;) {
        size_t word = at;
        while (word > 0 && is_word(text[word - 1]))
            word--;
        if (word < at && word > 0 && text[word - 1] == '.' && *brackets == 0) {
            at = word - 1;
        } else if (word < at) {
            *length = at - word;
            bool is_part = word > 0 && strchr(".>:", text[word - 1]);
            return is_part || *brackets == 0 ? 0 : word + 1;
        } else if (at > 0 && text[at - 1] == ']') {
            unsigned depth = 0;
            do {
                at--;
                depth += (unsigned)(text[at] == ']') - (unsigned)(text[at] == '[');
            } while (at > 0 && depth > 0);
            ++*brackets;
        } else {
            return 0;
        }
    }
}

/* The same of the access in this line: a load at its last bracket, a store at its operator, which stands between the
 * array and the new value. */
static size_t name_of_access(const char *text, size_t column, bool write, size_t *length,
                             unsigned *brackets)
{
    size_t at = column - 1;

    if (column == 0 || column > strlen(text))
        return 0;
    if (!write)
        return text[at] == ']' ? name_before(text, at, length, brackets) : 0;
    size_t sign = strspn(text + at, "+-*/%&|^<>");
    if (at == 0 || text[at + sign] != '=' || text[at + sign + 1] == '=')
        return 0;
    while (at > 0 && strchr("+-*/%&|^<> \t", text[at - 1]))
        at--;
    size_t name = at > 0 ? name_before(text, at - 1, length, brackets) : 0, before = name;
    while (before > 1 && (text[before - 2] == ' ' || text[before - 2] == '\t'))
        before--;
    return before > 1 && !strchr(";{}(,)", text[before - 2])
               ? 0
               : name; /* *s[i] = x is no store to s */
}

static void find_named(struct named *n, const struct trace_place *place, bool write, void *code)
{
    struct symbols_code at;
    char line[400], name[80];
    unsigned indent, brackets;
    size_t length, begin;

    symbols_of_code((uintptr_t)code - 1, &at);
    if (at.by_clang) /* its columns are those after the preprocessor */
        return;
    const char *text = trace_source_line(place->file, place->line, &indent);
    snprintf(line, sizeof line, "%*s%s", (int)indent, "", text);
    begin = name_of_access(line, place->column, write, &length, &brackets);
    if (begin == 0 || length >= sizeof name)
        return;
    memcpy(name, line + begin - 1, length);
    name[length] = '\0';
    n->count = symbols_shared_arrays(place->function, name, brackets, n->array, SAME_MAX);
}

static struct named *named_at(const struct trace_place *place, bool write, void *code)
{
    if (place->number >= named_room) {
        unsigned room = 2 * place->number + 64;
        named = trace_check_alloc(realloc(named, room * sizeof *named));
        memset(named + named_room, 0, (room - named_room) * sizeof *named);
        named_room = room;
    }
    struct named **n = &named[place->number];
    if (!*n) {
        *n = trace_check_alloc(calloc(1, sizeof **n));
        find_named(*n, place, write, code);
        for (unsigned i = 0; i < (*n)->count; i++)
            (*n)->array[i].begin -= trace_here.fixed;
    }
    return *n;
}

void trace_check_bounds(uintptr_t address, bool write, void *code)
{
    const struct trace_place *place = trace_place_of((uintptr_t)code);
    const struct named *n = named_at(place, write, code);
    size_t offset = address - trace_here.fixed;
    const struct symbols_variable *nearest = n->array;
    char text[400];

    for (unsigned i = 0; i < n->count; i++) {
        if (offset - n->array[i].begin < n->array[i].bytes)
            return;
        if (labs((long)(offset - n->array[i].begin)) < labs((long)(offset - nearest->begin)))
            nearest = &n->array[i];
    }
    if (n->count == 0)
        return;
    snprintf(text, sizeof text,
             "%s byte %td of the static __shared__ variable %s of %zu bytes: check the index "
             "against the size",
             write ? "writes" : "reads", (ptrdiff_t)(offset - nearest->begin), nearest->name,
             nearest->bytes);
    hip_cpu_begin_fault(HIP_CPU_OUT_OF_BOUNDS);
    hip_cpu_fail(text, place->file, (int)place->line);
}
