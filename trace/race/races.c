/* HIP_CPU_TRACE=races: unordered accesses, and reads of uninitialized shared memory.
 *
 * Two accesses race if they touch the same byte, one of them writes, one of them is not atomic, and
 * neither happens before the other (order.h). A volatile access to global memory counts as atomic, but orders
 * nothing; in shared memory it is one like any other. The shadow (shadow.h) has the accesses of other threads; a pair is found whichever
 * access came first in this run.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "../trace_internal.h"
#include "order.h"
#include "replay.h"
#include "report.h"
#include "shadow.h"

#define NODES_MAX 32 /* per cell; beyond that, some reads or atomics are dropped */

/* The state of the tool; passed to it with each event. */
struct races {
    struct order *order;
    struct shadow *shadow;
    struct replay *replay;
    struct report *report;
    uint32_t launch;
    bool strict; /* HIP_CPU_RACES=strict */
};

/* The access being examined. */
struct now {
    const struct races *races;
    struct trace_who who;
    uint32_t segment;
    uint32_t what; /* its stamp; the bytes belong to the cell */
    uintptr_t address;
    unsigned size;
    enum trace_space space;
    bool unwritten; /* reads bytes of shared memory that this block has not written */
    const struct trace_place *place;
};

static void report_pair(const struct now *now, struct stamp before, uint64_t lanes)
{
    const struct segment *s = order_segment(now->races->order, before.segment);
    struct report_side a, b;

    a.block = s->block;
    a.lane = (unsigned)__builtin_ctzll(lanes);
    a.warp = s->warp;
    a.place = trace_place_number(STAMP_PLACE(before.what));
    a.write = STAMP_WRITE(before.what);
    a.atomic = STAMP_ATOMIC(before.what);
    b.block = now->who.block;
    b.lane = now->who.lane;
    b.warp = now->who.warp;
    b.place = now->place;
    b.write = STAMP_WRITE(now->what);
    b.atomic = STAMP_ATOMIC(now->what);
    bool is_volatile;
    const struct trace_place *hand_over = order_hand_over(&is_volatile);
    report_race(now->races->report, &a, &b, now->address, now->size, now->space, hand_over,
                is_volatile);
}

static inline bool is_known(const struct now *now, struct stamp stamp)
{
    return stamp.segment == now->segment && STAMP_LANE(stamp.what) == now->who.lane
               ? true
               : order_known(now->races->order, stamp.segment, STAMP_LANE(stamp.what), &now->who);
}

/* Lanes of the node that the current thread races with. */
static uint64_t unknown_lanes(const struct now *now, const struct node *node)
{
    uint64_t lanes = 0;
    if (node->stamp.segment < order_first(now->races->order))
        return 0;
    for (uint64_t rest = node->lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        if (!order_known(now->races->order, node->stamp.segment, lane, &now->who))
            lanes |= (uint64_t)1 << lane;
    }
    return lanes;
}

/* Whether two accesses share a byte, at least one writes, and not both are atomic; if strict, not both at one
 * place: what one line stores atomically and another one reads is a value that is handed over, and a ticket is none. */
static inline bool conflict(const struct now *now, uint32_t a)
{
    uint32_t b = now->what;
    bool atomic = (a & b & 1) != 0 && !(now->races->strict && STAMP_PLACE(a) != STAMP_PLACE(b));

    return (a & b & 15 << 2) != 0 && ((a | b) & 2) != 0 && !atomic;
}

static void check_nodes(const struct now *now, const struct cell *cell)
{
    for (uint32_t i = cell->more; i; i = shadow_node(now->races->shadow, i)->next) {
        const struct node *node = shadow_node(now->races->shadow, i);
        if (!conflict(now, node->stamp.what))
            continue;
        uint64_t lanes = unknown_lanes(now, node);
        if (lanes)
            report_pair(now, node->stamp, lanes);
    }
}

/* Adds the access to the cell's list, to the node of its segment and place if there is one. */
static void note_in_list(const struct now *now, struct cell *cell, uint32_t segment, uint32_t what)
{
    uint32_t kind = what & ~(uint32_t)(63 << 6), *link = NULL;
    unsigned count = 0;

    if (cell->launch != now->races->launch) {
        cell->launch = now->races->launch;
        cell->more = 0;
    }
    for (uint32_t i = cell->more; i; i = shadow_node(now->races->shadow, i)->next) {
        struct node *node = shadow_node(now->races->shadow, i);
        if (node->stamp.segment == segment && (node->stamp.what & ~(uint32_t)(63 << 6)) == kind) {
            node->lanes |= (uint64_t)1 << STAMP_LANE(what);
            return;
        }
        if (++count == NODES_MAX - 8)
            link = &node->next;
    }
    if (count >= NODES_MAX) { /* forget what came after the latest ones */
        for (uint32_t i = *link; i;) {
            uint32_t next = shadow_node(now->races->shadow, i)->next;
            shadow_drop_node(now->races->shadow, i);
            i = next;
        }
        *link = 0;
    }
    uint32_t number = shadow_new_node(now->races->shadow);
    struct node *node = shadow_node(now->races->shadow, number);
    node->stamp = (struct stamp){segment, what};
    node->lanes = (uint64_t)1 << STAMP_LANE(what);
    node->next = cell->more;
    cell->more = number;
}

