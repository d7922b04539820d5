/* The allocations of the device, by address.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../trace_internal.h"

#define CACHED_BITS 8

/* All host threads share the memory of the device. */
static struct {
    pthread_mutex_t lock;                 /* held by a launch, whose threads look things up without it */
    struct trace_allocation **allocation; /* by address */
    size_t count, room;
    struct {
        uintptr_t page;
        const struct trace_allocation *allocation;
    } cached[1 << CACHED_BITS];
} known = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A launch holds it, so its kernels do. */
void trace_allocations_lock(void)
{
    if (!hip_cpu_current)
        pthread_mutex_lock(&known.lock);
}

bool trace_allocations_trylock(void) { return pthread_mutex_trylock(&known.lock) == 0; }

void trace_allocations_unlock(void)
{
    if (!hip_cpu_current)
        __real_pthread_mutex_unlock(&known.lock);
}

/* The first allocation that ends after the address. */
static size_t find(uintptr_t address)
{
    size_t low = 0, high = known.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (known.allocation[middle]->start + known.allocation[middle]->bytes <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void trace_add_allocation(const void *start, size_t bytes, bool host)
{
    struct trace_allocation *a = trace_check_alloc(malloc(sizeof *a));

    if (known.count == known.room) {
        known.room = 2 * known.room + 64;
        known.allocation = realloc(known.allocation, known.room * sizeof *known.allocation);
    }
    trace_check_alloc(known.allocation);
    *a = (struct trace_allocation){(uintptr_t)start, bytes, host};
    size_t at = find(a->start);
    memmove(known.allocation + at + 1, known.allocation + at, (known.count - at) * sizeof *known.allocation);
    known.allocation[at] = a;
    known.count++;
}

void trace_allocated(const void *start, size_t bytes, bool host)
{
    pthread_mutex_lock(&known.lock);
    trace_add_allocation(start, bytes, host);
    trace_allocations_unlock();
}

void trace_remove_allocation(const void *start)
{
    memset(known.cached, 0, sizeof known.cached);
    trace_run.memory++;
    size_t at = find((uintptr_t)start);
    if (at < known.count && known.allocation[at]->start == (uintptr_t)start) {
        if (trace_run.tool && trace_run.tool->freed)
            trace_run.tool->freed(trace_run.state, (uintptr_t)start);
        free(known.allocation[at]);
        known.count--;
        memmove(known.allocation + at, known.allocation + at + 1, (known.count - at) * sizeof *known.allocation);
    }
}

void trace_freed(const void *start)
{
    pthread_mutex_lock(&known.lock);
    trace_remove_allocation(start);
    trace_allocations_unlock();
}

/* Only those of malloc() in kernels share a page. */
const struct trace_allocation *trace_allocation_of(uintptr_t address)
{
    uintptr_t page = address >> 12;
    size_t slot = trace_slot_of(page, CACHED_BITS);
    const struct trace_allocation *a = known.cached[slot].allocation; /* NULL: none */

    if (a && known.cached[slot].page == page && address - a->start < a->bytes)
        return a;
    size_t at = find(address);
    if (at == known.count || address < known.allocation[at]->start)
        return NULL;
    known.cached[slot].page = page;
    known.cached[slot].allocation = known.allocation[at];
    return known.allocation[at];
}

extern char __data_start[], _end[]; /* of its writable data */

bool trace_is_variable(uintptr_t address)
{
    return address - (uintptr_t)__data_start < (uintptr_t)(_end - __data_start);
}

enum hip_cpu_space trace_memory_at(uintptr_t address)
{
    if (trace_allocation_of(address) || trace_is_variable(address))
        return HIP_CPU_GLOBAL;
    return address - (uintptr_t)__executable_start < (uintptr_t)(_end - __executable_start) ? HIP_CPU_CONSTANT
                                                                                            : HIP_CPU_HOST;
}
