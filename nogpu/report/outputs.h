/* What the runs of a program print.
 * SPDX-License-Identifier: MIT */
#ifndef NOGPU_OUTPUTS_H
#define NOGPU_OUTPUTS_H

/* FOLDER RECORDS ALLOWED MORE WARPS SCHEDULES: compares each warp size with the first one and each schedule with the first
 * one; MORE: arguments of the runs; ALLOWED "varies": a difference is a note. Exit code 10: prints two settings, of each of
 * which one more run is needed; else adds records to RECORDS, deletes the outputs, and 1: one of them is a finding. */
int outputs_compare(char **argv);
/* OUTPUT SHOWN: 0 if the output is that of SHOWN, apart from numbers; else it becomes SHOWN, and 1. */
int outputs_said_before(char **argv);

#endif
