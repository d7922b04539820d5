/* One launch that reduces an array, or two, to a struct of some words: for one type and one function, inside a namespace
 * of its own, and therefore without an include guard. What the function is comes first:
 *
 *   lane_t, lane_nothing(), lane_add(lane, x, y, turn)    what a thread keeps for each lane of a vector; turns increase
 *   state_t, state_nothing(), state_merge(a, b)           the result for some elements
 *   state_of_lane(lane, index)                            of a lane that saw an element; index: of that in its turn
 *   lane_turn(lane)                                       the turn that this is about
 *   state_store(state, x, n, result, index)               the result for all elements, to where it is wanted
 *   USES_Y, LOADS
 *
 * The rest is as in reduction_single_pass: all loads are issued before the first value is used, each block takes a ticket
 * as it begins, the one with the last ticket merges the states of all in the order of the blocks, and each word of a state
 * carries a mark that proves its arrival.
 * SPDX-License-Identifier: MIT */

#define LANES  ((unsigned)(16 / sizeof(value_t)))
#define HALVES ((unsigned)(sizeof(state_t) / 4))

typedef union {
    bytes16_t all;
    value_t lane[LANES];
} vector_t;

typedef union {
    state_t state;
    uint32_t half[HALVES];
} halves_t;

static __device__ state_t merge_warp(state_t state)
{
    for (unsigned distance = warp_lanes() / 2; distance > 0; distance /= 2) {
        halves_t mine, other;
        mine.state = state;
        for (unsigned k = 0; k < HALVES; k++)
            other.half[k] = __shfl_down(mine.half[k], distance);
        state = state_merge(state, other.state);
    }
    return state;
}

/* Thread 0 holds the result. A block of whole warps. */
static __device__ state_t merge_block(state_t state, state_t *shared)
{
    unsigned lane = threadIdx.x % warp_lanes(), warp = threadIdx.x / warp_lanes();
    unsigned warps = blockDim.x / warp_lanes();

    state = merge_warp(state);
    if (warps == 1)
        return state;
    if (lane == 0)
        shared[warp] = state;
    __syncthreads();
    if (warp == 0)
        state = merge_warp(lane < warps ? shared[lane] : state_nothing());
    return state;
}

static __device__ void state_put(word_t *slot, state_t state)
{
    halves_t halves;
    halves.state = state;
    for (unsigned k = 0; k < HALVES; k++)
        word_store(slot + k, MARK | halves.half[k]);
}

/* The tickets show that every block has begun: its words will arrive. */
static __device__ state_t state_get(const word_t *slot)
{
    halves_t halves;

    for (unsigned k = 0; k < HALVES; k++) {
        word_t word;
        while ((word = word_load(slot + k)) < MARK)
            poll_pause();
        halves.half[k] = (uint32_t)word;
    }
    return halves.state;
}

static __device__ __forceinline__ vector_t load_y(const value_t *y, size_t vector, bool aligned)
{
    vector_t v;

    if (aligned) {
        v.all = load_16(y + vector * LANES);
    } else {
#pragma unroll
        for (unsigned k = 0; k < LANES; k++)
            v.lane[k] = y[vector * LANES + k];
    }
    return v;
}

/* Vector number `vector`, in this turn. */
static __device__ __forceinline__ void add_vector(lane_t *lanes, const value_t *x, const value_t *y,
                                                  bool aligned, size_t vector, unsigned turn)
{
    vector_t v, w = {};

    v.all = load_16(x + vector * LANES);
    if (USES_Y)
        w = load_y(y, vector, aligned);
#pragma unroll
    for (unsigned k = 0; k < LANES; k++)
        lane_add(&lanes[k], v.lane[k], w.lane[k], turn);
}

/* What this thread sees of the whole vectors; aligned, a constant: y begins at a multiple of 16, as x does. Blocks read
 * tiles of LOADS rows for each warp side by side. */
