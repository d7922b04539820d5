/* A round runs every program once, with a list of sizes; rounds follow each other until the medians are
 * known well enough or the time is up. So a drifting clock, or another user of the machine, affects all
 * programs alike.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sweep.h"
#include "bench/programs/failure.h"
#include "harness/timing/timing.h"

/* What a round may take longer than was expected, as a part of the time; then it is cut off. */
#define GRACE 0.08

static bool over(const struct sweep *s)
{
    return child_interrupted() || s->file_error != 0 || s->other ||
           (s->call.deadline > 0 && timing_now() >= s->call.deadline);
}

/* ---- one program ----------------------------------------------------------------------------------- */

static void progress_clear(const struct sweep *s)
{
    if (s->terminal)
        fprintf(stderr, "\r\033[K");
}

static void say(const struct sweep *s, const struct program *p, const struct combo *c,
                const char *what)
{
    progress_clear(s);
    fprintf(stderr, "%s, %s of %s: %s\n", p->label, c->op, c->type, what);
}

/* Writes rows to the CSV as they arrive, and records their cost. */
struct reading {
    struct sweep *s;
    const struct program *p;
    struct combo *c;
    size_t at;   /* the size whose row comes next */
    double last; /* when the last one came */
};

static bool take_row(void *context, const char *values)
{
    struct reading *r = context;
    double now = timing_now();

    while (r->at < r->c->size_count && !r->c->chosen[r->at])
        r->at++;
    if (r->at < r->c->size_count)
        r->c->cost[r->at++] += now - r->last;
    r->last = now;
    return record_row(r->s, r->p, values);
}

static void judge(struct sweep *s, size_t program, struct combo *c, const struct outcome *o,
                  size_t wanted)
{
    const struct program *p = &s->arguments.programs[program];
    char why[100];

    if (o->stopped)
        return;
    if ((o->status == EXIT_USAGE || o->status == EXIT_NO_DEVICE) && s->results.rows == 0) {
        record_close(s);
        fputs(o->said, stderr); /* it would be the same for all others */
        exit(o->status);
    }
    if (o->status == EXIT_UNPROVEN && o->reason[0] == '\0' && s->round == 1)
        say(s, p, c, "unproven results, see column check of the CSV");
    if (o->reason[0] != '\0')
        say(s, p, c, o->reason);
    else if (o->status == EXIT_WRONG)
        say(s, p, c, "wrong results, see column check of the CSV");
    else if (o->rows != wanted) {
        snprintf(why, sizeof why, "%zu rows for %zu sizes", o->rows, wanted);
        say(s, p, c, why);
    } else
        return;
    c->failed[program] = true;
    s->failures++;
}

/* Runs one program with the chosen sizes of one type and operation. */
static void run(struct sweep *s, size_t program, struct combo *c)
{
    const struct program *p = &s->arguments.programs[program];
    struct reading reading = {s, p, c, 0, timing_now()};
    struct outcome outcome;
    char sizes[32 * SIZES_MAX], type[32], op[32];
    size_t wanted = 0, used = (size_t)sprintf(sizes, "--size=");

    for (size_t i = 0; i < c->size_count; i++)
        if (c->chosen[i])
            used += (size_t)sprintf(sizes + used, "%s%zu", wanted++ == 0 ? "" : ",", c->sizes[i]);
    sprintf(type, "--type=%s", c->type);
    sprintf(op, "--op=%s", c->op);
    const char *own[] = {sizes, type, op, "--format=csv", s->ceiling[0] != '\0' ? s->ceiling : NULL,
                         NULL};
    program_run(&outcome, p, &s->call, own, take_row, &reading);
    judge(s, program, c, &outcome, wanted);
}

/* ---- rounds ---------------------------------------------------------------------------------------- */

/* Whether all programs' medians at this size are known well enough. All or none: a comparison needs the
 * same rounds of all. */
static bool settled(const struct sweep *s, const struct combo *c, size_t n)
{
    for (size_t i = 0; i < s->arguments.program_count; i++) {
        const struct cell *cell =
            results_find(&s->results, s->arguments.programs[i].label, c->type, c->op, n);
        if (c->failed[i] || (cell != NULL && cell->count == 0 && cell->unproven > 0))
            continue;
        if (cell == NULL || results_spread(cell, s->clock) > s->spread)
            return false;
    }
    return true;
}

/* Updates what is settled; returns how many sizes are not, of all types and operations. */
static size_t settle(struct sweep *s)
{
    size_t left = 0;

    for (size_t k = 0; k < s->combo_count; k++) {
        struct combo *c = &s->combos[k];
        for (size_t i = 0; i < c->size_count; i++) {
            c->settled[i] = c->settled[i] || settled(s, c, c->sizes[i]);
            left += !c->settled[i];
        }
    }
    return left;
}

