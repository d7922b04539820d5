/* Zeros and NaN, two at a time and in both orders: min and max have -0 below +0 and propagate NaN, and atomic operations
 * on the bits of a number seldom do.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>

#include "../checker.h"

static struct {
    struct trial trial;
    struct scalar first, second, got, expected;
} now;

/* Whether the reduction is right of these two, with all other elements as they are after the first run. */
static bool is_right(void)
{
    struct fixture f;

    fixture_begin(&f, &now.trial);
    fixture_fill(&f, now.trial.op == OP_MAX ? NEGATIVE : POSITIVE, now.trial.seed);
    fixture_set(&f, 0, now.first);
    fixture_set(&f, now.trial.n - 1, now.second);
    now.got = fixture_run(&f, RUN_LAUNCH | RUN_FINISH | RUN_END);
    now.expected = fixture_expected(&f);
    fixture_close(&f);
    return same(now.got, now.expected);
}

static bool zeros_and_nan(void)
{
    static const double pairs[][2] = {{0.0, -0.0},      {-0.0, 0.0},       {-0.0, -0.0},      {(double)NAN, 1},
                                      {1, (double)NAN}, {(double)NAN, -1}, {-1, (double)NAN}, {-(double)NAN, 1}};
    const unsigned count = sizeof pairs / sizeof *pairs;

    if (task != REDUCE && task != ROWS)
        return true;
    round_begin("zeros and NaN, in both orders", 4 * count);
    for (unsigned k = 0; k < 4 * count; k++) {
        int type = k / count % 2 == 0 ? TYPE_FLOAT : TYPE_DOUBLE;
        int op = k / count / 2 == 0 ? OP_MAX : OP_MIN;
        uint64_t r = mix(settings.seed, 7000 + k);
        now.trial = trial_here((struct trial){.type = type,
                                              .op = op,
                                              .n = 2 + r % 700,
                                              .block = 1 + (unsigned)((r >> 16) % 200),
                                              .grid = 1 + (unsigned)((r >> 32) % 4),
                                              .warp = r >> 50 & 1 ? 32 : 64,
                                              .order = (int)((r >> 52) % 2),
                                              .seed = r});
        if (now.trial.type != type || now.trial.op != op) /* not on this device */
            continue;
        now.first = real(type, pairs[k % count][0]);
        now.second = real(type, pairs[k % count][1]);
        if (!is_right())
            return false;
        round_step();
    }
    return true;
}

static void diagnose_specials(void)
{
    char first[64], second[64];

    if (repeat_in_orders(&now.trial))
        return;
    say_results(&now.trial, now.got, now.expected);
    found.code = "value";
    snprintf(found.what, TEXT_MAX,
             "right for most numbers, and wrong where the first element is %s and the last one %s, "
             "and all others are %s",
             scalar_words(first, now.first), scalar_words(second, now.second),
             now.trial.op == OP_MAX ? "negative" : "positive");
    found.look = "comparisons of your own, and atomic operations on a number's bits: -0 is below "
                 "+0, and NaN stays";
}

const struct round round_specials = {zeros_and_nan, diagnose_specials};
