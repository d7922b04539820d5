/* Which block reads an element. Blocks share the elements by a rule that is linear, at least nearby: from what two blocks
 * have read it follows where others do.
 * SPDX-License-Identifier: MIT */
#include "observe.h"

#ifdef HIP_CPU_TRACE

#include <string.h>

#include "nogpu/trace/trace_internal.h"

#define READS_MOST (1u << 17) /* a loop is one */

static struct reads {
    size_t n; /* elements of the input; 0: nothing was read */
    uint64_t block, grid;
    unsigned count;
    struct read {
        uint64_t element; /* the first one, and `elements` with it; */
        int64_t step;     /* so many times, so far apart */
        unsigned times, elements, thread;
    } read[READS_MOST];
} reads[2]; /* the last run and the one before */
static unsigned last;
static uint64_t wanted;
static bool is_read, shows;

void places_begin(size_t n, uint64_t element)
{
    wanted = element;
    is_read = shows = false;
    last = 1 - last;
    reads[last].n = n;
    reads[last].block = observation.window_first;
    reads[last].count = 0;
}

void places_note(uint64_t grid, const struct trace_access *access, uint64_t element, unsigned elements)
{
    static const char zeros[64];
    const unsigned thread = access->who.thread;
    struct reads *r = &reads[last];

    is_read |= wanted - element < elements;
    shows |=
        memcmp((const void *)access->address, zeros, access->size < sizeof zeros ? access->size : sizeof zeros) != 0;
    r->grid = grid;
    struct read *before = r->count > 0 ? &r->read[r->count - 1] : NULL;
    if (before != NULL && before->thread == thread && before->elements == elements) {
        int64_t step = (int64_t)(element - before->element) - before->step * (before->times - 1);
        if (before->times == 1 || step == before->step) {
            before->step = step;
            before->times++;
            return;
        }
    }
    if (r->count < READS_MOST)
        r->read[r->count++] = (struct read){element, 0, 1, elements, thread};
}

bool places_read(void) { return is_read; }

bool places_show(void) { return shows; }

/* Where two blocks read these, others read the element. */
static unsigned extend(uint64_t place[PLACES_MAX], unsigned count, uint64_t element, unsigned i, unsigned k)
{
    const struct reads *a = &reads[1 - last], *b = &reads[last];
    const struct read *r = &a->read[i];
    int64_t apart = (int64_t)(b->read[k].element - r->element);

    for (uint64_t each = 0; each < (uint64_t)r->times * r->elements && apart != 0; each++) {
        int64_t at = r->step * (int64_t)(each / r->elements) + (int64_t)(each % r->elements);
        int64_t way = ((int64_t)(element - r->element) - at) * (int64_t)(b->block - a->block);
        int64_t to = (int64_t)a->block + way / apart;
        bool known = way % apart != 0 || to < 0 || (uint64_t)to >= a->grid;
        for (unsigned p = 0; p < count; p++)
            known |= place[p] == (uint64_t)to;
        if (!known && count < PLACES_MAX)
            place[count++] = (uint64_t)to;
    }
    return count;
}

static unsigned end_of_thread(const struct reads *r, unsigned i)
{
    unsigned end = i;

    while (end < r->count && r->read[end].thread == r->read[i].thread)
        end++;
    return end;
}

/* Both read in the same order, a thread's first and last elements; one may read more between. */
unsigned places_of(size_t n, uint64_t element, uint64_t place[PLACES_MAX])
{
    const struct reads *a = &reads[1 - last], *b = &reads[last];
    unsigned count = 0;

    if (a->n != n || b->n != n || a->block == b->block)
        return 0;
    for (unsigned i = 0, k = 0; i < a->count && k < b->count;) {
        unsigned i_end = end_of_thread(a, i), k_end = end_of_thread(b, k);
        if (a->read[i].thread == b->read[k].thread) {
            unsigned both = i_end - i < k_end - k ? i_end - i : k_end - k;
            for (unsigned at = 0; at < both; at++)
                count = extend(place, count, element, i + at, k + at);
            for (unsigned at = 1; at <= both && i_end - i != k_end - k; at++)
                count = extend(place, count, element, i_end - at, k_end - at);
        }
        bool other = a->read[i].thread > b->read[k].thread;
        k = a->read[i].thread >= b->read[k].thread ? k_end : k;
        i = other ? i : i_end;
    }
    return count;
}

#endif
