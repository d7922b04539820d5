/* One launch that reduces one or two arrays to one state; part of typed.h, inside its namespaces, and therefore without an
 * include guard.
 *
 * As in reduction_single_pass, with the same shapes and the same walk through the array: all loads are issued
 * before the first value is used; each block takes a ticket as it begins; the block with the last ticket merges all states
 * in the order of the blocks; and each word of a state carries a mark that proves its arrival.
 * SPDX-License-Identifier: MIT */
enum { HALVES = sizeof(state_t) / 4 };
static_assert(HALVES <= HALVES_MAX, "the handle's memory has no room for so large a state");

typedef union {
    state_t state;
    uint32_t half[HALVES];
} halves_t;

/* Merges the states of `lanes` adjacent lanes, a power of two; the first of them gets the result. */
static __device__ __forceinline__ state_t merge_lanes(state_t state, unsigned lanes)
{
    for (unsigned distance = lanes / 2; distance > 0; distance /= 2) {
        halves_t mine, other;
        mine.state = state;
        for (unsigned k = 0; k < HALVES; k++)
            other.half[k] = __shfl_down(mine.half[k], distance);
        state = state_merge(state, other.state);
    }
    return state;
}

#ifndef HAS_WARP_MERGE
static __device__ state_t merge_warp(state_t state) { return merge_lanes(state, warp_lanes()); }
#endif

/* Thread 0 gets the result. The block has only full warps. */
static __device__ state_t merge_block(state_t state, state_t *shared)
{
    unsigned lane = threadIdx.x % warp_lanes(), warp = threadIdx.x / warp_lanes();
    unsigned warps = blockDim.x / warp_lanes();

    warp_together();
    state = merge_warp(state);
    if (warps == 1)
        return state;
    if (lane == 0)
        shared[warp] = state;
    __syncthreads();
    if (warp == 0) {
        state = lane < warps ? shared[lane] : state_nothing();
        warp_together();
        state = merge_warp(state);
    }
    return state;
}

#if defined(LINES_ALONE)
static void (*const launch_all)(const struct call *) = NULL;
#else
static __device__ void state_put(word_t *slot, state_t state)
{
    halves_t halves;
    halves.state = state;
    for (unsigned k = 0; k < HALVES; k++)
        word_store(slot + k, MARK | halves.half[k]);
}

/* The tickets show that every block has begun, so its words will arrive. All words are polled at once. */
static __device__ state_t state_get(const word_t *slot)
{
    halves_t halves;
    word_t words[HALVES];
    bool there;

    do {
        there = true;
#pragma unroll
        for (unsigned k = 0; k < HALVES; k++)
            words[k] = word_load(slot + k);
#pragma unroll
        for (unsigned k = 0; k < HALVES; k++)
            there = there && words[k] >= MARK;
        if (!there)
            poll_pause();
    } while (!there);
#pragma unroll
    for (unsigned k = 0; k < HALVES; k++)
        halves.half[k] = (uint32_t)words[k];
    return halves.state;
}

/* Row u of y. aligned, a constant: y begins at a multiple of 16, like x. */
static __device__ __forceinline__ vector_t load_y(const element_t *y, unsigned row, int offset, bool aligned,
                                                  bool streaming)
{
    vector_t v;

    if (aligned) {
        v.all = load_16_beside(y, row, offset, streaming);
    } else {
#pragma unroll
        for (unsigned k = 0; k < LANES; k++)
            v.lane[k] = y[(row + offset) * (size_t)LANES + k];
    }
    return v;
}

/* Which rows of the vectors at x and y a thread reads, and in which turn. */
struct round {
    const element_t *x, *y;
    /* the middle row, from which the others are a small constant away; vectors */
    unsigned row, count;
    unsigned turn;
};

/* Adds VECTORS rows. whole, a constant: none is missing. All loads are in flight before the first is used. */
static __device__ __forceinline__ void add_rows(thread_t *thread, struct round round, bool whole, bool aligned,
                                                bool streaming)
{
    int lanes = (int)warp_lanes();
    vector_t v[VECTORS], w[VECTORS];
    bool there[VECTORS];

#pragma unroll
    for (int u = 0; u < VECTORS; u++) {
        int offset = (u - VECTORS / 2) * lanes;
        there[u] = whole || round.row + offset < round.count;
#pragma unroll
        for (unsigned k = 0; k < LANES; k++)
            v[u].lane[k] = w[u].lane[k] = element_t();
        v[u].all = whole_16(v[u].all);
        if (there[u]) {
            v[u].all = load_16_beside(round.x, round.row, offset, streaming);
            if (USES_Y)
                w[u] = load_y(round.y, round.row, offset, aligned, streaming);
        }
    }
    if (whole)
        loads_first();
    thread_add(thread, v, w, there, round.turn, VECTORS);
}

/* This thread's share of the whole vectors: each round takes a tile, in which each warp has VECTORS adjacent rows. */
static __device__ __forceinline__ state_t read_vectors(const element_t *x, const element_t *y, size_t head,
                                                       size_t vectors, struct walk walk, bool aligned, bool streaming)
{
    unsigned lanes = warp_lanes(), before = threadIdx.x / lanes * (lanes * VECTORS);
    unsigned rows = before + lanes * VECTORS, row = before + threadIdx.x % lanes;
    size_t start = walk.block_stride * blockIdx.x, first = start;
    struct round round = {x, y, row + VECTORS / 2 * lanes, walk.tile, 0};
    struct place place = {head, start + row, walk.round_stride, lanes, VECTORS};
    thread_t thread = thread_nothing();

    if (rows <= walk.tile && !streaming) { /* as single_pass does */
#pragma unroll 1
        for (; round.turn < walk.rounds * VECTORS && first + rows <= vectors; round.turn += VECTORS) {
            round.x = x + first * LANES;
            round.y = y + first * LANES;
            add_rows(&thread, round, true, aligned, false);
            first += walk.round_stride;
        }
    }
#pragma unroll 1
    for (; round.turn < walk.rounds * VECTORS && first < vectors; round.turn += VECTORS) {
        round.x = x + first * LANES;
        round.y = y + first * LANES;
        round.count = (unsigned)min_size(vectors - first, walk.tile);
        add_rows(&thread, round, false, aligned, streaming);
        first += walk.round_stride;
    }
    if (row >= walk.tile || place.first >= vectors)
        return state_nothing();
    return state_of_thread(thread, place);
}

