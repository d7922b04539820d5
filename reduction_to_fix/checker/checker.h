/* The exercise checker: a judge, which knows the input and the right results, and a runner, which contains the exercise
 * and does what the judge asks. They are two programs, so that the exercise cannot reach what the judge knows.
 *
 *   exercise.c    what exercise.txt, the source and a compiler for GPUs say
 *   main.c        the rounds and the verdict; report.c: progress, the printed verdict, JSON
 *   session.c     runs a runner from start to end; a crash or an endless loop is a finding
 *   protocol.h    requests and answers
 *   task.h        what an exercise computes, if it is more than one reduction
 *   trials/       which types, operations, sizes, warp sizes and schedules to try (trials.c); one reduction in the
 *                 runner, with its input and right result here (fixture.c), and all its runs (runs.c); numbers of any
 *                 type, and as text
 *   rounds/       many trials, and what is wrong in the simplest failing one (results.c); a late device,
 *                 repeatability (rounds.c); many elements (large.c), more than 2^31 (huge.c, window.c);
 *                 races and weak memory (tools.c); the exercise as a program (program.c)
 *   rules/        requirements beyond the result (rules_table.c), judged by the trials of seen.c
 *   diagnosis/    from results to a diagnosis: what failing trials have in common (judge.c), which elements are lost or
 *                 counted twice (pattern.c), up to which element they count (elements.c), and the failing case repeated: a race, or a host that does not wait (repeat.c)
 *   runner/       the other program
 * SPDX-License-Identifier: MIT */
#ifndef CHECKER_H
#define CHECKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "values/scalar.h"
#include "protocol.h"
#include "task.h"

#define TEXT_MAX 400

/* ---- the command line ---- */

struct settings {
    const char *name;     /* "exercise 3" */
    const char *runner;   /* a program */
    const char *gpu;      /* what a compiler for GPUs says of it, or NULL; no such file: there is no compiler */
    const char *warnings; /* what the compiler said of it, or NULL */
    bool has_rules;       /* exercise.txt was read */
    bool compiled;        /* there was such a compiler */
    bool traced;          /* the runner sees every access */
    bool huge;            /* elements beyond 2^31 */
    uint64_t seed;
    FILE *json;
};
extern struct settings settings;

/* ---- findings ---- */

struct diagnosis {
    const char *code;     /* "tail": one word, for scripts; NULL: no finding */
    char what[TEXT_MAX];  /* what is wrong */
    char where[TEXT_MAX]; /* the smallest case that shows it */
    char when[TEXT_MAX];  /* which of the cases show it; may be empty */
    const char *look;     /* what to look at next, one thing */
    char *races;          /* the race tool's report, or NULL */
};
extern struct diagnosis found;

/* report.c. Begins a round of this many steps; ends the current round, if there is one. */
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
bool op_is_tried(int op); /* with the inputs of trials its results have the same bits in any order */
struct scalar combine_two(struct scalar a, struct scalar b, int op);
/* NaN equals NaN, and -0 differs from 0. */
bool is_same(struct scalar a, struct scalar b);
bool is_less(struct scalar a, struct scalar b);
bool is_nan(struct scalar v);
const char *scalar_words(char text[64], struct scalar value);
/* "sum of 1000 elements of type long, 7 blocks of 100 threads, warps of 64"; returns text. */
const char *trial_text(char text[TEXT_MAX], const struct trial *s);

/* ---- trials ---- */

/* Describes the device; call inside talk(). */
void device_ask(void);
extern struct reply device;

/* Fills trials[TRIALS] for this seed, the most telling ones first; returns how many. */
size_t trials_make(struct trial *trials, uint64_t seed);
/* Sets type and operation number k of those that are there; returns how many there are. */
unsigned trial_kind(struct trial *s, unsigned k);
/* Adapts the trial to this device: a GPU's warp size and order are fixed. */
struct trial trial_here(struct trial s);
/* Types and operations of exercise.txt. */
void trial_kinds(const char *words);
/* exercise.c. Reads task, rules and the kind of arrays; false: that cannot be done, and it has said why. */
bool exercise_read(const char *path);
/* Type and operation number k: 12 consecutive k give all 12, in an order that depends on the seed. */
void trial_choose(struct trial *s, uint64_t k);

