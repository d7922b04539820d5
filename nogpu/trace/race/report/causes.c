/* Which findings have one cause: a barrier, a fence or an atomic operation that is missing lets more than one pair of
 * accesses race.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "../../trace_internal.h"
#include "findings.h"
#include "loops.h"

static bool shares_line(const struct finding *f, const struct finding *g)
{
    bool f_pair = f->a.place != NULL, g_pair = g->a.place != NULL;

    return (g_pair && report_same_line(f->b.place, g->a.place)) || report_same_line(f->b.place, g->b.place) ||
           (f_pair &&
            (report_same_line(f->a.place, g->b.place) || (g_pair && report_same_line(f->a.place, g->a.place))));
}

static bool is_of_block(const struct finding *f)
{
    return f->kind == UNWRITTEN || (f->kind == RACE && report_relation(&f->a, &f->b) == OF_BLOCK);
}

static bool is_of_tasks(const struct finding *f)
{
    return f->kind == RACE && report_relation(&f->a, &f->b) == OF_TASKS;
}

static bool same_work(const struct report_task *a, const struct report_task *b)
{
    return a->kind == b->kind && a->stream == b->stream && (a->kind != TASK_KERNEL || strcmp(a->name, b->name) == 0);
}

/* Two unordered tasks are unordered for every array: they are reported once. */
static bool same_tasks(const struct finding *f, const struct finding *g)
{
    return is_of_tasks(f) && is_of_tasks(g) &&
           ((same_work(&f->a.task, &g->a.task) && same_work(&f->b.task, &g->b.task)) ||
            (same_work(&f->a.task, &g->b.task) && same_work(&f->b.task, &g->a.task)));
}

/* What one of two streams, or the host, does at a line is not ordered with several things that the other one does. */
static bool same_stream(const struct report_task *a, const struct report_task *b)
{
    return a->stream == b->stream && (a->kind == TASK_HOST) == (b->kind == TASK_HOST);
}

static bool same_streams(const struct finding *f, const struct finding *g)
{
    return is_of_tasks(f) && is_of_tasks(g) &&
           ((same_stream(&f->a.task, &g->a.task) && same_stream(&f->b.task, &g->b.task)) ||
            (same_stream(&f->a.task, &g->b.task) && same_stream(&f->b.task, &g->a.task)));
}

static bool is_one_line(const struct finding *f) { return f->kind == RACE && report_same_line(f->a.place, f->b.place); }

/* Two threads store at one line. */
static bool stores_twice(const struct finding *f)
{
    return is_one_line(f) && f->a.write && f->b.write && !f->a.atomic && !f->b.atomic;
}

/* x++ or if (x < y) x = y, by two threads: they load and store x; x[i] += x[i + 1] is none. */
static bool is_update(const struct report *r, const struct finding *f)
{
    const struct trace_place *store = f->a.write ? f->a.place : f->b.place;

    if (is_one_line(f) && f->is_mixed)
        return true;
    for (const struct finding *g = r->finding; f->kind == RACE && g < r->finding + r->findings; g++)
        if (is_one_line(g) && stores_twice(f) != stores_twice(g) && g->array == f->array &&
            report_same_line(g->a.place, store))
            return true;
    return false;
}

/* x++ */
static bool is_sum(const struct finding *f) { return f->is_update && is_one_line(f); }

static bool same_lines(const struct finding *f, const struct finding *g)
{
    return (report_same_line(f->a.place, g->a.place) && report_same_line(f->b.place, g->b.place)) ||
           (report_same_line(f->a.place, g->b.place) && report_same_line(f->b.place, g->a.place));
}

/* Both between threads of a block, or both between blocks. */
static bool same_relation(const struct finding *f, const struct finding *g)
{
    return is_of_block(f) == is_of_block(g) && is_of_tasks(f) == is_of_tasks(g);
}

static const struct symbols_frame *frame_in(const struct trace_place *p, const char *file, const char *function)
{
    for (unsigned i = 0; i < p->count; i++)
        if (strcmp(p->frame[i].file, file) == 0 && strcmp(p->frame[i].function, function) == 0)
            return &p->frame[i];
    return NULL;
}

