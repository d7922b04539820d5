/* An access is compared with those before it, and noted.
 *
 * Two accesses race if they touch the same byte, one of them writes, one of them is not atomic, and neither happens before
 * the other (order.h). A volatile store to global memory is distinguished: it is no atomic one, and compilers take it for
 * one; in shared memory it is one like any other. The shadow (shadow.h) has the accesses of other threads; a pair is found
 * whichever access came first in this run.
 * SPDX-License-Identifier: MIT */
#include "access.h"

#include "../trace_internal.h"

#define NODES_KEPT ((uint32_t)1 << 20) /* altogether, when a launch begins */

static bool is_atomic(unsigned kind) { return kind != KIND_PLAIN && kind != KIND_VOLATILE; }

static struct report_side side_of(const struct report_task *task, uint64_t block, unsigned warp, unsigned lane,
                                  uint32_t what)
{
    unsigned kind = STAMP_KIND(what);

    return (struct report_side){.task = *task,
                                .block = block,
                                .warp = warp,
                                .lane = lane,
                                .place = STAMP_PLACE(what) ? trace_place_number(STAMP_PLACE(what)) : NULL,
                                .write = STAMP_WRITE(what),
                                .atomic = is_atomic(kind),
                                .is_volatile = kind == KIND_VOLATILE,
                                .scope = is_atomic(kind) ? (enum trace_scope)kind : TRACE_SCOPE_SYSTEM};
}

/* Lane `lane` of an earlier access. */
static struct report_side side_before(const struct now *now, struct stamp before, unsigned lane)
{
    const struct order *o = now->races->order;
    const struct segment *s = order_segment(o, now->space, before.segment);

    return side_of(order_task(o, now->space == TRACE_GLOBAL ? before.segment : 0),
                   order_block(o, now->space, before.segment), s->warp, lane, before.what);
}

void races_report_pair(const struct now *now, struct stamp before, unsigned lane)
{
    static const struct report_task host = {.kind = TASK_HOST, .number = UINT32_MAX};
    const struct report_task *task = now->code ? &host : order_task(now->races->order, 0);
    struct report_side a = side_before(now, before, lane),
                       b = side_of(task, now->who->block, now->who->warp, now->who->lane, now->what);
    struct report_hint hint = {.grid_barrier = false};

    if (now->code)
        b.place = trace_place_of(now->code);
    else if (task->kind == TASK_KERNEL)
        hint = order_hint(now->races->order, now->space, before.segment, lane, now->who, now->place);

    hint.other_width = now->other_width && a.atomic && b.atomic;
    report_race(now->races->report, &a, &b, now->address, now->size, now->space, &hint);
}

static inline bool is_known(const struct now *now, struct stamp stamp)
{
    return stamp.segment == now->segment && STAMP_LANE(stamp.what) == now->who->lane
               ? true
               : order_known(now->races->order, now->space, stamp.segment, STAMP_LANE(stamp.what), now->who);
}

/* Whether two atomic operations are atomic to each other: the scope of each includes the other's thread. */
static bool in_scope(const struct now *now, struct stamp before, unsigned scope)
{
    const struct segment *s = order_segment(now->races->order, now->space, before.segment);

    if (scope >= TRACE_SCOPE_DEVICE)
        return true;
    return order_is_here(now->races->order, now->space, before.segment) && scope >= TRACE_SCOPE_WARP &&
           (scope == TRACE_SCOPE_BLOCK || s->warp == now->who->warp);
}

/* With HIP_CPU_RACES=strict, for a line that changes words without order: up to three words may be tickets and results; if
 * there are more, the line belongs to a function that hands values over. */
static bool hands_over(const struct now *now, struct stamp before)
{
    struct handed *h = now->races->handed;

    if (!now->races->strict || now->space != TRACE_GLOBAL || now->code || is_known(now, before))
        return false;
    uint32_t launch = order_task(now->races->order, 0)->number;
    if (h->launch != launch)
        *h = (struct handed){.launch = launch};
    for (unsigned k = 0; k < h->count; k++)
        if (h->word[k] == now->address)
            return false;
    if (h->count == sizeof h->word / sizeof *h->word)
        return true;
    h->word[h->count++] = now->address;
    return false;
}

/* Whether two accesses share a byte, at least one writes, and not both are atomic. Volatile loads are left to the
 * atomic operations that they read from; a volatile store is not atomic. If strict, both atomic operations have to be
 * on one line, as those of a ticket: a value that another line reads is handed over and needs order. */
