/* Indices that leave an array whose size the compiler knows: static __shared__ arrays lie side by side, so such an index
 * lands in another one, and only the source says which was meant. The compiler calls __ubsan_handle_out_of_bounds() before
 * the access (flags.txt); it lets &a[n] pass, so what atomic operations get is looked up here.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../symbols.h"
#include "../trace_internal.h"

/* As both compilers lay them out. */
struct index {
    const char *file;
    uint32_t line, column;
    const struct {
        uint16_t kind, info;
        char name[]; /* 'int [8]' */
    } * array, *index;
};
void __ubsan_handle_out_of_bounds(struct index *access, uintptr_t index);

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The first letter of the word that ends before text[end]; `end` if none does. */
static size_t word_before(const char *text, size_t end)
{
    size_t at = end;

    while (at > 0 && is_word(text[at - 1]))
        at--;
    return at;
}

/* The array's name: GCC's column is that of the closing bracket, clang's where the expression begins. */
static size_t name_at(const char *text, size_t column, size_t *length)
{
    size_t end = column - 1;
    unsigned depth = 0;

    if (column == 0 || column > strlen(text))
        return *length = 0;
    while (text[end] == ']') {
        do {
            depth += (unsigned)(text[end] == ']') - (unsigned)(text[end] == '[');
        } while (depth > 0 && end-- > 0);
        if (end == 0 || end > column)
            return *length = 0;
        end--;
    }
    if (is_word(text[end]))
        while (is_word(text[end]))
            end++;
    size_t begin = word_before(text, end);
    *length = text[end] == '[' ? end - begin : 0;
    return begin;
}

/* a[0][i] is how all of a[8][16] is taken as one row. */
static bool is_flat(const char *text, const char *type)
{
    return strstr(text, "[0][") && strchr(type, '[') == strrchr(type, '[');
}

static void stop(const char *what, const char *file, unsigned line, unsigned column)
{
    hip_cpu_begin_fault(HIP_CPU_OUT_OF_BOUNDS);
    hip_cpu_observer->fault(HIP_CPU_OUT_OF_BOUNDS, 0, what, file, line, column);
    hip_cpu_fail(what, file, (int)line);
}

__attribute__((weak)) void __ubsan_handle_out_of_bounds(struct index *access, uintptr_t index)
{
    bool is_int = access->index->info == (5 << 1 | 1); /* 2^5 bits, signed */
    size_t length, begin;
    unsigned indent;
    char what[512];

    if (!hip_cpu_current || !trace_run.is_on || !trace_notifies(access))
        return;
    const char *line = trace_source_line(access->file, access->line, &indent) - indent;
    if (is_flat(line, access->array->name))
        return;
    begin = name_at(line, access->column, &length);
    snprintf(what, sizeof what, "index %ld of %.*s%san array of the type %s",
             is_int ? (long)(int32_t)index : (long)index, (int)length, line + begin, length > 0 ? ", " : "",
             access->array->name);
    stop(what, access->file, access->line, access->column);
}

/* The one array whose element's address this line takes; NULL: none, or several. */
static const char *address_taken(const char *text, size_t *length)
{
    const char *found = NULL;

    for (const char *at = text; (at = strchr(at, '&')); at++) {
        size_t word = strspn(at + 1, " "), bytes = 0;
        while (is_word(at[1 + word + bytes]))
            bytes++;
        if (bytes == 0 || at[1 + word + bytes] != '[')
            continue;
        if (found)
            return NULL;
        found = at + 1 + word;
        *length = bytes;
    }
    return found;
}

#define SAME_MAX 8 /* a template has an array of the name for each of its types */

/* What an atomic operation's line takes the address of an element of, from the begin of the static __shared__ variables. */
struct named {
    unsigned count;
    struct symbols_variable array[SAME_MAX];
};

static struct named **named; /* [place->number] */
static unsigned named_room;

static struct named *named_at(const struct trace_place *place)
{
    char name[80];
    unsigned indent;
    size_t length = 0;

    if (place->number >= named_room) {
        unsigned room = 2 * place->number + 64;
        named = trace_check_alloc(realloc(named, room * sizeof *named));
        memset(named + named_room, 0, (room - named_room) * sizeof *named);
        named_room = room;
    }
    struct named *n = named[place->number];
    if (n)
        return n;
    n = named[place->number] = trace_check_alloc(calloc(1, sizeof *n));
    const char *found = address_taken(trace_source_line(place->file, place->line, &indent), &length);
    if (found && length < sizeof name) {
        snprintf(name, sizeof name, "%.*s", (int)length, found);
        n->count = symbols_shared_arrays(place->function, name, n->array, SAME_MAX);
    }
    for (unsigned i = 0; i < n->count; i++)
        n->array[i].begin -= trace_here.fixed;
    return n;
}

void trace_check_end(uintptr_t address, void *code)
{
    const struct trace_place *place = trace_place_of((uintptr_t)code);
    const struct named *n = named_at(place);
    char what[400];

    /* Functions of one name, of templates or of two namespaces, may have their arrays side by side. */
    for (unsigned i = 0; i < n->count; i++)
        if (address - trace_here.fixed == n->array[i].begin)
            return;
    for (unsigned i = 0; i < n->count; i++)
        if (address - trace_here.fixed == n->array[i].begin + n->array[i].bytes) {
            snprintf(what, sizeof what,
                     "an atomic operation directly behind the static __shared__ variable %s of %zu "
                     "bytes: check the index against the size",
                     n->array[i].name, n->array[i].bytes);
            stop(what, place->file, place->line, place->column);
        }
}
