/* Counts what each line of a kernel's source did, from the events of the trace.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "../text/names.h"
#include "../trace_internal.h"
#include "explain.h"

/* State of the block that the worker runs; allocated for its first block. */
static __thread struct explain_block {
    struct warps *warps;
    struct copies *copies;
    bool did[WARPS_MAX]; /* something since the last barrier */
} * mine;

/* The column of an expression. */
static unsigned column_of(const struct trace_place *place)
{
    unsigned i = 0;

    while (i + 1 < place->count &&
           (place->frame[i].line != place->line || strcmp(place->frame[i].file, place->file) != 0))
        i++;
    return place->frame[i].column;
}

static bool is_same_place(const struct trace_place *a, const struct trace_place *b)
{
    return a->line == b->line && strcmp(a->file, b->file) == 0;
}

static struct explain_line *line_of(struct explain_kernel *k, const struct trace_place *place, int kind,
                                    enum trace_space space, unsigned size, uintptr_t array)
{
    unsigned column = kind == LINE_LOAD ? column_of(place) : 0;

    for (size_t i = 0; i < k->lines; i++) {
        struct explain_line *l = &k->line[i];
        if ((int)l->kind == kind && l->space == space && l->size == size && l->array == array && l->column == column &&
            is_same_place(l->place, place))
            return l;
    }
    TRACE_ONE_MORE(k->line, k->lines, k->room, 16);
    struct explain_line *l = &k->line[k->lines++];
    memset(l, 0, sizeof *l);
    l->place = place;
    l->kind = (unsigned)kind;
    l->space = space;
    l->size = size;
    l->array = array;
    l->column = column;
    return l;
}

static struct explain_step *step_of(struct explain_line *l, unsigned epoch)
{
    for (unsigned i = 0; i < l->steps; i++)
        if (l->step[i].epoch == epoch)
            return &l->step[i];
    if (l->steps == EXPLAIN_STEPS)
        return &l->step[EXPLAIN_STEPS - 1];
    l->step[l->steps].epoch = epoch;
    return &l->step[l->steps++];
}

/* Lanes whose address a lane before them has, too. */
static unsigned at_same_address(const struct warp_instruction *i)
{
    unsigned count = 0;

    for (uint64_t rest = i->lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        uint64_t before = i->lanes & (((uint64_t)1 << lane) - 1);
        while (before && i->address[__builtin_ctzll(before)] != i->address[lane])
            before &= before - 1;
        count += before != 0;
    }
    return count;
}

static const unsigned kinds[] = {LINE_LOAD, LINE_STORE, LINE_ATOMIC};

/* A complete instruction of a warp. */
static void take(void *tool, const struct warp_instruction *i, unsigned warp)
{
    struct explain *e = tool;
    const struct machine *m = e->now->machine;
    uintptr_t array = trace_array_of(i->space, i->address[__builtin_ctzll(i->lanes)]);
    struct explain_line *l = line_of(e->now, i->place, (int)kinds[i->kind], i->space, i->size, array);
    struct explain_step *step = step_of(l, i->epoch);
    unsigned lanes = (unsigned)__builtin_popcountll(i->lanes), cost, needed;

    mine->did[warp] = true;
    l->instructions++;
    l->lanes += lanes;
    step->instructions++;
    step->lanes += lanes;
    if (i->kind == WARP_ATOMIC && !(i->space == TRACE_SHARED && i->adds_one && m->counts))
        l->same += at_same_address(i);
    if (i->space == TRACE_SHARED) {
        cost = explain_passes(m, i, &needed);
        l->passes += cost;
        l->needed += needed;
        step->passes += cost;
        if (needed > 0 && (cost + needed - 1) / needed > l->worst)
            l->worst = (cost + needed - 1) / needed;
    } else {
        cost = explain_pieces(i, m->sector);
        l->bytes += (uint64_t)lanes * i->size;
        l->sectors += cost;
        l->lines += explain_pieces(i, m->line);
        if (i->kind == WARP_LOAD)
            e->now->footprint += footprint_add(&e->footprint, i, m->sector);
    }
    l->saved += i->saved;
    l->mergeable += i->width > 0;
    if (i->width > l->width)
        l->width = i->width;
    explain_keep(e, l, i, warp, cost);
}

/* A picture shows the first warp that comes to a line: is it this one, or may it be? */
static bool keeps(void *tool, const struct trace_who *who, const struct trace_place *place, enum warp_kind kind)
{
    const struct explain *e = tool;
    bool is_new = true;

    if (!e->wants_values)
        return false;
    for (const struct explain_line *l = e->now->line; l < e->now->line + e->now->lines; l++) {
        if (l->kind != kinds[kind] || !is_same_place(l->place, place) || l->samples == 0)
            continue;
        is_new = false;
        if (l->samples < EXPLAIN_SAMPLES && l->sample->block == who->block && l->sample->warp == who->warp)
            return true;
    }
    return is_new;
}

