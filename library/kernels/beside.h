/* Lines that lie side by side, as the columns of a matrix do: a thread takes SIDE adjacent lines and loads an element of each
 * at once. Half a warp's worth of bytes would be in flight otherwise, or a quarter. Part of lines.h, inside its namespaces,
 * and therefore without an include guard.
 * SPDX-License-Identifier: MIT */
enum {
    SIDE = LANES < 4 ? LANES : 4,
    SIDE_BYTES = SIDE * sizeof(element_t),
    /* 128 bytes in flight for a thread */
    SIDE_VECTORS = USES_Y ? (64 / SIDE_BYTES + LANES - 1) / LANES : 128 / SIDE_BYTES / LANES
};

typedef union {
    uint32_t word[SIDE_BYTES / 4];
    bytes16_t all[(SIDE_BYTES + 15) / 16];
    element_t lane[SIDE];
} side_t;

/* from is a multiple of SIDE_BYTES. */
static __device__ __forceinline__ side_t load_side(const element_t *from)
{
    side_t s;

    if (SIDE_BYTES == 16)
        s.all[0] = load_16(from);
    else if (SIDE_BYTES == 8)
        *(uint64_t *)s.word = *(const uint64_t *)from;
    else
        s.word[0] = *(const uint32_t *)from;
    return s;
}

/* The states of this thread's share of elements [from, to) of SIDE lines, of which l is the first. */
static __device__ __forceinline__ void read_side(state_t *state, struct line l, size_t from,
                                                 size_t to, unsigned member, unsigned members)
{
    size_t count = to - from, vectors = count / LANES;
    struct place place = {from, member, (size_t)members * SIDE_VECTORS, members, SIDE_VECTORS};
    thread_t thread[SIDE];
    unsigned turn = 0;

    l.x += from * l.x_step;
    l.y += USES_Y ? from * l.y_step : 0;
#pragma unroll
    for (unsigned s = 0; s < SIDE; s++)
        thread[s] = thread_nothing();
#pragma unroll 1
    for (size_t first = member; first < vectors;
         first += (size_t)members * SIDE_VECTORS, turn += SIDE_VECTORS) {
        side_t v[SIDE_VECTORS * LANES], w[SIDE_VECTORS * LANES];
        bool there[SIDE_VECTORS];
#pragma unroll
        for (unsigned u = 0; u < SIDE_VECTORS; u++) {
            size_t i = (first + (size_t)u * members) * LANES;
            there[u] = first + (size_t)u * members < vectors;
#pragma unroll
            for (unsigned k = 0; k < LANES; k++) {
#pragma unroll
                for (unsigned s = 0; s < SIDE; s++)
                    v[u * LANES + k].lane[s] = w[u * LANES + k].lane[s] = element_t();
                if (there[u])
                    v[u * LANES + k] = load_side(l.x + (i + k) * l.x_step);
                if (USES_Y && there[u])
                    w[u * LANES + k] = load_side(l.y + (i + k) * l.y_step);
            }
        }
        loads_first();
#pragma unroll
        for (unsigned s = 0; s < SIDE; s++) {
            vector_t x[SIDE_VECTORS], y[SIDE_VECTORS];
#pragma unroll
            for (unsigned u = 0; u < SIDE_VECTORS; u++)
#pragma unroll
                for (unsigned k = 0; k < LANES; k++) {
                    x[u].lane[k] = v[u * LANES + k].lane[s];
                    y[u].lane[k] = w[u * LANES + k].lane[s];
                }
            thread_add(&thread[s], x, y, there, turn, SIDE_VECTORS);
        }
    }
#pragma unroll
    for (unsigned s = 0; s < SIDE; s++)
        state[s] = member < vectors ? state_of_thread(thread[s], place) : state_nothing();
#pragma unroll 1
    for (size_t i = vectors * LANES + member; i < count; i += members) {
        side_t v = load_side(l.x + i * l.x_step), w = v;
        if (USES_Y)
            w = load_side(l.y + i * l.y_step);
#pragma unroll
        for (unsigned s = 0; s < SIDE; s++)
            state[s] =
                state_merge(state[s], state_of_one(widen(v.lane[s]), widen(w.lane[s]), from + i));
    }
}

/* As reduce_lines(), with t.side times SIDE lines for a block. */
__global__ void LAUNCH_BOUNDS_RESIDENT(LINES_BLOCK, 2)
    reduce_beside(const element_t *x, const element_t *y, struct lr_lines l, size_t first_line,
                  size_t count, struct teams t, state_t *partials, unsigned *tickets,
                  result_t *results, int64_t *indices, int function)
{
    __shared__ state_t shared[LINES_BLOCK];
    unsigned beside = threadIdx.x % t.side, member = threadIdx.x / t.side, parts = gridDim.y;
    state_t state[SIDE];

    next_may_begin();
    earlier_done();
#pragma unroll 1
    for (size_t group = blockIdx.x; group * t.side * SIDE < count; group += gridDim.x) {
        size_t k = (group * t.side + beside) * SIDE, length = 0;
        struct line line = {x, y, 1, 1};
        bool stores = member == 0 && k < count;
        if (k < count)
            line = line_at(l, x, y, first_line + k, &length);
        size_t share = ceil_div(ceil_div(length, parts), LANES) * LANES;
        size_t from = min_size(blockIdx.y * share, length), to = min_size(from + share, length);
        state_t *mine = partials + ((group * parts * t.side + beside) * SIDE);

        read_side(state, line, from, to, member, t.members);
        bool merged = parts == 1;
#pragma unroll 1 /* so that the code of merge_team() is there once */
        for (unsigned s = 0;; s++) {
            if (s == SIDE) {
                if (merged || !is_last(tickets + group, parts))
                    break;
                merged = true;
                s = 0;
            }
            state_t whole = state[0];
            if (merged && parts > 1) {
                whole = state_nothing();
                for (unsigned p = member; p < parts; p += t.members)
                    whole = state_merge(whole, mine[p * t.side * SIDE + s]);
            }
            whole = merge_team(whole, shared, t, member);
            if (stores && merged)
                state_store(whole, length, results != NULL ? results + k + s : NULL,
                            indices != NULL ? indices + k + s : NULL, function);
            else if (stores)
                mine[blockIdx.y * t.side * SIDE + s] = whole;
#pragma unroll
            for (unsigned next = 1; next < SIDE; next++) /* no index that is not constant */
                state[next - 1] = state[next];
        }
        __syncthreads(); /* shared[] is read */
    }
}

/* Whether all lines are together in fours, or whatever SIDE is, and where load_side() takes them. */
static bool lie_beside(const struct call *c)
{
    const struct lr_lines *l = &c->lines;
    bool whole =
        l->lead == 1 && l->step > 1 && l->step % SIDE == 0 && (size_t)c->x % SIDE_BYTES == 0;
    bool batches = l->batch == 0 || (l->batch % SIDE == 0 && l->batch_lead % SIDE == 0);
    bool y = !USES_Y || (l->y_lead == 1 && l->y_step % SIDE == 0 && (size_t)c->y % SIDE_BYTES == 0);

    return SIDE > 1 && whole && batches && y && (l->offsets == NULL || l->batch > 1) &&
           c->first % SIDE == 0 && c->count % SIDE == 0;
}
