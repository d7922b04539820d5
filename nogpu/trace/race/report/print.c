/* Prints the report of the race tool.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../trace_internal.h"
#include "coverage.h"
#include "findings.h"
#include "loops.h"

#define SHOWN_MAX 24

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

static void print_side(const struct report_side *s, const char *verb)
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
    if (s->task.kind == TASK_KERNEL) {
        print_index("block", s->block, s->task.grid);
        print_index(", thread", s->warp * (uint64_t)s->task.warp_size + s->lane, s->task.block);
        printf(" (warp %u, lane %u) ", s->warp, s->lane);
    } else {
        report_name_task(&s->task, text, sizeof text);
        printf("%s ", text);
    }
    printf("%s%s\n", verb, s->atomic ? " atomically" : "");
    for (unsigned i = 0; i < p->count; i++) /* its callers in the same source */
        if (p->frame[i].line == p->line && strcmp(p->frame[i].file, p->file) == 0 &&
            i + 1 < p->count && p->frame[i + 1].line > 0 &&
            !trace_is_platform(p->frame[i + 1].file))
            printf("      called from %s:%u\n", p->frame[i + 1].file, p->frame[i + 1].line);
}

static const char *verb_of(const struct report_side *s)
{
    if (s->task.kind == TASK_ALLOCATION || s->task.kind == TASK_RELEASE)
        return s->task.kind == TASK_ALLOCATION ? "gives the memory" : "takes it back";
    return s->write && s->atomic ? "updates it" : s->write ? "writes it" : "reads it";
}

static bool is_pair(const struct finding *f)
{
    return f->kind == RACE || f->kind == VOLATILE;
}

/* ---- for several runs: merge.awk joins findings that have a key in common, and counts ---- */

/* The kernel, the function around both accesses, the first line there whose effect may matter, and the last of
 * their lines. */
static void print_reach(const struct finding *f)
{
    const struct trace_place *b = f->b.place, *a = is_pair(f) ? f->a.place : b;
    const struct symbols_frame *x = &a->frame[a->count - 1], *y = &b->frame[b->count - 1];
    unsigned first = x->line < y->line ? x->line : y->line;
    unsigned last = x->line < y->line ? y->line : x->line, low = first, high = first;
    bool known = strcmp(x->function, y->function) == 0;

    while (known && loops_widen(x->file, &low, &high))
        first = low;
    printf("\t%s\t%s\t%u\t%u",
           f->kernels > 0 && report_relation(&f->a, &f->b) != OF_TASKS ? f->kernel[0] : "",
           known ? x->function : "?", first, last);
}

static void print_keys(const struct report *r, const struct finding *shown,
                       unsigned long long times)
{
    const char *between = "\001finding\t";

    for (const struct finding *f = r->finding; f < r->finding + r->findings; f++) {
        if (&r->finding[f->group] != shown)
            continue;
        const struct trace_place *a = f->a.place, *b = f->b.place;
        int order = is_pair(f) ? strcmp(a->file, b->file) : 0;
        if (is_pair(f) &&
            (order > 0 || (order == 0 &&
                           (a->line > b->line || (a->line == b->line && a->column > b->column))))) {
            a = f->b.place;
            b = f->a.place;
        }
        printf("%s%d", between, (int)f->kind);
        if (f->kind == UNWRITTEN)
            printf(" %llx", (unsigned long long)f->array);
        between = ";";
        if (is_pair(f))
            printf(" %s:%u:%u", a->file, a->line, a->column);
        printf(" %s:%u", b->file, b->line);
        if (is_pair(f))
            printf(":%u", b->column);
        /* In another run the reader may find nothing written yet. */
        if (f->kind == RACE && report_relation(&f->a, &f->b) == OF_BLOCK &&
            f->a.write != f->b.write) {
            const struct trace_place *reader = f->a.write ? f->b.place : f->a.place;
            printf(";%d %llx %s:%u", UNWRITTEN, (unsigned long long)f->array, reader->file,
                   reader->line);
        }
    }
    printf("\t%llu", times);
    print_reach(shown);
    printf("\n");
}

/* ---- findings ---- */

static void name_kernels(const struct finding *f, char *text, size_t size)
{
    size_t used =
        (size_t)snprintf(text, size, "kernel%s %s", f->kernels > 1 ? "s" : "", f->kernel[0]);

    for (unsigned i = 1; i < f->kernels && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s %s",
                                 i + 1 == f->kernels ? " and" : ",", f->kernel[i]);
}

static void print_head(const struct finding *f, unsigned number)
{
    char text[800], head[32], kernels[300], tasks[2][160];
    const char *who =
        report_relation(&f->a, &f->b) == OF_BLOCK ? "two threads of a block" : "two blocks";

    if (f->kernels > 0)
        name_kernels(f, kernels, sizeof kernels);
    switch (f->kind) {
    case RACE:
        if (report_relation(&f->a, &f->b) == OF_TASKS) {
            report_name_task(&f->a.task, tasks[0], sizeof tasks[0]);
            report_name_task(&f->b.task, tasks[1], sizeof tasks[1]);
            snprintf(text, sizeof text, "%s (%s): %s and %s, and nothing orders them",
                     f->name.element, f->name.where, tasks[0], tasks[1]);
            break;
        }
        snprintf(text, sizeof text,
                 f->hint.is_pending
                     ? "%s of %s (%s): used before an asynchronous copy to it is waited for"
                     : "%s of %s (%s): %s, and nothing orders them",
                 f->name.element, kernels, f->name.where, who);
        break;
    case VOLATILE:
        snprintf(text, sizeof text, "%s of %s (%s): %s, by volatile accesses that nothing orders",
                 f->name.element, kernels, f->name.where, who);
        break;
    case UNWRITTEN:
        snprintf(text, sizeof text, "%s of %s (%s) is read before it is written", f->name.element,
                 kernels, f->name.where);
        break;
    case ABSENT:
        snprintf(text, sizeof text,
                 "a shuffle of %s reads %s, and the kernel uses the undefined value", kernels,
                 f->name.where);
        break;
    }
    snprintf(head, sizeof head, "%s %u: ", f->kind == VOLATILE ? "volatile" : "race", number);
    print_wrapped(head, "        ", text);
}

