/* A block that cannot go on: names which of its threads wait where, or which one is at fault, and ends the process. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

void hip_cpu_begin_fatal(void)
{
    static atomic_flag taken = ATOMIC_FLAG_INIT;
    static __thread bool mine;

    while (!mine && atomic_flag_test_and_set(&taken))
        pause();
    mine = true;
}

/* Appends the numbers in `set` as at most a dozen ranges: "0-63, 80". */
static void append_runs(char *text, size_t size, const bool *set, unsigned count)
{
    size_t used = strlen(text);
    unsigned runs = 0;
    for (unsigned i = 0; i < count && used < size; i++) {
        if (!set[i])
            continue;
        unsigned last = i;
        while (last + 1 < count && set[last + 1])
            last++;
        const char *comma = runs > 0 ? ", " : " ";
        if (runs == 12)
            used += (size_t)snprintf(text + used, size - used, ", ...");
        else if (last > i)
            used += (size_t)snprintf(text + used, size - used, "%s%u-%u", comma, i, last);
        else
            used += (size_t)snprintf(text + used, size - used, "%s%u", comma, i);
        if (runs++ == 12)
            return;
        i = last;
    }
}

static const char *const op_names[] = {"__shfl", "__shfl_up", "__shfl_down",  "__shfl_xor", "__any",
                                       "__all",  "__ballot",  "__activemask", "__syncwarp"};

/* Lanes of a warp wait at different places, which on NVIDIA is undefined. */
void hip_cpu_report_divergence(const struct warp *warp)
{
    const struct worker *w = hip_cpu_worker;
    uint64_t left = warp->meeting | warp->waiting;
    char text[2048], *end = text + sizeof text;

    const uint3 *b = &w->block.index;
    snprintf(
        text, sizeof text,
        "hip: kernel %s, block (%u,%u,%u), warp %u: lanes of one warp wait at different places:",
        w->block.kernel, b->x, b->y, b->z, (unsigned)(warp - w->warps));
    while (left) {
        unsigned lane = (unsigned)__builtin_ctzll(left), count = 0;
        const struct thread *t = &warp->threads[lane];
        bool at_barrier = warp->waiting >> lane & 1, set[WARP_MAX] = {false};
        uint64_t same = hip_cpu_lanes_with(warp, lane);
        if (at_barrier) {
            same = 0;
            for (uint64_t rest = warp->waiting; rest; rest &= rest - 1) {
                const struct thread *u = &warp->threads[__builtin_ctzll(rest)];
                if (hip_cpu_same_place(u->file, u->line, t->file, t->line))
                    same |= rest & -rest;
            }
        }
        for (unsigned i = 0; i < WARP_MAX; i++)
            count += set[i] = same >> i & 1;
        left &= ~same;
        char *at = text + strlen(text);
        snprintf(at, (size_t)(end - at), " %u at %s, %s:%d (lane%s", count,
                 at_barrier ? "a barrier" : op_names[warp->at[lane].op], t->file, t->line,
                 count == 1 ? "" : "s");
        append_runs(text, sizeof text, set, WARP_MAX);
        at = text + strlen(text);
        snprintf(at, (size_t)(end - at), ")%s", left ? "," : ":");
    }
    hip_cpu_begin_fatal();
    fflush(stdout);
    fprintf(stderr,
            "%s shuffles, votes and __syncwarp() want all lanes that have not returned: let "
            "them reach the same one\n",
            text);
    HIP_CPU_HOOK(trace_finish());
    _exit(EXIT_DEVICE_FAULT);
}

/* A deadlock, or a fault that hardware would not notice. */
void hip_cpu_report_barrier(const struct worker *w)
{
    char text[2048];
    bool set[THREADS_MAX], told[THREADS_MAX];
    unsigned returned = 0;

    for (unsigned i = 0; i < w->threads_count; i++) {
        const struct thread *t = &w->threads[i];
        told[i] = !(t->warp->waiting >> t->public.lane & 1);
        returned += told[i];
    }
    const uint3 *b = &w->block.index;
    snprintf(
        text, sizeof text,
        "hip: kernel %s, block (%u,%u,%u): a barrier that not all %u threads of the block reach:",
        w->block.kernel, b->x, b->y, b->z, w->threads_count);
    for (unsigned i = 0; i < w->threads_count; i++) {
        if (told[i])
            continue;
        const struct thread *t = &w->threads[i];
        unsigned count = 0;
        for (unsigned j = 0; j < w->threads_count; j++) {
            const struct thread *u = &w->threads[j];
            set[j] = !told[j] && hip_cpu_same_place(u->file, u->line, t->file, t->line);
            told[j] |= set[j];
            count += set[j];
        }
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, " %u wait%s at %s:%d (thread%s", count,
                 count == 1 ? "s" : "", t->file, t->line, count == 1 ? "" : "s");
        append_runs(text, sizeof text, set, w->threads_count);
        used = strlen(text);
        snprintf(text + used, sizeof text - used, "),");
    }
    if (returned > 0) {
        for (unsigned j = 0; j < w->threads_count; j++)
            set[j] = !(w->threads[j].warp->waiting >> w->threads[j].public.lane & 1);
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, " %u ha%s returned (thread%s", returned,
                 returned == 1 ? "s" : "ve", returned == 1 ? "" : "s");
        append_runs(text, sizeof text, set, w->threads_count);
        used = strlen(text);
        snprintf(text + used, sizeof text - used, "),");
    }
    hip_cpu_begin_fatal();
    fflush(stdout);
    fprintf(stderr, "%s let every thread reach the same barrier\n", text);
    HIP_CPU_HOOK(trace_finish());
    _exit(EXIT_DEVICE_FAULT);
}

void hip_cpu_fail(const char *what, const char *file, int line)
{
    char who[512];
    hip_cpu_describe_thread(who, sizeof who);
    hip_cpu_begin_fatal();
    fflush(stdout);
    fprintf(stderr, "%s, at %s:%d: %s\n", who, file, line, what);
    HIP_CPU_HOOK(trace_finish());
    _exit(EXIT_DEVICE_FAULT);
}