/* ---- events ---- */

void explain_launch(struct explain *e, const struct trace_launch *l, const struct machine *m)
{
    e->now = NULL;
    for (struct explain_kernel *k = e->kernel; k < e->kernel + e->kernels; k++) {
        if (strcmp(k->name, l->kernel) == 0 && k->grid.x == l->grid.x && k->grid.y == l->grid.y &&
            k->block.x == l->block.x && k->block.y == l->block.y) {
            k->launches++;
            return;
        }
    }
    e->kernel = trace_check_alloc(realloc(e->kernel, (e->kernels + 1) * sizeof *e->kernel));
    e->now = &e->kernel[e->kernels++];
    *e->now = (struct explain_kernel){.name = l->kernel,
                                      .machine = m,
                                      .grid = l->grid,
                                      .block = l->block,
                                      .warp_size = l->warp_size,
                                      .warps = l->warps,
                                      .blocks = l->blocks,
                                      .launches = 1};
    footprint_clear(&e->footprint);
}

void explain_block_begin(void *tool, const struct trace_block *b)
{
    static const struct warps_calls calls = {.keeps = keeps, .done = take};
    struct explain *e = tool;

    if (!e->now)
        return;
    if (!mine) {
        mine = trace_check_alloc(calloc(1, sizeof *mine));
        mine->warps = warps_create(&calls, e);
        mine->copies = copies_create(mine->warps);
    }
    memset(mine->did, 0, sizeof mine->did);
    warps_begin(mine->warps, b->warps);
}

/* All threads of the block have reached a barrier or their end. */
static void complete_all(void)
{
    copies_proceed(mine->copies);
    copies_complete(mine->copies, 0, THREADS_MAX);
    warps_complete_all(mine->warps);
}

void explain_block_end(void *tool, UNUSED const struct trace_block *b)
{
    struct explain *e = tool;

    if (e->now)
        complete_all();
}

void explain_access(void *tool, const struct trace_access *a)
{
    struct explain *e = tool;

    if (!e->now)
        return;
    copies_proceed(mine->copies);
    copies_take(mine->copies, a);
}

void explain_atomic(void *tool, const struct trace_atomic *a)
{
    struct explain *e = tool;
    enum warp_kind kind = a->updates ? WARP_ATOMIC : a->writes ? WARP_STORE : WARP_LOAD;

    if (!e->now)
        return;
    copies_proceed(mine->copies);
    if (kind == WARP_LOAD)
        warps_take(mine->warps, &a->who, a->place, kind, a->space, a->address, a->size, (const void *)a->address);
    else
        warps_take_atomic(mine->warps, a, kind);
}

void explain_barrier(void *tool, const struct trace_barrier *b)
{
    struct explain *e = tool;

    if (!e->now)
        return;
    complete_all();
    struct explain_line *l = line_of(e->now, b->place, LINE_BARRIER, TRACE_SHARED, 0, 0);
    for (unsigned w = 0; w < b->warps; w++) {
        l->instructions += b->lanes[w] != 0;
        l->lanes += (unsigned)__builtin_popcountll(b->lanes[w]);
        l->idle += b->lanes[w] != 0 && !mine->did[w];
        mine->did[w] = false;
    }
}

/* The lanes of a warp that the block has threads for. */
static uint64_t lanes_of(const struct explain_kernel *k, unsigned warp)
{
    unsigned lanes = k->block.x * k->block.y * k->block.z - warp * k->warp_size;

    lanes = lanes < k->warp_size ? lanes : k->warp_size;
    return ~(uint64_t)0 >> (64 - lanes);
}

static bool is_shuffle(enum hip_cpu_warp_op op)
{
    return op == HIP_CPU_SHFL || op == HIP_CPU_SHFL_UP || op == HIP_CPU_SHFL_DOWN || op == HIP_CPU_SHFL_XOR;
}

void explain_meeting(void *tool, const struct trace_meeting *m)
{
    struct explain *e = tool;

    if (!e->now)
        return;
    copies_proceed(mine->copies);
    copies_complete(mine->copies, m->warp * e->now->warp_size, e->now->warp_size);
    warps_meet(mine->warps, m->warp, m->lanes, lanes_of(e->now, m->warp));
    struct explain_line *l = line_of(e->now, m->place, LINE_WARP, TRACE_SHARED, 0, 0);
    l->instructions++;
    l->lanes += (unsigned)__builtin_popcountll(m->lanes);
    mine->did[m->warp] = true;
    if (is_shuffle(m->op))
        explain_keep_shuffle(e, l, m);
}

/* ---- results ---- */

bool explain_same_line(const struct explain_line *a, const struct explain_line *b)
{
    return is_same_place(a->place, b->place);
}

