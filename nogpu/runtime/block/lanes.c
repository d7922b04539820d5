/* Which lanes of a warp wait for the same operation.
 * SPDX-License-Identifier: MIT */
#include "../internal.h"

uint64_t hip_cpu_lanes_expected(const struct warp *warp, unsigned lane)
{
    return warp->at[lane].mask & (warp->meeting | warp->waiting | warp->ready);
}

uint64_t hip_cpu_lanes_with(const struct warp *warp, unsigned first)
{
    const struct thread *place = &warp->details[first];
    bool masked = warp->masked >> first & 1;
    uint64_t among = masked ? warp->masked : warp->meeting & ~warp->masked, group = 0;

    for (uint64_t rest = among; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        const struct thread *thread = &warp->details[lane];
        if (warp->at[lane].op != warp->at[first].op)
            continue;
        if (masked ? hip_cpu_lanes_expected(warp, lane) == hip_cpu_lanes_expected(warp, first)
                   : hip_cpu_same_place(thread->file, thread->line, place->file, place->line))
            group |= (uint64_t)1 << lane;
    }
    return group;
}
