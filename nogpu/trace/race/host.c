/* Copies and fills, and accesses of the host while work is pending.
 *
 * Everything that the host has done comes before the work that it puts on a stream next. So its accesses are compared but
 * not noted; the same holds for copies that it waits for.
 * SPDX-License-Identifier: MIT */
#include "../trace_internal.h"
#include "access.h"

static const struct trace_who nobody; /* a copy, or the host */

/* Compares an access that is not noted with those of a cell; is_known says which come before it. */
static void compare(const struct now *now, const struct peeked *p,
                    bool (*is_known)(const struct now *, uint32_t segment))
{
    uint32_t next = p->more, first = order_first_host(now->races->order);

    for (unsigned i = 0; i < p->count || next; i++) {
        struct stamp stamp;
        unsigned lane;
        if (i < p->count) {
            stamp = p->stamp[i];
            lane = STAMP_LANE(stamp.what);
        } else {
            const struct node *node = &now->races->shadow->node[next];
            stamp = node->stamp;
            lane = (unsigned)__builtin_ctzll(node->lanes);
            next = node->next;
        }
        if (stamp.segment >= first && stamp.segment > 0 && !is_known(now, stamp.segment) && races_conflict(now, stamp))
            races_report_pair(now, stamp, lane);
    }
}

/* The same with all bytes of a range. */
static void compare_range(struct now *now, uintptr_t address, size_t bytes, bool write, unsigned kind,
                          bool (*is_known)(const struct now *, uint32_t))
{
    for (uintptr_t at = address, end = address + bytes; at < end;) {
        unsigned first = (unsigned)(at % CELL_BYTES), count = CELL_BYTES - first;
        struct peeked cell;
        if (count > end - at)
            count = (unsigned)(end - at);
        if (!shadow_peek(now->races->shadow, at, &cell)) {
            at = (at | 4095) + 1; /* the page has not been accessed */
            continue;
        }
        uint32_t mask = ((1u << count) - 1) << first;
        now->address = at;
        now->size = count;
        now->what = STAMP(now->place ? now->place->number : 0, 0, mask, write, kind);
        compare(now, &cell, is_known);
        at += count;
    }
}

static bool known_to_task(const struct now *now, uint32_t segment)
{
    return order_known(now->races->order, TRACE_GLOBAL, segment, 0, now->who);
}

static bool known_to_host(const struct now *now, uint32_t segment)
{
    return order_known_to_host(now->races->order, segment);
}

/* Noted as what lanes of one warp do, one word each. */
static void note_range(struct now *now, uintptr_t address, size_t bytes, bool write)
{
    struct shadow *shadow = now->races->shadow;

    for (uintptr_t at = address, end = address + bytes; at < end;) {
        now->address = at;
        uint32_t what = STAMP(now->place->number, 0, 1, write, KIND_PLAIN);
        struct stamp stamp = {order_now(now->races->order, TRACE_GLOBAL, NULL), what};
        size_t taken = shadow_range(shadow, at, end - at, stamp, races_first_of(now->races, at));
        if (taken == 0) {
            taken = CELL_BYTES - at % CELL_BYTES;
            taken = taken > end - at ? end - at : taken;
            now->size = (unsigned)taken;
            races_look_at(now, write, KIND_PLAIN);
        }
        at += taken;
    }
}

static void see_range(struct now *now, const struct trace_copy *c, uintptr_t address, bool write)
{
    const struct order *o = now->races->order;

    if (!c->waits)
        note_range(now, address, c->bytes, write);
    else if (order_first_host(o) < order_now(now->races->order, TRACE_GLOBAL, NULL))
        compare_range(now, address, c->bytes, write, KIND_PLAIN, known_to_task);
}

static void begin_task(struct races *r, int kind)
{
    struct report_task task = {.kind = kind};

    races_forget_lists(r, order_copy_begin(r->order, &task));
}

