/* What other programs do on this machine while one is measured. */
#ifndef REDUCTION_LOAD_H
#define REDUCTION_LOAD_H

/* Processor time of the whole machine since it started, in seconds; all 0 where /proc/stat does not tell. */
struct load {
    double busy, all; /* all: idle time as well, over all processors */
};

struct load load_now(void);

/* The share of all processors, from 0 to 1, that others had between the two; `ours` seconds do not count. 0 where
 * the time is too short to tell. */
double load_of_others(struct load before, struct load after, double ours);

#endif