/* Their lines in the innermost function that they all have in common, inlined calls included. */
static const char *lines_in_one(const struct trace_place *const p[4], unsigned line[4])
{
    for (unsigned i = 0; i < p[0]->count; i++) {
        const struct symbols_frame *f = &p[0]->frame[i], *other = f;
        for (unsigned k = 0; k < 4 && other; k++) {
            other = frame_in(p[k], f->file, f->function);
            line[k] = other ? other->line : 0;
        }
        if (other && f->line > 0 && !trace_is_platform(f->file))
            return f->file;
    }
    return NULL;
}

/* A barrier between these lines could order both accesses: in a loop, also one behind them. */
static void span(const struct finding *f, const char *file, const unsigned line[2], unsigned *first, unsigned *last)
{
    unsigned low = line[0] < line[1] ? line[0] : line[1];
    unsigned high = line[0] < line[1] ? line[1] : line[0];

    if (!is_sum(f) && !stores_twice(f))
        loops_widen(file, &low, &high);
    *first = low > *first ? low : *first;
    *last = high < *last ? high : *last;
}

/* A line reads what two lines wrote into two arrays, as the tiles of a matrix; or one barrier could order both pairs. */
static bool one_barrier(const struct finding *f, const struct finding *g)
{
    const struct trace_place *p[] = {f->a.place, f->b.place, g->a.place, g->b.place};
    unsigned line[4], first = 0, last = UINT32_MAX;

    if (!is_one_line(f) && !is_one_line(g) && shares_line(f, g))
        return true;
    const char *file = lines_in_one(p, line);
    if (!file)
        return false;
    span(f, file, line, &first, &last);
    span(g, file, line + 2, &first, &last);
    return first < last;
}

/* Where the reader was told that it may read. */
static const struct trace_place *flag_of(const struct finding *f)
{
    const struct hand_over *h = is_of_block(f) ? &f->hint.of_thread : &f->hint.of_block;

    return h->is_volatile || f->a.write == f->b.write || f->a.atomic || f->b.atomic ? NULL : h->place;
}

/* What `side` does to the flag that should have ordered f: the other one of the flag's race is the writer of f, or no
 * plain access either. */
static bool tells(const struct finding *f, const struct report_side *side, const struct report_side *other)
{
    const struct report_side *writer = f->a.write ? &f->a : &f->b;
    bool by_writer = other->block == writer->block &&
                     (!is_of_block(f) || (other->warp == writer->warp && other->lane == writer->lane));

    return side->atomic && report_same_place(side->place, flag_of(f)) && (other->atomic || (other->write && by_writer));
}

/* f: what a thread that has looked at the flag tells the others of its block, as whether the block is the last one. */
static bool passes_on(const struct finding *f, const struct finding *g)
{
    const struct trace_place *flag = g->hint.of_block.place;
    const struct trace_place *writer = f->a.write ? f->a.place : f->b.place;
    const struct trace_place *reader = f->a.write ? f->b.place : f->a.place;
    const struct trace_place *late = g->a.write ? g->b.place : g->a.place;

    return flag && flag != g->hint.of_thread.place && is_of_block(f) && f->kind == RACE && f->a.write != f->b.write &&
           !f->a.atomic && !f->b.atomic && !is_of_block(g) && !is_of_tasks(g) && flag->line <= writer->line &&
           writer->line < reader->line && reader->line <= late->line && strcmp(flag->file, reader->file) == 0 &&
           strcmp(flag->file, late->file) == 0;
}

/* The flag itself races, so that nothing is ordered by it. */
static bool is_flag_of(const struct finding *flag, const struct finding *f)
{
    return flag_of(f) && flag->kind == RACE && !is_of_tasks(flag) && strcmp(flag->name.element, f->name.element) != 0 &&
           (tells(f, &flag->a, &flag->b) || tells(f, &flag->b, &flag->a) || passes_on(flag, f));
}

static bool same_kernel(const struct finding *f, const struct finding *g)
{
    for (unsigned i = 0; i < f->kernels; i++)
        for (unsigned k = 0; k < g->kernels; k++)
            if (strcmp(f->kernel[i], g->kernel[k]) == 0)
                return true;
    return false;
}

