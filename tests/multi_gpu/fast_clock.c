/* A clock that runs 1000 times as fast, for one rank, whose device then seems slow. multi_gpu.bats builds it as a library
 * and preloads it.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *now)
{
    static int (*real)(clockid_t, struct timespec *);
    void *symbol;
    int status;

    if (real == NULL) {
        symbol = dlsym(RTLD_NEXT, "clock_gettime");
        memcpy(&real, &symbol, sizeof real);
    }
    status = real(clock, now);
    if (clock == CLOCK_MONOTONIC) {
        now->tv_sec = now->tv_sec * 1000 + now->tv_nsec / 1000000;
        now->tv_nsec = now->tv_nsec % 1000000 * 1000;
    }
    return status;
}