/* Forgets what the list holds about these bytes alone. */
static void forget_list(const struct now *now, struct cell *cell, uint32_t bytes)
{
    uint32_t kept = 0, next;
    for (uint32_t i = cell->more; i; i = next) {
        struct node *node = shadow_node(now->races->shadow, i);
        next = node->next;
        if ((STAMP_BYTES(node->stamp.what) & ~bytes) == 0) {
            shadow_drop_node(now->races->shadow, i);
        } else {
            node->next = kept;
            kept = i;
        }
    }
    cell->more = kept;
}

/* ---- shared memory that is read and was not written ---- */

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
    for (uintptr_t at = now->address / wide * wide; end == now->address + now->size && at < hole;
         at += wide)
        if (is_value(now, at, wide))
            return true;
    return false;
}

static void check_holes(const struct now *now)
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
        if (bytes < now->size &&
            replay_unwritten(now->races->replay, &now->who, now->place, hole, bytes))
            continue;
        bool whole = bytes < CELL_BYTES; /* else the elements that are missing */
        report_unwritten(now->races->report, &now->who, now->place, whole ? now->address : hole,
                         whole ? now->size : bytes);
        return;
    }
}

static void plain_read(struct now *now, struct cell *cell, uint32_t bytes)
{
    struct stamp read = cell->read;

    if (read.segment == now->segment && STAMP_LANE(read.what) == now->who.lane &&
        (STAMP_BYTES(read.what) & bytes) == bytes)
        return;
    now->unwritten = now->unwritten || (bytes & ~(uint32_t)cell->written) != 0;
    if (cell->write.segment >= order_first(now->races->order) && conflict(now, cell->write.what) &&
        !is_known(now, cell->write))
        report_pair(now, cell->write, (uint64_t)1 << STAMP_LANE(cell->write.what));
    if (cell->launch == now->races->launch && cell->more)
        check_nodes(now, cell);

    if (read.segment < order_first(now->races->order) ||
        ((STAMP_BYTES(read.what) & ~bytes) == 0 && is_known(now, read)))
        cell->read = (struct stamp){now->segment, now->what};
    else
        note_in_list(now, cell, now->segment, now->what);
}

static void plain_write(const struct now *now, struct cell *cell, uint32_t bytes)
{
    struct stamp *write = &cell->write, *read = &cell->read;

    cell->written |= bytes & 15;
    if (write->segment >= order_first(now->races->order)) {
        if (conflict(now, write->what) && !is_known(now, *write))
            report_pair(now, *write, (uint64_t)1 << STAMP_LANE(write->what));
        if (STAMP_BYTES(write->what) & ~bytes) /* its other bytes still count */
            note_in_list(now, cell, write->segment, write->what);
    }
    if (read->segment >= order_first(now->races->order)) {
        if (conflict(now, read->what) && !is_known(now, *read))
            report_pair(now, *read, (uint64_t)1 << STAMP_LANE(read->what));
        if ((STAMP_BYTES(read->what) & ~bytes) == 0)
            read->segment = 0;
    }
    if (cell->launch == now->races->launch && cell->more) {
        check_nodes(now, cell);
        forget_list(now, cell, bytes);
    }
    *write = (struct stamp){now->segment, now->what};
}

static void atomic_access(struct now *now, struct cell *cell, uint32_t bytes)
{
    if (!STAMP_WRITE(now->what))
        now->unwritten = now->unwritten || (bytes & ~(uint32_t)cell->written) != 0;
    else
        cell->written |= bytes & 15;
    if (cell->write.segment >= order_first(now->races->order) && conflict(now, cell->write.what) &&
        !is_known(now, cell->write))
        report_pair(now, cell->write, (uint64_t)1 << STAMP_LANE(cell->write.what));
    if (cell->read.segment >= order_first(now->races->order) && conflict(now, cell->read.what) &&
        !is_known(now, cell->read))
        report_pair(now, cell->read, (uint64_t)1 << STAMP_LANE(cell->read.what));
    if (cell->launch == now->races->launch && cell->more)
        check_nodes(now, cell);
    note_in_list(now, cell, now->segment, now->what);
}

