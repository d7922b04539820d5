/* One launch that reduces each of many lines: rows, columns, segments, at any distance of their elements; part of typed.h,
 * inside its namespaces, and therefore without an include guard.
 *
 * A block takes `side` lines at once, each with `members` threads, a power of two. Threads of a line are neighbours, or, where
 * the lines are nearer to each other than their elements, the lines are (across). Few long lines are cut into parts, a block
 * for each; the last block of a line merges their states, in their order. Where lines lie side by side, as columns do, a
 * thread takes several of them (beside.h).
 * SPDX-License-Identifier: MIT */
struct teams {
    unsigned side, members;
    bool across;
    unsigned near; /* neighbouring threads of one line, or across, of one member: 2^near */
};

/* Element i of a line is at x + i * x_step. Of what is read once, loads are streaming where that pays. */
struct line {
    const element_t *x, *y;
    size_t x_step, y_step;
    bool x_streams, y_streams;
};

static __device__ __forceinline__ size_t offset_at(struct lr_lines l, size_t k)
{
    return l.offset_type == LR_INT32 ? (size_t)((const int32_t *)l.offsets)[k]
                                     : (size_t)((const int64_t *)l.offsets)[k];
}

/* Line k, and how many elements it has. Segments have batches, of one line if of no more. */
static __device__ struct line line_at(struct lr_lines l, const element_t *x, const element_t *y, size_t k,
                                      bool streaming, size_t *length)
{
    struct line line = {x, y, l.step, l.y_step, streaming, streaming && l.y_lead != 0};
    size_t batch = l.batch == 0 ? 0 : l.batch == 1 ? k : k / l.batch, beside = k - batch * l.batch;

    *length = l.length;
    if (l.offsets != NULL) {
        size_t begin = offset_at(l, batch);
        *length = offset_at(l, batch + 1) - begin;
        line.x += begin * l.step;
        line.y += USES_Y ? begin * l.y_step : 0;
    } else {
        line.x += batch * l.batch_lead;
    }
    line.x += beside * l.lead;
    line.y += USES_Y ? beside * l.y_lead : 0;
    if (l.length_at != NULL)
        *length = *l.length_at < 0 ? 0 : min_size((size_t)*l.length_at, *length);
    return line;
}

/* Elements of each part of a line. */
static __device__ __forceinline__ size_t share_of(size_t length, unsigned parts)
{
    if (parts == 1) /* no division, for which the first load would wait */
        return length;
    return ceil_div(ceil_div(length, parts), LANES) * LANES;
}

/* Adds LINE_LOADS vectors, `members` apart, of those from `first` on. */
static __device__ __forceinline__ void add_whole(thread_t *thread, struct line l, size_t first, size_t vectors,
                                                 unsigned members, unsigned turn)
{
    vector_t v[LINE_LOADS], w[LINE_LOADS];
    /* Not v and w: their lanes would be put together at once, after a wait for the load. */
    bytes16_t x[LINE_LOADS], y[LINE_LOADS];
    bool there[LINE_LOADS];

#pragma unroll
    for (unsigned u = 0; u < LINE_LOADS; u++) {
        size_t i = (first + (size_t)u * members) * LANES;
        there[u] = first + (size_t)u * members < vectors;
        x[u] = y[u] = bytes16_t();
        if (there[u])
            x[u] = load_16_streaming(l.x + i, l.x_streams);
        if (USES_Y && there[u])
            y[u] = load_16_streaming(l.y + i, l.y_streams);
    }
    loads_first();
#pragma unroll
    for (unsigned u = 0; u < LINE_LOADS; u++) {
        v[u].all = x[u];
        w[u].all = y[u];
    }
    thread_add(thread, v, w, there, turn, LINE_LOADS);
}

/* The same, LINE_VECTORS of vectors whose elements are loaded one by one. */
static __device__ __forceinline__ void add_apart(thread_t *thread, struct line l, size_t first, size_t vectors,
                                                 unsigned members, unsigned turn)
{
    vector_t v[LINE_VECTORS], w[LINE_VECTORS];
    bool there[LINE_VECTORS];

#pragma unroll
    for (unsigned u = 0; u < LINE_VECTORS; u++) {
        size_t i = (first + (size_t)u * members) * LANES;
        there[u] = first + (size_t)u * members < vectors;
#pragma unroll
        for (unsigned k = 0; k < LANES; k++) {
            v[u].lane[k] = w[u].lane[k] = element_t();
            if (there[u])
                v[u].lane[k] = l.x[(i + k) * l.x_step];
            if (USES_Y && there[u])
                w[u].lane[k] = l.y[(i + k) * l.y_step];
        }
    }
    thread_add(thread, v, w, there, turn, LINE_VECTORS);
}

