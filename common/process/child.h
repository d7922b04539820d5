/* One child process at a time: a program, or a function in a copy of this process.
 *
 * Nothing outlives it, however it ends: it leads a process group, which is killed when it has ended; a
 * descendant that left the group becomes a child of this process (PR_SET_CHILD_SUBREAPER) and is killed, too;
 * and if this process dies first, the kernel kills the child (PR_SET_PDEATHSIG). Its standard input is empty.
 *
 * No limit depends on the load of the machine: they count processor time, and time in which every thread of
 * the group sleeps. A thread that waits for a core does not sleep.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_CHILD_H
#define REDUCTION_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Takes a line of its standard output, without the line's end, and may change it. False: enough, the child is
 * stopped. A last line without a newline is ignored: something cut it short. */
typedef bool child_line(void *context, char *line);

#define CHILD_SAID_DEFAULT 4096

struct child_job {
    char *const *words;          /* a program and its arguments, NULL at the end; looked up in PATH if the
                                    first has no slash. NULL: */
    void (*work)(void *context); /* this function; when it returns, the child exits with 0 */
    child_line *line;            /* NULL: standard output goes where standard error goes */
    void *context;               /* for work, line and show_progress */
    size_t said_most;            /* bytes of standard error to keep; 0: CHILD_SAID_DEFAULT */

    /* A child is stuck after this long, in seconds, without progress; 0: no limit. `busy` counts processor
     * time of the whole group, `asleep` time in which all its threads sleep. */
    struct {
        double busy, asleep;
    } limit;
    const volatile uint64_t *progress;    /* shared with the child, which changes it; NULL: none */
    void (*show_progress)(void *context); /* called about 20 times a second; NULL: never */
};

enum child_end {
    CHILD_ENDED,   /* by itself: status */
    CHILD_STOPPED, /* by us: enough lines, or a signal to this process */
    CHILD_STUCK,   /* by us: a limit */
};

struct child {
    enum child_end how;
    int status;  /* exit code; 127: could not be started; -N: killed by signal N */
    char *said;  /* the end of its standard error; never NULL */
    double busy; /* s of processor time, with that of its own children */
};

/* Runs it to its end. Ends this process with one line and exit code 3 if no process can be started.
 * child_free() releases the result. */
struct child child_run(const struct child_job *job);
void child_free(struct child *child);

/* The last line of its standard error, or "no message". Returns text. */
const char *child_reason(const struct child *child, char *text, size_t size);

/* From here on SIGINT, SIGTERM and SIGHUP stop the running child, and child_run() returns. */
void child_catch_signals(void);
/* The number of the signal that arrived; 0: none. */
int child_interrupted(void);

#endif
