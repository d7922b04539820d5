/* A round runs every program once, with a list of sizes; rounds follow each other until the medians are
 * known well enough or the time is up. So a drifting clock, or another user of the machine, affects all
 * programs alike.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench/programs/failure.h"
#include "harness/timing/timing.h"

/* What a round may take longer than was expected, as a part of the time; then it is cut off. */
#define GRACE 0.08

static bool over(const struct bench *b)
{
    return child_interrupted() || b->file_error != 0 || b->other ||
           (b->call.deadline > 0 && timing_now() >= b->call.deadline);
}

/* ---- one program ----------------------------------------------------------------------------------- */

static void progress_clear(const struct bench *b)
{
    if (b->terminal)
        fprintf(stderr, "\r\033[K");
}

static void say(const struct bench *b, const struct program *p, const struct combo *c,
                const char *what)
{
    progress_clear(b);
    fprintf(stderr, "%s, %s of %s: %s\n", p->label, c->op, c->type, what);
}

/* Writes rows to the CSV as they arrive, and records their cost. */
struct reading {
    struct bench *b;
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
    return record_row(r->b, r->p, values);
}

static void judge(struct bench *b, size_t program, struct combo *c, const struct outcome *o,
                  size_t wanted)
{
    const struct program *p = &b->arguments.programs[program];
    char why[100];

    if (o->stopped)
        return;
    if ((o->status == EXIT_USAGE || o->status == EXIT_NO_DEVICE) && b->results.rows == 0) {
        record_close(b);
        fputs(o->said, stderr); /* it would be the same for all others */
        exit(o->status);
    }
    if (o->status == EXIT_UNPROVEN && o->reason[0] == '\0' && b->round == 1)
        say(b, p, c, "unproven results, see column check of the CSV");
    if (o->reason[0] != '\0')
        say(b, p, c, o->reason);
    else if (o->status == EXIT_WRONG)
        say(b, p, c, "wrong results, see column check of the CSV");
    else if (o->rows != wanted) {
        snprintf(why, sizeof why, "%zu rows for %zu sizes", o->rows, wanted);
        say(b, p, c, why);
    } else
        return;
    c->failed[program] = true;
    b->failures++;
}

/* Runs one program with the chosen sizes of one type and operation. */
static void run(struct bench *b, size_t program, struct combo *c)
{
    const struct program *p = &b->arguments.programs[program];
    struct reading reading = {b, p, c, 0, timing_now()};
    struct outcome outcome;
    char sizes[32 * SIZES_MAX], type[32], op[32];
    size_t wanted = 0, used = (size_t)sprintf(sizes, "--size=");

    for (size_t i = 0; i < c->size_count; i++)
        if (c->chosen[i])
            used += (size_t)sprintf(sizes + used, "%s%zu", wanted++ == 0 ? "" : ",", c->sizes[i]);
    sprintf(type, "--type=%s", c->type);
    sprintf(op, "--op=%s", c->op);
    const char *own[] = {sizes, type, op, "--format=csv", b->ceiling[0] != '\0' ? b->ceiling : NULL,
                         NULL};
    program_run(&outcome, p, &b->call, own, take_row, &reading);
    judge(b, program, c, &outcome, wanted);
}

/* ---- rounds ---------------------------------------------------------------------------------------- */

/* Whether all programs' medians at this size are known well enough. All or none: a comparison needs the
 * same rounds of all. */
static bool settled(const struct bench *b, const struct combo *c, size_t n)
{
    for (size_t i = 0; i < b->arguments.program_count; i++) {
        const struct cell *cell =
            results_find(&b->results, b->arguments.programs[i].label, c->type, c->op, n);
        if (c->failed[i] || (cell != NULL && cell->count == 0 && cell->unproven > 0))
            continue;
        if (cell == NULL || results_spread(cell, b->clock) > b->spread)
            return false;
    }
    return true;
}

/* Updates what is settled; returns how many sizes are not, of all types and operations. */
static size_t settle(struct bench *b)
{
    size_t left = 0;

    for (size_t k = 0; k < b->combo_count; k++) {
        struct combo *c = &b->combos[k];
        for (size_t i = 0; i < c->size_count; i++) {
            c->settled[i] = c->settled[i] || settled(b, c, c->sizes[i]);
            left += !c->settled[i];
        }
    }
    return left;
}