/* This thread's share of elements [from, to) of a line. */
static __device__ state_t read_line(struct line l, size_t from, size_t to, unsigned member, unsigned members)
{
    size_t count = to - from;
    l.x += from * l.x_step;
    l.y += USES_Y ? from * l.y_step : 0;
    struct line inner = l; /* from the first whole vector on */
    size_t head = 0;
    bool whole = l.x_step == 1;
    if (whole) {
        head = min_size((16 - (size_t)l.x % 16) % 16 / sizeof(element_t), count);
        inner.x += head;
        inner.y += USES_Y ? head * l.y_step : 0;
    }
    if (USES_Y)
        whole = whole && l.y_step == 1 && (size_t)inner.y % 16 == 0;
    size_t vectors = (count - head) / LANES, edges = count - vectors * LANES, first = member;
    unsigned loads = whole ? LINE_LOADS : LINE_VECTORS, turn = 0;
    struct place place = {from + head, member, (size_t)members * loads, members, loads};
    thread_t thread = thread_nothing();

    if (whole)
#pragma unroll 1
        for (; first < vectors; first += (size_t)members * LINE_LOADS, turn += LINE_LOADS)
            add_whole(&thread, inner, first, vectors, members, turn);
    else
#pragma unroll 1
        for (; first < vectors; first += (size_t)members * LINE_VECTORS, turn += LINE_VECTORS)
            add_apart(&thread, inner, first, vectors, members, turn);
    state_t state = member < vectors ? state_of_thread(thread, place) : state_nothing();
#pragma unroll 1
    for (size_t e = member; e < edges; e += members) {
        size_t i = e < head ? e : e + vectors * LANES;
        operand_t x = widen(l.x[i * l.x_step]), y = USES_Y ? widen(l.y[i * l.y_step]) : x;
        state = state_merge(state, state_of_one(x, y, from + i));
    }
    return state;
}

/* Merges the states of the members of each line; the first one gets the result. */
static __device__ state_t merge_team(state_t state, state_t *shared, struct teams t, unsigned member)
{
    unsigned beside = t.across ? t.side : 1;

    if (t.members == 1)
        return state;
    if (!t.across && t.members == LINES_BLOCK)
        return merge_block(state, shared);
    if (!t.across && t.members <= warp_lanes())
        return merge_lanes(state, t.members);
    __syncthreads(); /* shared[] may still be in use */
    shared[threadIdx.x] = state;
    __syncthreads();
#pragma unroll 1
    for (unsigned half = t.members / 2; half > 0; half /= 2) {
        if (member < half)
            shared[threadIdx.x] = state_merge(shared[threadIdx.x], shared[threadIdx.x + half * beside]);
        __syncthreads();
    }
    return shared[threadIdx.x];
}

/* The states of the parts of a line, as far as they are this member's. Several are in flight at once: one block has to load all
 * of them, while the others have finished. */
enum { PARTS_AT_ONCE = sizeof(state_t) <= 16 ? 8 : 2 };

static __device__ state_t merge_parts(const state_t *partials, struct teams t, unsigned member, unsigned parts)
{
    state_t state = state_nothing();

#pragma unroll 1
    for (unsigned first = member; first < parts; first += PARTS_AT_ONCE * t.members) {
        state_t other[PARTS_AT_ONCE];
#pragma unroll
        for (unsigned u = 0; u < PARTS_AT_ONCE; u++) {
            unsigned p = first + u * t.members;
            other[u] = p < parts ? partials[p * t.side] : state_nothing();
        }
        loads_first();
#pragma unroll
        for (unsigned u = 0; u < PARTS_AT_ONCE; u++)
            state = state_merge(state, other[u]);
    }
    return state;
}

#include "reduction_rows/last.h"

__global__ void LAUNCH_BOUNDS_RESIDENT(LINES_BLOCK, LINES_RESIDENT)
    reduce_lines(const element_t *x, const element_t *y, struct lr_lines l, size_t first_line, size_t count,
                 struct teams t, state_t *partials, unsigned *tickets, result_t *results, int64_t *indices,
                 int function, bool streaming)
{
    __shared__ state_t shared[LINES_BLOCK];
    unsigned outer = threadIdx.x >> t.near, inner = threadIdx.x - (outer << t.near);
    unsigned beside = t.across ? inner : outer, member = t.across ? outer : inner;
    unsigned parts = gridDim.y;

    next_may_begin();
    earlier_done();
#pragma unroll 1
    for (size_t group = blockIdx.x; group * t.side < count; group += gridDim.x) {
        size_t k = group * t.side + beside, length = 0;
        struct line line = {x, y, 1, 1, false, false};
        if (k < count)
            line = line_at(l, x, y, first_line + k, streaming, &length);
        size_t share = share_of(length, parts);
        size_t from = min_size(blockIdx.y * share, length), to = min_size(from + share, length);

        state_t state = read_line(line, from, to, member, t.members);
        bool stores = member == 0 && k < count;
#pragma unroll 1 /* so that the code of merge_team() is there once */
        for (bool merged = parts == 1;; merged = true) {
            state = merge_team(state, shared, t, member);
            if (merged)
                break;
            if (member == 0)
                partials[(group * parts + blockIdx.y) * t.side + beside] = state;
            if (!is_last(tickets + group, parts)) {
                stores = false;
                break;
            }
            state = merge_parts(partials + group * parts * t.side + beside, t, member, parts);
        }
        if (stores)
            state_store(state, length, results != NULL ? results + k : NULL, indices != NULL ? indices + k : NULL,
                        function);
        __syncthreads(); /* shared[] is read */
    }
}

