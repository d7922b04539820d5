/* Statistics, and the number of runs.
 * Suite: kernels
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <time.h>

#include "bench/programs/system_load.h"
#include "harness/timing/timing.h"
#include "suite.h"

TEST(statistics)
{
    double odd[] = {5, 1, 4, 2, 3}, even[] = {4, 1, 3, 2}, one[] = {7}, many[200];
    struct stats s = stats_of(odd, 5);

    ALL(s.min == 1, s.median == 3, s.p95 == 5);
    ck_assert_double_eq_tol(s.mean, 3, 1e-12);
    ck_assert_uint_eq(s.count, 5);

    s = stats_of(even, 4);
    ALL(s.median == 2.5, s.p95 == 4);

    s = stats_of(one, 1);
    ALL(s.min == 7, s.median == 7, s.p95 == 7, s.mean == 7);

    s = stats_of(NULL, 0);
    ALL(s.count == 0, s.median == 0);

    /* 1 ... 200, shuffled: 95 % of them do not exceed 190. */
    for (size_t i = 0; i < 200; i++)
        many[i] = (double)(i * 77 % 200 + 1);
    s = stats_of(many, 200);
    ALL(s.p95 == 190, s.median == 100.5);
    /* 20 values: the 19th is the smallest that 95 % do not exceed. */
    for (size_t i = 0; i < 20; i++)
        many[i] = (double)(20 - i);
    ck_assert_double_eq(stats_of(many, 20).p95, 19);
}

/* A clock that a test controls: run number i takes times[i], and all later runs take the last one. */
struct script {
    const double *times;
    size_t count, runs;
};

static double play(void *context)
{
    struct script *s = context;
    size_t i = s->runs++;
    return s->times[i < s->count ? i : s->count - 1];
}

static unsigned warm_up(const double *times, size_t count, int given, unsigned runs)
{
    struct script s = {times, count, 0};
    unsigned told = timing_warm_up((struct timed){play, &s}, given, runs);

    ck_assert_uint_eq(told, s.runs);
    return told;
}

TEST(warm_up_rule)
{
    double even[] = {0.001}, falling[] = {0.010, 0.009, 0.008, 0.007, 0.006, 0.005, 0.00499}, slow[] = {0.6},
           creeping[64];

    ck_assert_uint_eq(warm_up(even, 1, 0, 0), 1 + WARMUP_CALM);
    /* six runs until it stops getting faster, then three that are no faster */
    ck_assert_uint_eq(warm_up(falling, 7, 0, 0), 6 + WARMUP_CALM);
    /* one run would be long enough, but there are always three */
    ck_assert_uint_eq(warm_up(slow, 1, 0, 0), WARMUP_MIN);
    /* unless one takes very long */
    ck_assert_uint_eq(warm_up((double[]){LONG_SECONDS}, 1, 0, 0), 1);
    ck_assert_uint_eq(warm_up((double[]){LONG_SECONDS}, 1, 1, 2), 2);
    /* never settles: the time limit ends it */
    for (int i = 0; i < 64; i++)
        creeping[i] = i == 0 ? 0.1 : creeping[i - 1] * 0.95;
    ck_assert_uint_eq(warm_up(creeping, 64, 0, 0), 6); /* 0.1 (1 + 0.95 + ... 0.95^5) = 0.53 s */
    /* the user's number is used */
    ALL(warm_up(falling, 7, 1, 0) == 0, warm_up(falling, 7, 1, 2) == 2, warm_up(even, 1, 1, 50) == 50);
}

static struct stats sample(double seconds, unsigned count)
{
    struct script s = {&seconds, 1, 0};
    struct stats t = timing_sample((struct timed){play, &s}, count);

    ck_assert_uint_eq(t.count, s.runs);
    return t;
}

TEST(sampling_rule)
{
    ALL(sample(1e-6, 0).count == SAMPLES_DEFAULT_MAX, sample(1, 0).count == SAMPLES_MIN);
    ck_assert_uint_eq(sample(0.015, 0).count, 7); /* 7 x 0.015 s are more than 0.1 s */
    ALL(sample(1, 1).count == 1, sample(LONG_SECONDS, 0).count == 1, sample(LONG_SECONDS, 3).count == 3,
        sample(1e-9, 1000).count == 1000, sample(0.5, 3).median == 0.5);

    double times[] = {3, 1, 2};
    struct script s = {times, 3, 0};
    struct stats t = timing_sample((struct timed){play, &s}, 3);
    ALL(t.min == 1, t.median == 2, t.p95 == 3);
}

/* The clock never goes back, and counts seconds: no more than have passed around it. */
TEST(host_clock)
{
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    double start = timing_now(), now = start;

    for (int i = 0; i < 100000; i++) {
        double next = timing_now();
        ck_assert_double_ge(next, now);
        now = next;
    }
    clock_gettime(CLOCK_MONOTONIC, &after);
    ck_assert_double_gt(now, start);
    ck_assert_double_le(now - start, (double)(after.tv_sec - before.tv_sec) +
                                         1e-9 * (double)(after.tv_nsec - before.tv_nsec) + 1e-6);
}

/* The load of other programs is the machine's load minus ours, as a share of all its processors. */
TEST(load)
{
    struct system_load before = {1000, 5000}, after = {1016, 5020}, none = {0, 0};

    ck_assert_double_eq_tol(system_load_of_others(before, after, 6), 0.5, 1e-12);
    ck_assert_double_eq(system_load_of_others(before, after, 17), 0);
    ck_assert_double_eq(system_load_of_others(before, (struct system_load){1000.1, 5000.5}, 0), 0);
    ck_assert_double_eq(system_load_of_others(none, none, 1), 0);
}
