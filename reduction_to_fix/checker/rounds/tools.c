/* Race detection and weak memory: every kind of trial, with every access observed.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../checker.h"

#define RACE_RUNS 24 /* all types and operations with both warp sizes */
#define WEAK_RUNS 36
/* Per launch: all its blocks may wait for each other, and each thread has a stack. */
#define THREADS_MOST 2048

struct runs {
    uint64_t seed;
    unsigned count;
    bool go_on; /* also when a result is wrong */
    bool races; /* in the usual order of threads the tool takes long to look for lost elements */
    bool wrong;
    struct trial trial; /* the last one, or the first that was wrong */
    struct scalar got, expected;
};

/* Blocks of 1 to 1024 threads; grids of 2 to 7, in every fourth run up to 500. In a random order blocks also
 * take turns at their atomic operations. */
static struct trial sample(uint64_t seed, unsigned k)
{
    /* What people write a condition for: all of them in 24 runs. */
    static const unsigned usual[] = {256, 64, 128, 512, 32, 1024, 100, 33, 96, 500, 2, 7, 1};
    static const unsigned char turn[12] = {0, 0, 0, 0, 1, 2, 3, 0, 4, 5, 6, 0};
    uint64_t r = mix(seed, 3000 + k);
    struct trial s = {.block = usual[(mix(settings.seed, 3) % 13 + turn[k % 12] + k / 12 * 7) % 13],
                      .grid = 2 + (unsigned)((r >> 32) % 6),
                      .warp = k / 12 % 2 == 0 ? 32 : 64,
                      .order = (int)((r >> 52) % 4 > 1 ? 2 : (r >> 52) % 2),
                      .seed = r};

    if (k % 12 == 0 || k % 12 == 2) /* several warps, the last one partial */
        s.block = 65 + (unsigned)((r >> 16) % 200);
    if (k % 4 == 3) {
        s.block = 1 + (unsigned)((r >> 16) % (k % 8 == 3 ? 30 : 4));
        s.grid = k % 8 == 3 ? 20 + (unsigned)((r >> 32) % 45) : 65 + (unsigned)((r >> 32) % 440);
    }
    if (s.grid * s.block > THREADS_MOST)
        s.grid = THREADS_MOST / s.block;
    /* A fence may be there only in small blocks or only for few of them; in this order no block has to wait for another. */
    if (rules_want_fences() && (k == 7 || k == 19)) {
        s.block = k == 19 ? 512 + (unsigned)((r >> 16) % 513) : 64 + (unsigned)((r >> 16) % 64);
        s.grid = k == 19 ? 33 + (unsigned)((r >> 32) % 4) : 101 + (unsigned)((r >> 32) % 100);
        s.order = 1;
    }
    s.n = 1 + (size_t)s.block * s.grid + (size_t)(r % 700);
    trial_choose(&s, k);
    return trial_here(s);
}

static void run_samples(void *context)
{
    struct runs *runs = context;

    for (unsigned k = 0; k < runs->count && (runs->go_on || !runs->wrong); k++) {
        struct fixture f;
        runs->trial = sample(runs->seed, k);
        if (runs->races && runs->trial.order == 0)
            runs->trial.order = 1;
        fixture_begin(&f, &runs->trial);
        fixture_fill(&f, RANDOM, runs->trial.seed);
        runs->got = fixture_run(&f, RUN_LAUNCH | RUN_FINISH | RUN_END);
        runs->expected = fixture_expected(&f);
        runs->wrong |= !same(runs->got, runs->expected);
        fixture_close(&f);
        round_step();
    }
}

/* The first finding of a report, alone: two plain accesses, or volatile ones. NULL: none. */
static char *first_race(const char *said)
{
    static const char *const heads[] = {"\nrace 1: ", "\nvolatile 1: "};

    for (unsigned k = 0; said != NULL && k < 2; k++) {
        const char *from = strstr(said, heads[k]);
        if (strncmp(said, heads[k] + 1, strlen(heads[k]) - 1) == 0)
            from = said - 1;
        if (from == NULL)
            continue;
        const char *to = strstr(++from, "\n\n");
        return strndup(from, to != NULL ? (size_t)(to - from) : strlen(from));
    }
    return NULL;
}

