/* For kernels whose results are right: a late device, and many runs.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "../checker.h"

#define LATE_RUNS  12 /* all types and operations */
#define REMAINDERS 64
#define SAME_RUNS  REMAINDERS

static struct trial sample(uint64_t k, size_t n_most)
{
    uint64_t r = mix(settings.seed, 2000 + k);
    struct trial s = {TYPE_LONG,
                      OP_SUM,
                      r % n_most,
                      1 + (unsigned)((r >> 16) % (k % 2 == 0 ? 256 : 1024)),
                      (unsigned)((r >> 32) % (k % 2 == 0 ? 12 : 4)),
                      r >> 50 & 1 ? 32 : 64,
                      (int)((r >> 52) % 3),
                      r,
                      0};

    trial_choose(&s, k);
    s = trial_here(s);
    if (task == SOFTMAX && s.n > 32 * s.columns) /* each row takes all threads of a block */
        s.n = 1 + s.n % (32 * s.columns);
    return s;
}

/* ---- delayed asynchronous execution ---- */

static struct {
    struct trial trial;
    struct record record;
    unsigned waits; /* RUN_WAIT: the host waits after launch() */
    unsigned busy;  /* RUN_BUSY */
    bool wrong;
} late;

static void run_late(void *unused)
{
    struct record *r = &late.record;
    struct fixture f;

    (void)unused;
    memset(r, 0, sizeof *r);
    fixture_open(&f, &late.trial, false);
    fixture_fill(&f, RANDOM, late.trial.seed);
    run_once(&f, r, FIRST, RUN_LATE | late.busy | late.waits);
    run_once(&f, r, SECOND, RUN_LATE | late.waits);
    fixture_fill(&f, OTHER, mix(settings.seed, 9));
    run_once(&f, r, CHANGED, RUN_LATE | late.waits);
    r->runs = CHANGED + 1;
    fixture_close(&f);
    for (unsigned run = 0; run < r->runs; run++)
        late.wrong |= !same(r->got[run], r->expected[run]);
}

static void as_late_as_possible(void)
{
    static const struct trial trials[] = {{.n = 1000, .block = 64, .warp = 64},
                                          {.n = 4096, .block = 128, .grid = 3, .warp = 32},
                                          {.n = 1, .block = 256, .grid = 1, .warp = 64},
                                          {.n = 0, .block = 256, .warp = 32}};

    for (size_t k = 0; k < LATE_RUNS && !late.wrong; k++) {
        late.trial = k < 4 ? trials[k] : sample(k, 3000);
        trial_choose(&late.trial, k);
        late.trial = trial_here(late.trial);
        late.trial.seed = mix(settings.seed, k);
        late.busy = k == 0 || k == 4 + settings.seed % 8 ? RUN_BUSY : 0;
        run_late(NULL);
        round_step();
    }
}

static bool is_right_late(void)
{
    if (!DEVICE_IS_GPU) { /* which is asynchronous by itself */
        round_begin("delayed asynchronous execution", LATE_RUNS);
        as_late_as_possible();
    }
    return !late.wrong;
}

/* With this input, or with others: which values are old when a block reads them is chosen by chance. */
static bool still_wrong(void)
{
    struct trial first = late.trial;
    bool ran = true;

    late.wrong = false;
    for (unsigned k = 0; k < 8 && ran && !late.wrong; k++) {
        late.trial.seed = first.seed + k;
        ran = session_run(NO_TOOL, 0, run_late, NULL);
    }
    late.trial = first;
    return ran && late.wrong;
}

static void say_late(void)
{
    struct record *r = &late.record, first = *r;
    enum pass run = first_wrong(r);

    if (late.busy > 0 && run == FIRST) {
        late.busy = 0;
        bool asks = !still_wrong();
        *r = first;
        if (asks) {
            say_results(&late.trial, r->got[run], r->expected[run]);
            found.code = "late";
            snprintf(found.what, TEXT_MAX,
                     "the host asks whether the device is ready and, after some time, reads the "
                     "result although it is not");
            found.look = "what the host does when it no longer asks: it has to wait";
            return;
        }
    }
    say_results(&late.trial, r->got[run], r->expected[run]);
    /* The value that the host's memory had before the run. */
    if (run == FIRST && same(r->got[run], whole(late.trial.type, 0))) {
        late_finding(true);
        return;
    }
    late.waits = RUN_WAIT;
    if (still_wrong()) {
        found.code = "race";
        snprintf(found.what, TEXT_MAX,
                 "right on most machines, and wrong where an atomic operation reads what was there "
                 "before, as HIP allows");
        found.look = "what one block reads while another one changes it";
        return;
    }
    late_finding(run == FIRST);
}

