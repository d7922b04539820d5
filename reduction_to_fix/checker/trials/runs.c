/* One trial: all its runs and their results.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "../checker.h"

void run_once(struct fixture *f, struct record *r, enum pass run, unsigned flags)
{
    r->got[run] = fixture_run(f, RUN_LAUNCH | RUN_FINISH | flags);
    r->expected[run] = fixture_expected(f);
    r->tie |= !same(r->got[run], r->expected[run]) && task_ties(&f->trial, f->values, r->got[run]);
    if (f->item > 0 && r->item == 0)
        r->item = f->item;
    struct observed before = r->seen;
    r->seen = f->last.seen;
    if (run > FIRST && (before.host_reads || before.host_touches || before.input_written) && !r->seen.host_reads)
        r->seen = before;
    else if (before.kept > r->seen.kept)
        r->seen.kept = before.kept;
}

void run_trial(const struct trial *s, struct record *r)
{
    struct fixture f;

    fixture_open(&f, s, false);
    r->planned_grid = f.last.planned_grid;
    r->planned_block = f.last.planned_block;
    r->units = f.last.units;
    fixture_fill(&f, RANDOM, s->seed);
    /* In one of these runs the device's memory is hidden from host code. */
    enum pass hidden = (enum pass)(mix(s->seed, 8 * s->warp + (unsigned)s->type) % (CHANGED + 1));
    run_once(&f, r, FIRST, hidden == FIRST ? RUN_HIDE : 0);
    run_once(&f, r, SECOND, hidden == SECOND ? RUN_HIDE : 0);
#ifndef ON_CPU /* on the CPU a write is seen when it happens */
    r->seen.input_written |= fixture_changed(&f) < s->n;
#endif
    if (r->seen.input_written) {
        r->runs = SECOND + 1;
    } else {
        fixture_fill(&f, OTHER, mix(s->seed, 1));
        run_once(&f, r, CHANGED, hidden == CHANGED ? RUN_HIDE : 0);
        r->runs = CHANGED + 1;
    }
    if (s->op != OP_SUM && r->runs > CHANGED) {
        fixture_reset(&f);
        fixture_fill(&f, NEGATIVE, s->seed);
        run_once(&f, r, BELOW, 0);
        fixture_reset(&f);
        fixture_fill(&f, POSITIVE, s->seed);
        run_once(&f, r, ABOVE, 0);
        r->runs = ABOVE + 1;
    }
    fixture_close(&f);
    if (f.last.seen.kept > r->seen.kept) /* by plan() */
        r->seen.kept = f.last.seen.kept;
    r->done = true;
}

void run_twice(const struct trial *s, struct record *r)
{
    struct fixture f;

    fixture_begin(&f, s);
    fixture_fill(&f, RANDOM, s->seed);
    run_once(&f, r, FIRST, 0);
    run_once(&f, r, SECOND, RUN_END);
    r->planned_grid = f.last.planned_grid;
    r->planned_block = f.last.planned_block;
    r->units = f.last.units;
    r->runs = SECOND + 1;
    fixture_close(&f);
    r->done = true;
}

void say_results(const struct trial *s, struct scalar got, struct scalar expected)
{
    char trial[TEXT_MAX], a[64], b[64];

    trial_text(found.where, s);
    if (!same(got, expected))
        snprintf(found.where, TEXT_MAX, "%s: %s instead of %s", trial_text(trial, s), scalar_words(a, got),
                 scalar_words(b, expected));
}

enum pass first_wrong(const struct record *r)
{
    for (unsigned run = 0; run < r->runs; run++)
        if (!same(r->got[run], r->expected[run]))
            return (enum pass)run;
    return FIRST;
}
