/* One wrong case again: does its result depend on the order of threads, or on a host that does not wait? On the
 * CPU the order is chosen. A GPU has an order of its own, and is late by itself: there the case is repeated. Nor does it tell who
 * reads beside the input: what lies there is changed. */
#include <stdio.h>
#include <string.h>

#include "checker.h"

static const char race_look[] =
    "what one thread reads and another one writes: what makes the second wait for the first?";

#ifdef ON_CPU

/* The same input in three orders: a result that depends on it is a race. */
static void three_orders(void *argument)
{
    (void)argument;
    for (int order = 0; order < 3; order++) {
        struct shape s = common->shape;
        struct bed b;
        s.order = order;
        bed_open(&b, &s);
        bed_fill(&b, RANDOM, s.seed);
        common->results[order] = bed_run(&b);
        common->results[3] = bed_expected(&b);
        bed_close(&b);
        common->alive++;
    }
}

bool repeat_in_orders(void)
{
    round_begin("the same in another order of threads", 3);
    struct end end = child_run(three_orders, NULL, &common->alive, tell);
    const struct scalar *results = common->results;
    bool differ =
        end.how == ENDED && (!same(results[0], results[1]) || !same(results[0], results[2]));
    round_close(!differ);
    if (!differ)
        return false;
    found.code = "race";
    snprintf(
        found.what, TEXT_MAX,
        "the result depends on the order in which threads run (%s forward, %s in reverse): a race",
        same(results[0], results[3]) ? "right" : "wrong",
        same(results[1], results[3]) ? "right" : "wrong");
    found.look = race_look;
    return true;
}

bool repeat_as_it_runs(void)
{
    return false; /* check_late() delays the device, orders are chosen, and the platform guards the input */
}

#else

#define AGAIN 100
#define HASTY 20

/* The whole case again and again: a mistake that is no race repeats itself. */
static void the_same_case(void *argument)
{
    struct record first = {0}, again;

    (void)argument;
    common->different = common->patient = 0;
    for (unsigned k = 0; k <= AGAIN; k++) {
        memset(&again, 0, sizeof again);
        run_case(&common->shape, &again);
        if (k == 1) /* what static variables keep is there from the second one on */
            first = again;
        for (unsigned run = 0; k > 1 && run < again.runs; run++)
            if (run < first.runs && !same(again.got[run], first.got[run])) {
                common->different++;
                break;
            }
        common->patient += k > 0 && !record_right(&common->shape, &again);
        common->alive++;
    }
}

static bool repeat_race(void)
{
    round_begin("the same again and again", AGAIN + 1);
    struct end end = child_run(the_same_case, NULL, &common->alive, tell);
    bool race = end.how == ENDED && (common->different > 0 || common->patient == 0);
    round_close(!race);
    if (!race)
        return false;
    found.code = "race";
    if (common->patient == 0)
        snprintf(found.what, TEXT_MAX,
                 "wrong once, and right in %d further runs of the same case: a race", AGAIN);
    else
        snprintf(found.what, TEXT_MAX,
                 "different results in %u of %d runs with the same input: a race",
                 common->different, AGAIN);
    found.look = race_look;
    return true;
}

/* Each time another input; in the second half the host waits for the device before finish() looks. */
static void with_patience(void *argument)
{
    struct bed b;

    (void)argument;
    common->different = common->patient = 0;
    bed_open(&b, &common->shape);
    for (unsigned k = 0; k < 2 * HASTY; k++) {
        struct scalar got = {.type = common->shape.type};
        bed_fill(&b, RANDOM, mix(common->shape.seed, k));
        b.entry->launch(&b.r, b.d_input);
        if (k >= HASTY)
            HIP_CHECK(hipDeviceSynchronize());
        b.entry->finish(&b.r, &got.as);
        HIP_CHECK(hipDeviceSynchronize()); /* before the input changes */
        bool wrong = !same(got, bed_expected(&b));
        common->different += k < HASTY && wrong;
        common->patient += k >= HASTY && wrong;
        common->alive++;
    }
    bed_close(&b);
}

static bool repeat_late(void)
{
    round_begin("the same, and a host that waits", 2 * HASTY);
    struct end end = child_run(with_patience, NULL, &common->alive, tell);
    bool late = end.how == ENDED && common->different >= HASTY / 2 && common->patient == 0;
    round_close(!late);
    if (!late)
        return false;
    found.code = "late";
    snprintf(
        found.what, TEXT_MAX,
        "finish() takes the result before it is there: wrong in %u of %d runs, and always right "
        "where the host waits for the device",
        common->different, HASTY);
    found.look = "what has to happen on r->stream before the host may read what the device wrote";
    return true;
}

static void surrounded(void *argument)
{
    struct bed b;

    (void)argument;
    bed_open(&b, &common->shape);
    bed_fill(&b, RANDOM, b.shape.seed);
    for (unsigned run = 0; run < 4; run++) {
        bed_reset(&b);
        bed_surround(&b, run % 2 == 0 ? 0x41 : 0xc1);
        common->results[run] = bed_run(&b);
        common->alive++;
    }
    bed_close(&b);
}

/* The result follows what lies around the input, each time in the same way. */
static bool reads_around(void)
{
    const struct scalar *got = common->results;
    struct end end = child_run(surrounded, NULL, &common->alive, tell);

    if (end.how != ENDED || !same(got[0], got[2]) || !same(got[1], got[3]) || same(got[0], got[1]))
        return false;
    found.code = "out_of_bounds";
    snprintf(found.what, TEXT_MAX,
             "the result depends on what lies in front of or behind the input's elements");
    found.look = "the largest index that a thread reads: who compares it with n?";
    return true;
}

bool repeat_as_it_runs(void)
{
    return reads_around() || repeat_late() || repeat_race();
}

bool repeat_in_orders(void)
{
    return false; /* a GPU has one order */
}

#endif
