/* See segments.h.
 * SPDX-License-Identifier: MIT */
#include "segments.h"

#include <stdlib.h>

#include "../../trace_internal.h"

uint32_t segments_add(struct segments *s, struct segment added)
{
    if (s->count >= s->room) {
        s->room = s->room ? s->room + s->room / 2 : 4096;
        s->segment = trace_check_alloc(realloc(s->segment, s->room * sizeof *s->segment));
    }
    if (s->base + s->count >= UINT32_MAX)
        hip_cpu_fatal("hip: the trace counts up to 2^32 segments: use a smaller size\n");
    s->segment[s->count] = added;
    return (uint32_t)(s->base + s->count++);
}

void runs_add(struct runs *r, struct run added)
{
    TRACE_ONE_MORE(r->run, r->count, r->room, 16);
    r->run[r->count++] = added;
}

const struct run *runs_now(const struct runs *r) { return &r->run[r->count - 1]; }

const struct run *runs_of(const struct runs *r, uint32_t segment)
{
    size_t low = 0, high = r->count - 1;

    while (low < high) { /* the last one that begins at it or before */
        size_t middle = (low + high + 1) / 2;
        if (r->run[middle].segment <= segment)
            low = middle;
        else
            high = middle - 1;
    }
    return &r->run[low];
}

uint32_t runs_since(const struct runs *r, uint32_t task, uint32_t otherwise)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->run[i].task >= task)
            return r->run[i].segment;
    return otherwise;
}
