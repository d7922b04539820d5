/* See coverage.h. What a kernel could access is in its machine code: the calls of callbacks.c, and of barriers.
 * SPDX-License-Identifier: MIT */
#include "coverage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../trace_internal.h"
#include "loops.h"

#define KERNELS_MAX  256
#define LINES_MAX    4096
#define BARRIERS_MAX 256
#define SHOWN_MAX    16 /* lines */

struct barrier {
    const struct trace_place *place;
    uint64_t block;
    unsigned launch, count, most; /* in this block; in any */
};

struct line {
    const char *file;
    unsigned line;
    bool reached, barrier;
};

struct coverage {
    uintptr_t kernel[KERNELS_MAX];
    size_t kernels;
    struct barrier barrier[BARRIERS_MAX];
    size_t barriers;
    struct line line[LINES_MAX];
    size_t lines;
};

struct coverage *coverage_create(void)
{
    trace_mark_code();
    return trace_check_alloc(calloc(1, sizeof(struct coverage)));
}

void coverage_launch(struct coverage *c, const struct trace_launch *l)
{
    for (size_t i = 0; i < c->kernels; i++)
        if (c->kernel[i] == l->function)
            return;
    if (c->kernels < KERNELS_MAX)
        c->kernel[c->kernels++] = l->function;
}

void coverage_barrier(struct coverage *c, const struct trace_barrier *b)
{
    size_t i = 0;

    while (i < c->barriers && c->barrier[i].place != b->place)
        i++;
    if (i == BARRIERS_MAX)
        return;
    struct barrier *at = &c->barrier[i];
    if (i == c->barriers)
        *at = (struct barrier){.place = b->place}, c->barriers++;
    if (at->block != b->block || at->launch != trace_launch->number)
        at->count = 0;
    at->block = b->block;
    at->launch = trace_launch->number;
    if (++at->count > at->most)
        at->most = at->count;
}

/* ---- the machine code ---- */

/* Functions in callbacks.c are in a section of their own. */
extern char __start_trace_callbacks[], __stop_trace_callbacks[];

static bool is_barrier(uintptr_t target)
{
    return target == (uintptr_t)hip_cpu_syncthreads || target == (uintptr_t)hip_cpu_barrier;
}

/* The address behind the call that begins here, and what it calls; 0: none. */
static uintptr_t call_at(uintptr_t at, uintptr_t *target)
{
#if defined(__x86_64__)
    int32_t distance;

    if (*(const unsigned char *)at != 0xe8)
        return 0;
    __real_memcpy(&distance, (const char *)at + 1, sizeof distance);
    *target = at + 5 + (uintptr_t)(intptr_t)distance;
    return at + 5;
#elif defined(__aarch64__)
    uint32_t word;

    __real_memcpy(&word, (const void *)at, sizeof word);
    if (at % 4 != 0 || word >> 26 != 0x25)
        return 0;
    *target = at + (uintptr_t)((intptr_t)(int32_t)(word << 6) >> 4);
    return at + 4;
#else
    (void)at, (void)target;
    return 0;
#endif
}

static void add_line(struct coverage *c, uintptr_t code, bool barrier)
{
    const struct trace_place *place = trace_place_of(code);
    size_t i = 0;

    if (place->line == 0 || trace_is_platform(place->file) || place->file[0] == '?' ||
        strncmp(place->file, "/usr/", 5) == 0)
        return;
    while (i < c->lines && (c->line[i].line != place->line || c->line[i].barrier != barrier ||
                            strcmp(c->line[i].file, place->file) != 0))
        i++;
    if (i == LINES_MAX)
        return;
    if (i == c->lines)
        c->line[c->lines++] = (struct line){place->file, place->line, false, barrier};
    c->line[i].reached = c->line[i].reached || trace_is_marked(code);
}

static void scan(struct coverage *c, uintptr_t low, uintptr_t high)
{
    for (uintptr_t at = low, target, code; at + 5 <= high; at++) {
        code = call_at(at, &target);
        if (code && (is_barrier(target) || target - (uintptr_t)__start_trace_callbacks <
                                               (uintptr_t)(__stop_trace_callbacks - __start_trace_callbacks)))
            add_line(c, code, is_barrier(target));
    }
}

static int by_line(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    int files = strcmp(x->file, y->file);

    return files ? files : (x->line > y->line) - (x->line < y->line);
}

/* ---- the report ---- */

/* The loop that the barrier repeats in, in the function it is in or in a caller. */
static bool ran_once(const struct barrier *b, const char **file, unsigned *loop)
{
    for (unsigned i = 0; b->most == 1 && i < b->place->count; i++) {
        const struct symbols_frame *f = &b->place->frame[i];
        if (trace_is_platform(f->file) || f->line == 0)
            continue;
        *file = f->file;
        *loop = loops_around(f->file, f->line);
        if (*loop)
            return true;
    }
    return false;
}

static void print_records(const struct coverage *c)
{
    const char *file;
    unsigned loop;

    for (const struct line *l = c->line; l < c->line + c->lines; l++)
        printf("\001line\t%s:%u%s\t%d\n", l->file, l->line, l->barrier ? " (barrier)" : "", l->reached);
    for (const struct barrier *b = c->barrier; b < c->barrier + c->barriers; b++) {
        bool once = ran_once(b, &file, &loop);
        printf("\001loop\t%s:%u\t%d\t", b->place->file, b->place->line, !once);
        if (once)
            printf("%s:%u", file, loop);
        printf("\n");
    }
}

void coverage_print(struct coverage *c, bool merged)
{
    const char *file;
    unsigned loop, shown = 0, missed = 0;

    for (size_t i = 0; i < c->kernels; i++) {
        uintptr_t low, high;
        for (unsigned k = 0; symbols_function_range(c->kernel[i], k, &low, &high); k++)
            scan(c, low, high);
    }
    qsort(c->line, c->lines, sizeof *c->line, by_line);
    if (merged) {
        print_records(c);
        return;
    }
    for (const struct line *l = c->line; l < c->line + c->lines; l++)
        missed += !l->reached;
    for (const struct line *l = c->line; l < c->line + c->lines && shown < SHOWN_MAX; l++)
        if (!l->reached)
            printf("%s%s:%u%s\n", shown++ ? "          " : "      no thread reached\n          ", l->file, l->line,
                   l->barrier ? " (barrier)" : "");
    if (missed > shown)
        printf("          and %u more lines\n", missed - shown);
    for (const struct barrier *b = c->barrier; b < c->barrier + c->barriers; b++)
        if (ran_once(b, &file, &loop))
            printf("      the loop at %s:%u around the barrier at %s:%u ran once in each block\n", file, loop,
                   b->place->file, b->place->line);
}
