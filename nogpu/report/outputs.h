/* What the runs of a program print.
 * SPDX-License-Identifier: MIT */
#ifndef NOGPU_OUTPUTS_H
#define NOGPU_OUTPUTS_H

#include <stdbool.h>

#define OUTPUTS_AGAIN 10

/* Of the outputs in a folder, compares each warp size with the first one and each schedule with the first one; more: arguments of the runs; allowed
 * "varies": a difference is a note. OUTPUTS_AGAIN: the two settings of each of which one more run is needed; else adds records
 * to a file, deletes the outputs, and 1: one of them is a finding. */
int outputs_compare(const char *folder, const char *records, const char *allowed, const char *more, char **warps,
                    char **schedules, char *different[2]);
/* Whether the output is that of shown, apart from numbers; else it becomes shown. Files. */
bool outputs_said_before(const char *output, const char *shown);

#endif
