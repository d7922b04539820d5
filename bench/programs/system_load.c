/* SPDX-License-Identifier: MIT */
#include "system_load.h"

#include <stdio.h>
#include <unistd.h>

#define LEAST 1.0 /* s: the clock of /proc/stat ticks a hundred times in one */

struct system_load system_load_now(void)
{
    /* user, nice, system, idle, waiting, two kinds of interrupts, and time taken by other virtual machines */
    unsigned long long t[8] = {0};
    struct system_load load = {0, 0};
    FILE *file = fopen("/proc/stat", "r");

    if (file == NULL)
        return load;
    int got = fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &t[0], &t[1], &t[2], &t[3], &t[4], &t[5],
                     &t[6], &t[7]);
    fclose(file);
    for (int i = 0; i < got; i++) {
        load.all += (double)t[i] / (double)sysconf(_SC_CLK_TCK);
        if (i != 3 && i != 4)
            load.busy += (double)t[i] / (double)sysconf(_SC_CLK_TCK);
    }
    return load;
}

double system_load_of_others(struct system_load before, struct system_load after, double ours)
{
    double all = after.all - before.all, others = after.busy - before.busy - ours;

    return all >= LEAST && others > 0 ? others / all : 0;
}