#if defined(HEAVY_STATE) || (defined(COMPLEX) && VALUE_TYPE == TYPE_DOUBLE) /* no two fit a load */
static bool lie_beside(const struct call *, size_t, size_t) { return false; }
#define reduce_beside reduce_lines
#define SIDE          1
#else
#include "kernels/beside.h"
#endif

static unsigned power_from(size_t count, unsigned most)
{
    unsigned power = 1;
    while (power < count && power < most)
        power *= 2;
    return power;
}

static void launch_lines(const struct call *c)
{
    const struct reduction *r = &c->r;
    struct lr_lines lines = c->lines;
    const struct lr_lines *l = &lines;
    if (lines.offsets != NULL && lines.batch == 0)
        lines.batch = 1;
    /* of a segment, twice the mean: lanes wait for the longest one of their warp */
    size_t length = l->offsets != NULL ? 2 * ceil_div(r->n, l->lines / l->batch) : l->length;
    size_t vectors = ceil_div(length, LANES), parts = 1;
    size_t resident = (size_t)r->compute_units * LINES_RESIDENT;
    size_t elements = l->offsets != NULL ? r->n : l->lines * l->length;
    bool beside = lie_beside(c, length, elements);
    bool streaming = streaming_pays(elements * sizeof(element_t) * (USES_Y ? 2 : 1));
    size_t count = l->lines / (beside ? SIDE : 1); /* of a thread's lines */
    struct teams t = {1, LINES_BLOCK, false, 0};

    t.across = (l->offsets == NULL || l->batch > 1) && l->lines > 1 && l->step > 1 && l->lead < l->step;
    if (t.across) {
        size_t rounds = ceil_div(vectors, LINE_VECTORS); /* of one thread */
        t.side = power_from(count, LINES_BLOCK / power_from(rounds, LINES_BLOCK / 32));
        while (t.side > 32 && ceil_div(count, t.side) < resident)
            t.side /= 2;
    } else {
        /* Threads that fill the device, with four vectors for each, or eight where that is enough: what a line costs beside its
         * loads, each of its threads pays. Of segments one may be long. */
        size_t fill = ceil_div((size_t)r->compute_units * 1024, count);
        size_t each = l->offsets != NULL ? 2 : ceil_div(vectors, 8) >= fill ? 8 : 4;
        unsigned least = l->offsets != NULL ? r->warp_size : 4;
        unsigned members = power_from(fill > least ? fill : least, LINES_BLOCK);
        t.side = LINES_BLOCK / power_from(ceil_div(vectors, each), members);
    }
    t.members = LINES_BLOCK / t.side;
    for (unsigned near = t.across ? t.side : t.members; near > 1; near /= 2)
        t.near++;
    size_t groups = ceil_div(count, t.side);
    if (groups <= resident / 2 && (t.across || t.side == 1)) /* all blocks at once, so none comes late */
        parts = min_size(resident / groups, ceil_div(vectors, (size_t)t.members * LINE_VECTORS));
    dim3 grid((unsigned)min_size(groups, GRID_THREADS_MAX / LINES_BLOCK), (unsigned)(parts > 0 ? parts : 1));
    if (beside)
        hipLaunchKernelGGL(reduce_beside, grid, dim3(LINES_BLOCK), 0, r->stream, (const element_t *)c->x,
                           (const element_t *)c->y, *l, c->first, c->count, t, (state_t *)c->partials, c->tickets,
                           (result_t *)r->result, c->index, c->function, streaming);
    else
        hipLaunchKernelGGL(reduce_lines, grid, dim3(LINES_BLOCK), 0, r->stream, (const element_t *)c->x,
                           (const element_t *)c->y, *l, c->first, c->count, t, (state_t *)c->partials, c->tickets,
                           (result_t *)r->result, c->index, c->function, streaming);
    HIP_CHECK_LAUNCH();
}
#undef reduce_beside
#undef SIDE
