/* What runs of a program have found, in one file of records, and the report of it.
 * SPDX-License-Identifier: MIT */
#ifndef NOGPU_RECORDED_H
#define NOGPU_RECORDED_H

#include <stdio.h>

/* Reads REPORT, the options of the report as words of the shell. at_stop(): runs.h. */
void recorded_begin(const char *tool, void (*at_stop)(void));
/* The file of records, which the programs find in their environment. */
const char *recorded_file(void);
/* Where goes what the program says: stdout, or stderr where the report alone stands on stdout; NULL: nowhere. */
FILE *recorded_place(void);
/* A run, and what it has found: the text of its own file; NULL: it goes on in this one. */
void recorded_add(const char *warp, const char *schedule, const char *more, const char *found);
/* Prints the report, and returns the exit code. code: of the runs; 128 and more: a signal has ended them. */
int recorded_report(int code, int status);

#endif