/* The line of `side` comes before that of g, or again in the next turn of a loop. */
static bool reads_before(const struct report_side *side, const struct finding *g)
{
    unsigned low = side->place->line, high = g->b.place->line;

    return (!side->write || side->atomic) &&
           (low <= high || strcmp(side->place->file, g->b.place->file) != 0 ||
            strcmp(side->place->function, g->b.place->function) != 0 || loops_widen(side->place->file, &high, &low));
}

/* What f has read may be wrong, and so the place that a line of g stores to, twice, or where it stores nothing. What is
 * stored in one place twice may be missing in another one. */
static bool follows(const struct finding *g, const struct finding *f)
{
    if (f->kind != RACE || is_of_tasks(f) || is_of_tasks(g) || !same_kernel(f, g))
        return false;
    if (g->kind == UNWRITTEN && f->array == g->array && stores_twice(f))
        return true;
    return (g->kind == UNWRITTEN || (stores_twice(g) && !is_sum(g))) && !is_sum(f) &&
           (reads_before(&f->a, g) || reads_before(&f->b, g));
}

static bool one_cause(const struct finding *f, const struct finding *g)
{
    if (f->kind == LEAVES || g->kind == LEAVES) /* and so two threads meet there */
        return (is_of_block(f) || is_of_block(g)) && same_kernel(f, g) && shares_line(f, g);
    if (f->kind == ABSENT || g->kind == ABSENT || (f->kind == VOLATILE) != (g->kind == VOLATILE))
        return false;
    if (same_tasks(f, g) || (same_streams(f, g) && shares_line(f, g)) || follows(f, g) || follows(g, f))
        return true;
    if (f->array == g->array && !is_of_tasks(f) && same_relation(f, g) && shares_line(f, g))
        return true;
    if (f->kind != RACE || g->kind != RACE || is_of_tasks(f) != is_of_tasks(g))
        return false;
    if (same_lines(f, g) && (f->array == g->array || (!is_of_tasks(f) && !is_one_line(f))))
        return true;
    if (is_of_tasks(f))
        return false;
    if (is_flag_of(f, g) || is_flag_of(g, f))
        return true;
    return same_relation(f, g) && (((is_of_block(f) || f->cooperative) && one_barrier(f, g)) ||
                                   (flag_of(f) && flag_of(g) && report_same_place(flag_of(f), flag_of(g))));
}

/* The one of two findings with one cause that is shown: a flag that races says more than what it should have ordered,
 * two blocks more than two threads of a block, x++ more than who looks at x, and what one thread writes and another
 * reads more than two writers, or a value that is not written yet. */
static unsigned rank(const struct finding *f)
{
    if (f->kind != RACE || f->is_later)
        return 0;
    return 1 + (f->a.write != f->b.write) + !report_same_line(f->a.place, f->b.place) + (is_sum(f) ? 2 : 0) +
           (is_of_block(f) ? 0 : 4) + (f->is_flag ? 8 : 0);
}

static void join(struct report *r, struct finding *f, struct finding *g)
{
    unsigned mine = f->group, theirs = g->group;

    f->is_later = f->is_later || follows(f, g);
    g->is_later = g->is_later || follows(g, f);
    f->is_flag = f->is_flag || is_flag_of(f, g);
    g->is_flag = g->is_flag || is_flag_of(g, f);
    unsigned shown = rank(&r->finding[mine]) > rank(&r->finding[theirs]) ? mine : theirs;
    for (struct finding *all = r->finding; all < r->finding + r->findings; all++)
        if (all->group == mine || all->group == theirs)
            all->group = shown;
}

void report_group(struct report *r)
{
    struct finding *end = r->finding + r->findings;

    for (struct finding *f = r->finding; f < end; f++)
        f->is_update = is_update(r, f);
    for (struct finding *f = r->finding; f < end; f++)
        for (struct finding *g = r->finding; g < f; g++)
            if (one_cause(f, g))
                join(r, f, g);
    for (const struct finding *f = r->finding; f < end; f++)
        r->finding[f->group].other_warps |= f->other_warps;
}
