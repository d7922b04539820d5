/* The texts of the race tool.
 * SPDX-License-Identifier: MIT */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../names.h"
#include "../trace_internal.h"

#define FINDINGS_MAX 4096
#define SHOWN_MAX    24

enum kind { RACE, UNWRITTEN, ABSENT };

struct finding {
    enum kind kind;
    struct report_side a, b; /* UNWRITTEN, ABSENT: b alone */
    struct trace_name name;  /* ABSENT: name.where alone */
    char advice[400];
    const char *kernel;
    dim3 block, grid;
    unsigned warp_size;
    unsigned long long count;
};

struct report {
    struct finding *finding; /* [FINDINGS_MAX] */
    unsigned findings;

    unsigned long long loads[2], stores[2], atomics, barriers, meetings, blocks, threads, warps;
    unsigned launches, kernels;
    bool hand_over; /* blocks that could take turns, and do not, share words */
    char names[512];
};

struct report *report_create(void)
{
    struct report *r = trace_check_alloc(calloc(1, sizeof *r));

    r->finding = trace_check_alloc(calloc(FINDINGS_MAX, sizeof *r->finding));
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
    const struct trace_launch *l = trace_launch;
    bool turns = l->cooperative || l->interleaved;

    r->atomics++;
    if (space == TRACE_GLOBAL && !turns && l->blocks > 1 && l->blocks <= TRACE_INTERLEAVED_MAX)
        r->hand_over = true;
}

void report_count_barrier(struct report *r)
{
    r->barriers++;
}

void report_count_meeting(struct report *r)
{
    r->meetings++;
}

/* ---- findings ---- */

static bool same_line(const struct trace_place *a, const struct trace_place *b)
{
    return a == b || (a->line == b->line && strcmp(a->file, b->file) == 0);
}

/* The finding of this kind and these lines, in either order; a new one has count 0. */
static struct finding *find(struct report *r, enum kind kind, const struct report_side *a,
                            const struct report_side *b)
{
    for (unsigned i = 0; i < r->findings; i++) {
        struct finding *f = &r->finding[i];
        if (f->kind != kind)
            continue;
        if (kind != RACE && same_line(f->b.place, b->place))
            return f;
        if (kind == RACE && ((same_line(f->a.place, a->place) && same_line(f->b.place, b->place)) ||
                             (same_line(f->a.place, b->place) && same_line(f->b.place, a->place))))
            return f;
    }
    if (r->findings == FINDINGS_MAX)
        return &r->finding[FINDINGS_MAX - 1];
    struct finding *f = &r->finding[r->findings++];
    f->kind = kind;
    if (a)
        f->a = *a;
    f->b = *b;
    f->kernel = trace_launch->kernel;
    f->block = trace_launch->block;
    f->grid = trace_launch->grid;
    f->warp_size = trace_launch->warp_size;
    return f;
}

static void advise_race(struct finding *f, const struct trace_place *hand_over, bool is_volatile)
{
    const struct report_side *a = &f->a, *b = &f->b;
    char *text = f->advice;
    size_t size = sizeof f->advice;
    bool plain = !a->atomic && !b->atomic;
    /* x++, x += ... */
    const char *update = plain && a->write != b->write && same_line(a->place, b->place)
                             ? "; if all of them update one element in this line, an atomic "
                               "operation has to (atomicAdd)"
                             : "";

    if (a->block == b->block) {
        if (a->atomic != b->atomic)
            snprintf(text, size,
                     "one of the two is atomic and the other is not, and there is no "
                     "__syncthreads() between them");
        else if (a->write && b->write && same_line(a->place, b->place))
            snprintf(text, size,
                     "both threads write it at the same line: does each thread have an element "
                     "of its own? If this is a second round, there is no __syncthreads() between "
                     "the rounds");
        else if (a->warp == b->warp)
            snprintf(
                text, size,
                "no __syncthreads() between the two, and no warp_sync() (__syncwarp), which is "
                "enough for lanes of one warp%s",
                update);
        else
            snprintf(text, size, "no __syncthreads() between the two%s", update);
        return;
    }
    if (a->atomic != b->atomic)
        snprintf(text, size,
                 "one of the two is atomic and the other is not: both have to be, or something "
                 "has to order the blocks");
    else if (a->write && b->write)
        snprintf(text, size,
                 "two blocks write it: does each block have an element of its own (blockIdx)?");
    else if (hand_over && is_volatile)
        snprintf(text, size,
                 "the volatile load at %s:%u orders nothing: let the flag be written and read by "
                 "atomic operations, the writer's behind a __threadfence() of the same thread, the "
                 "reader's before one",
                 hand_over->file, hand_over->line);
    else if (hand_over)
        snprintf(text, size,
                 "the atomic operation at %s:%u orders the two only with a __threadfence() "
                 "between the write and the writer's atomic operation, and another between the "
                 "reader's and the read",
                 hand_over->file, hand_over->line);
    else
        snprintf(text, size,
                 "nothing orders the blocks of one launch: launch a second kernel, use a grid "
                 "barrier, or hand over with an atomic and a __threadfence() on both sides%s",
                 update);
}

