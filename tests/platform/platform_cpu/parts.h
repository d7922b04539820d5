/* What the parts of test_platform_cpu.c share.
 * SPDX-License-Identifier: MIT */
#ifndef PLATFORM_CPU_PARTS_H
#define PLATFORM_CPU_PARTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "suite.h"

#include "kernels.h"

#define POISON 0x7ff77ff77ff77ff7ull
/* Check writes to a file for every assertion that holds, which is too slow for the inside of a loop. */
#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            ck_abort_msg("%s", #condition);                                                        \
    } while (0)
#define OK(call) MUST((call) == hipSuccess)

extern int warp, workers; /* of this run */

static inline void *device_alloc(size_t bytes)
{
    void *memory = NULL;
    OK(hipMalloc(&memory, bytes));
    OK(hipMemset(memory, 0, bytes));
    return memory;
}

void add_warps(Suite *suite);
void add_blocks(Suite *suite);
void add_hosts(Suite *suite);
/* These start this program again, at `self`: probe() is what it does then. */
void add_outside(Suite *suite, char *self);
int probe(int which);

#endif
