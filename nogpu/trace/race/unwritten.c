/* Memory that is read and was not written.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "access.h"

static bool is_written(const struct now *now, uintptr_t address)
{
    return shadow_cell(now->races->shadow, address)->written >> address % CELL_BYTES & 1;
}

/* Whether a value of 2, 4 or 8 bytes was written here in one go. */
static bool is_value(const struct now *now, uintptr_t address, unsigned bytes)
{
    const struct cell *cell = shadow_cell(now->races->shadow, address);
    uint32_t mask = ((1u << (bytes & 7)) - 1) << address % CELL_BYTES;

    return bytes == 8 ? cell->wide : (STAMP_BYTES(cell->write.what) & mask) == mask;
}

/* A compiler may copy a struct with the bytes between its members. There are fewer of them than the next member is
 * wide, and that member was written; at the end of a struct another one was. */
static bool is_padding(const struct now *now, uintptr_t hole, unsigned bytes)
{
    uintptr_t end = hole + bytes;
    unsigned wide = bytes >= 4 ? 8 : bytes >= 2 ? 4 : 2;

    if (bytes >= 8 || bytes == now->size || end % wide != 0)
        return false;
    if (is_value(now, end, wide))
        return true;
    for (uintptr_t at = now->address / wide * wide; end == now->address + now->size && at < hole; at += wide)
        if (is_value(now, at, wide))
            return true;
    return false;
}

void races_check_unwritten(const struct now *now)
{
    uintptr_t end = now->address + now->size, hole, at = now->address;

    while (at < end) {
        for (hole = at; hole < end && is_written(now, hole);)
            hole++;
        for (at = hole; at < end && !is_written(now, at);)
            at++;
        if (hole == at || is_padding(now, hole, (unsigned)(at - hole)))
            continue;
        unsigned bytes = (unsigned)(at - hole);
        if (bytes < now->size && replay_unwritten(now->races->replay, now->who, now->place, hole, bytes))
            continue;
        bool whole = bytes < CELL_BYTES; /* else the elements that are missing */
        report_unwritten(now->races->report, now->who, now->place, whole ? now->address : hole,
                         whole ? now->size : bytes);
        return;
    }
}

/* Host, copies and other kernels may have written global memory: what holds nothing but the runtime's pattern was not. */
void races_check_fill(const struct races *r, const struct trace_place *place, uintptr_t address, unsigned size)
{
    const uint32_t fill = (uint32_t)HIP_CPU_POISON;
    unsigned at = 0;

    while (at + sizeof fill <= size && memcmp((const char *)address + at, &fill, sizeof fill) == 0)
        at += sizeof fill;
    if (at > 0 && at == size)
        report_unset(r->report, place);
}