static __device__ __forceinline__ state_t read_vectors(const value_t *x, const value_t *y,
                                                       size_t head, size_t vectors, bool aligned)
{
    unsigned lanes = warp_lanes(), tile = blockDim.x * LOADS;
    size_t first =
        (size_t)blockIdx.x * tile + threadIdx.x / lanes * (lanes * LOADS) + threadIdx.x % lanes;
    size_t step = (size_t)gridDim.x * tile, at = first;
    lane_t seen[LANES];
    unsigned turn = 0;

#pragma unroll
    for (unsigned k = 0; k < LANES; k++)
        seen[k] = lane_nothing();
#pragma unroll 1
    for (; at + (LOADS - 1) * lanes < vectors; at += step, turn += LOADS) {
        vector_t v[LOADS], w[USES_Y ? LOADS : 1];
#pragma unroll
        for (unsigned u = 0; u < LOADS; u++) {
            v[u].all = load_16(x + (at + u * lanes) * LANES);
            if (USES_Y)
                w[u % (USES_Y ? LOADS : 1)] = load_y(y, at + u * lanes, aligned);
        }
        loads_first();
#pragma unroll
        for (unsigned u = 0; u < LOADS; u++)
#pragma unroll
            for (unsigned k = 0; k < LANES; k++)
                lane_add(&seen[k], v[u].lane[k],
                         USES_Y ? w[u % (USES_Y ? LOADS : 1)].lane[k] : v[u].lane[k], turn + u);
    }
#pragma unroll 1
    for (unsigned u = 0; u < LOADS && at + u * lanes < vectors; u++)
        add_vector(seen, x, y, aligned, at + u * lanes, turn + u);

    state_t state = state_nothing();
    if (first >= vectors)
        return state;
#pragma unroll
    for (unsigned k = 0; k < LANES; k++) {
        size_t t = lane_turn(seen[k]), vector = first + t / LOADS * step + t % LOADS * lanes;
        state = state_merge(state, state_of_lane(seen[k], head + vector * LANES + k));
    }
    return state;
}

/* The elements before the first 16-byte boundary of x and behind the last vector, one for each of the first threads. */
static __device__ __forceinline__ state_t read_edge(const value_t *x, const value_t *y, size_t n,
                                                    unsigned head)
{
    unsigned edges = head + (unsigned)((n - head) % LANES);
    lane_t lane = lane_nothing();

    if (threadIdx.x >= edges)
        return state_nothing();
    size_t i = threadIdx.x < head ? threadIdx.x : n - edges + threadIdx.x;
    lane_add(&lane, x[i], USES_Y ? y[i] : x[i], 0);
    return state_of_lane(lane, i);
}

__global__ void LAUNCH_BOUNDS(STATES_BLOCK)
    reduce_states(const value_t *x, const value_t *y, size_t n, struct states_workspace *workspace,
                  void *result, int64_t *index, bool ready)
{
    __shared__ state_t shared[STATES_BLOCK / 32];
    __shared__ bool last;

    next_may_begin();
    if (!ready)
        earlier_done();
    unsigned ticket = 0; /* taken early: the answer comes while the block reads */
    if (threadIdx.x == 0 && gridDim.x > 1)
        ticket = atomicInc(&workspace->ticket, gridDim.x - 1); /* 0 again after the last block */

    unsigned head = (unsigned)((16 - (size_t)x % 16) % 16 / sizeof(value_t));
    if (head > n)
        head = (unsigned)n;
    size_t vectors = (n - head) / LANES;
    state_t state;
    if (!USES_Y || (size_t)(y + head) % 16 == 0)
        state = read_vectors(x + head, USES_Y ? y + head : y, head, vectors, true);
    else
        state = read_vectors(x + head, y + head, head, vectors, false);
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
        /* empty slots for the next launch */
#pragma unroll 1
        for (size_t w = threadIdx.x; w < (size_t)gridDim.x * HALVES; w += blockDim.x)
            word_store(workspace->slots + w, 0);
    }
    if (threadIdx.x == 0) {
        earlier_done();
        state_store(state, x, n, result, index);
    }
}

static void launch(const struct states *r)
{
    size_t vectors = r->n / LANES, threads = ceil_div(vectors, LOADS);
    size_t block = min_size(ceil_div(threads, r->warp_size) * r->warp_size, STATES_BLOCK);
    unsigned grid = 1;

    if (block == 0)
        block = r->warp_size;
    if (threads > STATES_BLOCK) {
        block = threads <= (size_t)r->compute_units * 256 ? 256 : STATES_BLOCK;
        grid = (unsigned)min_size(ceil_div(threads, block), (size_t)2 * r->compute_units);
    }
    hipLaunchKernelGGL(reduce_states, dim3(grid), dim3((unsigned)block), 0, r->stream,
                       (const value_t *)r->x, (const value_t *)r->y, r->n,
                       (struct states_workspace *)r->workspace, r->result, r->index,
                       r->input_ready && grid == 1);
    HIP_CHECK_LAUNCH();
}

#undef LANES
#undef HALVES
#undef LOADS
#undef USES_Y
