/* Happens-before: what each thread knows about the others. See order.h for the rules. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../trace_internal.h"
#include "order.h"

/* ---- memory that lasts until the end of the launch ---- */

#define CHUNK_BYTES ((size_t)1 << 18)

static struct chunk {
    struct chunk *next;
    size_t used, room;
    _Alignas(16) char bytes[];
} * chunks;

static void *take(size_t bytes)
{
    bytes = (bytes + 15) / 16 * 16;
    if (!chunks || chunks->room - chunks->used < bytes) {
        size_t room = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
        struct chunk *chunk = trace_check_alloc(malloc(sizeof *chunk + room));
        chunk->next = chunks;
        chunk->used = 0;
        chunk->room = room;
        chunks = chunk;
    }
    void *memory = chunks->bytes + chunks->used;
    chunks->used += bytes;
    return memory;
}

static void drop_all(void)
{
    while (chunks) {
        struct chunk *next = chunks->next;
        free(chunks);
        chunks = next;
    }
}

/* ---- what a thread knows about other blocks, and beyond barriers about its own ---- */

/* About one block: everything before this epoch, and for some threads what they did in it up to a clock.
 * Immutable. */
struct entry {
    uint64_t block;
    uint32_t epoch;
    unsigned count;
    struct {
        uint32_t thread, clock;
    } seen[];
};

/* A hash table from block to entry. */
struct knowledge {
    size_t count, room; /* a power of two, or 0 */
    const struct entry **slot;
};

static size_t slot_of(const struct knowledge *k, uint64_t block)
{
    size_t slot = (size_t)(block * 0x9e3779b97f4a7c15ull >> 20) & (k->room - 1);
    while (k->slot[slot] && k->slot[slot]->block != block)
        slot = (slot + 1) & (k->room - 1);
    return slot;
}

static const struct entry *lookup(const struct knowledge *k, uint64_t block)
{
    return k->count > 0 ? k->slot[slot_of(k, block)] : NULL;
}

static const struct entry *unite(const struct entry *a, const struct entry *b)
{
    struct entry *both = take(sizeof *both + (a->count + b->count) * sizeof both->seen[0]);

    memcpy(both, a, sizeof *a + a->count * sizeof a->seen[0]);
    for (unsigned i = 0; i < b->count; i++) {
        unsigned k = 0;
        while (k < both->count && both->seen[k].thread != b->seen[i].thread)
            k++;
        if (k == both->count)
            both->seen[both->count++] = b->seen[i];
        else if (both->seen[k].clock < b->seen[i].clock)
            both->seen[k].clock = b->seen[i].clock;
    }
    return both;
}

static void learn(struct knowledge *k, const struct entry *e)
{
    if (2 * (k->count + 1) > k->room) {
        struct knowledge larger = {0, k->room ? 2 * k->room : 8, NULL};
        larger.slot = take(larger.room * sizeof(struct entry *));
        memset(larger.slot, 0, larger.room * sizeof(struct entry *));
        for (size_t i = 0; i < k->room; i++)
            if (k->slot[i])
                larger.slot[slot_of(&larger, k->slot[i]->block)] = k->slot[i];
        larger.count = k->count;
        *k = larger;
    }
    const struct entry **old = &k->slot[slot_of(k, e->block)];
    if (!*old)
        k->count++;
    if (!*old || (*old)->epoch < e->epoch)
        *old = e;
    else if (*old != e && (*old)->epoch == e->epoch)
        *old = unite(*old, e);
}

static void learn_all(struct knowledge *k, const struct knowledge *other)
{
    for (size_t i = 0; i < other->room; i++)
        if (other->slot[i])
            learn(k, other->slot[i]);
}

static bool knows(const struct knowledge *k, const struct segment *s, unsigned thread)
{
    const struct entry *e = lookup(k, s->block);
    if (!e || s->epoch > e->epoch)
        return false;
    if (s->epoch < e->epoch)
        return true;
    for (unsigned i = 0; i < e->count; i++)
        if (e->seen[i].thread == thread)
            return s->clock <= e->seen[i].clock;
    return false;
}

/* ---- releases and the atomic variables that carry them ---- */

