/* Lines that lie side by side, as the columns of a matrix do: a thread takes SIDE adjacent lines and loads an element of each
 * at once; otherwise a quarter of the bytes would be in flight, or less. Part of lines.h, inside its namespaces, and therefore
 * without an include guard.
 * SPDX-License-Identifier: MIT */
enum {
    SIDE_MOST = USES_Y || (GUARDS_BRANCH && LANES == 16) ? 4 : 8, /* registers, there scalar ones */
    SIDE = LANES < SIDE_MOST ? LANES : SIDE_MOST,
    SIDE_BYTES = SIDE * sizeof(element_t),
    /* of each line, so that a thread has 128 bytes in flight */
    SIDE_FIT = (USES_Y ? 64 : 128) / SIDE_BYTES / LANES,
    SIDE_VECTORS = SIDE_FIT < 1       ? 1
                   : SIDE_FIT > LOADS ? LOADS
                                      : SIDE_FIT
};

typedef union {
    uint32_t word;
    uint64_t words;
    bytes16_t all;
    element_t lane[SIDE];
} side_t;

/* What a thread loads of SIDE lines. from is a multiple of SIDE_BYTES. */
static __device__ __forceinline__ bytes16_t load_side(const element_t *from, bool streams)
{
    side_t s;

    if (SIDE_BYTES == 16)
        return load_16_streaming(from, streams);
    s.all = bytes16_t();
    if (SIDE_BYTES == 8)
        s.words = *(const uint64_t *)from;
    else
        s.word = *(const uint32_t *)from;
    return s.all;
}

static __device__ __forceinline__ element_t lane_of(bytes16_t all, unsigned lane)
{
    side_t s;
    s.all = all;
    return s.lane[lane];
}

/* The states of this thread's share of elements [from, to) of SIDE lines, of which l is the first. A thread_t has more
 * registers than a state_t, so it lives no longer than the vectors that it adds. */
static __device__ __forceinline__ void read_side(state_t *state, struct line l, size_t from, size_t to, unsigned member,
                                                 unsigned members)
{
    size_t count = to - from, vectors = count / LANES;

    l.x += from * l.x_step;
    l.y += USES_Y ? from * l.y_step : 0;
#pragma unroll
    for (unsigned s = 0; s < SIDE; s++)
        state[s] = state_nothing();
#pragma unroll 1
    for (size_t first = member; first < vectors; first += (size_t)members * SIDE_VECTORS) {
        bytes16_t v[SIDE_VECTORS * LANES], w[SIDE_VECTORS * LANES];
        bool there[SIDE_VECTORS];
#pragma unroll
        for (unsigned u = 0; u < SIDE_VECTORS; u++) {
            size_t i = (first + (size_t)u * members) * LANES;
            there[u] = first + (size_t)u * members < vectors;
#pragma unroll
            for (unsigned k = 0; k < LANES; k++) {
                v[u * LANES + k] = w[u * LANES + k] = bytes16_t();
                if (there[u])
                    v[u * LANES + k] = load_side(l.x + (i + k) * l.x_step, l.x_streams);
                if (USES_Y && there[u])
                    w[u * LANES + k] = load_side(l.y + (i + k) * l.y_step, l.y_streams);
            }
        }
        loads_first();
        struct place place = {from, first, 0, members, SIDE_VECTORS};
#pragma unroll
        for (unsigned s = 0; s < SIDE; s++) {
            vector_t x[SIDE_VECTORS], y[SIDE_VECTORS];
            thread_t thread = thread_nothing();
#pragma unroll
            for (unsigned u = 0; u < SIDE_VECTORS; u++)
#pragma unroll
                for (unsigned k = 0; k < LANES; k++) {
                    x[u].lane[k] = lane_of(v[u * LANES + k], s);
                    y[u].lane[k] = lane_of(w[u * LANES + k], s);
                }
            thread_add(&thread, x, y, there, 0, SIDE_VECTORS);
            state[s] = state_merge(state[s], state_of_thread(thread, place));
        }
    }
#pragma unroll 1
    for (size_t i = vectors * LANES + member; i < count; i += members) {
        bytes16_t v = load_side(l.x + i * l.x_step, false), w = v;
        if (USES_Y)
            w = load_side(l.y + i * l.y_step, false);
#pragma unroll
        for (unsigned s = 0; s < SIDE; s++)
            state[s] = state_merge(state[s], state_of_one(widen(lane_of(v, s)), widen(lane_of(w, s)), from + i));
    }
}

typedef union {
    result_t lane[SIDE];
    bytes16_t all[(SIDE * sizeof(result_t) + 15) / 16];
} results_t;
typedef union {
    int64_t lane[SIDE];
    bytes16_t all[SIDE * sizeof(int64_t) / 16];
} indices_t;

/* What one thread alone has reduced. Adjacent results are stored together: one by one, each store of a warp would touch as
 * many sectors as it has lanes, SIDE times as many in all. */
