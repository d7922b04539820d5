/* The checker of the exercises: a judge, which knows the input and the right results, and a runner, which has the
 * exercise in it and does what the judge asks for. They are two programs, so that nothing in the exercise can
 * reach what the judge knows.
 *
 *   main.c        the rounds, one after the other, and the verdict; report.c: progress, the verdict, JSON
 *   session.c     a runner from its start to its end; a crash or an endless loop is a finding
 *   protocol.h    requests and answers
 *   task.h        what an exercise computes, if it is more than one reduction
 *   trials/       which types, operations, sizes, warp sizes and schedules are tried (trials.c); one reduction in the
 *                 runner, its input and right result here (fixture.c), and all runs that are made of it (runs.c);
 *                 numbers of any type, and in words
 *   rounds/       many trials, and what is wrong in the simplest failing one (results.c); a late device, two reductions
 *                 at once, repeatability (rounds.c); many elements (large.c), more than 2^31 (huge.c, window.c);
 *                 races and weak memory (tools.c); the exercise as a program (program.c)
 *   rules/        what must hold besides the result: rules.txt, in the trials of seen.c
 *   diagnosis/    from results to a diagnosis: which trials are wrong (judge.c), which elements are lost or counted twice
 *                 (pattern.c), and the wrong case again: a race, or a host that does not wait (repeat.c)
 *   runner/       the other program
 * SPDX-License-Identifier: MIT */
#ifndef CHECKER_H
#define CHECKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "scalar.h"
#include "protocol.h"
#include "task.h"

#define TEXT_MAX 400

/* ---- what the command line says ---- */

struct settings {
    const char *name;    /* "exercise 3" */
    const char *runner;  /* a program */
    const char *symbols; /* a file with what the exercise calls, or NULL */
    const char *rules;   /* a file, or NULL */
    int exercise;        /* its number */
    bool traced;         /* the runner sees every access */
    bool huge;           /* elements beyond 2^31 */
    bool all;            /* everything that a check samples */
    uint64_t seed;
    FILE *json;
};
extern struct settings settings;

/* ---- findings ---- */

struct diagnosis {
    const char *code;     /* "tail": one word, for scripts; NULL: nothing found */
    char what[TEXT_MAX];  /* what is wrong */
    char where[TEXT_MAX]; /* the smallest case that shows it */
    char when[TEXT_MAX];  /* which of the cases show it; may be empty */
    const char *look;     /* what to look at next, one thing */
    char *races;          /* the race tool's report, or NULL */
};
extern struct diagnosis found;

/* report.c. A round begins, so many steps are to be done; it ends, if one has begun. */
void round_begin(const char *name, uint64_t steps);
void round_step(void);
void round_close(bool right);
void round_show(void);
/* Ends the check: prints, writes JSON, and returns the exit code. */
int report_verdict(bool right, double seconds);

/* ---- values ---- */

/* A hash of two numbers. */
uint64_t mix(uint64_t a, uint64_t b);
struct scalar whole(int type, int64_t value);
struct scalar real(int type, double value); /* float or double */
struct scalar identity(int type, int op);
struct scalar combine_two(struct scalar a, struct scalar b, int op);
/* NaN is the same as NaN, and -0 another number than 0. */
bool is_same(struct scalar a, struct scalar b);
bool is_less(struct scalar a, struct scalar b);
bool is_nan(struct scalar v);
const char *scalar_words(char text[64], struct scalar value);
/* "sum of 1000 elements of type long, 7 blocks of 100 threads, warps of 64"; returns text. */
const char *trial_text(char text[TEXT_MAX], const struct trial *s);

/* ---- trials ---- */

/* What the device is; asked inside talk(). */
void device_ask(void);
extern struct reply device;

/* Fills trials[max] for this seed, the most telling ones first; returns how many. */
size_t trials_make(struct trial *trials, size_t max, uint64_t seed);
/* The trial as this device can run it: a GPU has a warp size and an order of its own. */
struct trial trial_here(struct trial s);
/* The numbers of the source, and one of them up to `most`, number k, k + 1 ...; 0: there is none. */
void trial_number_add(size_t number);
unsigned trial_numbers(void);
size_t trial_number(uint64_t k, size_t most);
/* Type and operation number k, k + 1 ...: all 12 in a row, in an order that depends on the seed. */
void trial_choose(struct trial *s, uint64_t k);

/* ---- a runner ---- */

/* NO_TOOL: blocks run one after the other; PARALLEL: two at a time. TOOL_STRICT: races, and values that are handed over
 * atomically and without order. */
enum tool { NO_TOOL, PARALLEL, TOOL_RACES, TOOL_STRICT, TOOL_WORK, TOOL_WEAK };

/* Starts a runner and talks with it. True if talk() returned; otherwise the runner crashed, hung or ended, and
 * `found` says so for the trial it ran. */
bool session_run(enum tool tool, uint64_t seed, void (*talk)(void *), void *context);
/* What it wrote to its standard output and error; until the next session. */
const char *session_said(void);
/* The last trial that it was asked for. */
struct trial session_trial(void);
/* Inside talk(). payload: what follows the request; back: what follows the answer. s: the trial that runs. */
const struct reply *session_ask(struct request *q, const void *payload, void *back,
                                size_t back_bytes, const struct trial *s);

/* ---- one reduction ---- */

enum fill { RANDOM, OTHER, NEGATIVE, POSITIVE, ZEROS, FILLS };

/* Whether fill OTHER has a value that a kernel may take for something else; of a sum in many places, else in one, as the result. */
bool fill_special(const struct trial *s, struct scalar *value);