/* The elements before the first 16-byte boundary of x and after the last vector, one for each of the first threads. */
static __device__ __forceinline__ state_t read_edge(const element_t *x, const element_t *y, size_t n, unsigned head)
{
    unsigned edges = head + (unsigned)((n - head) % LANES);

    if (threadIdx.x >= edges)
        return state_nothing();
    size_t i = threadIdx.x < head ? threadIdx.x : n - edges + threadIdx.x;
    return state_of_one(widen(x[i]), widen(USES_Y ? y[i] : x[i]), i);
}

static __device__ __forceinline__ void reduce_tiles(const element_t *x, const element_t *y, size_t n,
                                                    struct states_workspace *workspace, void *result, int64_t *index,
                                                    struct walk walk, int function, bool ready, bool streaming)
{
    __shared__ state_t shared[STATES_BLOCK / 32];
    __shared__ bool last;

    next_may_begin();
    if (!ready)
        earlier_done();
    unsigned ticket = 0; /* taken early, to arrive while the block reads */
    if (threadIdx.x == 0 && gridDim.x > 1)
        ticket = atomicInc(&workspace->ticket, gridDim.x - 1); /* 0 again after the last block */

    unsigned head = (unsigned)((16 - (size_t)x % 16) % 16 / sizeof(element_t));
    if (head > n)
        head = (unsigned)n;
    size_t vectors = (n - head) / LANES;
    state_t state;
    if (!USES_Y || (size_t)(y + head) % 16 == 0)
        state = read_vectors(x + head, USES_Y ? y + head : y, head, vectors, walk, true, streaming);
    else
        state = read_vectors(x + head, y + head, head, vectors, walk, false, streaming);
    if (blockIdx.x == 0)
        state = state_merge(state, read_edge(x, y, n, head));
    state = merge_block(state, shared);
    if (gridDim.x > 1) {
        if (threadIdx.x == 0) {
            state_put(workspace->slots + (size_t)blockIdx.x * HALVES, state);
            last = ticket == gridDim.x - 1;
        }
        __syncthreads();
        if (!last)
            return;
        state = state_nothing();
#pragma unroll 1
        for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x)
            state = state_merge(state, state_get(workspace->slots + (size_t)b * HALVES));
        state = merge_block(state, shared);
        /* empties the slots for the next launch */
#pragma unroll 1
        for (size_t w = threadIdx.x; w < (size_t)gridDim.x * HALVES; w += blockDim.x)
            word_store(workspace->slots + w, 0);
    }
    if (threadIdx.x == 0) {
        earlier_done();
        state_store(state, n, (result_t *)result, index, function);
    }
}

__global__ void LAUNCH_BOUNDS_RESIDENT(STATES_BLOCK, 2)
    reduce_states(const element_t *x, const element_t *y, size_t n, struct states_workspace *workspace, void *result,
                  int64_t *index, struct walk walk, int function, bool ready)
{
    reduce_tiles(x, y, n, workspace, result, index, walk, function, ready, false);
}

#if defined(HAS_STREAMING)
__global__ void LAUNCH_BOUNDS_RESIDENT(STATES_BLOCK, 2)
    reduce_streaming(const element_t *x, const element_t *y, size_t n, struct states_workspace *workspace, void *result,
                     int64_t *index, struct walk walk, int function, bool ready)
{
    reduce_tiles(x, y, n, workspace, result, index, walk, function, ready, true);
}
#else
#define reduce_streaming reduce_states
#endif

static void launch_all(const struct call *c)
{
    const struct reduction *r = &c->r;
    const struct shape *shape = shape_for(r->arch);
    size_t vectors = r->n / LANES, threads = ceil_div(vectors, VECTORS);
    unsigned grid = 1, block = round_up(threads, r->warp_size, r->warp_size, STATES_BLOCK);

    if (threads > STATES_BLOCK)
        shape_blocks(shape, r->compute_units, threads, &grid, &block);
    struct walk walk = walk_over(vectors, grid, block * VECTORS, shape->interleave);
    struct states_workspace *workspace = (struct states_workspace *)r->workspace;
    bool ready = r->input_ready && grid == 1; /* several blocks would write to the workspace */
    if (streaming_pays(r->n * sizeof(element_t) * (USES_Y ? 2 : 1)))
        hipLaunchKernelGGL(reduce_streaming, dim3(grid), dim3(block), 0, r->stream, (const element_t *)c->x,
                           (const element_t *)c->y, r->n, workspace, r->result, c->index, walk, c->function, ready);
    else
        hipLaunchKernelGGL(reduce_states, dim3(grid), dim3(block), 0, r->stream, (const element_t *)c->x,
                           (const element_t *)c->y, r->n, workspace, r->result, c->index, walk, c->function, ready);
    HIP_CHECK_LAUNCH();
}
#undef reduce_streaming
#endif