void report_race(struct report *r, const struct report_side *a, const struct report_side *b,
                 uintptr_t address, unsigned size, enum trace_space space,
                 const struct trace_place *hand_over, bool is_volatile)
{
    struct finding *f = find(r, RACE, a, b);

    if (f->count++ > 0)
        return;
    trace_name_of(space, address, size, &f->name);
    advise_race(f, hand_over, is_volatile);
}

void report_unwritten(struct report *r, const struct trace_who *who,
                      const struct trace_place *place, uintptr_t address, unsigned size)
{
    struct report_side side = {who->block, who->warp, who->lane, place, false, false};
    struct finding *f = find(r, UNWRITTEN, NULL, &side);

    if (f->count++ > 0)
        return;
    trace_name_of(TRACE_SHARED, address, size, &f->name);
    snprintf(f->advice, sizeof f->advice,
             "which thread should have written it before? A block has %u threads, and it must not "
             "use what an earlier block left there",
             trace_launch->threads);
}

void report_absent(struct report *r, const struct report_side *reader, unsigned source)
{
    struct finding *f = find(r, ABSENT, NULL, reader);
    unsigned first = reader->warp * f->warp_size;
    bool exists = first + source < trace_launch->threads;

    if (f->count++ > 0)
        return;
    snprintf(f->name.where, sizeof f->name.where, "lane %u, which %s", source,
             exists ? "has returned" : "does not exist");
    snprintf(f->advice, sizeof f->advice,
             "use the value only where that lane is there (lane + distance < lanes of this warp), "
             "or let all lanes of the warp take part");
}

/* ---- printing ---- */

/* At most 80 columns, broken between words. */
static void print_wrapped(const char *first, const char *rest, const char *text)
{
    size_t column = strlen(first), indent = strlen(rest);

    fputs(first, stdout);
    while (*text) {
        size_t word = strcspn(text, " ");
        if (column + word > 80 && column > indent) {
            printf("\n%s", rest);
            column = indent;
        }
        printf("%.*s", (int)word, text);
        text += word;
        column += word;
        if (*text == ' ') {
            text++;
            if (*text && column + 1 + strcspn(text, " ") <= 80) {
                putchar(' ');
                column++;
            } else if (*text) {
                printf("\n%s", rest);
                column = indent;
            }
        }
    }
    putchar('\n');
}

static void print_index(const char *what, uint64_t linear, dim3 size)
{
    if (size.y == 1 && size.z == 1)
        printf("%s %llu", what, (unsigned long long)linear);
    else
        printf("%s (%llu,%llu,%llu)", what, (unsigned long long)(linear % size.x),
               (unsigned long long)(linear / size.x % size.y),
               (unsigned long long)(linear / size.x / size.y));
}

