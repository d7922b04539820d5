/* The checker of the exercises: a program linked with one exercise, which runs its plan(), launch() and
 * finish() in many shapes and reports which elements reach the result and which do not.
 *
 *   main.c      the rounds, one after the other, and the verdict
 *   variant.c   the exercise that it is linked with
 *   results.c   round one: many shapes, and what is wrong in the simplest failing one
 *   repeat.c    that case again: a race, or a host that does not wait
 *   rounds.c    the rounds for kernels whose results are right
 *   tools.c     the rounds with the tools that see every access (CPU)
 *   explain.c   right and slow: serial, bank conflicts, sectors (CPU)
 *   shapes.c    which shapes, types, operations, warp sizes and schedules
 *   bed.c       one exercise in one shape: memory, input, a run, its result
 *   child.c     each round in a process of its own: a crash or an endless loop is a finding
 *   observe.c   what the host does with the input, and launches as late as HIP allows (CPU)
 *   judge.c     from results to a diagnosis
 *   pattern.c   describes in words which elements are lost or counted twice
 */
#ifndef CHECKER_H
#define CHECKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "device_facts.h"
#include "scalar.h"
#include "reduction.h"

#if !DEVICE_IS_GPU
#define ON_CPU 1
#endif

#define TEXT_MAX 400

/* A hash of two numbers. */
uint64_t mix(uint64_t a, uint64_t b);

/* The exercise. */
const struct variant *exercise_variant(void);

/* ---- shapes ---- */

struct shape {
    int type, op;
    size_t n;
    unsigned block, grid; /* grid 0: the exercise chooses */
    unsigned warp;        /* CPU: 32 or 64; else that of the device */
    int order;            /* CPU: of blocks and threads, 0 forward, 1 reverse, 2 by the seed */
    uint64_t seed;        /* of input and order */
};

/* Fills shapes[max] for this seed, the most telling ones first; returns how many. */
size_t shapes_make(struct shape *shapes, size_t max, uint64_t seed);
/* The shape as this device can run it: a GPU has a warp size and an order of its own. */
struct shape shape_here(struct shape s);

/* "sum of 1000 elements of type long, 7 blocks of 100 threads, warps of 64"; returns text. */
const char *shape_text(char text[TEXT_MAX], const struct shape *s);

/* ---- one exercise in one shape ---- */

enum fill { RANDOM, OTHER, NEGATIVE, POSITIVE, ZEROS, FILLS };

struct bed {
    struct shape shape;
    const struct variant_entry *entry;
    struct reduction r;
    char *d_memory; /* GPU: the input with what lies around it */
    void *d_input;  /* exactly n elements, and at least 1 byte */
    char *values;   /* the same on the host */
};

void bed_open(struct bed *b, const struct shape *s);
void bed_close(struct bed *b);
/* Plans again and zeroes the workspace, so that nothing of earlier runs is left. */
void bed_reset(struct bed *b);
/* New input, on the host and on the device. */
void bed_fill(struct bed *b, enum fill fill, uint64_t seed);
/* The first elements are 1, all others 0. */
void bed_ones(struct bed *b, size_t ones);
/* GPU: every byte around the input becomes this one. The CPU platform itself reports who reads there. */
void bed_surround(struct bed *b, int byte);
/* Changes one element. */
void bed_set(struct bed *b, size_t i, struct scalar value);
struct scalar bed_run(struct bed *b);
/* The exact result for this input. */
struct scalar bed_expected(const struct bed *b);
/* Index of the first element of the device's input that was overwritten; n: none. */
size_t bed_changed(const struct bed *b);

bool same(struct scalar a, struct scalar b);
struct scalar whole(int type, int64_t value);
const char *scalar_words(char text[64], struct scalar value);

/* ---- what a run did besides its result ---- */

struct observed {
    unsigned launches;        /* 0 where it cannot be seen */
    uint64_t blocks, threads; /* of the launch with the most blocks */
    bool host_reads;          /* the host read elements of the input */
    size_t to_host;           /* bytes copied from the device to the host */
};

/* From now on: which memory is the input, and how launches run. */
void observe_input(void *input, size_t bytes);
void observe_begin(bool late);
struct observed observe_end(void);
/* CPU: warp size and order; for the next launches. */
void observe_order(unsigned warp, int order, uint64_t seed);
/* CPU: only these blocks of a launch run; count 0: all. */
void observe_window(uint64_t first, uint64_t count);

