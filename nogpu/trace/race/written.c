/* The memory that kernels write, of two runs.
 * SPDX-License-Identifier: MIT */
#include "written.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../report/finding.h"
#include "../text/names.h"
#include "../trace_internal.h"

#define AREAS     64
#define BYTES_MAX ((size_t)256 << 20) /* of all records */

/* An allocation that an argument points to, or a variable of the program. Runs know it by its key. */
struct key {
    unsigned argument; /* 1, 2 ...; 0: a variable, which has this name */
    char name[92];
};
struct area {
    uintptr_t begin;
    size_t bytes;
    struct key key;
    const struct trace_place **place; /* [word]: which line wrote it last */
    unsigned launch;                  /* that wrote it last */
};
/* In the file, before the bytes. */
struct record {
    unsigned launch;
    size_t bytes;
    struct key key;
};

struct written {
    FILE *file;
    bool compares;
    const char *name;
    struct area area[AREAS];
    unsigned areas, last;
    size_t bytes;
    struct record next; /* compares */
};

static bool read_record(struct written *w) { return fread(&w->next, sizeof w->next, 1, w->file) == 1; }

/* The second run has seen enough. */
static void end(struct written *w)
{
    fclose(w->file);
    w->file = NULL;
}

struct written *written_create(void)
{
    const char *name = hip_cpu_setting("HIP_CPU_WRITTEN");
    struct written *w = name && *name ? trace_check_alloc(calloc(1, sizeof *w)) : NULL;

    if (!w)
        return NULL;
    w->name = name;
    w->file = fopen(name, "rb");
    w->compares = w->file != NULL;
    if (!w->file)
        w->file = fopen(name, "wb");
    if (!w->file)
        hip_cpu_reject("HIP_CPU_WRITTEN", name);
    if (w->compares && !read_record(w))
        end(w);
    return w;
}

/* ---- areas ---- */

static unsigned argument_in(const struct trace_allocation *a)
{
    for (unsigned i = 0; i < trace_launch->arguments; i++)
        if ((uintptr_t)trace_launch->argument[i].pointer - a->start < a->bytes)
            return i + 1;
    return 0;
}

static bool find_area(uintptr_t address, struct area *area)
{
    const struct trace_allocation *a = trace_allocation_of(address);
    struct symbols_variable v;

    if (a) {
        *area = (struct area){a->start, a->bytes, {.argument = argument_in(a)}, NULL, 0};
        return area->key.argument > 0;
    }
    if (!symbols_variable_at(address, &v))
        return false;
    *area = (struct area){v.begin, v.bytes, {.argument = 0}, NULL, 0};
    snprintf(area->key.name, sizeof area->key.name, "%s", v.name);
    return true;
}

static struct area *area_of(struct written *w, uintptr_t address)
{
    struct area found;

    if (address - w->area[w->last].begin < w->area[w->last].bytes)
        return &w->area[w->last];
    for (w->last = 0; w->last < w->areas; w->last++)
        if (address - w->area[w->last].begin < w->area[w->last].bytes)
            return &w->area[w->last];
    w->last = 0;
    if (w->areas == AREAS || !find_area(address, &found))
        return NULL;
    found.place = trace_check_alloc(calloc(found.bytes / 4 + 1, sizeof(void *)));
    w->last = w->areas++;
    w->area[w->last] = found;
    return &w->area[w->last];
}

void written_store(struct written *w, uintptr_t address, unsigned size, const struct trace_place *place)
{
    struct area *area = w->file ? area_of(w, address) : NULL;

    if (!area)
        return;
    area->launch = trace_launch->number;
    for (size_t at = address - area->begin; at < address - area->begin + size; at += 4)
        area->place[at / 4] = place;
}

/* ---- elements ---- */

struct element {
    uintptr_t begin; /* in this run */
    unsigned bytes;
    struct trace_scalar is;
};

static bool is_equal(const struct element *e, const void *other)
{
    double x = trace_scalar_number(e->is, (const void *)e->begin), y = trace_scalar_number(e->is, other);

    return e->is.kind == HIP_CPU_KIND_POINTER || memcmp((const void *)e->begin, other, e->bytes) == 0 ||
           fabs(x - y) <= FINDING_ROUNDING * fmax(fabs(x), fabs(y));
}