bool races_conflict(const struct now *now, struct stamp before)
{
    uint32_t a = before.what, b = now->what;
    unsigned x = STAMP_KIND(a), y = STAMP_KIND(b);

    if ((a & b & 15 << 2) == 0 || ((a | b) & 2) == 0)
        return false;
    if (x == KIND_PLAIN || y == KIND_PLAIN || (now->races->strict && STAMP_PLACE(a) != STAMP_PLACE(b)))
        return true;
    if (x == KIND_VOLATILE || y == KIND_VOLATILE)
        return (x == KIND_VOLATILE && STAMP_WRITE(a)) || (y == KIND_VOLATILE && STAMP_WRITE(b));
    return (now->other_width && STAMP_WRITE(a) && STAMP_WRITE(b)) || !in_scope(now, before, x < y ? x : y) ||
           hands_over(now, before);
}

static void check(const struct now *now, struct stamp before)
{
    if (before.segment >= order_first(now->races->order, now->space) && races_conflict(now, before) &&
        !is_known(now, before))
        races_report_pair(now, before, STAMP_LANE(before.what));
}

/* Whether this node has an atomic operation of the current thread. Those behind it in the list are older, and come before it
 * in the order of their word: where the thread changes the word once more, as the last block resets its ticket, no other
 * order is possible. */
static bool is_own(const struct now *now, const struct node *node)
{
    unsigned kind = STAMP_KIND(node->stamp.what);

    return kind != KIND_PLAIN && kind != KIND_VOLATILE && node->lanes >> now->who->lane & 1 &&
           node->stamp.segment >= order_first(now->races->order, now->space) &&
           order_is_here(now->races->order, now->space, node->stamp.segment) &&
           order_segment(now->races->order, now->space, node->stamp.segment)->warp == now->who->warp;
}

/* Two atomic operations that only HIP_CPU_RACES=strict calls a race. */
static bool is_strict_alone(const struct now *now, struct stamp before)
{
    unsigned x = STAMP_KIND(before.what), y = STAMP_KIND(now->what);

    return x != KIND_PLAIN && y != KIND_PLAIN && x != KIND_VOLATILE && y != KIND_VOLATILE &&
           in_scope(now, before, x < y ? x : y);
}

/* Reports the first lane of an access of several lanes that races with the current thread. */
static void check_nodes(const struct now *now, const struct cell *cell)
{
    const struct node *all = now->races->shadow->node, *node;
    bool own = false; /* of a node before this one */

    for (uint32_t i = cell->more; i; i = node->next) {
        node = &all[i];
        own = own || is_own(now, node);
        if (node->stamp.segment < order_first(now->races->order, now->space) ||
            (own && is_strict_alone(now, node->stamp)) || !races_conflict(now, node->stamp))
            continue;
        for (uint64_t rest = node->lanes; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctzll(rest);
            if (order_known(now->races->order, now->space, node->stamp.segment, lane, now->who))
                continue;
            races_report_pair(now, node->stamp, lane);
            break;
        }
    }
}