/* ---- processes ---- */

enum ending { ENDED, CRASHED, TOO_LONG };

struct end {
    enum ending how;
    int status; /* exit code, or -signal */
    char said[TEXT_MAX];
};

/* Memory that children write and the parent reads; never freed. */
void *shared_memory(size_t bytes);

/* Runs work(argument) in a child; `alive`, in shared memory, has to change every few seconds. tell, if not
 * NULL, is called a few times a second. */
struct end child_run(void (*work)(void *), void *argument, const volatile uint64_t *alive,
                     void (*tell)(void));
/* Runs a program; its output is in *said (to be freed). */
struct end child_program(char *const *arguments, char **said);

/* ---- findings ---- */

/* Results of one shape: RANDOM twice, OTHER, then for min and max NEGATIVE and POSITIVE. */
enum pass { FIRST, SECOND, CHANGED, BELOW, ABOVE, RUNS };

struct record {
    bool done;
    struct scalar expected[RUNS], got[RUNS];
    unsigned runs;
    size_t changed; /* bed_changed(), n where nothing did */
    unsigned planned_grid, planned_block;
    struct observed seen;
};

bool record_right(const struct shape *s, const struct record *r);

struct diagnosis {
    const char *code;     /* "tail": one word, for scripts; NULL: nothing found */
    char what[TEXT_MAX];  /* what is wrong */
    char where[TEXT_MAX]; /* the smallest case that shows it */
    char when[TEXT_MAX];  /* which of the cases show it; may be empty */
    const char *look;     /* what to look at next, one thing */
};

/* How often each element was counted in the result of one shape. */
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
size_t judge_smallest(const struct shape *shapes, const struct record *records, size_t count);
void judge_common(const struct shape *shapes, const struct record *records, size_t count,
                  char text[TEXT_MAX]);
/* A diagnosis from the results alone, before any element is examined; false: none. */
bool judge_record(const struct shape *s, const struct record *r, struct diagnosis *d);

/* ---- rounds ---- */

#define CASES 420
#define N_MAX 16384

struct options {
    const char *name;
    const char *race;    /* the exercise as a traced program, or NULL */
    const char *explain; /* "conflicts", "sectors": what has to be counted; NULL: nothing */
    bool huge;           /* elements beyond 2^31 */
    bool once;           /* a few runs, for a tool that watches them */
    uint64_t seed;
    FILE *json;
};
extern struct options options;

/* Shared by parent and children. */
struct session {
    volatile uint64_t alive; /* counts what has been done */
    volatile size_t at;      /* the case in progress */
    struct shape shapes[CASES];
    struct record records[CASES];
    size_t count;

    /* One shape, examined closely. */
    struct shape shape;
    struct shares shares;
    int64_t counts[N_MAX];
    struct record record;
    unsigned different, patient; /* wrong runs; those of a host that waits */
    struct scalar results[4];
    size_t element;
    bool fits; /* the huge array, into the device's memory */
};
extern struct session *common;
extern struct diagnosis found;
extern char *report; /* of the race tool, or NULL */

void round_begin(const char *name, uint64_t end);
void round_close(bool right);
void tell(void);
/* Runs work in a child; false, and a diagnosis, if it does not end as it should, with `alive` at least this
 * large. s: the shape that runs, NULL: shapes[at]. */
bool run_round(void (*work)(void *), uint64_t least, const struct shape *s);
/* Runs once: r->expected, r->got and r->seen. */
void run_once(struct bed *b, struct record *r, enum pass pass, bool late);
void say_results(const struct shape *s, struct scalar got, struct scalar expected);
enum pass first_wrong(const struct record *r);

/* Each returns true if all is right, otherwise it leaves a diagnosis in `found`. */
bool check_shapes(void);
bool check_large(void);
bool check_late(void);
bool check_sharing(void);
bool check_same(void);
bool check_huge(void);
bool check_weak(void);
bool check_race(void);
bool check_explain(void);
/* Runs one shape as the first round does. */
void run_case(const struct shape *s, struct record *r);
/* The wrong case in common->shape again: true, and a diagnosis, if its result depends on a host that does not wait,
 * on what lies around
 * the input, or is another one each time (GPU); if it depends on the order of threads (CPU). */
bool repeat_as_it_runs(void);
bool repeat_in_orders(void);
/* Adds the race tool's report to a diagnosis, where it has one. */
void explain_race(void);

#endif