static void print_side(const struct finding *f, const struct report_side *s, const char *verb)
{
    char text[400];
    const struct trace_place *p = s->place;
    unsigned indent;

    printf("  %s:%u", p->file, p->line);
    if (strcmp(p->function, "?") != 0)
        printf("  in %s()", p->function);
    printf("\n      %s\n      ", trace_source_line(p->file, p->line, &indent));
    /* GCC gives column 1 to all that a macro is replaced by. */
    if (p->column > indent + 1)
        printf("%*s\n      ", (int)(p->column - indent), "^");
    print_index("block", s->block, f->grid);
    print_index(", thread", s->warp * (uint64_t)f->warp_size + s->lane, f->block);
    snprintf(text, sizeof text, " (warp %u, lane %u) %s%s", s->warp, s->lane, verb,
             s->atomic ? " atomically" : "");
    printf("%s\n", text);
    for (unsigned i = 0; i < p->count; i++) /* its callers in the same source */
        if (p->frame[i].line == p->line && strcmp(p->frame[i].file, p->file) == 0 &&
            i + 1 < p->count && p->frame[i + 1].line > 0 &&
            strncmp(p->frame[i + 1].file, "platform/", 9) != 0)
            printf("      called from %s:%u\n", p->frame[i + 1].file, p->frame[i + 1].line);
}

static const char *verb_of(const struct report_side *s)
{
    return s->write && s->atomic ? "updates it" : s->write ? "writes it" : "reads it";
}

static void print_finding(const struct finding *f, unsigned number)
{
    char text[600];

    switch (f->kind) {
    case RACE:
        snprintf(text, sizeof text, "%s of kernel %s (%s): %s, and nothing orders them",
                 f->name.element, f->kernel, f->name.where,
                 f->a.block == f->b.block ? "two threads of a block" : "two blocks");
        break;
    case UNWRITTEN:
        snprintf(text, sizeof text, "%s of kernel %s (%s) is read before it is written",
                 f->name.element, f->kernel, f->name.where);
        break;
    case ABSENT:
        snprintf(text, sizeof text,
                 "a shuffle of kernel %s reads %s, and the kernel uses the undefined value",
                 f->kernel, f->name.where);
        break;
    }
    printf("\n");
    char head[32];
    snprintf(head, sizeof head, "race %u: ", number);
    print_wrapped(head, "        ", text);
    if (f->kind == RACE)
        print_side(f, &f->a, verb_of(&f->a));
    print_side(f, &f->b, f->kind == ABSENT ? "uses it" : verb_of(&f->b));
    print_wrapped("  look at: ", "           ", f->advice);
    if (f->count > 1)
        printf("  %llu times with these lines\n", f->count);
}

/* What was examined; names ends with a comma. */
static void print_summary(struct report *r, const struct trace_end *end)
{
    r->names[strlen(r->names) - 1] = ':';
    print_wrapped(end->stopped      ? "race: the run stopped early; none found until then in"
                  : r->kernels == 1 ? "race: none found in kernel"
                                    : "race: none found in kernels",
                  "      ", r->names);
    printf("      %u launches, %llu blocks, %llu warps of %d, %llu threads\n", r->launches,
           r->blocks, r->warps, warpSize, r->threads);
    printf("      shared memory %llu loads, %llu stores; global %llu and %llu; %llu atomics\n",
           r->loads[TRACE_SHARED], r->stores[TRACE_SHARED], r->loads[TRACE_GLOBAL],
           r->stores[TRACE_GLOBAL], r->atomics);
    printf("      %llu barriers, %llu warp operations\n", r->barriers, r->meetings);
    if (r->blocks == r->launches)
        printf("      one block in each launch: races between blocks need a larger N or grid\n");
    if (r->hand_over)
        printf("      blocks ran one after the other; SCHEDULE=random:1 lets them take turns\n");
    if (end->status != 0)
        printf("      the program itself ended with exit code %d\n", end->status);
}

int report_finish(struct report *r, const struct trace_end *end)
{
    unsigned long long times = 0;

    if (r->launches == 0) {
        printf("\n");
        if (end->status != 0)
            return 0;
        print_wrapped("race: ", "      ", trace_no_kernel);
        return EXIT_NOTHING_SEEN;
    }
    if (r->findings == 0) {
        printf("\n");
        print_summary(r, end);
        return 0;
    }
    for (unsigned i = 0; i < r->findings && i < SHOWN_MAX; i++)
        print_finding(&r->finding[i], i + 1);
    for (unsigned i = 0; i < r->findings; i++)
        times += r->finding[i].count;
    printf("\nrace: %u found, %llu times%s\n", r->findings, times,
           r->findings > SHOWN_MAX ? "; the first ones are shown" : "");
    return 1;
}
