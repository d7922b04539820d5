/* One of the programs that are compared: its command line, and the outcome of a run.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_PROGRAM_H
#define REDUCTION_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "process/child.h"

struct program {
    char **words;  /* its path and options of its own; NULL ends them */
    char *label;   /* "shfl", "atomic atomics=warp" */
    bool exercise; /* its name ends in _to_fix: a wrong result is not a failure */
};

/* The name without folder and "reduction_". */
const char *program_short_name(const char *path);

/* Words between spaces, NULL ends them. They are never freed. */
char **program_words(const char *text);

/* Lists of words, each ended by NULL, in one list, which is the caller's to free; NULL ends the lists, too. */
char **program_command(const void *const *lists);

/* Fills *p from "./reduction_atomic/reduction_atomic --atomics=warp"; text has a word. */
void program_set(struct program *p, const char *text);

/* What all programs that are compared have in common. */
struct program_call {
    char *const *launch;        /* words before every program: LAUNCH='srun -n1'; NULL ends them */
    const char *const *options; /* for every program; NULL ends them */

    /* Of their CSV, set by the first row and compared with every other: the columns that all of them
     * have. The last is "check"; the columns after it are further results of that variant, and
     * dropped. */
    char *names;
    size_t columns;
};

/* Takes a row: the values of call->names. False: enough, the program is ended. */
typedef bool program_row(void *context, const char *values);

struct outcome {
    int status; /* as child_run() gives it */
    size_t rows;
    bool stopped; /* by a signal; there may be rows */
    char reason
        [400]; /* why the outcome is not valid, in one line; "": it ended by itself with a verdict */
    char said[CHILD_SAID_DEFAULT + 1]; /* on standard error */
    double busy;                       /* s of processor time */
};

/* Runs it once. `own`: options for this run, NULL ends them. */
void program_run(struct outcome *outcome, const struct program *p, struct program_call *call,
                 const char *const *own, program_row *take, void *context);

#endif
