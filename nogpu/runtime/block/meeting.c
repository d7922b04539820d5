/* Which threads go on when none can run: of a warp operation the lanes that execute it together, with their results; of a
 * barrier all threads.
 * SPDX-License-Identifier: MIT */
#include "../internal.h"

/* The other lanes wait at a barrier, and none of them is read. AMD's GPUs go on then: the lanes of a branch are those that are
 * active. */
static bool may_go_alone(const struct warp *warp, uint64_t group)
{
    enum hip_cpu_warp_op op = warp->at[warp->first].op;

    if (hip_cpu_config.cuda || op == HIP_CPU_SYNCWARP || group != warp->meeting)
        return false;
    for (uint64_t rest = op <= HIP_CPU_SHFL_XOR ? group : 0; rest; rest &= rest - 1)
        if (!(group >> warp->at[__builtin_ctzll(rest)].source & 1))
            return false;
    return true;
}

/* Which lanes go on when the lanes of a warp wait at different places, or for a mask. Those of a mask go on when all
 * of them have come. Without one only __activemask() accepts a subset, when no others can go on and come, too; every
 * other operation requires all lanes that have not returned. */
static unsigned choose_group(const struct warp *warp)
{
    unsigned active = WARP_MAX;

    for (uint64_t rest = warp->meeting; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        bool masked = warp->masked >> lane & 1;
        if (masked && hip_cpu_lanes_with(warp, lane) == hip_cpu_lanes_expected(warp, lane))
            return lane;
        if (!masked && warp->at[lane].op == HIP_CPU_ACTIVE && active == WARP_MAX)
            active = lane;
    }
    if (active < WARP_MAX)
        return active;
    /* They may have converged since the first of them arrived. */
    uint64_t group = hip_cpu_lanes_with(warp, warp->first);
    if ((warp->waiting || group != warp->meeting) && !may_go_alone(warp, group))
        hip_cpu_report_divergence(warp);
    return warp->first;
}

static uint64_t reduced(enum hip_cpu_warp_op op, uint64_t a, uint64_t b)
{
    switch (op) {
    case HIP_CPU_REDUCE_ADD:
        return a + b;
    case HIP_CPU_REDUCE_MIN:
        return (int64_t)b < (int64_t)a ? b : a;
    case HIP_CPU_REDUCE_MAX:
        return (int64_t)a < (int64_t)b ? b : a;
    case HIP_CPU_REDUCE_AND:
        return a & b;
    case HIP_CPU_REDUCE_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

static void shuffle(struct warp *warp, uint64_t group)
{
    for (uint64_t rest = group; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        unsigned source = warp->at[lane].source;
        warp->result[lane] = group >> source & 1 ? warp->at[source].value : HIP_CPU_POISON;
    }
}

/* Each lane gets those that have its value; of match_all, all lanes or none. */
static void match(struct warp *warp, uint64_t group, enum hip_cpu_warp_op op)
{
    for (uint64_t rest = group; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        uint64_t same = 0;
        for (uint64_t others = group; others; others &= others - 1) {
            if (warp->at[__builtin_ctzll(others)].value == warp->at[lane].value)
                same |= others & -others;
        }
        warp->result[lane] = op == HIP_CPU_MATCH_ALL && same != group ? 0 : same;
    }
}

static void reduce(struct warp *warp, uint64_t group, enum hip_cpu_warp_op op)
{
    uint64_t rest = group, all = warp->at[__builtin_ctzll(rest)].value;

    while (rest &= rest - 1)
        all = reduced(op, all, warp->at[__builtin_ctzll(rest)].value);
    for (rest = group; rest; rest &= rest - 1)
        warp->result[__builtin_ctzll(rest)] = all;
}

static void observe(struct warp *warp, enum hip_cpu_warp_op op, unsigned first, bool named)
{
    struct hip_cpu_meeting meeting = {.warp = (unsigned)(warp - hip_cpu_worker->warps),
                                      .op = op,
                                      .named = named,
                                      .mask = warp->at[first].mask,
                                      .lanes = warp->group,
                                      .result = warp->result};

    for (uint64_t rest = warp->group; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        meeting.value[lane] = warp->at[lane].value;
        meeting.source[lane] = op <= HIP_CPU_SHFL_XOR ? warp->at[lane].source : lane;
    }
    OBSERVER->meeting(&meeting);
}

void hip_cpu_complete_meeting(struct warp *warp)
{
    uint64_t group = warp->meeting;
    unsigned first = warp->first;
    bool named = false;

    if (warp->mixed || warp->waiting) {
        first = choose_group(warp);
        group = hip_cpu_lanes_with(warp, first);
        named = (warp->masked & group) != 0;
        warp->masked &= ~group;
    }

    enum hip_cpu_warp_op op = warp->at[first].op;
    if (op <= HIP_CPU_SHFL_XOR)
        shuffle(warp, group);
    else if (op >= HIP_CPU_REDUCE_ADD)
        reduce(warp, group, op);
    else if (op >= HIP_CPU_MATCH_ANY)
        match(warp, group, op);
    warp->group = group;
    warp->group_votes = warp->votes & group;
    warp->votes &= ~group;
    warp->ready = group;
    warp->meeting &= ~group;
    if (OBSERVER)
        observe(warp, op, first, named);
    if (warp->meeting)
        warp->first = (unsigned)__builtin_ctzll(warp->meeting);
}

bool hip_cpu_release_barrier(struct worker *w)
{
    unsigned waiting = 0, arrived = 0;
    for (unsigned i = 0; i < w->warps_count; i++) {
        uint64_t left = hip_cpu_config.may_return ? w->warps[i].left : 0;
        waiting += (unsigned)__builtin_popcountll(w->warps[i].waiting);
        arrived += (unsigned)__builtin_popcountll(w->warps[i].waiting | left);
    }
    if (waiting == 0)
        return false;

    bool grid = w->op == HIP_CPU_SYNC_GRID;
    if (((grid ? waiting : arrived) < w->threads_count || w->mixed) && (hip_cpu_config.strict_barrier || grid))
        hip_cpu_report_barrier(w);
    if (OBSERVER) {
        uint64_t lanes[WARPS_MAX];
        for (unsigned i = 0; i < w->warps_count; i++)
            lanes[i] = w->warps[i].waiting;
        OBSERVER->barrier(w->op, w->warps_count, lanes);
    }
    if (grid)
        hip_cpu_grid_barrier(w->file, w->line);

    w->result = w->predicates;
    w->result_of = waiting;
    w->predicates = 0;
    w->line = 0;
    w->mixed = false;
    if (waiting == w->threads_count && w->in_order)
        w->sweep = w->threads + w->threads_count;
    for (unsigned i = 0; i < w->warps_count; i++) {
        w->warps[i].ready = w->warps[i].waiting;
        w->warps[i].waiting = w->warps[i].apart = 0;
    }
    w->ready_warps = UINT64_MAX >> (64 - w->warps_count);
    return true;
}
