/* Child processes: starts a program, reads its lines as they arrive, and ends it when we end. It uses no
 * temporary files and does not limit the output. */
#ifndef REDUCTION_CHILD_H
#define REDUCTION_CHILD_H

#include <stdbool.h>
#include <stddef.h>

/* Takes a line of its standard output, without the line's end, and may change it. False: enough, the
 * child is ended. A last line without a newline is ignored: something cut it short. */
typedef bool child_line(void *context, char *line);

#define CHILD_SAID_MAX 4096

struct child {
    int status;                /* exit code; 127: could not be started; -N: killed by signal N */
    bool stopped;              /* by us: enough output, deadline or interruption */
    char said[CHILD_SAID_MAX]; /* the end of its standard error */
    double busy;               /* s of processor time */
};

/* Runs words[0] with these arguments, ended by NULL, to its end, or to the deadline on the clock of
 * timing_now(); 0: there is none. It is looked up in PATH if it has no slash, and its standard input is
 * empty. */
struct child child_run(char *const *words, double deadline, child_line *take, void *context);

/* The last line of its standard error, or "no message". */
const char *child_reason(const struct child *child, char *text, size_t size);

/* From here on SIGINT, SIGTERM and SIGHUP end the running child, and child_run() returns. */
void child_catch_signals(void);
/* The number of the signal that arrived; 0: none. */
int child_interrupted(void);

#endif
