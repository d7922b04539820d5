/* One of the compared programs: its command line, and the outcome of a run.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_PROGRAM_H
#define REDUCTION_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "process/child.h"

struct program {
    char **words;  /* its path and its own options, NULL-terminated */
    char *label;   /* "shfl", "atomic atomics=warp" */
    bool exercise; /* its name ends in _to_fix: a wrong result is not a failure */
};

/* The name without folder and "reduction_". */
const char *program_short_name(const char *path);

/* Splits at spaces into a NULL-terminated list, which is never freed. */
char **program_words(const char *text);

/* Joins NULL-terminated lists of words into one, which the caller frees; the arguments end with NULL, too. */
char **program_command(const void *const *lists);

/* Fills *p from "./reduction_atomic/reduction_atomic --atomics=warp"; text has at least one word. */
void program_set(struct program *p, const char *text);

/* What all compared programs have in common. */
struct program_call {
    char *const *launch;        /* words before every program: LAUNCH='srun -n1'; NULL-terminated */
    const char *const *options; /* for every program; NULL-terminated */

    /* The CSV columns that all have, set by the first row and compared with every other. The last is "check"; columns
     * after it are further results of that variant, and are dropped. */
    char *names;
    size_t columns;
};

/* Receives a row: the values of call->names; or a line of what a traced program has counted. False: enough, end the program. */
#define PROGRAM_COUNTED "explain," /* its beginning */
typedef bool program_row(void *context, const char *values);

struct outcome {
    int status; /* as from child_run() */
    size_t rows;
    bool foreign; /* no CSV of a measurement: reduction_hello, reduction_multi_gpu */
    bool stopped; /* by a signal; there may be rows */
    /* why the outcome is not valid, in one line; "": the program ended by itself with a verdict */
    char reason[400];
    char said[CHILD_SAID_DEFAULT + 1]; /* on standard error */
    double busy;                       /* s of processor time */
};

/* Runs it once. `own`: options for this run, NULL-terminated. */
void program_run(struct outcome *outcome, const struct program *p, struct program_call *call, const char *const *own,
                 program_row *take, void *context);

#endif
