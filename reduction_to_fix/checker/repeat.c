/* One wrong case again: does its result depend on the order of threads, or on a host that does not wait? On the
 * CPU the order is chosen. A GPU has an order of its own, and is late by itself: there the case is repeated. */
#include <stdio.h>

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

bool repeat_race(void)
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

bool repeat_late(void)
{
    return false; /* check_late() delays the device */
}

#else

#define AGAIN 200
#define HASTY 20

/* The same input again and again, with nothing left of the run before. */
static void the_same_input(void *argument)
{
    struct bed b;

    (void)argument;
    common->different = 0;
    bed_open(&b, &common->shape);
    bed_fill(&b, RANDOM, common->shape.seed);
    for (unsigned k = 0; k < AGAIN; k++) {
        if (k > 0)
            bed_reset(&b);
        common->results[k > 0] = bed_run(&b);
        common->different += k > 0 && !same(common->results[0], common->results[1]);
        common->alive++;
    }
    bed_close(&b);
}

bool repeat_race(void)
{
    round_begin("the same again and again", AGAIN);
    struct end end = child_run(the_same_input, NULL, &common->alive, tell);
    bool differ = end.how == ENDED && common->different > 0;
    round_close(!differ);
    if (!differ)
        return false;
    found.code = "race";
    snprintf(found.what, TEXT_MAX, "different results in %u of %d runs with the same input: a race",
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

bool repeat_late(void)
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

#endif