/* Whether a report has these words; it may break the line between any of them. */
static bool says(const char *report, const char *words)
{
    const char *at = report, *word = words;

    for (; *at != '\0' && *word != '\0'; at++)
        if (*word == ' ' ? isspace((unsigned char)*at) : *at == *word)
            word++;
        else if (!isspace((unsigned char)*at))
            word = words + (*at == *words);
    return *word == '\0';
}

static void say_race(char *race)
{
    bool unwritten = says(race, "is read before it is written"), wrong = *found.when != '\0';

    found.races = race;
    found.code = unwritten ? "uninitialized" : "race";
    snprintf(found.what, TEXT_MAX, "%s%s",
             unwritten ? "memory is read before anything is written to it"
                       : "a race: two threads use the same memory, and nothing orders them",
             wrong ? "" : "; that the results were right is luck");
    found.look = unwritten ? "the line below: who should have written it?" : "the two lines below";
}

static bool check_race(void)
{
    struct runs runs = {.seed = settings.seed, .races = true, .count = RACE_RUNS};

    if (!settings.traced)
        return true;
    round_begin("race detection", runs.count);
    bool ran = session_run(rules_want_fences() ? TOOL_STRICT : TOOL_RACES, 0, run_samples, &runs);
    char *race = first_race(session_said());
    round_close(ran && race == NULL && !runs.wrong);
    if (!ran && race == NULL)
        return false;
    if (race != NULL) {
        say_race(race);
        snprintf(found.where, TEXT_MAX, "a run with every access recorded");
        return false;
    }
    if (runs.wrong && wrong_alone(&runs.trial))
        return false;
    if (runs.wrong) {
        found.code = "race";
        say_results(&runs.trial, runs.got, runs.expected);
        snprintf(found.what, TEXT_MAX, "right alone, and wrong where other blocks run in between");
        found.look = "what one block reads and another one writes";
    }
    return !runs.wrong;
}

void explain_race(void)
{
    struct runs runs = {.seed = settings.seed, .races = true, .count = RACE_RUNS / 2, .go_on = true};
    struct diagnosis before = found;

    if (!settings.traced || found.races != NULL || found.code == NULL)
        return;
    bool crash = strcmp(found.code, "crash") == 0;
    bool placed = strstr(found.what, "line ") != NULL || strstr(found.what, ".hip:") != NULL;
    if (crash || (!placed && strcmp(found.code, "out_of_bounds") == 0)) {
        struct trial s = session_trial();
        if (s.n > (size_t)1 << 24 || ends_when_seen(&s) || strstr(found.what, ".hip:") == NULL ||
            (placed && strcmp(found.code, "out_of_bounds") != 0))
            found = before;
        return;
    }
    bool vague = strcmp(found.code, "not_a_sum") == 0 || strcmp(found.code, "wrong") == 0;
    if (!vague && strcmp(found.code, "race") != 0 && strcmp(found.code, "one_thread") != 0 &&
        strcmp(found.code, "weak_memory") != 0 && strcmp(found.code, "lost_threads") != 0)
        return;
    session_run(TOOL_RACES, 0, run_samples, &runs);
    found = before;
    char *race = first_race(session_said());
    if (vague && race != NULL && says(race, "is read before it is written"))
        say_race(race);
    else if (!vague)
        found.races = race;
}

/* Stores become visible to other blocks as late as the memory model allows; the result must not depend on it. */
static bool check_weak(void)
{
    struct runs runs = {.seed = mix(settings.seed, 0), .count = WEAK_RUNS};

    if (!settings.traced)
        return true;
    round_begin("weak memory", runs.count);
    bool ran = session_run(TOOL_WEAK, 1 + runs.seed % 1000, run_samples, &runs);
    round_close(ran && !runs.wrong);
    if (!ran || !runs.wrong)
        return ran;
    if (wrong_alone(&runs.trial))
        return false;
    found.code = "weak_memory";
    say_results(&runs.trial, runs.got, runs.expected);
    snprintf(found.what, TEXT_MAX,
             "right on most machines, and wrong where what one block stores becomes visible to "
             "another as late as HIP allows: nothing orders the two");
    found.look = "what one block writes and another one reads: what says that the write is done?";
    return false;
}

bool check_memory(void)
{
    /* In exercises about fences, a finding of weak memory tells more than a race. */
    return rules_want_fences() ? check_weak() && check_race() : check_race() && check_weak();
}
