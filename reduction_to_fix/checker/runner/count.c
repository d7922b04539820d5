/* What the kernels of one reduction do, from the trace's stream of events: a tool like race and explain, whose findings
 * the judge reads after each run.
 * SPDX-License-Identifier: MIT */
#include "observe.h"

#ifdef HIP_CPU_TRACE

#include <stdlib.h>
#include <string.h>

#include "nogpu/trace/explain/explain.h"
#include "nogpu/trace/symbols.h"
#include "nogpu/trace/trace_internal.h"

/* One thread of the grid. */
struct one {
    uint64_t loads, meet;
    uint64_t last;     /* the element it read last */
    unsigned together; /* loads in flight */
    unsigned line;     /* where it last read another thread's value */
    uintptr_t code[GROUPS_MAX];
};

static struct work work;
/* Who wrote last to each word of shared memory, of a block; two words of one block never meet in a slot. */
#define WORDS (1u << 16)
static struct writer {
    uint64_t block; /* + 1 */
    uint64_t launch;
    uint64_t thread;
} writers[WORDS];
static uint64_t launches;

static struct writer *writer_of(uintptr_t address) { return &writers[address / 4 % WORDS]; }

static struct {
    uintptr_t input;
    size_t bytes, element;
    struct one *one; /* threads of the current launch: `blocks` blocks from `first` on */
    size_t threads, count, first, blocks;
    unsigned shuffles[64], syncs[64]; /* of each warp of a block */
    unsigned atomics;                 /* of a block, in shared memory */
    const char *own;                  /* symbol of a static __shared__ variable of this launch */
    uintptr_t fixed, own_begin;
    size_t fixed_bytes, own_bytes; /* all static __shared__ variables; the one used last */
    const struct machine *machine;
    struct warps *warps;
    bool looks;    /* only at what a window reads, */
    uint64_t grid; /* of this launch; 0: not at this one */
} now;

void count_begin(const void *input, size_t bytes, size_t element, uint64_t look_for)
{
    memset(&work, 0, sizeof work);
    now.looks = look_for > 0;
    if (now.looks)
        places_begin(bytes / element, look_for - 1);
    now.input = (uintptr_t)input;
    now.bytes = bytes;
    now.element = element;
}

struct work count_end(void) { return work; }

static struct one *one_of(const struct trace_who *who)
{
    size_t i = ((size_t)who->block - now.first) * now.threads + who->thread;

    return i < now.count ? &now.one[i] : NULL;
}

static bool in_input(uintptr_t address) { return address - now.input < now.bytes; }

/* ---- loads in flight at the same time ---- */

static void close_group(struct one *t)
{
    for (unsigned k = 1; k <= GROUPS_MAX && k <= t->together; k++)
        work.grouped[k] += t->together;
    t->together = 0;
}

/* A thread's loads are in flight together if they are consecutive in the source, or if an inner loop takes them from one
 * tile of the block. */
static void group(struct one *t, uint64_t element, unsigned elements, uintptr_t code)
{
    uint64_t distance = element > t->last ? element - t->last : t->last - element;
    bool again = false;

    for (unsigned k = 0; k < t->together && k < GROUPS_MAX; k++)
        again |= t->code[k] == code;
    if (again && distance > now.threads)
        close_group(t);
    for (unsigned k = t->together; k < t->together + elements && k < GROUPS_MAX; k++)
        t->code[k] = code;
    t->together += elements;
    t->last = element;
}

/* ---- static shared memory ---- */

static size_t length_of(const char *name) { return strspn(name, "0123456789") + (size_t)atoi(name); }

/* The namespace of a type and operation: "10double_sum", in "_ZZN10double_sum..."; NULL: there is none. */
static const char *namespace_of(const char *symbol)
{
    const char *name = strncmp(symbol, "_ZZN", 4) == 0 ? symbol + 4 : "";
    const char *op = memchr(name, '_', strnlen(name, length_of(name)));

    return op != NULL && strchr("sm", op[1]) && name + length_of(name) == op + 4 ? name : NULL;
}

/* Behind a kernel's variables are those of another type and operation: on a GPU they are elsewhere, or nowhere. */
static void look_beyond(const struct trace_access *a)
{
    struct symbols_variable v;

    if (a->address - now.fixed >= now.fixed_bytes || a->address - now.own_begin < now.own_bytes ||
        !symbols_variable_at(a->address, &v) || namespace_of(v.symbol) == NULL)
        return;
    if (now.own == NULL)
        now.own = namespace_of(v.symbol);
    if (strncmp(now.own, namespace_of(v.symbol), length_of(now.own)) != 0) {
        work.beyond_line = work.beyond_line > 0 ? work.beyond_line : a->place->line;
        return;
    }
    now.own_begin = v.begin;
    now.own_bytes = v.bytes;
    if (v.bytes > work.shared_bytes)
        work.shared_bytes = v.bytes;
}