/* Forgets what the list holds about these bytes alone. */
static void forget_list(const struct now *now, struct cell *cell, uint32_t bytes)
{
    uint32_t kept = 0, next;
    for (uint32_t i = cell->more; i; i = next) {
        struct node *node = &now->races->shadow->node[i];
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

static void plain_read(struct now *now, struct cell *cell, uint32_t bytes)
{
    struct stamp read = cell->read;

    if (read.segment == now->segment && STAMP_LANE(read.what) == now->who->lane &&
        (STAMP_BYTES(read.what) & bytes) == bytes)
        return;
    now->unwritten = now->unwritten || (bytes & ~(uint32_t)cell->written) != 0;
    check(now, cell->write);
    if (cell->valid == now->races->shadow->valid && cell->more && cell->changes)
        check_nodes(now, cell);

    if (read.segment < order_first(now->races->order, now->space) ||
        ((STAMP_BYTES(read.what) & ~bytes) == 0 && is_known(now, read)))
        cell->read = (struct stamp){now->segment, now->what};
    else
        shadow_note(now->races->shadow, cell, now->segment, now->what);
}

static void plain_write(const struct now *now, struct cell *cell, uint32_t bytes)
{
    struct stamp *write = &cell->write, *read = &cell->read;

    cell->written |= bytes & 15;
    if (write->segment >= order_first(now->races->order, now->space)) {
        check(now, *write);
        if (STAMP_BYTES(write->what) & ~bytes) /* its other bytes still count */
            shadow_note(now->races->shadow, cell, write->segment, write->what);
    }
    if (read->segment >= order_first(now->races->order, now->space)) {
        check(now, *read);
        if ((STAMP_BYTES(read->what) & ~bytes) == 0)
            read->segment = 0;
    }
    if (cell->valid == now->races->shadow->valid && cell->more) {
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
    check(now, cell->write);
    check(now, cell->read);
    if (cell->valid == now->races->shadow->valid && cell->more)
        check_nodes(now, cell);
    shadow_note(now->races->shadow, cell, now->segment, now->what);
}

/* Accesses of earlier segments of global memory can be forgotten. */
uint32_t races_first_of(const struct races *r, uintptr_t address)
{
    uint32_t first = order_first(r->order, TRACE_GLOBAL), first_host = order_first_host(r->order);

    if (first == first_host)
        return first;
    const struct trace_allocation *a = trace_allocation_of(address);
    return a && !a->host ? first : first_host;
}

/* An atomic operation of 4 bytes where one of 8 was the last, or the reverse. They are not atomic to each other. */
static bool is_other_width(const struct now *now, uintptr_t at)
{
    if (now->size == 8)
        return at % 8 == 0 ? !shadow_cell(now->races->shadow, at)->wide : now->other_width;
    return now->size == 4 && shadow_cell(now->races->shadow, at / 8 * 8)->wide;
}

bool races_join_line(const struct races *r, const struct trace_who *who, uintptr_t address, unsigned size, bool write,
                     const struct trace_place *place)
{
    struct line *l = shadow_line_of(r->shadow, address);
    unsigned wide = size / CELL_BYTES, cell = (unsigned)(address % LINE_BYTES) / CELL_BYTES;

    if (shadow_cells(l) || wide == 0 || wide > 4 || size % CELL_BYTES ||
        (wide == 3 ? address % 12 : address & (size - 1)))
        return false;
    unsigned first_lane = (who->lane - cell / wide) & 63;
    struct stamp stamp = {order_now(r->order, TRACE_GLOBAL, who),
                          STAMP(place->number, first_lane, wide, write, KIND_PLAIN)};
    uint32_t mask = (UINT32_MAX >> (LINE_CELLS - wide)) << cell;
    return shadow_continues(r->shadow, l, stamp, mask) ||
           shadow_adds(r->shadow, l, stamp, mask, races_first_of(r, address));
}

/* Cell by cell. */
void races_look_at(struct now *now, bool write, unsigned kind)
{
    uintptr_t end = now->address + now->size, at = now->address;

    now->segment = order_now(now->races->order, now->space, now->who);
    if (now->space == TRACE_GLOBAL && kind == KIND_PLAIN &&
        races_join_line(now->races, now->who, now->address, now->size, write, now->place))
        return;
    while (at < end) {
        unsigned first = (unsigned)(at % CELL_BYTES);
        unsigned left = (unsigned)(end - at), room = CELL_BYTES - first;
        unsigned count = left < room ? left : room;
        uint32_t bytes = ((1u << count) - 1) << first;
        struct cell *cell = shadow_cell(now->races->shadow, at);

        now->what = STAMP(now->place->number, now->who->lane, bytes, write, kind);
        bool is_one = kind != KIND_PLAIN && kind != KIND_VOLATILE;
        now->other_width = is_one && is_other_width(now, at);
        if (write || is_one)
            cell->wide = at % 8 == 0 && left >= 8;
        if (is_one && now->size == 4 && at % 8 == 4)
            shadow_cell(now->races->shadow, at - 4)->wide = false;
        if (kind != KIND_PLAIN)
            atomic_access(now, cell, bytes);
        else if (write)
            plain_write(now, cell, bytes);
        else
            plain_read(now, cell, bytes);
        at += count;
    }
    if (now->unwritten && now->space == TRACE_SHARED)
        races_check_unwritten(now);
}

void races_forget_lists(struct races *r, bool alone)
{
    if (!alone && shadow_nodes(r->shadow) < NODES_KEPT)
        return;
    shadow_drop_nodes(r->shadow);
    r->shadow->valid = (r->shadow->valid + 1) & 0x3ffffff;
}