/* Cell by cell. */
static void look_at(struct now *now, bool write, bool atomic)
{
    uintptr_t end = now->address + now->size, at = now->address;

    now->segment = order_now(now->who.warp);
    while (at < end) {
        unsigned first = (unsigned)(at % CELL_BYTES);
        unsigned left = (unsigned)(end - at), room = CELL_BYTES - first;
        unsigned count = left < room ? left : room;
        uint32_t bytes = ((1u << count) - 1) << first;
        struct cell *cell = shadow_cell(now->races->shadow, at);

        now->what = STAMP(now->place->number, now->who.lane, bytes, write, atomic);
        if (write)
            cell->wide = at % 8 == 0 && left >= 8;
        if (atomic)
            atomic_access(now, cell, bytes);
        else if (write)
            plain_write(now, cell, bytes);
        else
            plain_read(now, cell, bytes);
        at += count;
    }
    if (now->unwritten && now->space == TRACE_SHARED)
        check_holes(now);
}

/* ---- events ---- */

static void *start(bool weak_memory)
{
    struct races *r = trace_check_alloc(calloc(1, sizeof *r));

    const char *mode = getenv("HIP_CPU_RACES");
    r->strict = mode && strcmp(mode, "strict") == 0;
    r->order = order_create();
    r->shadow = shadow_create();
    r->report = report_create();
    r->replay = replay_create(r->report, !weak_memory);
    return r;
}

static void see_access(void *tool, const struct trace_access *a)
{
    struct races *r = tool;
    struct now now = {.races = r,
                      .who = a->who,
                      .address = a->address,
                      .size = a->size,
                      .space = a->space,
                      .place = a->place};
    report_count_access(r->report, a->space, a->write);
    if (a->is_volatile && !a->write && a->space == TRACE_GLOBAL)
        order_volatile_read(a->place);
    look_at(&now, a->write, a->is_volatile && a->space == TRACE_GLOBAL);
}

static void see_atomic(void *tool, const struct trace_atomic *a)
{
    struct races *r = tool;
    struct now now = {.races = r,
                      .who = a->who,
                      .address = a->address,
                      .size = a->size,
                      .space = a->space,
                      .place = a->place};
    report_count_atomic(r->report, a->space);
    if (a->space == TRACE_SHARED && a->reads && a->writes)
        check_holes(&now);
    look_at(&now, a->writes, true);
    order_atomic(r->order, a);
}

static void see_launch(void *tool, const struct trace_launch *l)
{
    struct races *r = tool;

    r->launch = l->number & 0x7ffffff;
    shadow_launch_begin(r->shadow);
    order_launch_begin(r->order, l);
    replay_launch_begin(r->replay);
    report_launch(r->report, l);
}

static void see_launch_end(void *tool, const struct trace_launch *l)
{
    (void)l;
    order_launch_end(((struct races *)tool)->order);
}

static void see_block(void *tool, const struct trace_block *b)
{
    struct races *r = tool;

    shadow_clear(r->shadow, b->shared, b->shared_bytes);
    shadow_clear(r->shadow, b->fixed, b->fixed_bytes);
    order_block_begin(r->order, b);
}

static void see_fence(void *tool, const struct trace_fence *f)
{
    order_fence(((struct races *)tool)->order, f);
}

static void see_barrier(void *tool, const struct trace_barrier *b)
{
    struct races *r = tool;

    (void)b;
    report_count_barrier(r->report);
    order_barrier(r->order);
}

static void see_grid_barrier(void *tool, const struct trace_grid_barrier *g)
{
    order_grid_barrier(((struct races *)tool)->order, g->number);
}

static void see_meeting(void *tool, const struct trace_meeting *m)
{
    struct races *r = tool;

    report_count_meeting(r->report);
    order_meeting(r->order, m);
}

static int finish(void *tool, const struct trace_end *end)
{
    return report_finish(((struct races *)tool)->report, end);
}

static bool launch_again(void *tool)
{
    return replay_again(((struct races *)tool)->replay);
}

static void block_again(void *tool)
{
    replay_block_begin(((struct races *)tool)->replay);
}

static void see_store(void *tool, uintptr_t address, size_t size)
{
    replay_note(((struct races *)tool)->replay, address, size);
}

static uint64_t absent_value(void *tool, const struct trace_meeting *m)
{
    return replay_absent(((struct races *)tool)->replay, m);
}

const struct trace_tool trace_races = {
    .name = "races",
    .start = start,
    .launch_begin = see_launch,
    .launch_end = see_launch_end,
    .block_begin = see_block,
    .access = see_access,
    .atomic = see_atomic,
    .fence = see_fence,
    .barrier = see_barrier,
    .grid_barrier = see_grid_barrier,
    .meeting = see_meeting,
    .finish = finish,
    .launch_again = launch_again,
    .block_again = block_again,
    .store = see_store,
    .absent_value = absent_value,
};
