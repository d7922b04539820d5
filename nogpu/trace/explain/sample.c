/* Keeps the addresses of some instructions of each line: those of the first warp that executes it, the first few of each
 * step.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../trace_internal.h"
#include "../text/names.h"
#include "explain.h"

/* Where the memory of an address begins, for a picture that starts at 0: banks and sectors are counted from there. */
static uintptr_t beginning_of(const struct warp_instruction *i, uintptr_t lowest)
{
    const struct hip_cpu_block *block = hip_cpu_block();
    const struct trace_allocation *a = trace_allocation_of(lowest);
    struct symbols_variable v;

    if (i->space == TRACE_GLOBAL)
        return a ? a->start : lowest & ~(uintptr_t)255;
    if (lowest - (uintptr_t)block->shared < block->shared_bytes)
        return (uintptr_t)block->shared;
    return symbols_variable_at(lowest, &v) ? v.begin : lowest & ~(uintptr_t)127;
}

static void name(const struct warp_instruction *i, uintptr_t address, char text[])
{
    struct trace_name n;

    trace_name_of(i->space, address, i->size, &n);
    snprintf(text, EXPLAIN_ELEMENT_CHARS, "%.*s", EXPLAIN_ELEMENT_CHARS - 1, n.element);
}

/* NULL: there is no room, or the line is kept of another warp. */
static struct explain_sample *room_for(struct explain *e, struct explain_line *l, uint64_t block, unsigned warp,
                                       unsigned epoch)
{
    unsigned of_step = 0;

    if (l->samples == EXPLAIN_SAMPLES || (l->samples > 0 && (l->sample[0].block != block || l->sample[0].warp != warp)))
        return NULL;
    for (unsigned k = 0; k < l->samples; k++)
        of_step += l->sample[k].epoch == epoch;
    if (of_step == EXPLAIN_STEP_SAMPLES)
        return NULL;
    l->sample = trace_check_alloc(realloc(l->sample, (l->samples + 1) * sizeof *l->sample));
    struct explain_sample *s = &l->sample[l->samples++];
    *s = (struct explain_sample){.epoch = epoch, .warp = warp, .block = block};
    s->order = e->samples++;
    return s;
}

/* values: of all lanes of a warp, each `stride` bytes behind the one before it. */
static void keep_values(struct explain_sample *s, struct trace_scalar is, unsigned bytes, const void *values,
                        size_t stride)
{
    s->value = trace_check_alloc(calloc(64, sizeof *s->value));
    for (uint64_t rest = s->lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        trace_scalar_text(is, (const char *)values + lane * stride, bytes, s->value[lane], sizeof *s->value);
    }
}

void explain_keep_shuffle(struct explain *e, struct explain_line *l, const struct trace_meeting *m)
{
    struct explain_sample *s = room_for(e, l, m->block, m->warp, m->epoch);

    if (!s)
        return;
    s->lanes = m->lanes;
    for (uint64_t rest = m->lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        s->offset[lane] = m->source[lane];
        s->cost += m->source[lane] != lane;
    }
    if (e->wants_values && m->scalar.kind != HIP_CPU_KIND_UNKNOWN && m->scalar.bytes <= 8)
        keep_values(s, m->scalar, m->scalar.bytes, m->value, sizeof *m->value);
}

void explain_keep(struct explain *e, struct explain_line *l, const struct warp_instruction *i, unsigned warp,
                  unsigned cost)
{
    struct explain_sample *s = room_for(e, l, i->block, warp, i->epoch);

    if (!s)
        return;
    s->lanes = i->lanes;
    s->cost = cost;

    uintptr_t lowest = UINTPTR_MAX, highest = 0;
    for (uint64_t rest = i->lanes; rest; rest &= rest - 1) {
        uintptr_t address = i->address[__builtin_ctzll(rest)];
        lowest = address < lowest ? address : lowest;
        highest = address > highest ? address : highest;
    }
    uintptr_t begin = beginning_of(i, lowest);
    for (uint64_t rest = i->lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        s->offset[lane] = i->address[lane] - begin;
    }
    name(i, lowest, s->first);
    name(i, highest, s->last);
    if (i->values && (i->lanes & ~i->values->known) == 0)
        keep_values(s, trace_scalar_at(i->space, lowest, i->size), i->size, i->values->lane, sizeof *i->values->lane);
}