/* ---- a runner ---- */

/* NO_TOOL: blocks run one after the other; PARALLEL: two at a time. TOOL_STRICT: races, and values handed over by
 * atomics that order nothing. */
enum tool { NO_TOOL, PARALLEL, TOOL_RACES, TOOL_STRICT, TOOL_WORK, TOOL_WEAK };

/* Starts a runner and calls talk(). True if talk() returned; otherwise the runner crashed, hung or exited, and `found`
 * describes that, for the trial it ran. */
bool session_run(enum tool tool, uint64_t seed, void (*talk)(void *), void *context);
/* Its standard output and error; valid until the next session. */
const char *session_said(void);
/* The last trial it was asked to run. */
struct trial session_trial(void);
/* Call inside talk(). payload: data after the request; back: data after the answer. s: the trial. */
const struct reply *session_ask(struct request *q, const void *payload, void *back, size_t back_bytes,
                                const struct trial *s);

/* ---- one reduction ---- */

enum fill { RANDOM, OTHER, NEGATIVE, POSITIVE, ZEROS, FILLS };

/* Whether fill OTHER contains a value that a kernel may mistake for a marker: in a sum at many places, otherwise at one,
 * as the result. */
bool fill_special(const struct trial *s, struct scalar *value);

struct fixture {
    struct trial trial;
    bool sparse;
    bool launched, reset;       /* reset: before the next run */
    bool begin, written, ended; /* the next run opens it; and writes its input; the last one has closed it */
    char *values;               /* the input; NULL where it is sparse */
    size_t item;                /* 1 + the first wrong output of the last run; 0: none */
    bool known;                 /* the right result of this input */
    struct scalar item_expected, expected;
    struct request next;
    struct reply last;
};

void fixture_open(struct fixture *f, const struct trial *s, bool sparse);
/* The same, dense, with its first run: nothing is known before. RUN_END in the last one closes it. */
void fixture_begin(struct fixture *f, const struct trial *s);
void fixture_close(struct fixture *f);
/* Plans again before the next run and zeroes the workspace, so that nothing is left of earlier runs. */
void fixture_reset(struct fixture *f);
void fixture_fill(struct fixture *f, enum fill fill, uint64_t seed);
/* GPU: sets every byte around the input. The CPU platform reports reads there by itself. */
void fixture_surround(struct fixture *f, int byte);
/* Changes one element before the next run. */
void fixture_set(struct fixture *f, size_t i, struct scalar value);
/* flags: RUN_LAUNCH | RUN_FINISH and others. Returns the result or, if that is right, the first wrong output. */
struct scalar fixture_run(struct fixture *f, unsigned flags);
/* Output number i, also where the input is sparse. */
struct scalar fixture_output(struct fixture *f, size_t i);
/* The same as fixture_run(), running only this block. look_for: see protocol.h */
struct scalar fixture_run_window(struct fixture *f, uint64_t block, uint64_t look_for);
/* Blocks that may read this element, by what the last two windows have read: f->last.place; how many. */
unsigned fixture_places(struct fixture *f, size_t element);
/* CPU: whether the run left this value in the workspace. */
bool fixture_holds(struct fixture *f, struct scalar value);
/* CPU: the bytes that the runner has from malloc(). */
uint64_t fixture_heap(struct fixture *f);
/* After a run: the result that it should have had. */
struct scalar fixture_expected(struct fixture *f);
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
    bool tie;    /* argmax: another element with the expected value */
    unsigned planned_grid, planned_block, units;
    struct observed seen;
};

bool record_right(const struct trial *s, const struct record *r);
enum pass first_wrong(const struct record *r);
void run_once(struct fixture *f, struct record *r, enum pass pass, unsigned flags);
void run_trial(const struct trial *s, struct record *r);
/* FIRST and SECOND alone. */
void run_twice(const struct trial *s, struct record *r);
/* Fills in found.where. */
void say_results(const struct trial *s, struct scalar got, struct scalar expected);

