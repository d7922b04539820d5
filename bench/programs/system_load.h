/* The load from other programs while one is being measured.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_SYSTEM_LOAD_H
#define REDUCTION_SYSTEM_LOAD_H

/* Processor time of the whole machine since it booted, in seconds; all 0 without /proc/stat. */
struct system_load {
    double busy, all; /* over all processors; all: including idle time */
};

struct system_load system_load_now(void);

/* The share of all processors, from 0 to 1, that other programs used between the two; `ours`: seconds to subtract. 0 if
 * the time is too short. */
double system_load_of_others(struct system_load before, struct system_load after, double ours);

#endif