/* ---- events ---- */

static void launch_begin(void *state, const struct trace_launch *l)
{
    (void)state;
    now.threads = l->threads;
    now.own = NULL;
    launches++;
    /* As in calls.c. */
    bool whole = observation.window_count == 0 || l->blocks * l->threads <= 64;
    now.grid = whole ? 0 : l->blocks;
    now.first = whole ? 0 : observation.window_first;
    now.blocks = whole ? l->blocks : observation.window_count;
    now.count = now.blocks * now.threads;
    if (now.count > (size_t)1 << 20)
        now.count = 0;
    now.one = trace_check_alloc(calloc(now.count + 1, sizeof *now.one));
    work.counted = now.count > 0;
    for (size_t i = 0; i < MACHINES; i++)
        if (machines[i].warp_size == l->warp_size) {
            now.machine = &machines[i];
            break;
        }
}

static void launch_end(void *state, const struct trace_launch *l)
{
    (void)state;
    (void)l;
    for (size_t block = 0; block < now.blocks && now.count > 0; block++) {
        uint64_t loads = 0;
        for (size_t i = block * now.threads; i < (block + 1) * now.threads; i++) {
            struct one *t = &now.one[i];
            close_group(t);
            loads += t->loads;
            work.busy_threads += t->loads > 0;
            if (t->loads > work.loads_thread)
                work.loads_thread = t->loads;
            if (t->meet > work.meet_thread) {
                work.meet_thread = t->meet;
                work.meet_line = t->line;
            }
        }
        work.busy_blocks += loads > 0;
        if (loads > work.loads_block)
            work.loads_block = loads;
    }
    free(now.one);
    now.one = NULL;
    now.count = 0;
}

static void take(void *context, const struct warp_instruction *i, unsigned warp)
{
    unsigned needed;

    (void)context;
    (void)warp;
    if (i->space == TRACE_SHARED) {
        unsigned passes = explain_passes(now.machine, i, &needed);
        work.passes += passes;
        work.needed += needed;
        if (passes > needed && passes - needed > work.worst) {
            work.worst = passes - needed;
            work.conflict_line = i->place->line;
        }
    } else if (i->kind == WARP_LOAD) {
        work.sectors += explain_pieces(i, 32);
    }
}

static void block_begin(void *state, const struct trace_block *b)
{
    (void)state;
    now.atomics = 0;
    now.own_bytes = 0; /* another thread of the host has others */
    symbols_shared_range(&now.fixed, &now.fixed_bytes);
    memset(now.shuffles, 0, sizeof now.shuffles);
    memset(now.syncs, 0, sizeof now.syncs);
    warps_begin(now.warps, b->warps);
}

static void block_end(void *state, const struct trace_block *b)
{
    (void)state;
    (void)b;
    warps_complete_all(now.warps);
}

static void access(void *state, const struct trace_access *a)
{
    (void)state;
    struct one *t = one_of(&a->who);
    unsigned elements = a->size > now.element ? a->size / (unsigned)now.element : 1;

    if (now.looks) {
        if (now.grid > 0 && in_input(a->address) && !a->write)
            places_note(now.grid, a, (a->address - now.input) / now.element, elements);
        return;
    }
    if (t == NULL)
        return;
    if (a->space == TRACE_SHARED) {
        look_beyond(a);
        warps_take(now.warps, &a->who, a->place, a->write ? WARP_STORE : WARP_LOAD, a->space, a->address, a->size,
                   NULL);
        work.shared_stores += a->write;
        struct writer *w = writer_of(a->address);
        struct writer here = {a->who.block + 1, launches, a->who.thread};
        if (a->write)
            *w = here;
        else if (memcmp(w, &here, sizeof here) == 0) /* its own */
            return;
    } else if (in_input(a->address)) {
        uint64_t element = (a->address - now.input) / now.element;
        if (a->write || (t->loads > 0 && element == t->last && elements == 1)) /* still in a register */
            return;
        warps_take(now.warps, &a->who, a->place, WARP_LOAD, a->space, a->address, a->size, NULL);
        work.loads += elements;
        t->loads += elements;
        group(t, element, elements, a->code);
        return;
    } else {
        const struct trace_allocation *memory = trace_allocation_of(a->address);
        if (a->write && memory == NULL) {
            work.static_bytes += a->size;
            work.static_line = a->place->line;
        } else if (a->write && memory->host) {
            work.host_bytes += a->size;
        }
        work.scratch_stores += a->write;
    }
    if (!a->write) {
        t->meet += elements;
        t->line = a->place->line;
    }
}

