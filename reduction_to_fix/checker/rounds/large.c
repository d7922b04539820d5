/* Many elements, and more blocks than one block has threads.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "../checker.h"

/* ---- many random elements; only sums, which reveal any lost element ---- */

/* In a random order threads take turns three times as slowly as in reverse, and many elements show no more in it: of
 * many blocks only small ones have it. */
static const struct trial trials[] = {{TYPE_LONG, OP_SUM, 1 << 18, 256, 0, 64, 0, 0, 0},
                                      {TYPE_LONG, OP_SUM, (1 << 18) + 12347, 64, 2100, 32, 1, 0, 0},
                                      {TYPE_INT, OP_SUM, 300011, 1024, 0, 32, 0, 0, 0},
                                      {TYPE_LONG, OP_SUM, 150011, 2, 70001, 64, 2, 0, 0}};
#define DENSE (sizeof trials / sizeof trials[0])

/* ---- up to 2^23 elements, a few of them not zero; huge.c finds loops that end later ---- */

#define SPARSE         12    /* each type and operation */
#define ALL_REMAINDERS 27720 /* the least common multiple of 1 to 12 */
/* Larger ones take too long on the CPU; and so do these, hundreds of times. */
#define THREADS_MOST  ((uint64_t)1 << 17)
#define THREADS_USUAL ((uint64_t)68000) /* more than 2^16 also with 1/32 less */
#define THREADS_DENSE ((uint64_t)3 << 16)

static struct {
    struct trial trial; /* the first that is wrong */
    struct scalar got, expected;
    bool wrong;
    bool late; /* and right if the host waits */
} now;

static struct trial dense(size_t k)
{
    struct trial s = trials[k];

    s.seed = mix(settings.seed, 1000 + k);
    if (task != REDUCE) /* more work for each element */
        s.n = s.n / 2 + 5;
    if (task == ROWS && k == 3) /* a step of 16 bits is 0 then */
        s.grid = 1 << 16;
    if (task == HISTOGRAM && k == 2) /* one block, all elements in one bin */
        s.grid = 1;
    if (task == HISTOGRAM && k == 3) /* as much to add per block as in a large array */
        s.grid = 5001;
    return trial_here(s);
}

static struct trial sparse(size_t k)
{
    uint64_t r = mix(settings.seed, 1100 + k);
    /* 2^17 to 2^19 elements reveal most mistakes, and the largest array takes most of the time. */
    unsigned exponent = k == 0 ? 23 : k == 1 ? 21 : 17 + (unsigned)k % 3;
    struct trial s = {.n = ((size_t)1 << exponent) - r % ((size_t)1 << (exponent - 1)),
                      .block = 64u << (r >> 40) % 5,
                      .warp = r >> 50 & 1 ? 32 : 64,
                      .order = (int)((r >> 52) % 2),
                      .seed = r};

    /* Their remainders follow each other: divided by any number up to 12, all are there. */
    s.n += (mix(settings.seed, 1099) + k) % ALL_REMAINDERS - s.n % ALL_REMAINDERS;
    if (k % 4 == 3) /* one block takes all iterations */
        s.grid = 1;
    trial_choose(&s, k);
    return trial_here(s);
}

/* The result if all other elements are 0; for argmax the last one is the best. */
static struct scalar of_one(const struct trial *s, unsigned k)
{
    return task == ARGMAX ? whole(s->type, (int64_t)hot_element(s, k)) : hot_value(s, k);
}

static uint64_t threads_of(const struct fixture *f) { return (uint64_t)f->last.planned_grid * f->last.planned_block; }

static void run_sparse(struct trial *s, uint64_t threads_most)
{
    struct fixture f;
    struct scalar got, expected = whole(s->type, 0);

    fixture_open(&f, s, true);
    while (f.last.fits && (f.last.workspace_bytes > WORKSPACE_MOST || threads_of(&f) > threads_most)) {
        size_t fits = threads_of(&f) > threads_most ? s->n * threads_most / threads_of(&f) : s->n / 2;
        s->n = fits - s->seed % (fits / 32 + 1);
        fixture_close(&f);
        fixture_open(&f, s, true);
    }
    for (unsigned k = 0; f.last.fits && k < HOT; k++) {
        fixture_set(&f, hot_element(s, k), hot_value(s, k));
        for (unsigned i = k; i-- > 0;) /* of equal places the last entry counts */
            if (hot_element(s, i) == hot_element(s, k)) {
                fixture_close(&f);
                return;
            }
        expected = task == ARGMAX ? of_one(s, k) : combine_two(expected, hot_value(s, k), s->op);
    }
    /* The best one hides the last one: in half of these trials the last one is better still. */
    bool fits = f.last.fits, hides = s->op != OP_SUM, both = hides && task == ARGMAX;
    bool usual = !hides || both || s->seed % 2 == 0;
    got = fits && usual ? fixture_run(&f, RUN_LAUNCH | RUN_FINISH) : expected;
    now.wrong = !same(got, expected);
    if (!now.wrong && fits && (both || !usual)) {
        fixture_set(&f, hot_element(s, 0), hot_value(s, HOT));
        expected = task == ARGMAX ? of_one(s, 0) : hot_value(s, HOT);
        got = fixture_run(&f, RUN_LAUNCH | RUN_FINISH);
        now.wrong = !same(got, expected);
        size_t turns = (size_t)f.last.planned_grid * f.last.planned_block * (1 + s->seed % 9);
        if (!now.wrong && task == ARGMAX && turns < s->n) { /* an equal one, some iterations earlier */
            fixture_set(&f, s->n - 1 - turns, hot_value(s, HOT));
            expected = whole(s->type, (int64_t)(s->n - 1 - turns));
            got = fixture_run(&f, RUN_LAUNCH | RUN_FINISH);
            now.wrong = !same(got, expected);
        }
    }
    now.got = got;
    now.expected = expected;
    fixture_close(&f);
}

static bool many_elements(void)
{
    round_begin("many elements, many blocks", DENSE + SPARSE);
    for (size_t k = 0; k < DENSE && !now.wrong; k++) {
        struct fixture f;
        now.trial = dense(k);
        fixture_open(&f, &now.trial, false);
        if (threads_of(&f) > THREADS_DENSE) {
            fixture_close(&f);
            now.trial.n /= 2;
            fixture_open(&f, &now.trial, false);
        }
        fixture_fill(&f, task == HISTOGRAM && k > 0 ? ZEROS : RANDOM, now.trial.seed);
        now.got = fixture_run(&f, RUN_LAUNCH | RUN_FINISH | (k == 0 ? (unsigned)RUN_LATE : 0));
        now.expected = fixture_expected(&f);
        now.wrong = !same(now.got, now.expected);
        now.late = now.wrong && k == 0 && same(fixture_run(&f, RUN_LAUNCH | RUN_FINISH), now.expected);
        fixture_close(&f);
        round_step();
    }
    bool zeros_do_nothing = task_adds() || task == ARGMAX;
    for (size_t k = 0; k < SPARSE && zeros_do_nothing && !now.wrong; k++) {
        now.trial = sparse(k);
        run_sparse(&now.trial, k < 2 ? THREADS_MOST : THREADS_USUAL);
        round_step();
    }
    return !now.wrong;
}

static void diagnose_large(void)
{
    say_results(&now.trial, now.got, now.expected);
    if (now.late)
        late_finding(true);
    else if (!repeat_as_it_runs(&now.trial))
        say_large(&now.trial);
}

const struct round round_large = {many_elements, diagnose_large};