static bool same_words(const struct finding *f, const struct finding *g)
{
    return is_pair(f) && is_pair(g) && f->array == g->array &&
           report_same_line(f->a.place, g->a.place) && report_same_line(f->b.place, g->b.place);
}

/* Other pairs of accesses with the same cause, each pair of lines once. */
static void print_others(const struct report *r, const struct finding *shown)
{
    for (const struct finding *f = r->finding; f < r->finding + r->findings; f++) {
        bool is_said = f == shown || same_words(f, shown);
        for (const struct finding *g = r->finding; g < f; g++)
            is_said = is_said || (&r->finding[g->group] == shown && same_words(f, g));
        if (is_said || &r->finding[f->group] != shown)
            continue;
        const struct trace_place *a = f->a.place, *b = f->b.place;
        char text[600];
        if (f->kind == UNWRITTEN)
            snprintf(text, sizeof text, "%s:%u reads what no thread has written", b->file, b->line);
        else
            snprintf(text, sizeof text, "%s%s%s:%u and %s:%u",
                     f->array != shown->array ? f->name.element : "",
                     f->array != shown->array ? ", " : "", a->file, a->line, b->file, b->line);
        print_wrapped("  perhaps for the same reason: ", "      ", text);
    }
}

static void print_finding(const struct report *r, const struct finding *f, unsigned number)
{
    unsigned long long times = 0;
    char text[600];

    for (unsigned i = 0; i < r->findings; i++)
        times += &r->finding[r->finding[i].group] == f ? r->finding[i].count : 0;
    if (r->merged)
        print_keys(r, f, times);
    else
        printf("\n");
    print_head(f, number);
    if (is_pair(f))
        print_side(&f->a, verb_of(&f->a));
    print_side(&f->b, f->kind == ABSENT ? "uses it" : verb_of(&f->b));
    report_advise(f, text, sizeof text);
    print_wrapped("  look at: ", "           ", text);
    print_others(r, f);
    if (times > 1 && !r->merged)
        printf("  seen %llu times at these lines\n", times);
}

/* ---- the end ---- */

static void print_notes(const struct report *r)
{
    for (unsigned i = 0; i < r->unsets; i++) {
        const struct trace_place *place = r->unset[i].place;
        char text[600];
        snprintf(text, sizeof text,
                 "%s:%u in kernel %s reads global memory that nothing has written since it was "
                 "allocated; on a GPU it need not be 0",
                 place->file, place->line, r->unset[i].kernel);
        if (r->merged)
            printf("\001note\n");
        print_wrapped("note: ", "      ", text);
    }
    for (unsigned i = 0; i < r->notes; i++) {
        if (r->merged)
            printf("\001note\n");
        print_wrapped("note: ", "      ", r->note[i]);
    }
    if (r->volatiles == 0)
        return;
    if (r->merged)
        printf("\001note\n");
    printf("%s\n",
           r->volatile_is_atomic
               ? "      RACES=volatile: volatile accesses to global memory count as atomic"
               : "      volatile accesses order nothing here; RACES=volatile takes them as atomic");
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
    if (r->streams > 0)
        printf("      %u stream%s besides the default one, %u copies and fills\n", r->streams,
               r->streams > 1 ? "s" : "", r->copies);
    if (r->blocks == r->launches)
        printf("      one block in each launch: races between blocks need a larger N or grid\n");
    if (r->hand_over && !r->merged)
        printf("      blocks ran one after the other; SCHEDULE=random:1 lets them take turns\n");
    if (end->status != 0)
        printf("      the program itself ended with exit code %d\n", end->status);
}

int report_finish(struct report *r, const struct trace_end *end)
{
    const char *file = hip_cpu_setting("HIP_CPU_FINDINGS");
    unsigned long long times = 0, number = 0, weak = 0;

    fflush(stdout);
    r->merged = file && *file && freopen(file, "a", stdout);
    const char *mark = r->merged ? "\001none\n" : "\n";
    if (r->merged && end->stopped)
        printf("\001stopped\n");
    if (r->launches == 0 && r->findings == 0) {
        printf("%s", mark);
        if (end->status != 0)
            return 0;
        print_wrapped("race: ", "      ", TRACE_NO_KERNEL);
        return EXIT_NOTHING_SEEN;
    }
    if (r->findings == 0) {
        printf("%s", mark);
        print_summary(r, end);
        print_notes(r);
        coverage_print(r->coverage, r->merged);
        return 0;
    }
    report_group(r);
    for (unsigned i = 0; i < r->findings; i++) {
        const struct finding *f = &r->finding[i];
        times += f->count;
        if (f->group != i)
            continue;
        weak += f->kind == VOLATILE;
        if (++number <= SHOWN_MAX || r->merged)
            print_finding(r, f, (unsigned)number);
    }
    if (!r->merged) {
        printf("\n");
        if (end->stopped)
            printf("race: the run stopped early\n");
        printf("race: %llu found, %llu times", number, times);
        if (weak > 0)
            printf("; %llu by volatile accesses alone", weak);
        printf("%s\n", number > SHOWN_MAX ? "; the first ones are shown" : "");
    }
    print_notes(r);
    coverage_print(r->coverage, r->merged);
    return 1;
}
