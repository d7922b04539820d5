/* Calls of the runtime that fail on request (HIP_CPU_FAIL), to test what a program does then.
 * SPDX-License-Identifier: MIT */
#include <stdatomic.h>
#include <string.h>

#include "internal.h"

bool hip_cpu_fails(const char *call)
{
    static _Atomic uint64_t calls; /* of the process: by all host threads */
    const struct hip_cpu_config *c = &hip_cpu_config;

    if (!c->fail || (strcmp(c->fail, "any") != 0 && strcmp(c->fail, call) != 0))
        return false;
    uint64_t number = atomic_fetch_add(&calls, 1) + 1;
    return number == c->fail_at || (c->fail_on && number > c->fail_at);
}
