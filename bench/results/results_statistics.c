/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "bench/programs/failure.h"
#include "harness/timing/timing.h"
#include "results.h"

/* How many samples to leave out at each end: the largest k with 2 P(B < k + 1) <= 5 % for B of `count`
 * tosses of a fair coin. */
static size_t left_out(size_t count)
{
    double p = ldexp(1, -(int)(count < 1000 ? count : 1000)), below = 0;
    size_t k = 0;

    for (; k < count; k++) {
        below += p;
        if (2 * below > 0.05)
            break;
        p *= (double)(count - k) / (double)(k + 1);
    }
    return k > 0 ? k - 1 : 0;
}

struct estimate results_estimate(const struct cell *c, int clock)
{
    struct estimate e = {0, 0, 0, false};

    if (c == NULL || c->count == 0)
        return e;
    double *times = allocate(c->count * sizeof *times);
    for (size_t i = 0; i < c->count; i++)
        times[i] = c->samples[i].time[clock];
    e.median = stats_of(times, c->count).median; /* sorts */
    size_t k = left_out(c->count);
    e.low = times[k];
    e.high = times[c->count - 1 - k];
    e.sure = c->count >= ESTIMATE_MIN;
    free(times);
    return e;
}

double results_spread(const struct cell *c, int clock)
{
    struct estimate e = results_estimate(c, clock);

    return e.sure && e.median > 0 ? (e.high - e.low) / 2 / e.median : INFINITY;
}

double results_speed_up(const struct cell *c, const struct cell *base, int clock)
{
    double ratio = 0;
    size_t count = 0;

    if (c == NULL || base == NULL)
        return 0;
    double *ratios = allocate((c->count + 1) * sizeof *ratios);
    for (size_t i = 0, k = 0; i < c->count; i++) {
        while (k < base->count && base->samples[k].round < c->samples[i].round)
            k++;
        if (k < base->count && base->samples[k].round == c->samples[i].round &&
            c->samples[i].time[clock] > 0)
            ratios[count++] = base->samples[k].time[clock] / c->samples[i].time[clock];
    }
    ratio = stats_of(ratios, count).median;
    free(ratios);
    return ratio;
}
