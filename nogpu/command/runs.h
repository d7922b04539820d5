/* Starts traced programs. A signal ends those that run, and then this program.
 * SPDX-License-Identifier: MIT */
#ifndef NOGPU_RUNS_H
#define NOGPU_RUNS_H

#include <stdbool.h>
#include <sys/types.h>

/* at_stop() is called when a signal has come and no program runs any longer; the programs say before what they have found. The
 * second signal ends them at once. They end themselves where this program is killed (HIP_CPU_PARENT). */
void runs_begin(void (*at_stop)(void));
/* A folder that goes with this program, for files without folders. Exit code 3: there is none. */
const char *runs_folder(void);
/* Its exit code, 128 and more for a signal. out, error: descriptors. seconds of processor time; 0: no limit. */
int runs_start(char **words, int out, int error, unsigned seconds);
/* The same in two halves, for up to RUNS_MOST programs at once. */
struct runs_end {
    pid_t process;
    int code;
    long long written; /* bytes, by it and the processes that it has waited for; -1: not known */
    long long memory;  /* bytes at its peak */
};
#define RUNS_MOST 64
pid_t runs_fork(char **words, int out, int error, unsigned seconds);
/* Waits for one of them. False: none is left. */
bool runs_wait(struct runs_end *end);
/* Ends those that run, as a signal does, and waits for them. */
void runs_end_all(void);
/* The environment of the next one. "": its own size of a warp. */
void runs_set(const char *warp, const char *schedule);
/* Whether a program can run with warps of this size: one that asks macros for it has one. */
bool runs_can(const char *program, const char *warp);

/* The words of a text; the last one is NULL. */
char **runs_words(const char *text);
char **runs_joined(char **first, char **then);
/* list: words, each between blanks. */
bool runs_is_one_of(const char *word, const char *list);
/* A variable of the environment; instead if it is empty or not there. */
const char *runs_setting(const char *name, const char *instead);
void runs_copy_setting(const char *from, const char *to);
bool runs_can_write(const char *file);
/* The number behind a name in a file, as in /proc; -1: not there. */
long long runs_number(const char *file, const char *name);

/* Run a program and print a report: WARP, SCHEDULE ... in the environment; words: the program and its arguments. */
int runs_race(char **words);
int runs_memory(char **words);
/* FROM [TO] [-- ARGUMENT...] */
int runs_explain(char **words);

#endif
