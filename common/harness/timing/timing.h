/* Clocks, warm-up, repetition and statistics.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_TIMING_H
#define REDUCTION_TIMING_H

#include <stddef.h>

/* Statistics of count samples, in the unit of the samples. */
struct stats {
    double min, median, p95, mean;
    size_t count;
};

/* Sorts samples. The median of an even count is the mean of the two in the middle; p95 is the smallest
 * sample that at least 95 % of the samples do not exceed. All 0 for count 0. */
struct stats stats_of(double *samples, size_t count);

/* Seconds on a monotonic clock. */
double timing_now(void);

/* Something that can be run again and again: run(context) returns how long it took, in seconds. */
struct timed {
    double (*run)(void *context);
    void *context;
};

/* Neither warm-up nor samples go on after this, whatever their minimum is, unless their number is given. */
#define LONG_SECONDS 5.0

/* Warm-up when -w is not given: at least WARMUP_MIN runs, and more until WARMUP_CALM runs in a row were
 * not more than 2 % faster than the best before them (clocks have risen, caches are warm, pages are
 * mapped), but no longer than WARMUP_SECONDS. */
#define WARMUP_MIN     3
#define WARMUP_CALM    3
#define WARMUP_SECONDS 0.5

/* Returns the number of runs: exactly count if given. */
unsigned timing_warm_up(struct timed what, int given, unsigned count);

/* The same for a caller with a loop of its own: what it has run, and whether that is enough. */
struct warming {
    unsigned runs, calm;
    double best, spent;
};
void warming_add(struct warming *w, double seconds);
int warming_done(const struct warming *w, int given, unsigned count);

/* Samples when -i is not given: at least SAMPLES_MIN, and more until they add up to SAMPLES_SECONDS or
 * there are SAMPLES_DEFAULT_MAX. */
#define SAMPLES_MIN         5
#define SAMPLES_DEFAULT_MAX 200
#define SAMPLES_SECONDS     0.1
int sampling_done(size_t taken, double spent, unsigned count);

/* Statistics in seconds of count runs; 0: by the rule above. */
struct stats timing_sample(struct timed what, unsigned count);

#endif