/* How often the result of one trial counts each element. */
struct shares {
    size_t n;
    unsigned block, grid, warp;
    bool whole;         /* every count is a whole number */
    bool single;        /* known only: lost or not (min, max) */
    struct scalar base; /* the result when all elements are zero */
    int64_t *count;     /* n */
};

/* Describes which elements are lost or counted too often; returns the code, or NULL if every element counts once. */
const char *pattern_describe(const struct shares *s, char text[TEXT_MAX], const char **look);

/* Picks the smallest wrong case and describes what all wrong cases have in common. */
size_t judge_smallest(const struct trial *trials, const struct record *records, size_t count);
void judge_common(const struct trial *trials, const struct record *records, size_t count, char text[TEXT_MAX]);
/* Diagnoses a run that writes into its input; false: it does not. */
bool judge_written(const struct observed *seen, struct diagnosis *d);
/* Diagnoses from the results alone, before examining elements; false: no diagnosis. */
bool judge_record(const struct trial *s, const struct record *r, struct diagnosis *d);

/* ---- rounds ---- */

#define TRIALS 244
#define N_MAX  16384

/* A round without a tool: a function for inside the session, true if all is right; and one to describe a failure later. */
struct round {
    bool (*talk)(void);
    void (*diagnose)(void);
};
extern const struct round round_trials, round_late, round_specials, round_same, round_large, round_huge;
/* All in one runner, because starting it costs as much as many runs. */
bool rounds_run(enum tool tool, const struct round *const *rounds, unsigned count);

/* The other rounds: true if all is right, otherwise `found` has a diagnosis. */
/* window.c: whether this element of very many counts; runs only the block that reads it (TOOL_WORK), or all. */
struct window {
    unsigned most;            /* runs until a block is found; 0: as many as it takes */
    int64_t got;              /* from the last block that returned a value */
    bool missing, decoy, few; /* no element; another element; plan() takes too few blocks */
};
bool window_has(struct fixture *f, size_t element, struct window *seen);
bool window_has_in_all(struct fixture *f, size_t element);
/* elements.c. Some elements of very many: the last one, powers of two and others; and their values. A sum of them shows
 * which are missing; for min and max each is better than those before it. */
#define HOT 40
size_t hot_element(const struct trial *s, unsigned k);
struct scalar hot_value(const struct trial *s, unsigned k);
/* Says of a case with many elements which of them are missing, or that it is wrong. */
void say_large(const struct trial *s);
/* Whether elements are missing when all others are 0, with a diagnosis; first: all from this one on, n: not so. Call
 * outside of sessions. */
bool some_missing(const struct trial *s, bool windows, size_t *first);
/* The host does not wait; first: even in the first run. */
void late_finding(bool first);
/* Repeats the case without a tool; true, with a diagnosis, if it is still wrong. */
bool wrong_alone(const struct trial *s);
/* Repeats the case with every access observed. */
bool ends_when_seen(const struct trial *s);
#define WORKSPACE_MOST ((uint64_t)40 << 20)  /* more takes too long on the CPU */
#define BLOCKS_MANY    (1u << 24)            /* a float counts no further */
#define WORKSPACE_MANY ((uint64_t)320 << 20) /* of these, of whose partials few are written */
static inline uint64_t workspace_most(const struct trial *s)
{
    return s->grid > BLOCKS_MANY ? WORKSPACE_MANY : WORKSPACE_MOST;
}
bool check_rules(void);
/* Whether a compiler for GPUs takes it. */
bool check_compiles(void);
/* Whether a compiler's warning names the cause: then that is the diagnosis. */
bool explain_warning(void);
bool check_memory(void);
bool check_program(void);
/* Whether the rules require fences around what one block hands to another. */
bool rules_want_fences(void);
/* Repeats the wrong case: true, with a diagnosis, if the result depends on the order of threads (CPU); or if it depends on
 * whether the host waits or on memory around the input, or changes from run to run (GPU). */
bool repeat_as_it_runs(const struct trial *s);
bool repeat_in_orders(const struct trial *s);
/* Adds the race tool's report to a diagnosis, if there is one; and the place of a crash. */
void explain_race(void);

#endif