static __device__ __forceinline__ void store_side(const state_t *state, size_t length, result_t *results,
                                                  int64_t *indices, int function)
{
    bool whole =
        SIDE * sizeof(result_t) % 16 == 0 && (size_t)results % 16 == 0 && SIDE % 2 == 0 && (size_t)indices % 16 == 0;
    results_t r;
    indices_t at;

#pragma unroll
    for (unsigned s = 0; s < SIDE; s++)
        state_store(state[s], length, r.lane + s, at.lane + s, function);
    if (whole) {
#pragma unroll
        for (unsigned i = 0; i < SIDE * sizeof(result_t) / 16; i++)
            if (results != NULL)
                ((bytes16_t *)results)[i] = r.all[i];
#pragma unroll
        for (unsigned i = 0; i < SIDE / 2; i++)
            if (indices != NULL)
                ((bytes16_t *)indices)[i] = at.all[i];
        return;
    }
#pragma unroll
    for (unsigned s = 0; s < SIDE; s++) {
        if (results != NULL)
            results[s] = r.lane[s];
        if (indices != NULL)
            indices[s] = at.lane[s];
    }
}

/* As merge_parts(), of SIDE lines. */
static __device__ __forceinline__ void merge_parts_beside(state_t *state, const state_t *partials, struct teams t,
                                                          unsigned member, unsigned parts)
{
#pragma unroll
    for (unsigned s = 0; s < SIDE; s++)
        state[s] = state_nothing();
#pragma unroll 2
    for (unsigned p = member; p < parts; p += t.members) {
#pragma unroll
        for (unsigned s = 0; s < SIDE; s++)
            state[s] = state_merge(state[s], partials[p * t.side * SIDE + s]);
    }
}

/* As reduce_lines(), with t.side times SIDE lines for a block. */
__global__ void LAUNCH_BOUNDS_RESIDENT(LINES_BLOCK, LINES_RESIDENT)
    reduce_beside(const element_t *x, const element_t *y, struct lr_lines l, size_t first_line, size_t count,
                  struct teams t, state_t *partials, unsigned *tickets, result_t *results, int64_t *indices,
                  int function, bool streaming)
{
    __shared__ state_t shared[LINES_BLOCK];
    unsigned member = threadIdx.x >> t.near, beside = threadIdx.x - (member << t.near);
    unsigned parts = gridDim.y;
    state_t state[SIDE];

    next_may_begin();
    earlier_done();
#pragma unroll 1
    for (size_t group = blockIdx.x; group * t.side * SIDE < count; group += gridDim.x) {
        size_t k = (group * t.side + beside) * SIDE, length = 0;
        struct line line = {x, y, 1, 1, false, false};
        bool stores = member == 0 && k < count;
        if (k < count)
            line = line_at(l, x, y, first_line + k, streaming, &length);
        size_t share = share_of(length, parts);
        size_t from = min_size(blockIdx.y * share, length), to = min_size(from + share, length);
        state_t *mine = partials + ((group * parts * t.side + beside) * SIDE);

        read_side(state, line, from, to, member, t.members);
        if (t.members == 1 && parts == 1) {
            if (stores)
                store_side(state, length, results != NULL ? results + k : NULL, indices != NULL ? indices + k : NULL,
                           function);
            continue;
        }
        bool merged = parts == 1;
#pragma unroll 1 /* so that the code of merge_team() is there once */
        for (unsigned s = 0;; s++) {
            if (s == SIDE) {
                if (merged || !is_last(tickets + group, parts))
                    break;
                merged = true;
                s = 0;
                merge_parts_beside(state, mine, t, member, parts);
            }
            state_t whole = merge_team(state[0], shared, t, member);
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

/* Whether all lines are together in groups of SIDE, where load_side() takes them, there are so many elements that every
 * compute unit has enough threads, and so many lines that the last block of a group has few parts to merge. */
static bool lie_beside(const struct call *c, size_t length, size_t elements)
{
    const struct lr_lines *l = &c->lines;
    size_t units = c->r.compute_units;
    bool enough = elements * sizeof(element_t) >= units * 256 * 128 && l->lines >= units * LINES_RESIDENT * SIDE;
    bool whole = l->lead == 1 && l->step > 1 && l->step % SIDE == 0 && (size_t)c->x % SIDE_BYTES == 0;
    bool batches = l->batch == 0 || (l->batch % SIDE == 0 && l->batch_lead % SIDE == 0);
    bool y = !USES_Y || (l->y_lead == 1 && l->y_step % SIDE == 0 && (size_t)c->y % SIDE_BYTES == 0);

#if defined(SIDE_SHORT)
    if (length > 2 * SIDE_VECTORS * LANES)
        return false;
#else
    (void)length;
#endif
    return enough && whole && batches && y && (l->offsets == NULL || l->batch > 1) && c->first % SIDE == 0 &&
           c->count % SIDE == 0;
}
