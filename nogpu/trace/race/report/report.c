/* What the race tool has found: each pair of places once, with the first two threads that raced there.
 * SPDX-License-Identifier: MIT */
#include "findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../trace_internal.h"

struct report *report_create(struct coverage *coverage, bool volatile_is_atomic, bool strict)
{
    struct report *r = trace_check_alloc(calloc(1, sizeof *r));

    r->finding = trace_check_alloc(calloc(FINDINGS_MAX, sizeof *r->finding));
    r->coverage = coverage;
    r->volatile_is_atomic = volatile_is_atomic;
    r->strict = strict;
    return r;
}

/* ---- counting ---- */

void report_launch(struct report *r, const struct trace_launch *l)
{
    char name[128];

    r->launches++;
    r->blocks += l->blocks;
    r->threads += l->blocks * l->threads;
    r->warps += l->blocks * l->warps;
    snprintf(name, sizeof name, " %s,", l->kernel);
    if (!strstr(r->names, name)) {
        size_t used = strlen(r->names);
        snprintf(r->names + used, sizeof r->names - used, "%s", name);
        r->kernels++;
    }
}

void report_count_access(struct report *r, enum trace_space space, bool write)
{
    if (write)
        r->stores[space]++;
    else
        r->loads[space]++;
}

void report_count_atomic(struct report *r, enum trace_space space)
{
    r->atomics++;
    if (space == TRACE_GLOBAL && trace_launch->interleaved && hip_cpu_schedule() != HIP_CPU_RANDOM)
        r->hand_over = true;
}

void report_count_volatile(struct report *r) { r->volatiles++; }

void report_count_barrier(struct report *r) { r->barriers++; }

void report_count_meeting(struct report *r) { r->meetings++; }

void report_count_copy(struct report *r) { r->copies++; }

void report_count_stream(struct report *r) { r->streams++; }

/* ---- findings ---- */

bool report_same_line(const struct trace_place *a, const struct trace_place *b)
{
    return a == b || (a->line == b->line && strcmp(a->file, b->file) == 0);
}

bool report_same_place(const struct trace_place *a, const struct trace_place *b)
{
    return report_same_line(a, b) && trace_column(a) == trace_column(b);
}

static void note_kernel(struct finding *f)
{
    if (!trace_launch)
        return;
    for (unsigned i = 0; i < f->kernels; i++)
        if (strcmp(f->kernel[i], trace_launch->kernel) == 0)
            return;
    if (f->kernels < KERNELS_MAX)
        f->kernel[f->kernels++] = trace_launch->kernel;
}

/* The current launch, for findings that are about one thread. */
static struct report_task task_now(void)
{
    return (struct report_task){.kind = TASK_KERNEL,
                                .name = trace_launch->kernel,
                                .grid = trace_launch->grid,
                                .block = trace_launch->block,
                                .warp_size = trace_launch->warp_size};
}

/* The finding of this kind and these places, in either order; a new one has count 0. */
static struct finding *find(struct report *r, int kind, const struct report_side *a, const struct report_side *b)
{
    for (unsigned i = 0; i < r->findings; i++) {
        struct finding *f = &r->finding[i];
        bool pair = kind == RACE || kind == VOLATILE;
        if ((int)f->kind != kind || (pair && report_relation(&f->a, &f->b) != report_relation(a, b)))
            continue;
        if (pair ? (report_same_place(f->a.place, a->place) && report_same_place(f->b.place, b->place)) ||
                       (report_same_place(f->a.place, b->place) && report_same_place(f->b.place, a->place))
                 : report_same_line(f->b.place, b->place))
            return f;
    }
    if (r->findings == FINDINGS_MAX)
        return &r->finding[FINDINGS_MAX - 1];
    struct finding *f = &r->finding[r->findings];
    f->group = r->findings++;
    f->kind = (unsigned)kind;
    if (a)
        f->a = *a;
    f->b = *b;
    f->threads = trace_launch ? trace_launch->threads : 0;
    f->cooperative = trace_launch && trace_launch->cooperative;
    return f;
}

