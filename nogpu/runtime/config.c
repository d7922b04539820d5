/* The environment variables, read once before main(). A bad value ends the program with exit code 2.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

#define WORKERS_MAX 1024

/* One for the process, as the environment is. */
struct hip_cpu_config hip_cpu_config;
/* Kernels see it as the constant warpSize; set here before main(), and by checkers. */
int hip_cpu_warp_size __asm__("warpSize") = 64;
/* A program with CUDA's headers has it. */
extern const int hip_cpu_default_warp_size __attribute__((weak));
/* A program has it whose warpSize is a constant. */
extern const int hip_cpu_built_warp_size __attribute__((weak));
/* Set here, too. */
bool hip_cpu_late;

void hip_cpu_set_schedule(enum hip_cpu_schedule schedule, uint64_t seed)
{
    hip_cpu_config.schedule = schedule;
    hip_cpu_config.seed = seed;
}

void hip_cpu_set_warp_size(unsigned lanes)
{
    hip_cpu_warp_size = (int)lanes;
}

void hip_cpu_set_window(uint64_t first_block, uint64_t count)
{
    hip_cpu_config.window_first = first_block;
    hip_cpu_config.window_count = count;
}

void hip_cpu_set_zeros(bool zeros)
{
    hip_cpu_config.zeros = zeros;
}

static void reject(const char *name, const char *value, const char *expected)
{
    if (IN_LIBRARY) {
        hip_cpu_config.visible = false;
        return;
    }
    fprintf(stderr, "hip: %s=", name);
    for (; *value != '\0'; value++) /* one line, whatever the value contains */
        fputc(iscntrl((unsigned char)*value) ? '?' : *value, stderr);
    fprintf(stderr, " is not valid: use %s\n", expected);
    _exit(EXIT_USAGE);
}

/* A whole number in decimal digits from min to max; false for anything else. */
static bool parse(const char *text, uint64_t min, uint64_t max, uint64_t *value)
{
    char *end;
    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0' && *value >= min && *value <= max;
}

__attribute__((constructor(101))) static void read_environment(void)
{
    struct hip_cpu_config *c = &hip_cpu_config;
    uint64_t number = 0;
    const char *visible = getenv("HIP_VISIBLE_DEVICES");

    c->visible = !visible || visible[0] == '0';
#ifdef M_ARENA_MAX
    if (!IN_LIBRARY)
        mallopt(M_ARENA_MAX, 1); /* one for each thread would reserve 64 MiB of addresses each */
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    c->workers = online < 1 ? 1 : online > WORKERS_MAX ? WORKERS_MAX : (unsigned)online;
    const char *workers = getenv("HIP_CPU_WORKERS");
    if (workers) {
        if (!parse(workers, 1, WORKERS_MAX, &number))
            reject("HIP_CPU_WORKERS", workers, "a number from 1 to 1024");
        c->workers = (unsigned)number;
    }

    const char *mebibytes = getenv("HIP_CPU_DEVICE_MEMORY");
    if (mebibytes) {
        if (!parse(mebibytes, 1, SIZE_MAX >> 20, &number))
            reject("HIP_CPU_DEVICE_MEMORY", mebibytes, "a number of MiB");
        c->device_memory = (size_t)number << 20;
    }

    if (&hip_cpu_default_warp_size)
        hip_cpu_warp_size = hip_cpu_default_warp_size;
    const char *warp = getenv("HIP_CPU_WARP_SIZE");
    if (warp) {
        if (strcmp(warp, "32") != 0 && strcmp(warp, "64") != 0)
            reject("HIP_CPU_WARP_SIZE", warp, "32 or 64");
        hip_cpu_warp_size = atoi(warp);
    }
    if (&hip_cpu_built_warp_size && warp && hip_cpu_built_warp_size != hip_cpu_warp_size)
        reject("HIP_CPU_WARP_SIZE", warp,
               "the size that the program was built with, -DHIP_CPU_WARP_SIZE=");
    if (&hip_cpu_built_warp_size)
        hip_cpu_warp_size = hip_cpu_built_warp_size;
    c->cuda = &hip_cpu_default_warp_size != NULL;

    const char *schedule = getenv("HIP_CPU_SCHEDULE");
    if (schedule) {
        if (strcmp(schedule, "forward") == 0)
            c->schedule = HIP_CPU_FORWARD;
        else if (strcmp(schedule, "reverse") == 0)
            c->schedule = HIP_CPU_REVERSE;
        else if (strncmp(schedule, "random:", 7) == 0 &&
                 parse(schedule + 7, 0, UINT64_MAX, &c->seed))
            c->schedule = HIP_CPU_RANDOM;
        else
            reject("HIP_CPU_SCHEDULE", schedule, "forward, reverse or random:SEED");
    }

    const char *strict = getenv("HIP_CPU_STRICT_BARRIER");
    c->strict_barrier = true;
    c->may_return = !strict;
    if (strict) {
        if (!parse(strict, 0, 1, &number))
            reject("HIP_CPU_STRICT_BARRIER", strict, "0 or 1");
        c->strict_barrier = number == 1;
    }

    const char *late = getenv("HIP_CPU_LATE");
    if (late) {
        if (!parse(late, 0, 1, &number))
            reject("HIP_CPU_LATE", late, "0 or 1");
        hip_cpu_late = number == 1;
    }

    const char *fail = getenv("HIP_CPU_FAIL");
    if (fail) {
        char *copy = c->fail_text;
        snprintf(copy, sizeof c->fail_text, "%s", fail);
        char *colon = strchr(copy, ':'), *plus = strchr(copy, '+');
        c->fail_on = plus && plus[1] == '\0';
        if (c->fail_on)
            *plus = '\0';
        if (!colon || !parse(colon + 1, 1, UINT64_MAX, &c->fail_at))
            reject("HIP_CPU_FAIL", fail, "CALL:N or CALL:N+, as hipMalloc:2, launch:1 or any:7+");
        else
            *colon = '\0', c->fail = copy;
    }

#ifndef HIP_CPU_TRACE
    const char *trace = getenv("HIP_CPU_TRACE");
    if (trace && *trace)
        reject("HIP_CPU_TRACE", trace,
               "a program built for tracing: build it again with this variable set, or use make "
               "race FILE=");
    const char *memory = getenv("HIP_CPU_MEMORY");
    if (memory && strcmp(memory, "strong") != 0)
        reject("HIP_CPU_MEMORY", memory,
               "a build with TRACE=1 (make race MEMORY=weak); in this program memory is that of "
               "the host");
#endif
}