/* Whether an instruction of each of two loads costs about the same. */
static bool same_cost(const struct explain_line *a, const struct explain_line *b)
{
    double x = explain_ratio(a->passes + a->sectors, a->instructions);
    double y = explain_ratio(b->passes + b->sectors, b->instructions);

    return a->kind == LINE_LOAD && b->kind == LINE_LOAD && a->space == b->space && a->size == b->size &&
           a->array == b->array && explain_same_line(a, b) && x < 1.25 * y && y < 1.25 * x;
}

static int by_order(const void *a, const void *b)
{
    return ((const struct explain_sample *)a)->order < ((const struct explain_sample *)b)->order ? -1 : 1;
}

static void add_line(struct explain_line *to, const struct explain_line *l)
{
#define JOIN_ADDED(a, b)         a += b
#define JOIN_LARGEST(a, b)       a = b > a ? b : a
#define JOIN(name, joined, json) JOIN_##joined(to->name, l->name);
    EXPLAIN_COUNTERS(JOIN)
    for (unsigned i = 0; i < l->steps; i++) {
        struct explain_step *step = step_of(to, l->step[i].epoch);
        step->instructions += l->step[i].instructions;
        step->lanes += l->step[i].lanes;
        step->passes += l->step[i].passes;
    }
    to->sample = trace_check_alloc(realloc(to->sample, (to->samples + l->samples) * sizeof *to->sample));
    __real_memcpy(to->sample + to->samples, l->sample, l->samples * sizeof *l->sample);
    to->samples += l->samples;
    free(l->sample);
    qsort(to->sample, to->samples, sizeof *to->sample, by_order);
}

/* Joins loads of one line that cost about the same. */
static void join_loads(struct explain_kernel *k)
{
    size_t kept = 0;

    for (size_t i = 0; i < k->lines; i++) {
        size_t to = 0;
        while (to < kept && !same_cost(&k->line[to], &k->line[i]))
            to++;
        if (to == kept)
            k->line[kept++] = k->line[i];
        else
            add_line(&k->line[to], &k->line[i]);
    }
    k->lines = kept;
}

static int by_place(const void *a, const void *b)
{
    const struct explain_line *x = a, *y = b;
    int files = strcmp(x->place->file, y->place->file);

    if (files != 0)
        return files;
    if (x->place->line != y->place->line)
        return x->place->line < y->place->line ? -1 : 1;
    if (x->kind != y->kind)
        return (int)x->kind - (int)y->kind;
    if (x->space != y->space)
        return (int)x->space - (int)y->space;
    if (x->size != y->size)
        return (int)x->size - (int)y->size;
    return strcmp(x->samples ? x->sample->first : "", y->samples ? y->sample->first : "");
}

/* Kernels that were not compiled for the trace, such as those that fill the input, show no lines. */
struct explain_kernel *explain_kernels(struct explain *e, size_t *count)
{
    struct explain_kernel *k = e->kernel;

    *count = 0;
    for (size_t i = 0; i < e->kernels; i++)
        if (k[i].lines > 0)
            k[(*count)++] = k[i];
    e->kernels = *count;
    for (size_t i = 0; i < *count; i++) {
        join_loads(&k[i]);
        qsort(k[i].line, k[i].lines, sizeof *k[i].line, by_place);
    }
    return k;
}

struct explain_totals explain_totals_of(const struct explain_kernel *k)
{
    struct explain_totals t = {0};

    for (const struct explain_line *l = k->line; l < k->line + k->lines; l++) {
        if (l->kind == LINE_BARRIER) {
            t.barriers += l->instructions;
            t.idle += l->idle;
            continue;
        }
        if (l->kind == LINE_WARP) {
            t.meetings += l->instructions;
            continue;
        }
        t.instructions += l->instructions;
        t.lanes += l->lanes;
        t.atomics += l->kind == LINE_ATOMIC ? l->instructions : 0;
        struct explain_traffic *x = l->kind == LINE_LOAD ? &t.load : l->kind == LINE_STORE ? &t.store : &t.atomic;
        if (l->space == TRACE_SHARED) {
            x->instructions += l->instructions;
            x->shared_lanes += l->lanes;
            x->passes += l->passes;
            x->conflicts += l->passes - l->needed;
        } else {
            x->requests += l->instructions;
            x->lanes += l->lanes;
            x->sectors += l->sectors;
            x->bytes += l->bytes;
        }
    }
    return t;
}

const char *explain_kind(const struct explain_line *l)
{
    static const char *const names[] = {[LINE_LOAD] = "load",
                                        [LINE_STORE] = "store",
                                        [LINE_ATOMIC] = "atomic",
                                        [LINE_WARP] = "warp",
                                        [LINE_BARRIER] = "barrier"};
    return names[l->kind];
}
