/* Prints the report of the race tool.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../text/shown.h"
#include "../../trace_internal.h"
#include "coverage.h"
#include "findings.h"
#include "loops.h"

#define SHOWN_MAX 24

static const char *verb_of(const struct report_side *s)
{
    if (s->task.kind == TASK_ALLOCATION || s->task.kind == TASK_RELEASE)
        return s->task.kind == TASK_ALLOCATION ? "gives the memory" : "takes it back";
    return s->write && s->atomic ? "updates it" : s->write ? "writes it" : "reads it";
}

static struct finding_side side_of(const struct report_side *s, const char *verb)
{
    const char *who, *how = s->atomic ? " atomically" : "";
    char text[400];

    if (s->task.kind == TASK_KERNEL) {
        who = trace_thread_text(s->block, s->task.grid, s->warp, s->lane, s->task.warp_size, s->task.block);
    } else {
        report_name_task(&s->task, text, sizeof text);
        who = text;
    }
    return trace_side(s->place, finding_text("%s %s%s", who, verb, how));
}

static bool is_pair(const struct finding *f) { return f->kind == RACE || f->kind == VOLATILE; }

/* ---- for several runs: nogpu_report joins findings that have a key in common, and counts ---- */

/* The function around both accesses, the first line there whose effect may matter, and the last of their lines. */
static void find_reach(const struct finding *f, struct finding_shown *shown)
{
    const struct trace_place *b = f->b.place, *a = is_pair(f) ? f->a.place : b;
    const struct symbols_frame *x = &a->frame[a->count - 1], *y = &b->frame[b->count - 1];
    unsigned first = x->line < y->line ? x->line : y->line;
    unsigned last = x->line < y->line ? y->line : x->line, low = first, high = first;
    bool known = strcmp(x->function, y->function) == 0;

    while (known && loops_widen(x->file, &low, &high))
        first = low;
    shown->kernel = f->kernels > 0 && report_relation(&f->a, &f->b) != OF_TASKS ? f->kernel[0] : "";
    shown->function = known ? x->function : "?";
    shown->first = first;
    shown->last = last;
}

static char *keys_of(const struct report *r, const struct finding *shown)
{
    char *keys = NULL;
    size_t bytes;
    FILE *out = trace_check_alloc(open_memstream(&keys, &bytes));
    const char *between = "";

    for (const struct finding *f = r->finding; f < r->finding + r->findings; f++) {
        if (&r->finding[f->group] != shown)
            continue;
        const struct trace_place *a = f->a.place, *b = f->b.place;
        int order = is_pair(f) ? strcmp(a->file, b->file) : 0;
        if (is_pair(f) &&
            (order > 0 || (order == 0 && (a->line > b->line || (a->line == b->line && a->column > b->column))))) {
            a = f->b.place;
            b = f->a.place;
        }
        fprintf(out, "%s%d", between, (int)f->kind);
        if (f->kind == UNWRITTEN)
            fprintf(out, " %llx", (unsigned long long)f->array);
        between = ";";
        if (is_pair(f))
            fprintf(out, " %s:%u:%u", a->file, a->line, a->column);
        fprintf(out, " %s:%u", b->file, b->line);
        if (is_pair(f))
            fprintf(out, ":%u", b->column);
        /* In another run the reader may find nothing written yet. */
        if (f->kind == RACE && report_relation(&f->a, &f->b) == OF_BLOCK && f->a.write != f->b.write) {
            const struct trace_place *reader = f->a.write ? f->b.place : f->a.place;
            fprintf(out, ";%d %llx %s:%u", UNWRITTEN, (unsigned long long)f->array, reader->file, reader->line);
        }
    }
    fclose(out);
    return keys;
}

/* ---- findings ---- */

static void name_kernels(const struct finding *f, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "kernel%s %s", f->kernels > 1 ? "s" : "", f->kernel[0]);

    for (unsigned i = 1; i < f->kernels && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s %s", i + 1 == f->kernels ? " and" : ",", f->kernel[i]);
}

static char *head_of(const struct finding *f)
{
    char kernels[300], tasks[2][160];
    const char *who = report_relation(&f->a, &f->b) == OF_BLOCK ? "two threads of a block" : "two blocks";

    if (f->kernels > 0)
        name_kernels(f, kernels, sizeof kernels);
    switch (f->kind) {
    case RACE:
        if (report_relation(&f->a, &f->b) == OF_TASKS) {
            report_name_task(&f->a.task, tasks[0], sizeof tasks[0]);
            report_name_task(&f->b.task, tasks[1], sizeof tasks[1]);
            return finding_text("%s (%s): %s and %s, and nothing orders them", f->name.element, f->name.where, tasks[0],
                                tasks[1]);
        }
        if (f->hint.is_pending)
            return finding_text("%s of %s (%s): used before an asynchronous copy to it is waited for", f->name.element,
                                kernels, f->name.where);
        return finding_text("%s of %s (%s): %s, and nothing orders them", f->name.element, kernels, f->name.where, who);
    case VOLATILE:
        return finding_text("%s of %s (%s): %s, by volatile accesses that nothing orders", f->name.element, kernels,
                            f->name.where, who);
    case UNWRITTEN:
        return finding_text("%s of %s (%s) is read before it is written", f->name.element, kernels, f->name.where);
    case LEAVES:
        return finding_text("an index of %s of %s leaves it and lands in %s", f->name.element, kernels, f->name.where);
    case ABSENT:
        break;
    }
    return finding_text("a shuffle of %s reads %s, and the kernel uses the undefined value", kernels, f->name.where);
}

