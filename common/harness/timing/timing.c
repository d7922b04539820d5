/* SPDX-License-Identifier: MIT */
#include "timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "exit_codes.h"

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct stats stats_of(double *samples, size_t count)
{
    struct stats s = {0, 0, 0, 0, count};

    if (count == 0)
        return s;
    qsort(samples, count, sizeof *samples, compare_doubles);
    for (size_t i = 0; i < count; i++)
        s.mean += samples[i] / (double)count;
    s.min = samples[0];
    s.median = (samples[(count - 1) / 2] + samples[count / 2]) / 2;
    s.p95 = samples[count - 1 - count / 20]; /* count / 20 samples may be larger */
    return s;
}

double timing_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void warming_add(struct warming *w, double seconds)
{
    w->calm = w->runs > 0 && seconds >= 0.98 * w->best ? w->calm + 1 : 0;
    w->best = w->runs == 0 || seconds < w->best ? seconds : w->best;
    w->spent += seconds;
    w->runs++;
}

int warming_done(const struct warming *w, int given, unsigned count)
{
    if (given)
        return w->runs >= count;
    return w->spent >= LONG_SECONDS ||
           (w->runs >= WARMUP_MIN && (w->calm >= WARMUP_CALM || w->spent >= WARMUP_SECONDS));
}

unsigned timing_warm_up(struct timed what, int given, unsigned count)
{
    struct warming w = {.runs = 0};

    while (!warming_done(&w, given, count))
        warming_add(&w, what.run(what.context));
    return w.runs;
}

int sampling_done(size_t taken, double spent, unsigned count)
{
    if (count > 0)
        return taken >= count;
    return spent >= LONG_SECONDS || taken >= SAMPLES_DEFAULT_MAX || (taken >= SAMPLES_MIN && spent >= SAMPLES_SECONDS);
}

struct stats timing_sample(struct timed what, unsigned count)
{
    size_t most = count > 0 ? count : SAMPLES_DEFAULT_MAX, taken = 0;
    double *samples = malloc(most * sizeof *samples), spent = 0;

    if (samples == NULL) {
        fprintf(stderr, "no memory on the host for %zu samples: give fewer --iterations\n", most);
        exit(EXIT_DEVICE);
    }
    while (!sampling_done(taken, spent, count)) {
        samples[taken] = what.run(what.context);
        spent += samples[taken++];
    }
    struct stats s = stats_of(samples, taken);
    free(samples);
    return s;
}