/* The cheapest size that is neither settled nor chosen. */
static bool cheapest(struct bench *b, struct combo **combo, size_t *index)
{
    double least = 0;
    bool found = false;

    for (size_t k = 0; k < b->combo_count; k++)
        for (size_t i = 0; i < b->combos[k].size_count; i++) {
            struct combo *c = &b->combos[k];
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
static size_t choose(struct bench *b)
{
    double left = b->start + b->seconds - timing_now();
    struct combo *c;
    size_t count = 0, i;

    for (size_t k = 0; k < b->combo_count; k++)
        memset(b->combos[k].chosen, 0, sizeof b->combos[k].chosen);
    while (cheapest(b, &c, &i) && (left -= c->cost[i]) > 0) {
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

static void progress(const struct bench *b, size_t program, const struct combo *c, size_t done,
                     size_t of)
{
    if (!b->terminal)
        return;
    int gone = (int)(timing_now() - b->start), left = (int)b->seconds - gone;
    left = left > 0 ? left : 0;
    fprintf(stderr, "\r\033[K[round %u, %zu/%zu] %s %s %s, %d:%02d gone, at most %d:%02d left",
            b->round, done + 1, of, b->arguments.programs[program].label, c->op, c->type, gone / 60,
            gone % 60, left / 60, left % 60);
}

static void run_round(struct bench *b)
{
    size_t count = b->arguments.program_count, done = 0, of = 0;

    for (size_t k = 0; k < b->combo_count; k++) {
        struct combo *c = &b->combos[k];
        for (size_t i = 0; i < count; i++)
            of += any_chosen(c) && !c->failed[i];
        for (size_t i = 0; i < c->size_count; i++)
            if (c->chosen[i])
                c->cost[i] = 0;
    }
    for (size_t k = 0; k < b->combo_count; k++) {
        struct combo *c = &b->combos[k];
        for (size_t i = 0; i < count && any_chosen(c); i++) {
            /* In alternating directions, so that no program always follows the same one. */
            size_t program = b->round % 2 == 1 ? i : count - 1 - i;
            if (over(b))
                return;
            if (c->failed[program])
                continue;
            progress(b, program, c, done++, of);
            run(b, program, c);
        }
    }
}

/* Programs and sizes without a single row: the first round was cut short. */
static size_t missing(const struct bench *b)
{
    size_t count = 0;

    for (size_t k = 0; k < b->combo_count; k++) {
        const struct combo *c = &b->combos[k];
        for (size_t p = 0; p < b->arguments.program_count; p++)
            for (size_t i = 0; i < c->size_count && !c->failed[p]; i++)
                count += results_find(&b->results, b->arguments.programs[p].label, c->type, c->op,
                                      c->sizes[i]) == NULL;
    }
    return count;
}

/* Whether this round was the last; says why. */
static bool ended(const struct bench *b, bool chosen, size_t left)
{
    bool stopped = child_interrupted() || b->file_error != 0 || b->other;

    if (!stopped && (left == 0 || (chosen && !over(b) && b->seconds > 0)))
        return false;
    if (!stopped)
        fprintf(stderr, "the time is up (--time=%.0f); sizes that are not done have a ~ below\n",
                b->seconds);
    if (missing(b) > 0)
        fprintf(stderr, "%zu rows of the first round are missing: the same command continues %s\n",
                missing(b), b->output);
    return true;
}

void rounds_run(struct bench *b)
{
    size_t all = 0, left = settle(b);

    for (size_t k = 0; k < b->combo_count; k++)
        all += b->combos[k].size_count;
    b->start = timing_now();
    if (left == 0)
        fprintf(stderr, "all %zu sizes are done already\n", all);
    b->call.deadline = b->seconds > 0 ? b->start + (1 + GRACE) * b->seconds : 0;
    for (b->round = b->results.round + 1; left > 0 && b->round <= b->rounds; b->round++) {
        bool chosen = b->seconds == 0 || choose(b) > 0;
        if (b->seconds == 0) { /* one round, however long */
            for (size_t k = 0; k < b->combo_count; k++)
                for (size_t i = 0; i < b->combos[k].size_count; i++)
                    b->combos[k].chosen[i] = !b->combos[k].settled[i];
        }
        if (chosen)
            run_round(b);
        progress_clear(b);
        left = settle(b);
        if (chosen)
            fprintf(stderr, "%sround %u: %.0f s, %zu of %zu sizes done\n",
                    child_interrupted() ? "interrupted in " : "", b->round, timing_now() - b->start,
                    all - left, all);
        if (ended(b, chosen, left))
            return;
    }
}
