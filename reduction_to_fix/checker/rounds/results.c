/* Round one: many trials, and what is wrong in the simplest failing one.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "../checker.h"

/* ---- many trials ---- */

static struct {
    struct trial trials[TRIALS];
    struct record records[TRIALS];
    size_t count;
} cases;

static bool many_trials(void)
{
    bool right = true;

    device_ask();
    cases.count = trials_make(cases.trials, settings.seed);
    round_begin("sizes, blocks, grids, types, operations, warps", cases.count);
    for (size_t i = 0; i < cases.count; i++) {
        run_trial(&cases.trials[i], &cases.records[i]);
        right &= record_right(&cases.trials[i], &cases.records[i]);
        round_step();
        if (cases.records[i].seen.kept > 0) /* memory would run out */
            return false;
    }
    return right;
}

/* ---- each element of one trial ---- */

static struct {
    struct trial trial;
    struct shares shares;
    int64_t counts[N_MAX];
} one;

/* How often does each element count? All others are zero (for min and max: worse). */
static void each_element(void *argument)
{
    const struct trial *s = &one.trial;
    struct shares *shares = &one.shares;
    int64_t value = s->type == TYPE_LONG || s->type == TYPE_INT
                        ? (int64_t)(mix(s->seed, 77) % 100000) * 2 + 100001 /* odd */
                        : 513;
    bool sum = s->op == OP_SUM && task_adds();
    struct scalar rest = whole(s->type, 0), hot = whole(s->type, s->op != OP_MIN ? value : -value);
    struct fixture b;

    (void)argument;
    fixture_open(&b, s, false);
    fixture_fill(&b, ZEROS, 0);
    shares->block = b.last.planned_block;
    shares->grid = b.last.planned_grid;
    shares->base = fixture_run(&b, RUN_LAUNCH | RUN_FINISH);
    shares->whole = !sum || same(shares->base, rest);
    for (size_t i = 0; i < s->n; i++) {
        fixture_reset(&b);
        fixture_set(&b, i, hot);
        struct scalar got = fixture_run(&b, RUN_LAUNCH | RUN_FINISH);
        bool right = !sum && same(got, fixture_expected(&b));
        fixture_set(&b, i, rest);
        if (!sum) {
            one.counts[i] = right;
        } else {
            double times = s->type == TYPE_FLOAT    ? (double)got.as.f / 513
                           : s->type == TYPE_DOUBLE ? got.as.d / 513
                           : s->type == TYPE_INT    ? (double)got.as.i / (double)value
                                                    : (double)got.as.l / (double)value;
            one.counts[i] = (int64_t)times;
            shares->whole &= (double)(int64_t)times == times;
        }
        round_step();
    }
    fixture_close(&b);
}

static void diagnose_output(const struct record *r)
{
    found.code = "output";
    if (r->item > 0)
        snprintf(found.what, TEXT_MAX, "what finish() returns is right, and %s %zu of the output is not", task_item(),
                 r->item - 1);
    else
        snprintf(found.what, TEXT_MAX, "what finish() returns is wrong");
    found.look = "make race and make explain: what the check says, they show line by line";
}

static bool some_right(void)
{
    for (size_t i = 0; i < cases.count; i++)
        if (cases.trials[i].n > 1 && record_right(&cases.trials[i], &cases.records[i]))
            return true;
    return false;
}

static void run_as_sum(void *record)
{
    struct trial s = one.trial;

    s.op = OP_SUM;
    run_twice(&s, record);
}

/* A sum reveals each element that is lost: where that of the same case is right, none is. */
static bool all_are_added(void)
{
    struct diagnosis before = found;
    struct record r = {0};
    bool right = task_adds() && one.trial.op != OP_SUM && session_run(NO_TOOL, 0, run_as_sum, &r) &&
                 record_right(&one.trial, &r);

    found = before;
    return right;
}

/* Examines the simplest wrong case. */
static void diagnose_wrong(void)
{
    size_t i = judge_smallest(cases.trials, cases.records, cases.count);
    const struct record *r = &cases.records[i];
    struct trial *s = &one.trial;
    struct diagnosis before;

    *s = cases.trials[i];
    judge_common(cases.trials, cases.records, cases.count, found.when);
    say_results(s, r->got[first_wrong(r)], r->expected[first_wrong(r)]);
    if (repeat_as_it_runs(s))
        return;
    if (judge_record(s, r, &found)) {
        before = found;
        /* A reset that comes too late is a race, and a race tells more than a value. */
        bool value = strcmp(found.code, "value") == 0;
        if ((!value && strcmp(found.code, "no_reset") != 0) || repeat_in_orders(s) || !value)
            return;
        if (check_memory())
            found = before;
        else
            *found.when = '\0';
        return;
    }

    /* finish() returns the right value; or only the tools can find these mistakes. */
    if (r->item > 0 || task_shows_in_output()) {
        diagnose_output(r);
        before = found;
        if (check_memory() || (strcmp(found.code, "race") != 0 && strcmp(found.code, "uninitialized") != 0))
            found = before;
        return;
    }
    if (s->order > 0 && repeat_in_orders(s)) /* no case was wrong in the usual order */
        return;
    if (all_are_added()) {
        if (repeat_in_orders(s))
            return;
        found.code = "operation";
        snprintf(found.what, TEXT_MAX,
                 "sums are right, and the %s element is not always found: some values are added, "
                 "or compared in another way",
                 s->op == OP_MIN ? "smallest" : "largest");
        found.look = "a + or a comparison where combine() belongs";
        return;
    }
    round_begin("each element on its own", s->n);
    before = found;
    bool ran = session_run(NO_TOOL, 0, each_element, NULL);
    one.shares.n = ran ? s->n : 0;
    one.shares.warp = s->warp;
    one.shares.count = one.counts;
    round_close(false);
    if (!ran)
        found = before;
    const char *code = ran && s->n > 0 ? pattern_describe(&one.shares, found.what, &found.look) : NULL;
    found.code = code;
    if (code != NULL && strncmp(found.when + strcspn(found.when, ":"), ": right with warps", 18) == 0) {
        static char both[2 * TEXT_MAX];
        const char *sizes = strchr(found.when, ':') + 2;
        snprintf(both, sizeof both, "%s: %s", sizes, found.what);
        snprintf(found.what, TEXT_MAX, "%.*s", TEXT_MAX - 1, both);
        found.code = s->warp == 64 ? "warp64" : "warp32";
        return;
    }
    if (code != NULL && strcmp(code, "nothing") == 0 && some_right())
        found.look = "what is different in this case: others are right";
    if (code != NULL && (strcmp(code, "one_thread") == 0 || strcmp(code, "tail") == 0 || strcmp(code, "double") == 0))
        return;
    if (repeat_in_orders(s))
        return;
    if (code == NULL) {
        found.code = "wrong";
        snprintf(found.what, TEXT_MAX, "each element %s when all others are 0, and together they give another result",
                 task == ARGMAX ? "is found" : "counts");
        found.look = task == ARGMAX ? "where two elements meet: which of them stays?"
                                    : "what happens to a value that is not 0 on its way";
    }
}

const struct round round_trials = {many_trials, diagnose_wrong};
