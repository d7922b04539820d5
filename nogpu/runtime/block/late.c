/* HIP_CPU_LATE=1: an atomicCAS() that misses.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <string.h>

#include "../internal.h"

#define PLACES 64

/* The last two values seen at some addresses. */
static struct {
    pthread_mutex_t lock;
    struct {
        const void *address;
        uint64_t before, now;
    } place[PLACES];
    uint64_t calls;
} seen = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A kernel begins: values seen earlier may have been overwritten since. */
void hip_cpu_late_begin(void)
{
    pthread_mutex_lock(&seen.lock);
    memset(seen.place, 0, sizeof seen.place);
    pthread_mutex_unlock(&seen.lock);
}

static size_t place_of(const void *address) { return (size_t)(hip_cpu_mix((uintptr_t)address, 0) % PLACES); }

/* At random, so that a loop ends. */
bool hip_cpu_late_cas(const void *address, uint64_t compare, uint64_t *older)
{
    size_t at = place_of(address);

    pthread_mutex_lock(&seen.lock);
    *older = seen.place[at].now != compare ? seen.place[at].now : seen.place[at].before;
    bool misses = seen.place[at].address == address && *older != compare && hip_cpu_mix(seen.calls++, 0) % 2 == 0;
    pthread_mutex_unlock(&seen.lock);
    return misses;
}

void hip_cpu_late_found(const void *address, uint64_t value)
{
    size_t at = place_of(address);

    pthread_mutex_lock(&seen.lock);
    if (seen.place[at].address != address) {
        seen.place[at].address = address;
        seen.place[at].before = seen.place[at].now = value;
    } else if (value != seen.place[at].now) {
        seen.place[at].before = seen.place[at].now;
        seen.place[at].now = value;
    }
    pthread_mutex_unlock(&seen.lock);
}
