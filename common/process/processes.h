/* The processes of this machine, from /proc; without it, none are found.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_PROCESSES_H
#define REDUCTION_PROCESSES_H

#include <stdbool.h>
#include <sys/types.h>

/* Processor time of a process group, with that of the children it waited for, in seconds. *asleep: every
 * thread of it sleeps, or has ended, and so do the other threads of this process, for one of which it may wait. */
double processes_of_group(pid_t group, bool *asleep);

/* When the process was started, in ticks since boot; 0: it does not exist. */
unsigned long long processes_start(pid_t id);

/* Kills and reaps children of this process that were started at `since` or later, and what becomes a child
 * of this process when they die. */
void processes_end_children(unsigned long long since);

#endif