/* What a thread knew at a fence. */
struct release {
    uint64_t block;
    enum trace_scope scope;
    const struct entry *own;
    struct knowledge others;
    /* It includes the first `prefix` releases of this log. */
    const struct log *log;
    size_t prefix;
};

/* The releases that a reader of an atomic variable acquires: one for each write since the last plain atomic
 * store. */
struct log {
    size_t count, room;
    const struct release **release;
};

/* An atomic variable. */
struct variable {
    uintptr_t address;
    struct log *log;
};

static struct {
    size_t count, room;
    struct variable *slot;
} variables;

static struct variable *variable_at(uintptr_t address)
{
    if (2 * (variables.count + 1) > variables.room) {
        size_t room = variables.room ? 2 * variables.room : 64;
        struct variable *slot = take(room * sizeof *slot), *old = variables.slot;
        memset(slot, 0, room * sizeof *slot);
        for (size_t i = 0; i < variables.room; i++) {
            if (!old[i].log)
                continue;
            size_t at = (size_t)(old[i].address * 0x9e3779b97f4a7c15ull >> 20) & (room - 1);
            while (slot[at].log)
                at = (at + 1) & (room - 1);
            slot[at] = old[i];
        }
        variables.slot = slot;
        variables.room = room;
    }
    size_t at = (size_t)(address * 0x9e3779b97f4a7c15ull >> 20) & (variables.room - 1);
    while (variables.slot[at].log && variables.slot[at].address != address)
        at = (at + 1) & (variables.room - 1);
    struct variable *v = &variables.slot[at];
    if (!v->log) {
        v->address = address;
        v->log = take(sizeof *v->log);
        memset(v->log, 0, sizeof *v->log);
        variables.count++;
    }
    return v;
}

/* ---- threads, warps, blocks ---- */

#define PENDING_MAX 16

/* Allocated for threads that use fences or atomics. */
struct thread_state {
    struct knowledge known;            /* since the last barrier */
    const struct release *released[2]; /* at the last fence: for the block, for the device */
    struct {
        const struct log *log;
        size_t length;
    } pending[PENDING_MAX]; /* read, and no fence yet */
    unsigned pending_count;
    const struct log *log; /* the last one merged, and how much of it */
    size_t prefix;
};

struct warp_state {
    uint32_t clock, segment;
    bool rows_used;
    uint32_t row[WARP_MAX][WARP_MAX]; /* row[a][b]: up to which clock lane a knows lane b */
};

/* The block that a worker runs. */
static __thread struct block_state {
    uint64_t block;
    uint32_t epoch;
    struct knowledge known;
    struct thread_state *thread[THREADS_MAX];
    bool threads_used;
    const struct trace_place *hand_over;
    bool hand_over_volatile;
    struct warp_state warp[WARPS_MAX];
} * mine;

static struct segment *segments;
static size_t segments_count = 1, segments_room;
static uint32_t first_segment = 1;
static size_t base; /* number of segments[0] */
static unsigned warp_size;

static uint32_t new_segment(unsigned warp)
{
    if (segments_count == segments_room) {
        segments_room = segments_room ? 2 * segments_room : 4096;
        segments = trace_check_alloc(realloc(segments, segments_room * sizeof *segments));
    }
    if (base + segments_count >= UINT32_MAX) {
        fprintf(stderr, "hip: the trace counts up to 2^32 segments: use a smaller size\n");
        _exit(EXIT_DEVICE_FAULT);
    }
    segments[segments_count] =
        (struct segment){mine->block, mine->epoch, mine->warp[warp].clock, warp};
    return mine->warp[warp].segment = (uint32_t)(base + segments_count++);
}

uint32_t order_first(void)
{
    return first_segment;
}

const struct segment *order_segment(uint32_t number)
{
    return &segments[number - base];
}

uint32_t order_now(unsigned warp)
{
    return mine->warp[warp].segment;
}

const struct trace_place *order_hand_over(bool *is_volatile)
{
    *is_volatile = mine->hand_over_volatile;
    return mine->hand_over;
}

void order_volatile_read(const struct trace_place *place)
{
    mine->hand_over = place;
    mine->hand_over_volatile = true;
}

