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

unsigned timing_warm_up(struct timed what, int given, unsigned count)
{
    double best = 0, spent = 0;
    unsigned runs = 0, calm = 0;

    if (given) {
        while (runs < count) {
            what.run(what.context);
            runs++;
        }
        return runs;
    }
    while (runs < WARMUP_MIN || (calm < WARMUP_CALM && spent < WARMUP_SECONDS)) {
        double seconds = what.run(what.context);
        calm = runs > 0 && seconds >= 0.98 * best ? calm + 1 : 0;
        if (runs == 0 || seconds < best)
            best = seconds;
        spent += seconds;
        runs++;
    }
    return runs;
}

struct stats timing_sample(struct timed what, unsigned count)
{
    size_t most = count > 0 ? count : SAMPLES_DEFAULT_MAX, taken = 0;
    double *samples = malloc(most * sizeof *samples), spent = 0;

    if (samples == NULL) {
        fprintf(stderr, "no memory on the host for %zu samples: give fewer --iterations\n", most);
        exit(EXIT_DEVICE);
    }
    while (taken < most && (count > 0 || taken < SAMPLES_MIN || spent < SAMPLES_SECONDS)) {
        samples[taken] = what.run(what.context);
        spent += samples[taken++];
    }
    struct stats s = stats_of(samples, taken);
    free(samples);
    return s;
}