struct fixture {
    struct trial trial;
    unsigned slot;
    bool sparse;
    bool launched, reset; /* reset: before the next run */
    char *values;         /* the input; NULL where it is sparse */
    size_t item;          /* 1 + the first output that the last run left wrong; 0: none */
    struct scalar item_expected;
    struct request next;
    struct reply last;
};

void fixture_open(struct fixture *f, unsigned slot, const struct trial *s, bool sparse);
void fixture_close(struct fixture *f);
/* Before the next run it plans again and zeroes the workspace, so that nothing of earlier runs is left. */
void fixture_reset(struct fixture *f);
void fixture_fill(struct fixture *f, enum fill fill, uint64_t seed);
/* GPU: every byte around the input becomes this one. The CPU platform itself reports reads of it. */
void fixture_surround(struct fixture *f, int byte);
/* Changes one element before the next run. */
void fixture_set(struct fixture *f, size_t i, struct scalar value);
/* flags: RUN_LAUNCH | RUN_FINISH and others. The result; or, where that is right, the first wrong output. */
struct scalar fixture_run(struct fixture *f, unsigned flags);
/* The same with these blocks alone. */
struct scalar fixture_run_window(struct fixture *f, uint64_t block, unsigned flags);
/* CPU: whether the run left this value in the workspace. */
bool fixture_holds(struct fixture *f, struct scalar value);
/* CPU: notes the workspace after a launch; now: it becomes what very many launches like the last three would leave, up to
 * where a word is about to pass f->last.bits bits (0: none counts). Returns how much the runner has from malloc(). */
uint64_t fixture_age(struct fixture *f, bool now);
/* After a run: what its result should have been. */
struct scalar fixture_expected(const struct fixture *f);
/* Index of the first element of the device's input that was overwritten; n: none. */
size_t fixture_changed(struct fixture *f);

/* ---- all runs of one trial ---- */

/* RANDOM twice, OTHER, then for min and max NEGATIVE and POSITIVE. */
enum pass { FIRST, SECOND, CHANGED, BELOW, ABOVE, RUNS };

struct record {
    bool done;
    struct scalar expected[RUNS], got[RUNS];
    unsigned runs;
    size_t item; /* 1 + the first wrong output; 0: none */
    bool tie;    /* argmax: an element as good as the expected one */
    unsigned planned_grid, planned_block, units;
    struct observed seen;
};

bool record_right(const struct trial *s, const struct record *r);
enum pass first_wrong(const struct record *r);
void run_once(struct fixture *f, struct record *r, enum pass pass, unsigned flags);
void run_trial(const struct trial *s, struct record *r);
/* Fills in found.where. */
void say_results(const struct trial *s, struct scalar got, struct scalar expected);

/* How often each element was counted in the result of one trial. */
struct shares {
    size_t n;
    unsigned block, grid, warp;
    bool whole;         /* every count is a whole number */
    bool single;        /* only lost or not is known (min, max) */
    struct scalar base; /* what the result is when all elements are zero */
    int64_t *count;     /* n */
};

/* Describes in words what is lost or counted too often; returns the code, or NULL if every element counts once. */
const char *pattern_describe(const struct shares *s, char text[TEXT_MAX], const char **look);

/* Picks the smallest wrong case and says what all wrong ones have in common. */
size_t judge_smallest(const struct trial *trials, const struct record *records, size_t count);
void judge_common(const struct trial *trials, const struct record *records, size_t count,
                  char text[TEXT_MAX]);
/* A diagnosis of a run that writes into its input; false: it does not. */
bool judge_written(const struct observed *seen, struct diagnosis *d);
/* A diagnosis from the results alone, before any element is examined; false: none. */
bool judge_record(const struct trial *s, const struct record *r, struct diagnosis *d);

/* ---- rounds ---- */

#define TRIALS 244
#define N_MAX  16384

/* One that needs no tool: what is asked inside a session, true if all is right; and what is said of it afterwards if not. */
struct round {
    bool (*talk)(void);
    void (*diagnose)(void);
};
extern const struct round round_trials, round_late, round_two, round_same, round_large, round_huge;
/* One after the other in one runner, whose start costs as much as many runs. */
bool rounds_run(enum tool tool, const struct round *const *rounds, unsigned count);

/* The others: true if all is right, otherwise a diagnosis is in `found`. */
bool check_symbols(void);
/* window.c: whether this element of very many counts: only the blocks around it run; or all. */
struct window {
    int64_t got;              /* of the last block that gave anything */
    bool missing, decoy, few; /* nothing came; another element did; plan() takes too few blocks */
};
bool window_has(struct fixture *f, size_t element, struct window *seen);
bool window_has_in_all(struct fixture *f, size_t element);
/* Whether elements are missing where all others are 0, with a diagnosis; first: all from this one on, n: not so. Inside
 * no session. */
bool some_missing(const struct trial *s, bool windows, size_t *first);
/* The host does not wait; first: in the first run already. */
void late_finding(bool first);
/* The case again, with nothing that watches; true, and a diagnosis, if it is wrong then as well. */
bool wrong_alone(const struct trial *s);
/* The case again, with each access seen. */
bool ends_when_seen(const struct trial *s);
#define WORKSPACE_MOST ((uint64_t)40 << 20) /* more takes too long on the CPU */
bool check_rules(void);
bool check_memory(void);
bool check_program(void);
/* Whether the table says that what one block hands to another has to be ordered by fences. */
bool rules_want_fences(void);
/* The wrong case again: true, and a diagnosis, if its result depends on a host that does not wait, on what lies
 * around the input, or is another one each time (GPU); if it depends on the order of threads (CPU). */
bool repeat_as_it_runs(const struct trial *s);
bool repeat_in_orders(const struct trial *s);
/* Adds the race tool's report to a diagnosis, where it has one; and the place of a crash. */
void explain_race(void);

#endif