/* An allocation and a free in stream order count as writes: every access has to come between them. */
void races_see_copy(void *tool, const struct trace_copy *c)
{
    static const int kinds[] = {[TRACE_COPY] = TASK_COPY,
                                [TRACE_FILL] = TASK_FILL,
                                [TRACE_ALLOCATION] = TASK_ALLOCATION,
                                [TRACE_RELEASE] = TASK_RELEASE};
    struct races *r = tool;
    struct now now = {.races = r, .who = &nobody, .space = TRACE_GLOBAL, .place = c->place};

    if (r->lost)
        lost_copied(r->lost, c);
    begin_task(r, kinds[c->what]);
    switch (c->what) {
    case TRACE_COPY:
        see_range(&now, c, c->from, false);
        __attribute__((fallthrough));
    case TRACE_FILL:
        report_count_copy(r->report);
        see_range(&now, c, c->to, true);
        break;
    case TRACE_ALLOCATION:
        if (streams_several(r->streams))
            note_range(&now, c->to, c->bytes, true);
        break;
    case TRACE_RELEASE: /* nothing comes behind it */
        compare_range(&now, c->to, c->bytes, true, KIND_PLAIN, known_to_task);
        shadow_forget(r->shadow, c->to, c->bytes);
        break;
    }
}

void races_see_stream(void *tool, const struct trace_stream *e)
{
    struct races *r = tool;
    struct streams *s = r->streams;

    switch (e->what) {
    case HIP_CPU_STREAM_CREATED:
    case HIP_CPU_STREAM_CREATED_NON_BLOCKING:
        streams_created(s, e->stream, e->what == HIP_CPU_STREAM_CREATED_NON_BLOCKING, false);
        report_count_stream(r->report);
        break;
    case HIP_CPU_BRANCH_CREATED:
        streams_created(s, e->stream, true, true);
        break;
    case HIP_CPU_STREAM_DESTROYED:
        streams_destroyed(s, e->stream);
        break;
    case HIP_CPU_QUEUED:
        streams_queued(s, e->stream);
        break;
    case HIP_CPU_RECORDED:
        streams_recorded(s, e->event, e->stream);
        break;
    case HIP_CPU_STREAM_WAITS:
        streams_wait(s, e->stream, e->event);
        break;
    case HIP_CPU_HOST_WAITED_EVENT:
        streams_host_waited_event(s, e->event);
        break;
    case HIP_CPU_HOST_WAITED:
        streams_host_waited(s, e->stream);
        break;
    case HIP_CPU_HOST_WAITED_ALL:
        streams_host_waited_all(s);
        break;
    case HIP_CPU_FUNCTION_BEGINS:
        begin_task(r, TASK_FUNCTION);
        r->in_function = true;
        r->has_unlocked = false;
        break;
    case HIP_CPU_FUNCTION_UNLOCKS:
        r->has_unlocked = true;
        break;
    case HIP_CPU_FUNCTION_ENDS:
        r->in_function = false;
        if (r->has_unlocked)
            order_host_saw(r->order, order_now(r->order, TRACE_GLOBAL, NULL));
        break;
    }
    trace_run.watches_host = r->in_function || streams_host_is_ahead(s);
}

/* What the host reads atomically tells it that the work which wrote it has got there, if that had a fence before. */
static void acquire_for_host(const struct races *r, uintptr_t address)
{
    struct peeked cell;

    if (!shadow_peek(r->shadow, address, &cell))
        return;
    for (uint32_t i = cell.more; i; i = r->shadow->node[i].next) {
        struct stamp stamp = r->shadow->node[i].stamp;
        if (STAMP_WRITE(stamp.what) && STAMP_KIND(stamp.what) != KIND_PLAIN &&
            STAMP_KIND(stamp.what) != KIND_VOLATILE && stamp.segment >= order_first_host(r->order) &&
            order_hands_over(r->order, stamp.segment, address))
            order_host_saw(r->order, stamp.segment);
    }
}

void races_see_host(void *tool, const struct trace_host_access *a)
{
    struct races *r = tool;
    struct now now = {.races = r, .who = &nobody, .space = TRACE_GLOBAL, .code = a->code};

    if (a->on_stream) {
        now = (struct now){.races = r,
                           .who = &nobody,
                           .space = TRACE_GLOBAL,
                           .address = a->address,
                           .size = (unsigned)a->size,
                           .place = trace_place_of(a->code)};
        if (a->is_atomic)
            races_look_at(&now, a->write, TRACE_SCOPE_SYSTEM);
        else
            note_range(&now, a->address, a->size, a->write);
        return;
    }
    if (a->is_atomic && !a->write)
        acquire_for_host(r, a->address);
    compare_range(&now, a->address, a->size, a->write, a->is_atomic ? TRACE_SCOPE_SYSTEM : KIND_PLAIN, known_to_host);
}