static void diagnose_late(void)
{
    if (!wrong_alone(&late.trial))
        say_late();
}

const struct round round_late = {is_right_late, diagnose_late};

/* ---- repeatability ---- */

static struct {
    struct trial trial;
    unsigned wrong;
    unsigned launches; /* right ones before the wrong one; 0: none */
    uint64_t left;     /* host bytes that each launch keeps */
} many;

/* A count of blocks over all launches exceeds 2^16 here; this grid divides no power of two. */
#define LAUNCHES 66
#define BLOCKS   1021

static void many_launches(void)
{
    struct trial s = {.n = 3 * BLOCKS, .block = 1, .grid = BLOCKS, .warp = 32};
    struct fixture f;

    trial_choose(&s, 0);
    many.trial = s = trial_here(s);
    fixture_open(&f, &s, false);
    uint64_t heap = 0;
    for (unsigned k = 0; k < LAUNCHES && many.wrong == 0; k++) {
        fixture_fill(&f, RANDOM, mix(settings.seed, 12 + k));
        if (!same(fixture_run(&f, RUN_LAUNCH | RUN_FINISH), fixture_expected(&f))) {
            many.wrong++;
            many.launches = k;
        }
        if (k == 9)
            heap = fixture_heap(&f);
    }
    uint64_t now = fixture_heap(&f);
    many.left = many.wrong == 0 && now > heap ? (now - heap) / (LAUNCHES - 10) : 0;
    fixture_close(&f);
}

/* Grids, blocks and sizes have all remainders of 64, each in another order. each: elements of a thread, if plan() chooses
 * the grid; else 0. */
static struct trial with_remainders(unsigned k, size_t each)
{
    uint64_t r = mix(settings.seed, 104);
    struct trial s = sample(100 + k, 1200);
    unsigned block = ((unsigned)(r >> 8) + 27 * k) % REMAINDERS;

    s.grid = 1 + ((unsigned)r + k) % REMAINDERS;
    s.block = block > 0 ? block : REMAINDERS;
    if (s.grid <= 8 && k > 0)
        s.block += REMAINDERS * (unsigned)(s.seed % 14);
    size_t room = each > 0 ? each * s.block : k > 0 ? 1200 : 4000;
    size_t from = each > 0 ? (s.grid - 1) * room + 1 : 0;
    size_t rest = ((size_t)(r >> 16) + 43 * k - from) % REMAINDERS;
    s.n = from;
    if (rest < room)
        s.n += rest + (s.seed >> 8) % (1 + (room - rest - 1) / REMAINDERS) * REMAINDERS;
    s.op = OP_SUM; /* which reveals any element */
    s.columns = 0;
    return trial_here(s);
}

static bool many_runs(void)
{
    size_t each = 0;

    round_begin("repeatability, in any order", SAME_RUNS + 1);
    for (unsigned k = 0; k < SAME_RUNS; k++) {
        struct trial s = with_remainders(k, each);
        struct fixture f;
        s.order = s.order > 0 ? 2 : 0;
        fixture_begin(&f, &s);
        fixture_fill(&f, RANDOM, s.seed);
        struct scalar got = fixture_run(&f, RUN_LAUNCH | RUN_FINISH | RUN_END);
        if (!same(got, fixture_expected(&f))) {
            many.wrong++;
            many.trial = s;
        }
        size_t threads = (size_t)f.last.planned_grid * f.last.planned_block;
        size_t share = (s.n + threads - 1) / threads;
        if (f.last.planned_grid != s.grid && share > each)
            each = share;
        fixture_close(&f);
        round_step();
    }
    if (many.wrong == 0)
        many_launches();
    round_step();
    return many.wrong == 0 && many.left == 0;
}

static void diagnose_same(void)
{
    found.code = "race";
    trial_text(found.where, &many.trial);
    if (many.wrong == 0) {
        found.code = "memory";
        snprintf(found.what, TEXT_MAX,
                 "right, and each run keeps %llu bytes of the host's memory, or an event or a stream",
                 (unsigned long long)many.left);
        found.look = "what launch() and finish() create: where is it freed?";
        return;
    }
    if (many.launches > 0) {
        found.code = "no_reset";
        snprintf(found.what, TEXT_MAX,
                 "right in %u launches, and wrong in the next one: what they leave in the workspace lasts no longer",
                 many.launches);
        found.look = "what counts on from launch to launch, and where it ends: one with so many "
                     "blocks may come at any time";
        return;
    }
    if (repeat_in_orders(&many.trial) || wrong_alone(&many.trial))
        return;
    snprintf(found.what, TEXT_MAX, "different results in %u of %u runs: a race", many.wrong, SAME_RUNS);
    found.look = "what one thread reads and another one writes";
}

const struct round round_same = {many_runs, diagnose_same};