static void begin_epoch(void)
{
    for (unsigned i = 0; i < trace_launch->warps; i++) {
        struct warp_state *w = &mine->warp[i];
        w->clock = 1;
        if (w->rows_used)
            memset(w->row, 0, sizeof w->row);
        w->rows_used = false;
        new_segment(i);
    }
}

void order_launch_begin(const struct trace_launch *l)
{
    warp_size = l->warp_size;
    base += segments_count;
    segments_count = 0;
    first_segment = (uint32_t)base;
}

void order_launch_end(void)
{
    drop_all();
    memset(&variables, 0, sizeof variables);
}

void order_block_begin(const struct trace_block *b)
{
    if (!mine)
        mine = trace_check_alloc(calloc(1, sizeof *mine));
    mine->block = b->block;
    mine->epoch = 0;
    memset(&mine->known, 0, sizeof mine->known);
    memset(mine->thread, 0, sizeof mine->thread);
    mine->threads_used = false;
    mine->hand_over = NULL;
    begin_epoch();
}

void order_barrier(void)
{
    if (mine->threads_used) {
        for (unsigned i = 0; i < trace_launch->threads; i++) {
            if (!mine->thread[i])
                continue;
            learn_all(&mine->known, &mine->thread[i]->known);
            memset(&mine->thread[i]->known, 0, sizeof mine->thread[i]->known);
        }
    }
    mine->epoch++;
    begin_epoch();
}

void order_grid_barrier(unsigned number)
{
    static unsigned last;
    if (number != last)
        first_segment = (uint32_t)(base + segments_count);
    last = number;
    begin_epoch();
}

static struct thread_state *state_of(unsigned thread)
{
    mine->threads_used = true;
    if (!mine->thread[thread]) {
        mine->thread[thread] = take(sizeof *mine->thread[thread]);
        memset(mine->thread[thread], 0, sizeof *mine->thread[thread]);
    }
    return mine->thread[thread];
}

void order_meeting(const struct trace_meeting *m)
{
    struct warp_state *w = &mine->warp[m->warp];
    uint32_t joined[WARP_MAX] = {0};

    if (m->op != HIP_CPU_SYNCWARP)
        return;
    for (uint64_t rest = m->lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        for (unsigned k = 0; k < WARP_MAX; k++)
            joined[k] = w->row[lane][k] > joined[k] ? w->row[lane][k] : joined[k];
    }
    for (uint64_t rest = m->lanes; rest; rest &= rest - 1)
        joined[__builtin_ctzll(rest)] = w->clock;
    for (uint64_t rest = m->lanes; rest; rest &= rest - 1)
        memcpy(w->row[__builtin_ctzll(rest)], joined, sizeof joined);
    w->rows_used = true;

    if (mine->threads_used) {
        struct knowledge all = {0};
        unsigned first = m->warp * warp_size;
        for (uint64_t rest = m->lanes; rest; rest &= rest - 1) {
            struct thread_state *t = mine->thread[first + (unsigned)__builtin_ctzll(rest)];
            if (t)
                learn_all(&all, &t->known);
        }
        for (uint64_t rest = all.count ? m->lanes : 0; rest; rest &= rest - 1)
            learn_all(&state_of(first + (unsigned)__builtin_ctzll(rest))->known, &all);
    }
    w->clock++;
    new_segment(m->warp);
}

/* A snapshot of what the thread knows now, for others to acquire. */
static const struct release *snapshot(const struct trace_who *who, enum trace_scope scope)
{
    struct warp_state *w = &mine->warp[who->warp];
    struct thread_state *t = state_of(who->thread);
    struct release *r = take(sizeof *r);
    unsigned lanes = w->rows_used ? warp_size : 1;
    struct entry *own = take(sizeof *own + lanes * sizeof own->seen[0]);

    own->block = mine->block;
    own->epoch = mine->epoch;
    own->seen[0].thread = who->thread;
    own->seen[0].clock = w->clock;
    own->count = 1;
    for (unsigned lane = 0; w->rows_used && lane < warp_size; lane++) {
        if (lane == who->lane || w->row[who->lane][lane] == 0)
            continue;
        own->seen[own->count].thread = who->warp * warp_size + lane;
        own->seen[own->count++].clock = w->row[who->lane][lane];
    }
    memset(r, 0, sizeof *r);
    r->block = mine->block;
    r->scope = scope;
    r->own = own;
    learn_all(&r->others, &mine->known);
    learn_all(&r->others, &t->known);
    r->log = t->log;
    r->prefix = t->prefix;
    /* Later accesses of the thread are not part of it. */
    w->clock++;
    new_segment(who->warp);
    return r;
}

