/* Places in the source, of code addresses: each address is looked up once, and places that read the same are one.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../trace_internal.h"

#define PLACES_MAX   ((size_t)1 << 16)
#define LINE_MAX_LEN 1000

/* Files under the names that are shown: without "./" and "a/../". */
struct file {
    const char *given, *name;
};

/* Of the running program: the only one. */
static struct {
    struct trace_place *place[PLACES_MAX];
    unsigned places;
    struct trace_site **known; /* hash table by code address, with open addressing */
    size_t known_count, known_room;
    struct file *file;
    size_t files;
} all;

/* ---- files ---- */

static void simplify(char *path)
{
    char *from = path, *up;

    while (strncmp(from, "./", 2) == 0)
        from += 2;
    __real_memmove(path, from, strlen(from) + 1);
    while ((up = strstr(path, "/../")) && up > path) { /* "a/../b" is "b" */
        for (from = up; from > path && from[-1] != '/';)
            from--;
        if (strncmp(from, "../", 3) == 0)
            return;
        __real_memmove(from, up + 4, strlen(up + 4) + 1);
    }
}

static const char *file_name(const char *given)
{
    for (size_t i = 0; i < all.files; i++)
        if (all.file[i].given == given || strcmp(all.file[i].given, given) == 0)
            return all.file[i].name;
    char *name = trace_check_alloc(strdup(given));
    simplify(name);
    all.file = trace_check_alloc(realloc(all.file, (all.files + 1) * sizeof *all.file));
    struct file *file = &all.file[all.files++];
    file->given = given;
    file->name = name;
    for (size_t i = 0; i + 1 < all.files; i++)
        if (strcmp(all.file[i].name, name) == 0)
            file->name = all.file[i].name;
    return file->name;
}

bool trace_is_platform(const char *file) { return strstr(file, "include/hip_cpu/"); }

static bool is_of_client(const char *file)
{
    for (size_t i = 0; &trace_client && trace_client.helpers[i]; i++)
        if (strncmp(file, trace_client.helpers[i], strlen(trace_client.helpers[i])) == 0)
            return true;
    return false;
}

/* In headers of the client and of the system the line of the caller counts. */
static bool is_helper(const char *file)
{
    size_t length = strlen(file);
    bool is_header = length > 2 && strcmp(file + length - 2, ".h") == 0;

    return *file == '?' || strncmp(file, "/usr/", 5) == 0 || trace_is_platform(file) ||
           (is_header && is_of_client(file));
}

/* ---- places ---- */

static bool same_frames(const struct trace_place *place, const struct symbols_frame *frame, unsigned count)
{
    if (place->count != count)
        return false;
    for (unsigned i = 0; i < count; i++)
        if (place->frame[i].line != frame[i].line || place->frame[i].column != frame[i].column ||
            place->frame[i].file != frame[i].file)
            return false;
    return true;
}

static const struct trace_place *place_with(const struct symbols_frame *frame, unsigned count, bool by_clang)
{
    for (unsigned i = 0; i < all.places; i++)
        if (same_frames(all.place[i], frame, count))
            return all.place[i];
    if (all.places == PLACES_MAX)
        return all.place[0];

    struct trace_place *place = trace_check_alloc(calloc(1, sizeof *place));
    struct symbols_frame *copy = trace_check_alloc(calloc(count, sizeof *copy));
    unsigned counts = 0;
    __real_memcpy(copy, frame, count * sizeof *copy);
    while (counts + 1 < count && is_helper(copy[counts].file))
        counts++;
    if (is_helper(copy[counts].file))
        counts = 0;
    place->number = all.places + 1;
    place->count = count;
    place->frame = copy;
    place->file = copy[counts].file;
    place->function = copy[counts].function;
    place->line = copy[counts].line;
    place->column = by_clang ? 0 : copy[counts].column;
    return all.place[all.places++] = place;
}

unsigned trace_column(const struct trace_place *p)
{
    for (unsigned i = 0; i < p->count && p->column == 0; i++)
        if (p->frame[i].line == p->line && p->frame[i].file == p->file)
            return p->frame[i].column;
    return p->column;
}

static void look_up(struct trace_site *k)
{
    struct symbols_code code;
    unsigned first = 0;

    symbols_of_code(k->code - 1, &code);
    for (unsigned i = 0; i < code.count; i++)
        code.frame[i].file = file_name(code.frame[i].file);
    k->is_c = code.is_c;
    if (code.by_clang) {
        unsigned column = code.frame[0].column;
        if (column > 0)
            k->expression = code.call << 32 | (uint64_t)(code.frame[0].line & 0xfffff) << 12 | (column & 0xfff);
        first = code.is_parameter && column > 0; /* copied by the call */
    }
    k->place = place_with(code.frame + first, code.count - first, code.by_clang);
}

static struct trace_site **slot_of(uintptr_t code)
{
    size_t slot = (code * 0x9e3779b97f4a7c15ull >> 32) & (all.known_room - 1);

    while (all.known[slot] && all.known[slot]->code != code)
        slot = (slot + 1) & (all.known_room - 1);
    return &all.known[slot];
}

static void grow(void)
{
    struct trace_site **old = all.known;
    size_t count = all.known_room;

    all.known_room = count ? 2 * count : 1 << 12;
    all.known = trace_check_alloc(calloc(all.known_room, sizeof(struct trace_site *)));
    for (size_t i = 0; i < count; i++)
        if (old[i])
            *slot_of(old[i]->code) = old[i];
    free(old);
}

struct trace_site *trace_sites[TRACE_SITES];

struct trace_site *trace_find_site(uintptr_t code)
{
    if (2 * all.known_count >= all.known_room)
        grow();
    struct trace_site **slot = slot_of(code);
    if (!*slot) {
        all.known_count++;
        *slot = trace_check_alloc(calloc(1, sizeof **slot));
        (*slot)->code = code;
    }
    return trace_sites[(code ^ code >> 10) % TRACE_SITES] = *slot;
}

static const struct trace_site *known_of(uintptr_t code)
{
    struct trace_site *k = trace_site_of(code);

    if (!k->place)
        look_up(k);
    return k;
}

const struct trace_place *trace_place_of(uintptr_t code) { return known_of(code)->place; }

uint64_t trace_expression_of(uintptr_t code) { return known_of(code)->expression; }

bool trace_is_of_runtime(uintptr_t code) { return known_of(code)->is_c; }

const struct trace_place *trace_place_number(unsigned number) { return all.place[number - 1]; }

const char *trace_source_line(const char *file, unsigned line, unsigned *indent)
{
    static char text[LINE_MAX_LEN]; /* valid until the next call */
    char *start = text;
    FILE *source = fopen(file, "r");

    text[0] = '\0';
    for (unsigned i = 1; source && fgets(text, sizeof text, source);) {
        bool whole = strchr(text, '\n') != NULL;
        if (i == line)
            break;
        i += whole;
        text[0] = '\0';
    }
    if (source)
        fclose(source);
    while (*start == ' ' || *start == '\t')
        start++;
    start[strcspn(start, "\n")] = '\0';
    if (indent)
        *indent = (unsigned)(start - text);
    return start;
}