/* "x" of "x[3]", "x.y" and "x, byte 5". */
static uint64_t array_of(const struct trace_name *name)
{
    uint64_t hash = 1;
    for (size_t i = 0; i < strcspn(name->element, "[.,-"); i++)
        hash = hip_cpu_mix(hash, (unsigned char)name->element[i]);
    return hash;
}

void report_race(struct report *r, const struct report_side *a, const struct report_side *b, uintptr_t address,
                 unsigned size, enum trace_space space, const struct report_hint *hint)
{
    bool is_volatile =
        (a->is_volatile || a->atomic) && (b->is_volatile || b->atomic) && (a->is_volatile || b->is_volatile);
    struct finding *f = find(r, is_volatile ? VOLATILE : RACE, a, b);

    note_kernel(f);
    f->other_warps = f->other_warps || report_relation(a, b) != OF_BLOCK || a->warp != b->warp;
    bool both_write = f->a.write && f->b.write;
    f->is_mixed = f->is_mixed || both_write != (a->write && b->write);
    if (a->write && b->write && size <= sizeof f->stored && report_relation(a, b) != OF_TASKS) {
        uint64_t stored = 0;
        __real_memcpy(&stored, (const void *)address, size);
        f->varies = f->varies || (f->count > 0 && stored != f->stored);
        f->stored = stored;
    }
    if (f->count++ > 0)
        return;
    f->hint = *hint;
    trace_name_of(space, address, size, &f->name);
    f->array = array_of(&f->name);
}

void report_unwritten(struct report *r, const struct trace_who *who, const struct trace_place *place, uintptr_t address,
                      unsigned size)
{
    struct report_side side = {
        .task = task_now(), .block = who->block, .warp = who->warp, .lane = who->lane, .place = place};
    struct finding *f = find(r, UNWRITTEN, NULL, &side);

    note_kernel(f);
    if (f->count++ > 0)
        return;
    trace_name_of(TRACE_SHARED, address, size, &f->name);
    f->array = array_of(&f->name);
}

void report_unset(struct report *r, const struct trace_place *place)
{
    for (unsigned i = 0; i < r->unsets; i++)
        if (report_same_line(r->unset[i].place, place))
            return;
    if (r->unsets == UNSET_MAX)
        return;
    r->unset[r->unsets].place = place;
    r->unset[r->unsets++].kernel = trace_launch->kernel;
}

bool report_note(struct report *r, const char *text)
{
    for (unsigned i = 0; i < r->notes; i++)
        if (strcmp(r->note[i], text) == 0)
            return false;
    if (r->notes < NOTES_MAX)
        r->note[r->notes++] = trace_check_alloc(strdup(text));
    return true;
}

void report_absent(struct report *r, const struct report_side *reader, unsigned source)
{
    struct report_side side = *reader;
    side.task = task_now();
    struct finding *f = find(r, ABSENT, NULL, &side);
    unsigned first = reader->warp * side.task.warp_size;
    bool exists = first + source < trace_launch->threads;

    note_kernel(f);
    if (f->count++ > 0)
        return;
    snprintf(f->name.where, sizeof f->name.where, "lane %u, which %s", source,
             exists ? "has returned" : "does not exist");
}

bool report_has_absent(const struct report *r)
{
    unsigned i = 0;

    while (i < r->findings && r->finding[i].kind != ABSENT)
        i++;
    return i < r->findings;
}

void report_leaves(struct report *r, const struct report_side *side, const char *name, const char *neighbour, size_t at)
{
    struct report_side here = *side;
    here.task = task_now();
    struct finding *f = find(r, LEAVES, NULL, &here);

    note_kernel(f);
    if (f->count++ > 0)
        return;
    snprintf(f->name.element, sizeof f->name.element, "%s", name);
    snprintf(f->name.where, sizeof f->name.where, "%s, byte %zu of dynamic shared memory", neighbour, at);
}
