/* The load that other programs put on this machine while one is measured.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_SYSTEM_LOAD_H
#define REDUCTION_SYSTEM_LOAD_H

/* Processor time of the whole machine since it started, in seconds; all 0 without /proc/stat. */
struct system_load {
    double busy, all; /* all: idle time as well, over all processors */
};

struct system_load system_load_now(void);

/* The share of all processors, from 0 to 1, that others had between the two; without `ours` seconds. 0
 * if the time is too short. */
double system_load_of_others(struct system_load before, struct system_load after, double ours);

#endif
