/* Repeats one wrong case: does its result depend on the order of threads, or on whether the host waits? On the CPU we
 * choose the order. On a GPU, which chooses it and runs asynchronously anyway, we repeat the case; to detect reads
 * outside the input, which a GPU does not report, we change the memory there.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "../checker.h"

static const char race_look[] =
    "what one thread reads and another one writes: what makes the second wait for the first?";

void late_finding(bool first)
{
    found.code = "late";
    snprintf(found.what, TEXT_MAX,
             "finish() reads the result before synchronizing: the host does not wait for the "
             "device, and %s",
             first ? "its time is that of the launch alone" : "what it returns is the result of the run before");
    found.look = "what has to happen on r->stream before the host may read what the device wrote";
}

#define AROUND 8 /* runs, alternating between two contents of the memory around the input */

static struct {
    struct trial trial;
    struct scalar results[AROUND];
    unsigned wrong_async, wrong_sync; /* wrong runs; sync: the host waits */
} now;

#ifdef ON_CPU

#define INPUTS 4

static bool orders_differ(void)
{
    return !same(now.results[0], now.results[1]) || !same(now.results[0], now.results[2]);
}

/* The same input in three orders: if the result depends on the order, that is a race. Several inputs, because with some
 * every order loses the same elements. */
static void three_orders(void *argument)
{
    (void)argument;
    for (int k = 0; k < 3 * INPUTS && (k % 3 > 0 || k == 0 || !orders_differ()); k++) {
        struct trial s = now.trial;
        struct fixture f;
        s.order = k % 3;
        fixture_open(&f, &s, false);
        fixture_fill(&f, RANDOM, s.seed + (uint64_t)k / 3);
        now.results[s.order] = fixture_run(&f, RUN_LAUNCH | RUN_FINISH);
        now.results[3] = fixture_expected(&f);
        fixture_close(&f);
        round_step();
    }
}

bool repeat_in_orders(const struct trial *s)
{
    struct diagnosis before = found;
    const struct scalar *results = now.results;

    now.trial = *s;
    round_begin("the same in another order of threads", 3 * INPUTS);
    bool differ = session_run(NO_TOOL, 0, three_orders, NULL) && orders_differ();
    found = before;
    round_close(!differ);
    if (!differ)
        return false;
    found.code = "race";
    snprintf(found.what, TEXT_MAX,
             "the result depends on the order in which threads run (%s forward, %s in reverse): a race",
             same(results[0], results[3]) ? "right" : "wrong", same(results[1], results[3]) ? "right" : "wrong");
    found.look = race_look;
    return true;
}

bool repeat_as_it_runs(const struct trial *s)
{
    (void)s;
    return false; /* check_late() delays the device, orders are chosen, and the platform guards the input */
}

#else

#define AGAIN 100
#define HASTY 20

/* Repeats the whole case: a mistake that is no race is the same every time. */
static void the_same_case(void *argument)
{
    struct record first = {0}, again;

    (void)argument;
    now.wrong_async = now.wrong_sync = 0;
    for (unsigned k = 0; k <= AGAIN; k++) {
        memset(&again, 0, sizeof again);
        run_trial(&now.trial, &again);
        if (k == 1) /* static variables keep their values from the second run on */
            first = again;
        for (unsigned run = 0; k > 1 && run < again.runs; run++)
            if (run < first.runs && !same(again.got[run], first.got[run])) {
                now.wrong_async++;
                break;
            }
        now.wrong_sync += k > 0 && !record_right(&now.trial, &again);
        round_step();
    }
}

static bool repeat_race(void)
{
    struct diagnosis before = found;

    round_begin("repeatability", AGAIN + 1);
    bool race = session_run(NO_TOOL, 0, the_same_case, NULL) && (now.wrong_async > 0 || now.wrong_sync == 0);
    found = before;
    round_close(!race);
    if (!race)
        return false;
    found.code = "race";
    if (now.wrong_sync == 0)
        snprintf(found.what, TEXT_MAX, "wrong once, and right in %d further runs of the same case: a race", AGAIN);
    else
        snprintf(found.what, TEXT_MAX, "different results in %u of %d runs with the same input: a race",
                 now.wrong_async, AGAIN);
    found.look = race_look;
    return true;
}

/* A different input each time; in the second half the host waits for the device before finish() reads. */
static void async_and_sync(void *argument)
{
    struct fixture f;

    (void)argument;
    now.wrong_async = now.wrong_sync = 0;
    fixture_open(&f, &now.trial, false);
    for (unsigned k = 0; k < 2 * HASTY; k++) {
        fixture_fill(&f, RANDOM, mix(now.trial.seed, k));
        struct scalar got = fixture_run(&f, RUN_LAUNCH | RUN_FINISH | (k >= HASTY ? (unsigned)RUN_WAIT : 0));
        bool wrong = !same(got, fixture_expected(&f));
        now.wrong_async += k < HASTY && wrong;
        now.wrong_sync += k >= HASTY && wrong;
        round_step();
    }
    fixture_close(&f);
}

static bool repeat_late(void)
{
    struct diagnosis before = found;

    round_begin("the same, and a host that waits", 2 * HASTY);
    bool late = session_run(NO_TOOL, 0, async_and_sync, NULL) && now.wrong_async >= HASTY / 2 && now.wrong_sync == 0;
    found = before;
    round_close(!late);
    if (!late)
        return false;
    found.code = "late";
    snprintf(found.what, TEXT_MAX,
             "finish() reads the result before synchronizing: wrong in %u of %d runs, and always "
             "right where the host waits for the device",
             now.wrong_async, HASTY);
    found.look = "what has to happen on r->stream before the host may read what the device wrote";
    return true;
}

static void surrounded(void *argument)
{
    struct fixture f;

    (void)argument;
    fixture_open(&f, &now.trial, false);
    fixture_fill(&f, RANDOM, f.trial.seed);
    for (unsigned run = 0; run < AROUND; run++) {
        fixture_reset(&f);
        fixture_surround(&f, run % 2 == 0 ? 0x41 : 0xc1);
        now.results[run] = fixture_run(&f, RUN_LAUNCH | RUN_FINISH);
    }
    fixture_close(&f);
}

/* Whether the result follows the memory around the input: four times, because a race, too, alternates now and then. */
static bool reads_around(void)
{
    const struct scalar *got = now.results;
    struct diagnosis before = found;
    bool ran = session_run(NO_TOOL, 0, surrounded, NULL);

    found = before;
    if (!ran || same(got[0], got[1]))
        return false;
    for (unsigned run = 2; run < AROUND; run++)
        if (!same(got[run], got[run % 2]))
            return false;
    found.code = "out_of_bounds";
    snprintf(found.what, TEXT_MAX, "the result depends on what lies before or after the input's elements");
    found.look = "the largest index that a thread reads: where is it compared with n?";
    return true;
}

bool repeat_as_it_runs(const struct trial *s)
{
    now.trial = *s;
    return repeat_late() || reads_around() || repeat_race(); /* a late result can look like any other mistake */
}

bool repeat_in_orders(const struct trial *s)
{
    (void)s;
    return false; /* a GPU has one order */
}

#endif