static bool same_words(const struct finding *f, const struct finding *g)
{
    return is_pair(f) && is_pair(g) && f->array == g->array && report_same_line(f->a.place, g->a.place) &&
           report_same_line(f->b.place, g->b.place);
}

/* Other pairs of accesses with the same cause, each pair of lines once. */
static void add_others(const struct report *r, const struct finding *shown, struct finding_shown *to)
{
    for (const struct finding *f = r->finding; f < r->finding + r->findings; f++) {
        bool is_said = f == shown || same_words(f, shown);
        for (const struct finding *g = r->finding; g < f; g++)
            is_said = is_said || (&r->finding[g->group] == shown && same_words(f, g));
        if (is_said || &r->finding[f->group] != shown || to->others == FINDING_OTHERS)
            continue;
        const struct trace_place *a = f->a.place, *b = f->b.place;
        to->other[to->others++] =
            f->kind == UNWRITTEN ? finding_text("%s:%u reads what no thread has written", b->file, b->line)
            : f->kind == LEAVES
                ? finding_text("%s:%u: an index of %s lands in %s", b->file, b->line, f->name.element, f->name.where)
                : finding_text("%s%s%s:%u and %s:%u", f->array != shown->array ? f->name.element : "",
                               f->array != shown->array ? ", " : "", a->file, a->line, b->file, b->line);
    }
}

static void print_finding(const struct report *r, const struct finding *f, unsigned number)
{
    struct finding_shown shown = {
        .kind = f->kind == VOLATILE ? "volatile" : "race", .head = head_of(f), .keys = keys_of(r, f)};
    char text[600], seen[80];

    for (unsigned i = 0; i < r->findings; i++)
        shown.times += &r->finding[r->finding[i].group] == f ? r->finding[i].count : 0;
    if (is_pair(f))
        shown.side[shown.sides++] = side_of(&f->a, verb_of(&f->a));
    shown.side[shown.sides++] = side_of(&f->b, f->kind == ABSENT ? "uses it" : verb_of(&f->b));
    report_advise(f, text, sizeof text);
    shown.hint = hip_cpu_named(text);
    add_others(r, f, &shown);
    find_reach(f, &shown);
    if (r->merged) {
        finding_record(stdout, &shown);
        return;
    }
    snprintf(seen, sizeof seen, "seen %llu times at these lines", shown.times);
    printf("\n");
    finding_print(stdout, &shown, number, shown.times > 1 ? seen : NULL);
}

/* ---- below a race: what every GPU takes as the author means it ---- */

/* Whether what ends before `end` may be another element for each thread: x[i], (*p). */
static bool is_element(const char *source, const char *end)
{
    while (end > source && end[-1] == ' ')
        end--;
    while (end > source && (isalnum((unsigned char)end[-1]) || strchr("_.>-]", end[-1])))
        if (*--end == ']')
            while (end > source && *--end != '[')
                if (!isdigit((unsigned char)*end))
                    return true;
    return end > source && end[-1] == ')';
}

static bool is_store(const char *source, const char *equals)
{
    return equals[1] != '=' && (equals == source || !strchr("=!<>+-*/%&|^", equals[-1]));
}

/* Where macros may have moved the column (by clang): there, or the only store of the line. */
static size_t only_store(const char *source, size_t at)
{
    const char *found = NULL;

    if (at < strlen(source) && source[at] == '=')
        return at;
    if (strstr(source, "++") || strstr(source, "--"))
        return SIZE_MAX;
    for (const char *c = source; (c = strchr(c, '=')); c++) {
        bool compares = c[1] == '=' || (c > source && strchr("=!<>", c[-1]));
        if (!compares && found)
            return SIZE_MAX;
        found = compares ? found : c;
    }
    return found ? (size_t)(found - source) : SIZE_MAX;
}