/* The cheapest size that is neither settled nor chosen. */
static bool cheapest(struct sweep *s, struct combo **combo, size_t *index)
{
    double least = 0;
    bool found = false;

    for (size_t k = 0; k < s->combo_count; k++)
        for (size_t i = 0; i < s->combos[k].size_count; i++) {
            struct combo *c = &s->combos[k];
            if (c->settled[i] || c->chosen[i] || (found && c->cost[i] >= least))
                continue;
            *combo = c;
            *index = i;
            least = c->cost[i];
            found = true;
        }
    return found;
}

/* Chooses as many sizes as can be measured in the time that is left; sizes that were never measured
 * count as free. Returns how many. */
static size_t choose(struct sweep *s)
{
    double left = s->start + s->seconds - timing_now();
    struct combo *c;
    size_t count = 0, i;

    for (size_t k = 0; k < s->combo_count; k++)
        memset(s->combos[k].chosen, 0, sizeof s->combos[k].chosen);
    while (cheapest(s, &c, &i) && (left -= c->cost[i]) > 0) {
        c->chosen[i] = true;
        count++;
    }
    return count;
}

static bool any_chosen(const struct combo *c)
{
    for (size_t i = 0; i < c->size_count; i++)
        if (c->chosen[i])
            return true;
    return false;
}

static void progress(const struct sweep *s, size_t program, const struct combo *c, size_t done,
                     size_t of)
{
    if (!s->terminal)
        return;
    int gone = (int)(timing_now() - s->start), left = (int)s->seconds - gone;
    left = left > 0 ? left : 0;
    fprintf(stderr, "\r\033[K[round %u, %zu/%zu] %s %s %s, %d:%02d gone, at most %d:%02d left",
            s->round, done + 1, of, s->arguments.programs[program].label, c->op, c->type, gone / 60,
            gone % 60, left / 60, left % 60);
}

static void run_round(struct sweep *s)
{
    size_t count = s->arguments.program_count, done = 0, of = 0;

    for (size_t k = 0; k < s->combo_count; k++) {
        struct combo *c = &s->combos[k];
        for (size_t i = 0; i < count; i++)
            of += any_chosen(c) && !c->failed[i];
        for (size_t i = 0; i < c->size_count; i++)
            if (c->chosen[i])
                c->cost[i] = 0;
    }
    for (size_t k = 0; k < s->combo_count; k++) {
        struct combo *c = &s->combos[k];
        for (size_t i = 0; i < count && any_chosen(c); i++) {
            /* In alternating directions, so that no program always follows the same one. */
            size_t program = s->round % 2 == 1 ? i : count - 1 - i;
            if (over(s))
                return;
            if (c->failed[program])
                continue;
            progress(s, program, c, done++, of);
            run(s, program, c);
        }
    }
}

/* Programs and sizes without a single row: the first round was cut short. */
static size_t missing(const struct sweep *s)
{
    size_t count = 0;

    for (size_t k = 0; k < s->combo_count; k++) {
        const struct combo *c = &s->combos[k];
        for (size_t p = 0; p < s->arguments.program_count; p++)
            for (size_t i = 0; i < c->size_count && !c->failed[p]; i++)
                count += results_find(&s->results, s->arguments.programs[p].label, c->type, c->op,
                                      c->sizes[i]) == NULL;
    }
    return count;
}

/* Whether this round was the last; says why. */
static bool ended(const struct sweep *s, bool chosen, size_t left)
{
    bool stopped = child_interrupted() || s->file_error != 0 || s->other;

    if (!stopped && (left == 0 || (chosen && !over(s) && s->seconds > 0)))
        return false;
    if (!stopped)
        fprintf(stderr, "the time is up (--time=%.0f); sizes that are not done have a ~ below\n",
                s->seconds);
    if (missing(s) > 0)
        fprintf(stderr, "%zu rows of the first round are missing: the same command continues %s\n",
                missing(s), s->output);
    return true;
}

void rounds_run(struct sweep *s)
{
    size_t all = 0, left = settle(s);

    for (size_t k = 0; k < s->combo_count; k++)
        all += s->combos[k].size_count;
    s->start = timing_now();
    if (left == 0)
        fprintf(stderr, "all %zu sizes are done already\n", all);
    s->call.deadline = s->seconds > 0 ? s->start + (1 + GRACE) * s->seconds : 0;
    for (s->round = s->results.round + 1; left > 0 && s->round <= s->rounds; s->round++) {
        bool chosen = s->seconds == 0 || choose(s) > 0;
        if (s->seconds == 0) { /* one round, however long */
            for (size_t k = 0; k < s->combo_count; k++)
                for (size_t i = 0; i < s->combos[k].size_count; i++)
                    s->combos[k].chosen[i] = !s->combos[k].settled[i];
        }
        if (chosen)
            run_round(s);
        progress_clear(s);
        left = settle(s);
        if (chosen)
            fprintf(stderr, "%sround %u: %.0f s, %zu of %zu sizes done\n",
                    child_interrupted() ? "interrupted in " : "", s->round, timing_now() - s->start,
                    all - left, all);
        if (ended(s, chosen, left))
            return;
    }
}