/* The thread acquires what it has read atomically so far. */
static void acquire(const struct trace_who *who, enum trace_scope scope)
{
    struct thread_state *t = state_of(who->thread);

    for (unsigned i = 0; i < t->pending_count; i++) {
        const struct log *log = t->pending[i].log;
        size_t from = 0;
        for (size_t k = t->pending[i].length; k-- > from;) {
            const struct release *r = log->release[k];
            bool reaches = scope != TRACE_SCOPE_BLOCK && r->scope != TRACE_SCOPE_BLOCK;
            if (!reaches && r->block != mine->block)
                continue;
            learn(&t->known, r->own);
            learn_all(&t->known, &r->others);
            if (r->log == log && r->prefix > from)
                from = r->prefix;
        }
        t->log = log;
        t->prefix = t->pending[i].length;
    }
    t->pending_count = 0;
}

void order_fence(const struct trace_fence *f)
{
    struct thread_state *t = state_of(f->who.thread);

    acquire(&f->who, f->scope);
    const struct release *r = snapshot(&f->who, f->scope);
    t->released[0] = r;
    if (f->scope != TRACE_SCOPE_BLOCK)
        t->released[1] = r;
}

static void append(struct log *log, const struct release *r)
{
    if (log->count == log->room) {
        size_t room = log->room ? 2 * log->room : 4;
        const struct release **larger = take(room * sizeof *larger);
        if (log->count > 0)
            memcpy(larger, log->release, log->count * sizeof *larger);
        log->release = larger;
        log->room = room;
    }
    log->release[log->count++] = r;
}

static bool has_acquire(int order)
{
    return order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME || order == __ATOMIC_ACQ_REL ||
           order == __ATOMIC_SEQ_CST;
}

static bool has_release(int order)
{
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

void order_atomic(const struct trace_atomic *a)
{
    struct thread_state *t = state_of(a->who.thread);
    struct variable *v = variable_at(a->address);

    if (a->reads) {
        if (a->space == TRACE_GLOBAL) {
            mine->hand_over = a->place;
            mine->hand_over_volatile = false;
        }
        unsigned i = 0;
        while (i < t->pending_count && t->pending[i].log != v->log)
            i++;
        if (v->log->count > 0) {
            if (i == PENDING_MAX) { /* the oldest is forgotten */
                memmove(t->pending, t->pending + 1, (PENDING_MAX - 1) * sizeof t->pending[0]);
                i = PENDING_MAX - 1;
            }
            t->pending[i].log = v->log;
            t->pending[i].length = v->log->count;
            if (i >= t->pending_count)
                t->pending_count = i + 1;
        }
        if (has_acquire(a->order))
            acquire(&a->who, TRACE_SCOPE_DEVICE);
    }
    if (!a->writes)
        return;
    if (!a->reads) {
        v->log = take(sizeof *v->log);
        memset(v->log, 0, sizeof *v->log);
    }
    if (has_release(a->order)) {
        append(v->log, snapshot(&a->who, TRACE_SCOPE_DEVICE));
        return;
    }
    if (t->released[1])
        append(v->log, t->released[1]);
    if (t->released[0] && t->released[0] != t->released[1])
        append(v->log, t->released[0]);
}

bool order_known(uint32_t number, unsigned lane, const struct trace_who *who)
{
    if (number < first_segment)
        return true;
    const struct segment *s = order_segment(number);
    if (s->block == mine->block) {
        if (s->epoch < mine->epoch)
            return true;
        if (s->warp == who->warp &&
            (lane == who->lane || s->clock <= mine->warp[who->warp].row[who->lane][lane]))
            return true;
    }
    unsigned thread = s->warp * warp_size + lane;
    if (mine->known.count > 0 && knows(&mine->known, s, thread))
        return true;
    const struct thread_state *t = mine->thread[who->thread];
    return t && t->known.count > 0 && knows(&t->known, s, thread);
}