static void atomic(void *state, const struct trace_atomic *a)
{
    (void)state;
    struct one *t = one_of(&a->who);

    if (t == NULL)
        return;
    if (!a->updates) { /* an atomic load or store costs what a plain one does */
        const struct trace_access plain = {.who = a->who,
                                           .address = a->address,
                                           .size = a->size,
                                           .space = a->space,
                                           .write = a->writes,
                                           .code = (uintptr_t)a->place,
                                           .place = a->place};
        access(state, &plain);
        return;
    }
    if (a->size == sizeof(float) && a->writes) {
        float value;
        memcpy(&value, (const void *)a->address, sizeof value);
        if (value >= 1 && value <= (float)(1 << 24))
            work.float_line = a->place->line;
    }
    if (a->space == TRACE_SHARED) {
        now.atomics += a->writes;
        if (now.atomics > work.shared_atomics) {
            work.shared_atomics = now.atomics;
            work.atomic_line = a->place->line;
        }
    } else {
        const struct trace_allocation *memory = trace_allocation_of(a->address);
        if (a->writes && memory != NULL && memory->host) {
            work.host_bytes += a->size;
        } else if (a->writes && memory == NULL) {
            work.static_bytes += a->size;
            work.static_line = a->place->line;
        }
        work.atomics += a->writes;
        if (a->writes && work.shared_atomics == 0)
            work.atomic_line = a->place->line;
    }
    if (a->reads) {
        t->meet++;
        t->line = a->place->line;
    }
}

/* Two barrier calls are the same place only if they are the same expression in the source, in the same inlined call. */
static void barrier(void *state, const struct trace_barrier *b)
{
    uintptr_t code = 0;

    (void)state;
    warps_complete_all(now.warps);
    size_t block = b->block - now.first;
    for (size_t t = 0; t < now.threads && (block + 1) * now.threads <= now.count; t++)
        close_group(&now.one[block * now.threads + t]);
    bool most = b->epoch + 1 > work.barriers;
    if (most)
        work.barriers = b->epoch + 1;
    for (unsigned w = 0; w < b->warps && work.split_a == 0; w++)
        for (uint64_t rest = b->lanes[w]; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctzll(rest);
            uintptr_t here = (uintptr_t)trace_here.code[w * trace_launch->warp_size + lane];
            if (code == 0) {
                code = here;
                work.barrier_line = most ? trace_place_of(code)->line : work.barrier_line;
            }
            const struct trace_place *one = trace_place_of(code), *other = trace_place_of(here);
            if (here == code || one == other)
                continue;
            work.split_a = one->line;
            work.split_b = other->line;
            return;
        }
}

/* No load is in flight across it. */
static void fence(void *state, const struct trace_fence *f)
{
    struct one *t = one_of(&f->who);

    (void)state;
    if (t != NULL)
        close_group(t);
}

static void meeting(void *state, const struct trace_meeting *m)
{
    (void)state;
    now.shuffles[m->warp] += m->op <= HIP_CPU_SHFL_XOR;
    if (now.shuffles[m->warp] > work.shuffles) {
        work.shuffles = now.shuffles[m->warp];
        work.shuffle_line = m->place->line;
    }
    now.syncs[m->warp] += m->op == HIP_CPU_SYNCWARP;
    if (now.syncs[m->warp] > work.syncs) {
        work.syncs = now.syncs[m->warp];
        work.sync_line = m->place->line;
    }
    size_t first = (size_t)m->warp * trace_launch->warp_size, lanes = now.threads - first;
    unsigned there = (unsigned)__builtin_popcountll(m->lanes);
    lanes = lanes < trace_launch->warp_size ? lanes : trace_launch->warp_size;
    if (m->op == HIP_CPU_SYNCWARP && !m->named && trace_launch->warp_size == 32 && there < lanes) {
        work.partial_line = m->place->line;
        work.partial_lanes = there;
    }
    warps_meet(now.warps, m->warp, m->lanes, m->lanes); /* counts as all of the warp */
}

static void *start(bool weak)
{
    static const struct warps_calls calls = {.done = take};

    (void)weak;
    now.warps = warps_create(&calls, NULL);
    return NULL;
}

const struct trace_tool trace_of_program = {
    .name = "work",
    .start = start,
    .launch_begin = launch_begin,
    .launch_end = launch_end,
    .block_begin = block_begin,
    .block_end = block_end,
    .access = access,
    .atomic = atomic,
    .fence = fence,
    .barrier = barrier,
    .meeting = meeting,
};

#endif
