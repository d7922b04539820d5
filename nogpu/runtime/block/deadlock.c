/* A block that cannot go on: one line that names which of its threads wait where, and the end of the program.
 * SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>

#include "../internal.h"

#define RANGES_MAX 12

struct message {
    char text[2048];
    size_t used;
};

__attribute__((format(printf, 2, 3))) static void add(struct message *m, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(m->text + m->used, sizeof m->text - m->used, format, arguments);
    va_end(arguments);
    m->used += strlen(m->text + m->used);
}

/* The numbers in `set` as a dozen ranges at most: "0-63, 80". */
static void add_ranges(struct message *m, const bool *set, unsigned count)
{
    unsigned ranges = 0;

    for (unsigned i = 0; i < count; i++) {
        if (!set[i])
            continue;
        unsigned last = i;
        while (last + 1 < count && set[last + 1])
            last++;
        if (ranges == RANGES_MAX) {
            add(m, ", ...");
            return;
        }
        add(m, last > i ? "%s%u-%u" : "%s%u", ranges++ > 0 ? ", " : " ", i, last);
        i = last;
    }
}

static void add_block(struct message *m, const struct worker *w)
{
    const uint3 *b = &w->block.index;
    add(m, "hip: kernel %s, block (%u,%u,%u)", w->block.kernel, b->x, b->y, b->z);
}

static bool is_waiting(const struct worker *w, unsigned thread)
{
    return w->details[thread].warp->waiting >> w->threads[thread].lane & 1;
}

/* Where the lane waits. */
struct place {
    const char *file;
    int line;
};
static struct place place_of(const struct warp *warp, unsigned lane)
{
    const struct worker *w = hip_cpu_worker;
    const struct thread *t = &warp->details[lane];

    return (warp->waiting & ~warp->apart) >> lane & 1 ? (struct place){w->file, w->line}
                                                      : (struct place){t->file, t->line};
}

static bool is_same(struct place a, struct place b) { return hip_cpu_same_place(a.file, a.line, b.file, b.line); }

/* ---- lanes of a warp that wait at different places, which on NVIDIA is undefined ---- */

/* The lanes that wait at the same barrier as this one. */
static uint64_t at_barrier_with(const struct warp *warp, unsigned lane)
{
    uint64_t same = 0;

    for (uint64_t rest = warp->waiting; rest; rest &= rest - 1) {
        if (is_same(place_of(warp, (unsigned)__builtin_ctzll(rest)), place_of(warp, lane)))
            same |= rest & -rest;
    }
    return same;
}

/* The lanes that wait where this one does; returns them. */
static uint64_t add_lanes(struct message *m, const struct warp *warp, unsigned lane)
{
#define NAME(op, name) name,
    static const char *const op_names[] = {HIP_CPU_WARP_OPS(NAME)};
    struct place place = place_of(warp, lane);
    bool waits = warp->waiting >> lane & 1;
    uint64_t same = waits ? at_barrier_with(warp, lane) : hip_cpu_lanes_with(warp, lane);
    unsigned count = (unsigned)__builtin_popcountll(same);
    bool set[WARP_MAX];

    for (unsigned i = 0; i < WARP_MAX; i++)
        set[i] = same >> i & 1;
    bool masked = warp->masked >> lane & 1;
    add(m, " %u at %s%s%s, %s:%d (lane%s", count, waits ? "" : "__", waits ? "a barrier" : op_names[warp->at[lane].op],
        masked && warp->at[lane].op < HIP_CPU_ACTIVE ? "_sync" : "", place.file, place.line, count == 1 ? "" : "s");
    add_ranges(m, set, WARP_MAX);
    if (masked)
        add(m, ", mask %#llx", (unsigned long long)warp->at[lane].mask);
    return same;
}

void hip_cpu_report_divergence(const struct warp *warp)
{
    const struct worker *w = hip_cpu_worker;
    struct message m = {.used = 0};

    add_block(&m, w);
    add(&m, ", warp %u: lanes of one warp wait at different places:", (unsigned)(warp - w->warps));
    for (uint64_t left = warp->meeting | warp->waiting; left;) {
        left &= ~add_lanes(&m, warp, (unsigned)__builtin_ctzll(left));
        add(&m, left ? ")," : "):");
    }
    hip_cpu_fatal("%s shuffles, votes and __syncwarp() need all lanes that have not returned, or all "
                  "of their mask: let them reach the same call\n",
                  m.text);
}

/* ---- a barrier that not all threads reach: a deadlock, or a fault that hardware would not notice ---- */

static struct place place_of_thread(const struct worker *w, unsigned thread)
{
    return place_of(w->details[thread].warp, w->threads[thread].lane);
}

/* The threads that wait where this one does; they are marked as reported. */
static void add_waiting(struct message *m, const struct worker *w, unsigned first, bool *reported)
{
    struct place place = place_of_thread(w, first);
    unsigned count = 0;
    bool set[THREADS_MAX];

    for (unsigned i = 0; i < w->threads_count; i++) {
        set[i] = !reported[i] && is_same(place_of_thread(w, i), place);
        reported[i] |= set[i];
        count += set[i];
    }
    add(m, " %u wait%s at %s:%d (thread%s", count, count == 1 ? "s" : "", place.file, place.line,
        count == 1 ? "" : "s");
    add_ranges(m, set, w->threads_count);
    add(m, "),");
}

static void add_returned(struct message *m, const struct worker *w)
{
    unsigned count = 0;
    bool set[THREADS_MAX];

    for (unsigned i = 0; i < w->threads_count; i++)
        count += set[i] = !is_waiting(w, i);
    if (count == 0)
        return;
    add(m, " %u ha%s returned (thread%s", count, count == 1 ? "s" : "ve", count == 1 ? "" : "s");
    add_ranges(m, set, w->threads_count);
    add(m, "), which HIP_CPU_STRICT_BARRIER=0 takes for an arrival:");
}

void hip_cpu_report_barrier(const struct worker *w)
{
    struct message m = {.used = 0};
    bool reported[THREADS_MAX];

    add_block(&m, w);
    add(&m, ": a barrier that not all %u threads of the block reach:", w->threads_count);
    for (unsigned i = 0; i < w->threads_count; i++)
        reported[i] = !is_waiting(w, i);
    for (unsigned i = 0; i < w->threads_count; i++)
        if (!reported[i])
            add_waiting(&m, w, i, reported);
    add_returned(&m, w);
    hip_cpu_fatal("%s what HIP and CUDA do then is undefined: let every thread reach the same "
                  "barrier, or move it out of the branch\n",
                  m.text);
}