/* What the line stores there, if that is a number, true or false, in no element of an array; its length, or 0. */
static size_t stored_literal(const struct trace_place *p, const char **text)
{
    struct finding_side side = trace_side(p, "");
    size_t at = side.column > side.indent ? side.column - side.indent - 1 : 0;

    if (side.column == 0)
        at = only_store(side.source, trace_column(p) - side.indent - 1);
    if (at >= strlen(side.source))
        return 0;
    const char *equals = strchr(side.source + at, '=');
    if (!equals || !is_store(side.source, equals) || is_element(side.source, equals))
        return 0;
    *text = equals + 1 + strspn(equals + 1, " ");
    bool word = strncmp(*text, "true", 4) == 0 || strncmp(*text, "false", 5) == 0;
    size_t literal = word ? strcspn(*text, "e") + 1 : strspn(*text, "0123456789.xabcdefABCDEFuUlL-");
    return literal > 0 && strchr(";,)", (*text)[literal + strspn(*text + literal, " ")]) ? literal : 0;
}

/* found = true; by several threads. */
static bool is_same_value(const struct finding *f)
{
    const char *a, *b;
    size_t length = 0;

    return f->kind == RACE && !f->varies && f->a.write && f->b.write && !f->a.atomic && !f->b.atomic &&
           report_relation(&f->a, &f->b) != OF_TASKS && (length = stored_literal(f->a.place, &a)) > 0 &&
           stored_literal(f->b.place, &b) == length && memcmp(a, b, length) == 0;
}

/* old = *p; before a loop that compares and swaps. */
static bool is_first_read(const struct finding *f)
{
    const struct report_side *read = f->a.atomic ? &f->b : &f->a, *swap = f->a.atomic ? &f->a : &f->b;

    if (f->kind != RACE || read->atomic || read->write || read->is_volatile || !swap->atomic || f->hint.other_width ||
        report_relation(read, swap) == OF_TASKS)
        return false;
    struct finding_side one = trace_side(read->place, ""), other = trace_side(swap->place, "");
    return (strstr(other.source, "CAS(") || strstr(other.source, "compare_exchange")) &&
           strcmp(one.file, other.file) == 0 && strcmp(one.function, other.function) == 0 && one.line <= other.line &&
           other.line - one.line <= 6;
}

/* They become notes, and count as none. */
static void set_aside(struct report *r)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < r->findings; i++) {
        const struct finding *f = &r->finding[i];
        bool same = is_same_value(f);
        if (r->strict || (!same && !is_first_read(f))) {
            r->finding[kept] = *f;
            r->finding[kept].group = kept;
            kept++;
            continue;
        }
        const struct report_side *read = f->a.atomic ? &f->b : &f->a, *swap = f->a.atomic ? &f->a : &f->b;
        report_note(r, same ? finding_text("%s:%u: several threads of kernel %s store one value into %s, and nothing "
                                           "orders them. Every GPU keeps one of the stores; C++ calls it a race, "
                                           "and so does RACES=strict",
                                           f->b.place->file, f->b.place->line, f->kernel[0], f->name.element)
                            : finding_text("%s:%u in kernel %s reads plainly what %s:%u compares and swaps. The loop "
                                           "is right whatever is read first; RACES=strict calls it a race",
                                           read->place->file, read->place->line, f->kernel[0], swap->place->file,
                                           swap->place->line));
    }
    r->findings = kept;
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
        finding_wrap(stdout, "note: ", "      ", text);
    }
    for (unsigned i = 0; i < r->notes; i++) {
        if (r->merged)
            printf("\001note\n");
        finding_wrap(stdout, "note: ", "      ", r->note[i]);
    }
    if (r->volatiles == 0)
        return;
    if (r->merged)
        printf("\001note\n");
    printf("%s\n", r->volatile_is_atomic
                       ? "      RACES=volatile: volatile accesses to global memory count as atomic"
                       : "      volatile accesses order nothing here; RACES=volatile takes them as atomic");
}

/* What was examined; names ends with a comma. */
static void print_summary(struct report *r, const struct trace_end *end)
{
    r->names[strlen(r->names) - 1] = ':';
    finding_wrap(stdout,
                 end->stopped      ? "race: the run stopped early; none found until then in"
                 : r->kernels == 1 ? "race: none found in kernel"
                                   : "race: none found in kernels",
                 "      ", r->names);
    printf("      %u launches, %llu blocks, %llu warps of %d, %llu threads\n", r->launches, r->blocks, r->warps,
           warpSize, r->threads);
    printf("      shared memory %llu loads, %llu stores; global %llu and %llu; %llu atomics\n", r->loads[TRACE_SHARED],
           r->stores[TRACE_SHARED], r->loads[TRACE_GLOBAL], r->stores[TRACE_GLOBAL], r->atomics);
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
    set_aside(r);
    if (r->launches == 0 && r->findings == 0) {
        printf("%s", mark);
        if (end->status != 0)
            return 0;
        finding_wrap(stdout, "race: ", "      ", TRACE_NO_KERNEL);
        print_notes(r);
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