/* The line that wrote it, or if this run has not, an element before it, or else behind it. */
static const struct trace_place *writer_of(const struct area *area, const struct element *e, bool *is_own)
{
    size_t at = (e->begin - area->begin) / 4, i = at;

    if (!area->place)
        return NULL;
    while (i > 0 && !area->place[i])
        i--;
    while (i < area->bytes / 4 && !area->place[i])
        i++;
    *is_own = i == at;
    return area->place[i];
}

static void tell(const struct written *w, const struct area *area, const struct element *e, const void *other)
{
    bool is_own = false;
    const struct trace_place *place = writer_of(area, e, &is_own);
    char path[4096], first[40], second[40];
    struct trace_name name;

    snprintf(path, sizeof path, "%s.difference", w->name);
    FILE *out = fopen(path, "w");
    if (!out)
        return;
    trace_name_of(TRACE_GLOBAL, e->begin, e->bytes, &name);
    trace_scalar_text(e->is, other, e->bytes, first, sizeof first);
    trace_scalar_text(e->is, (const void *)e->begin, e->bytes, second, sizeof second);
    char *text = finding_text("of what kernels write, %s differs first, after launch %u, of kernel %s%s%s%s%s",
                              name.element, trace_launch->number, trace_launch->kernel, *first ? ": " : "", first,
                              *first ? " and " : "", second);
    finding_wrap(out, "  ", "    ", text);
    free(text);
    if (place)
        fprintf(out, "    %s:%u  writes %s\n", place->file, place->line,
                is_own ? "it" : "the array, and this element in the first of the two alone");
    else
        fprintf(out, "    only the first of the two writes it\n");
    fclose(out);
}

/* The first element that differs. */
static bool compare(const struct written *w, const struct area *area, const char *other, size_t bytes)
{
    const struct hip_cpu_argument *argument =
        area->key.argument ? &trace_launch->argument[area->key.argument - 1] : NULL;
    struct element e = {.bytes = argument && argument->bytes ? (unsigned)argument->bytes : 4};

    if (argument)
        e.is = symbols_pointed_scalar(trace_launch->function, area->key.argument - 1, 0, e.bytes);
    for (size_t at = 0; at + e.bytes <= bytes; at += e.bytes) {
        e.begin = area->begin + at;
        if (!is_equal(&e, other + at)) {
            tell(w, area, &e, other + at);
            return true;
        }
    }
    return false;
}

/* ---- launches ---- */

static const struct area *area_with(struct written *w, const struct key *key, struct area *room)
{
    if (key->argument > trace_launch->arguments)
        return NULL;
    for (unsigned i = 0; i < w->areas; i++)
        if (key->argument == 0 && strcmp(w->area[i].key.name, key->name) == 0)
            return &w->area[i];
    if (key->argument == 0)
        return NULL;
    uintptr_t at = (uintptr_t)trace_launch->argument[key->argument - 1].pointer;
    for (unsigned i = 0; i < w->areas; i++)
        if (at - w->area[i].begin < w->area[i].bytes)
            return &w->area[i];
    return find_area(at, room) ? room : NULL; /* this run has not written it */
}

static void compare_launch(struct written *w)
{
    char *bytes = NULL;
    bool more = true, differs = false;

    while (more && !differs && w->next.launch == trace_launch->number) {
        struct area room;
        const struct area *mine = area_with(w, &w->next.key, &room);
        bytes = trace_check_alloc(realloc(bytes, w->next.bytes + 1));
        more = fread(bytes, 1, w->next.bytes, w->file) == w->next.bytes;
        if (more && mine)
            differs = compare(w, mine, bytes, mine->bytes < w->next.bytes ? mine->bytes : w->next.bytes);
        more = more && read_record(w);
    }
    free(bytes);
    if (!more || differs)
        end(w);
}

void written_launch_end(struct written *w)
{
    if (w->file && w->compares)
        compare_launch(w);
    for (unsigned i = 0; i < w->areas && w->file && !w->compares; i++) {
        const struct area *a = &w->area[i];
        const struct record record = {trace_launch->number, a->bytes, a->key};
        if (a->launch != trace_launch->number)
            continue;
        w->bytes += a->bytes;
        if (w->bytes > BYTES_MAX || fwrite(&record, sizeof record, 1, w->file) != 1 ||
            fwrite((const void *)a->begin, 1, a->bytes, w->file) != a->bytes)
            end(w);
    }
}
