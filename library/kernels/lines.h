/* One launch that reduces each of many lines: rows, columns, segments, at any distance of their elements; part of typed.h,
 * inside its namespaces, and therefore without an include guard.
 *
 * A block takes `side` lines at once, each with `members` threads, a power of two. Threads of a line are neighbours, or, where
 * the lines are nearer to each other than their elements, the lines are (across). Few long lines are cut into parts, a block
 * for each; the last block of a line merges their states, in their order.
 * SPDX-License-Identifier: MIT */
struct teams {
    unsigned side, members;
    bool across;
};

/* Element i of a line is at begin + i * step. */
struct line {
    const element_t *x, *y;
    size_t x_step, y_step;
};

static __device__ __forceinline__ size_t offset_at(struct lr_lines l, size_t k)
{
    return l.offset_type == LR_INT32 ? (size_t)((const int32_t *)l.offsets)[k]
                                     : (size_t)((const int64_t *)l.offsets)[k];
}

/* Line k, and how many elements it has. Segments have batches, of one line if of no more. */
static __device__ struct line line_at(struct lr_lines l, const element_t *x, const element_t *y,
                                      size_t k, size_t *length)
{
    struct line line = {x, y, l.step, l.y_step};
    size_t batch = l.batch > 0 ? k / l.batch : 0, beside = k - batch * l.batch;

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

static __device__ __forceinline__ vector_t load_lanes(const element_t *from, size_t step,
                                                      bool whole)
{
    vector_t v;

    if (whole) {
        v.all = load_16(from);
    } else {
#pragma unroll
        for (unsigned k = 0; k < LANES; k++)
            v.lane[k] = from[k * step];
    }
    return v;
}

/* This thread's share of elements [from, to) of a line. */
static __device__ state_t read_line(struct line l, size_t from, size_t to, unsigned member,
                                    unsigned members)
{
    size_t count = to - from;
    const element_t *x = l.x + from * l.x_step, *y = USES_Y ? l.y + from * l.y_step : x;
    bool whole = l.x_step == 1, y_whole = false;
    size_t head = whole ? min_size((16 - (size_t)x % 16) % 16 / sizeof(element_t), count) : 0;
    size_t vectors = (count - head) / LANES, edges = count - vectors * LANES;
    struct place place = {from + head, member, (size_t)members * LINE_VECTORS, members,
                          LINE_VECTORS};
    thread_t thread = thread_nothing();
    unsigned turn = 0;

    if (USES_Y)
        y_whole = l.y_step == 1 && (size_t)(y + head) % 16 == 0;
#pragma unroll 1
    for (size_t first = member; first < vectors;
         first += (size_t)members * LINE_VECTORS, turn += LINE_VECTORS) {
        vector_t v[LINE_VECTORS], w[LINE_VECTORS];
        bool there[LINE_VECTORS];
#pragma unroll
        for (unsigned u = 0; u < LINE_VECTORS; u++) {
            size_t i = head + (first + (size_t)u * members) * LANES;
            there[u] = first + (size_t)u * members < vectors;
#pragma unroll
            for (unsigned k = 0; k < LANES; k++)
                v[u].lane[k] = w[u].lane[k] = element_t();
            if (there[u]) {
                v[u] = load_lanes(x + i * l.x_step, l.x_step, whole);
                if (USES_Y)
                    w[u] = load_lanes(y + i * l.y_step, l.y_step, y_whole);
            }
        }
        thread_add(&thread, v, w, there, turn, LINE_VECTORS);
    }
    state_t state = member < vectors ? state_of_thread(thread, place) : state_nothing();
#pragma unroll 1
    for (size_t e = member; e < edges; e += members) {
        size_t i = e < head ? e : e + vectors * LANES;
        operand_t first = widen(x[i * l.x_step]), second = USES_Y ? widen(y[i * l.y_step]) : first;
        state = state_merge(state, state_of_one(first, second, from + i));
    }
    return state;
}

/* Merges the states of the members of each line; the first one gets the result. */
static __device__ state_t merge_team(state_t state, state_t *shared, struct teams t,
                                     unsigned member)
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
            shared[threadIdx.x] =
                state_merge(shared[threadIdx.x], shared[threadIdx.x + half * beside]);
        __syncthreads();
    }
    return shared[threadIdx.x];
}

#include "reduction_rows/last.h"

__global__ void LAUNCH_BOUNDS_RESIDENT(LINES_BLOCK, 2)
    reduce_lines(const element_t *x, const element_t *y, struct lr_lines l, size_t first_line,
                 size_t count, struct teams t, state_t *partials, unsigned *tickets,
                 result_t *results, int64_t *indices, int function)
{
    __shared__ state_t shared[LINES_BLOCK];
    unsigned beside = t.across ? threadIdx.x % t.side : threadIdx.x / t.members;
    unsigned member = t.across ? threadIdx.x / t.side : threadIdx.x % t.members;
    unsigned parts = gridDim.y;

    next_may_begin();
    earlier_done();
#pragma unroll 1
    for (size_t group = blockIdx.x; group * t.side < count; group += gridDim.x) {
        size_t k = group * t.side + beside, length = 0;
        struct line line = {x, y, 1, 1};
        if (k < count)
            line = line_at(l, x, y, first_line + k, &length);
        size_t share = ceil_div(ceil_div(length, parts), LANES) * LANES;
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
            state = state_nothing();
            for (unsigned p = member; p < parts; p += t.members)
                state = state_merge(state, partials[(group * parts + p) * t.side + beside]);
        }
        if (stores)
            state_store(state, length, results != NULL ? results + k : NULL,
                        indices != NULL ? indices + k : NULL, function);
        __syncthreads(); /* shared[] is read */
    }
}

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
    size_t vectors = ceil_div(length, LANES), wanted = 2 * (size_t)r->compute_units, parts = 1;
    size_t rounds = ceil_div(vectors, LINE_VECTORS); /* of one thread */
    struct teams t = {1, LINES_BLOCK, false};

    t.across =
        (l->offsets == NULL || l->batch > 1) && l->lines > 1 && l->step > 1 && l->lead < l->step;
    if (t.across) {
        t.side = power_from(l->lines, LINES_BLOCK / power_from(rounds, LINES_BLOCK / 32));
        while (t.side > 32 && ceil_div(l->lines, t.side) < 2 * wanted)
            t.side /= 2;
    } else {
        /* Threads that fill the device, but two vectors for each, and side by side 128 bytes. Of segments one may be long. */
        size_t fill = ceil_div((size_t)r->compute_units * 1024, l->lines);
        unsigned least = l->offsets != NULL ? r->warp_size : 8;
        unsigned members = power_from(fill > least ? fill : least, LINES_BLOCK);
        t.side = LINES_BLOCK / power_from(ceil_div(vectors, 2), members);
    }
    t.members = LINES_BLOCK / t.side;
    size_t groups = ceil_div(l->lines, t.side);
    if (groups < wanted && (t.across || t.side == 1))
        parts = min_size(2 * wanted / groups, ceil_div(vectors, (size_t)t.members * LINE_VECTORS));
    dim3 grid((unsigned)min_size(groups, GRID_THREADS_MAX / LINES_BLOCK),
              (unsigned)(parts > 0 ? parts : 1));
    hipLaunchKernelGGL(reduce_lines, grid, dim3(LINES_BLOCK), 0, r->stream, (const element_t *)c->x,
                       (const element_t *)c->y, *l, c->first, c->count, t, (state_t *)c->partials,
                       c->tickets, (result_t *)r->result, c->index, c->function);
    HIP_CHECK_LAUNCH();
}
