/* Asynchronous copies of kernels. What a copy writes is there when its thread has waited for it: that is when it takes place.
 * A thread puts copies into batches, and waits until at most so many batches are left, the latest ones.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "../internal.h"

/* Of the block that this worker runs. */
struct copies {
    struct hip_cpu_pending *copy;
    size_t count, room;
    unsigned batch[THREADS_MAX]; /* of the thread: the open one */
};
static __thread struct copies *here;

void hip_cpu_copies_drop(void)
{
    if (!here)
        return;
    here->count = 0;
    memset(here->batch, 0, sizeof here->batch);
}

void hip_cpu_copy_later(void *to, const void *from, size_t bytes, size_t part, size_t parts)
{
    if (!here && !(here = calloc(1, sizeof *here)))
        hip_cpu_fatal("hip: no memory for asynchronous copies\n");
    if (here->count == here->room) {
        here->room = 2 * here->room + 256;
        here->copy = realloc(here->copy, here->room * sizeof *here->copy);
        if (!here->copy)
            hip_cpu_fatal("hip: no memory for asynchronous copies\n");
    }
    unsigned thread = hip_cpu_number();
    struct hip_cpu_pending copy = {
        to, from, bytes, part, parts, __builtin_return_address(0), thread, here->batch[thread]};
    OBSERVE(copy_later, &copy);
    here->copy[here->count++] = copy;
}

void hip_cpu_copy_commit(void)
{
    if (here)
        here->batch[hip_cpu_number()]++;
}

int hip_cpu_copy_next(unsigned left, struct hip_cpu_pending *copy)
{
    if (!here || here->count == 0)
        return 0;
    unsigned thread = hip_cpu_number();
    for (size_t i = 0; i < here->count; i++) {
        if (here->copy[i].thread != thread)
            continue;
        *copy = here->copy[i];
        if (copy->batch + left >= here->batch[thread])
            return 0;
        memmove(here->copy + i, here->copy + i + 1, (--here->count - i) * sizeof *here->copy);
        return 1;
    }
    return 0;
}

const struct hip_cpu_pending *hip_cpu_pending_at(const void *address)
{
    for (size_t i = 0; here && i < here->count; i++) {
        const struct hip_cpu_pending *c = &here->copy[i];
        uintptr_t all = (uintptr_t)c->to | (uintptr_t)c->from | c->bytes;
        size_t offset = (size_t)((const char *)address - (const char *)c->to);
        if (offset < c->bytes && offset / HIP_CPU_COPY_UNIT(all) % c->parts == c->part)
            return c;
    }
    return NULL;
}
