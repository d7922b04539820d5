/* Reduction in a single pass: one launch for every n, and as fast as memory allows.
 *
 * Study    180
 * Idea     Issue all loads before using the first value: each thread has 8 loads of 16 bytes in flight.
 *          Each block takes a ticket as it begins, and the one with the last ticket combines the partials of
 *          all, in the order of the blocks: every run gives the same bits. Each partial carries a mark that
 *          proves its arrival, so no memory fence is needed.
 * Compare  diff -u ../reduction_last_block/last_block.hip single_pass.hip
 * Try      ./reduction_single_pass --offset 1
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"
#include "prelude.h"

enum { RESULT }; /* index into r->option[] */
enum { DEVICE, HOST };
static const struct variant_option options[] = {
    {"result", "device|host", HOST, 0, 0,
     "where the kernel leaves it: to be copied, or waited for"},
    VARIANT_OPTIONS_END,
};

#define LOADS  8                                  /* 16-byte loads in flight per thread */
#define SMALL  1024                               /* vectors up to which reduce_small() is used */
#define LANES  ((unsigned)(16 / sizeof(value_t))) /* elements of a vector */
#define HALVES ((unsigned)(sizeof(value_t) / 4))  /* words that a value travels in */

typedef union {
    bytes16_t all;
    value_t lane[LANES];
} vector_t;

/* A value sent to another block, or to the host: one word for each 32 bits of it, with the bits in the
 * low half and a mark above. A word is never torn, so a reader that sees the mark sees the bits. No
 * order between words is needed, hence no fence: on gfx942 that would be a write-back of the L2. */
typedef union {
    value_t value;
    uint32_t half[HALVES];
} halves_t;

/* Device memory of one reduction. All but result is zero before a launch, and again after it. */
typedef struct {
    unsigned ticket;
    value_t result;
    word_t padding[14]; /* what all blocks update has a cache line of its own */
    word_t slots[]; /* HALVES for each block, close together: full lines are cheaper to read back */
} workspace_t;

static __device__ void slot_put(word_t *slot, value_t value)
{
    halves_t halves;
    halves.value = value;
    for (unsigned k = 0; k < HALVES; k++)
        word_store(slot + k, MARK | halves.half[k]);
}

/* The value in a slot. The tickets show that every block has begun: its words will arrive. */
static __device__ value_t slot_get(const word_t *slot)
{
    halves_t halves;
    word_t words[HALVES];
    bool there;
    do {
        there = true;
        for (unsigned k = 0; k < HALVES; k++)
            words[k] = word_load(slot + k);
        for (unsigned k = 0; k < HALVES; k++)
            there = there && words[k] >= MARK;
        if (!there)
            poll_pause();
    } while (!there);
    for (unsigned k = 0; k < HALVES; k++)
        halves.half[k] = (uint32_t)words[k];
    return halves.value;
}

/* Combines one value of every lane of a full warp; lane 0 holds the result. Only the first `lanes` lanes have
 * something to give, the others hold IDENTITY. */
#if defined(HAS_WARP_SUMS)
#include "nvidia_warp.h"
#else
static __device__ value_t reduce_warp(value_t value, unsigned lanes)
{
#if defined(HAS_WAVE_REDUCE)
    return wave_reduce(value, lanes);
#else
    (void)lanes;
    for (unsigned distance = warp_lanes() / 2; distance > 0; distance /= 2)
        value = combine(value, __shfl_down(value, distance));
    return value;
#endif
}
#endif

/* Combines one value of every thread of the block; thread 0 holds the result. A block of whole warps. */
static __device__ value_t reduce_block(value_t value, value_t *shared)
{
    unsigned lane = threadIdx.x % warp_lanes();
    unsigned warp = threadIdx.x / warp_lanes();
    unsigned warps = blockDim.x / warp_lanes();

    warp_together(); /* with it the shuffles need no second copy for lanes that are apart */
    value = reduce_warp(value, warp_lanes());
    if (warps == 1)
        return value;
    if (lane == 0)
        shared[warp] = value;
    __syncthreads();
    if (warp == 0) {
        value = lane < warps ? shared[lane] : IDENTITY;
        warp_together();
        value = reduce_warp(value, warps);
    }
    return value;
}

/* Elements before the first 16-byte boundary. */
static __device__ unsigned count_head(const value_t *input, size_t n)
{
    unsigned head = (unsigned)((16 - (size_t)input % 16) % 16 / sizeof(value_t));
    return head < n ? head : (unsigned)n;
}

/* The elements before the vectors and after them, fewer than 2 x LANES: one for each of the first threads,
 * loaded before the vectors are used, so that all loads are in flight together. */
static __device__ value_t load_edge(const value_t *input, size_t n, unsigned head)
{
    unsigned edges = head + (unsigned)((n - head) % LANES);
    if (threadIdx.x >= edges)
        return IDENTITY;
    return input[threadIdx.x < head ? threadIdx.x : n - edges + threadIdx.x];
}

static __device__ __forceinline__ void add_loaded(value_t *sums, const vector_t *v)
{
#pragma unroll
    for (unsigned u = 0; u < LOADS; u++)
#pragma unroll
        for (unsigned k = 0; k < LANES; k++)
            sums[k] = combine(sums[k], v[u].lane[k]);
}

/* A warp takes LOADS rows side by side. This is the row in the middle: from there on, the others are a small
 * constant away. */
static __device__ __forceinline__ unsigned middle_row(void)
{
    unsigned lanes = warp_lanes();
    return threadIdx.x / lanes * (lanes * LOADS) + threadIdx.x % lanes + LOADS / 2 * lanes;
}

/* Combines this thread's part of vectors[0 .. count) into sums. All loads are in flight before the first value is
 * used; elements past the end count as IDENTITY. */
static __device__ __forceinline__ void add_vectors(value_t *sums, const vector_t *vectors,
                                                   unsigned count, bool streaming)
{
    vector_t v[LOADS], nothing;
    unsigned lanes = warp_lanes(), row = middle_row();

    for (unsigned k = 0; k < LANES; k++)
        nothing.lane[k] = IDENTITY;
    nothing.all = whole_16(nothing.all);
#pragma unroll
    for (unsigned u = 0; u < LOADS; u++) {
        v[u] = nothing;
        if (row + (u - LOADS / 2) * lanes < count)
            v[u].all = load_16_beside(vectors, row, ((int)u - LOADS / 2) * (int)lanes, streaming);
    }
    add_loaded(sums, v);
}

/* The same where all rows of the warp have their vectors: without guards, the first additions need not wait for the
 * last load. */
static __device__ __forceinline__ void add_full_rows(value_t *sums, const vector_t *vectors)
{
    vector_t v[LOADS];
    unsigned lanes = warp_lanes(), row = middle_row();

#pragma unroll
    for (unsigned u = 0; u < LOADS; u++)
        v[u].all = load_16_beside(vectors, row, ((int)u - LOADS / 2) * (int)lanes, false);
    loads_first();
    add_loaded(sums, v);
}

static __device__ __forceinline__ value_t add_lanes(const value_t *sums)
{
    value_t value = sums[0];
#pragma unroll
    for (unsigned k = 1; k < LANES; k++)
        value = combine(value, sums[k]);
    return value;
}

/* report: words in host memory; NULL: into result, in device memory. */
static __device__ void deliver(value_t value, value_t *result, word_t *report)
{
    earlier_done();
    if (report == NULL) {
        *result = canonical(value);
        return;
    }
    halves_t halves;
    halves.value = canonical(value);
    for (unsigned k = 0; k < HALVES; k++)
        word_report(report + k, MARK | halves.half[k]);
}

/* ready: the input may be read at once. */
static __device__ __forceinline__ void begin(bool ready)
{
    next_may_begin();
    if (!ready)
        earlier_done();
}

/* Few elements: one small block, and thread 0 combines the few warps. */
__global__ void LAUNCH_BOUNDS(SMALL / LOADS)
    reduce_small(const value_t *input, value_t *result, word_t *report, size_t n, bool ready)
{
    HIP_DYNAMIC_SHARED(value_t, shared);

    begin(ready);
    unsigned head = count_head(input, n);
    value_t sums[LANES];
    sums[0] = load_edge(input, n, head);
    for (unsigned k = 1; k < LANES; k++)
        sums[k] = IDENTITY;
    add_vectors(sums, (const vector_t *)(input + head), (unsigned)(n - head) / LANES, false);

    value_t value = reduce_warp(add_lanes(sums), warp_lanes());
    if (blockDim.x > warp_lanes()) {
        if (threadIdx.x % warp_lanes() == 0)
            shared[threadIdx.x / warp_lanes()] = value;
        __syncthreads();
        if (threadIdx.x == 0)
            for (unsigned w = 1; w < blockDim.x / warp_lanes(); w++)
                value = combine(value, shared[w]);
    }
    if (threadIdx.x == 0)
        deliver(value, result, report);
}

static __device__ __forceinline__ void reduce_tiles(const value_t *input, workspace_t *workspace,
                                                    value_t *result, word_t *report, size_t n,
                                                    struct walk walk, bool ready, bool streaming)
{
    HIP_DYNAMIC_SHARED(value_t, shared);
    __shared__ bool last;

    begin(ready);
    unsigned ticket = 0; /* taken early: the answer comes while the block reads */
    if (threadIdx.x == 0 && gridDim.x > 1)
        ticket = atomicInc(&workspace->ticket, gridDim.x - 1); /* 0 again after the last block */

    unsigned head = count_head(input, n);
    const vector_t *body = (const vector_t *)(input + head);
    size_t vectors = (n - head) / LANES;
    size_t first = walk.block_stride * blockIdx.x;

    value_t sums[LANES];
    sums[0] = blockIdx.x == 0 ? load_edge(input, n, head) : IDENTITY;
    for (unsigned k = 1; k < LANES; k++)
        sums[k] = IDENTITY;
    unsigned round = 0, rows = (threadIdx.x / warp_lanes() + 1) * warp_lanes() * LOADS;
    if (rows <= walk.tile && !streaming) { /* with both, 8-byte types took 6 % longer on an H200 */
#pragma unroll 1
        for (; round < walk.rounds && first + rows <= vectors; round++, first += walk.round_stride)
            add_full_rows(sums, body + first);
    }
#pragma unroll 1
    for (; round < walk.rounds && first < vectors; round++, first += walk.round_stride) {
        size_t left = vectors - first;
        add_vectors(sums, body + first, left < walk.tile ? (unsigned)left : walk.tile, streaming);
    }

    value_t value = reduce_block(add_lanes(sums), shared);
    if (gridDim.x > 1) {
        if (threadIdx.x == 0) {
            slot_put(workspace->slots + (size_t)blockIdx.x * HALVES, value);
            last = ticket == gridDim.x - 1;
        }
        __syncthreads();
        if (!last)
            return;

        value = IDENTITY;
#pragma unroll 1
        for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x)
            value = combine(value, slot_get(workspace->slots + (size_t)b * HALVES));
        value = reduce_block(value, shared);
        /* Empty slots for the next launch. After the last barrier: it would wait for the stores. */
#pragma unroll 1
        for (size_t w = threadIdx.x; w < (size_t)gridDim.x * HALVES; w += blockDim.x)
            word_store(workspace->slots + w, 0);
    }
    if (threadIdx.x == 0)
        deliver(value, result, report);
}

__global__ void LAUNCH_BOUNDS(1024)
    reduce_single_pass(const value_t *input, workspace_t *workspace, value_t *result,
                       word_t *report, size_t n, struct walk walk, bool ready)
{
    reduce_tiles(input, workspace, result, report, n, walk, ready, false);
}

#if defined(HAS_STREAMING)
__global__ void LAUNCH_BOUNDS(1024)
    reduce_streaming(const value_t *input, workspace_t *workspace, value_t *result, word_t *report,
                     size_t n, struct walk walk, bool ready)
{
    reduce_tiles(input, workspace, result, report, n, walk, ready, true);
}
#else
#define reduce_streaming reduce_single_pass
#endif

enum { ONE_SMALL_BLOCK, MANY_BLOCKS, ONE_CLUSTER };
struct planned {
    int kernel; /* one of these */
    struct walk walk;
};

#if defined(HAS_CLUSTER_LAUNCH)
#include "nvidia_cluster.h"
#endif

static void plan(struct reduction *r)
{
    struct planned *p = (struct planned *)r->planned;
    const struct shape *shape = shape_for(r->arch);
    size_t vectors = r->n / LANES;
    size_t threads = ceil_div(vectors, LOADS);
    unsigned warp = r->warp_size;
    bool free_choice = r->grid == 0 && r->block == 0;

    p->kernel = MANY_BLOCKS;
    if (!free_choice) { /* as the user asked, in whole warps */
        r->block = r->block != 0 ? round_up(r->block, warp, warp, 1024) : shape->block;
        if (r->grid == 0)
            r->grid =
                round_up(ceil_div(threads, r->block), 1, 1, r->compute_units * shape->per_unit);
    } else if (vectors <= SMALL) {
        p->kernel = ONE_SMALL_BLOCK;
        r->grid = 1;
        r->block = round_up(threads, warp, warp, SMALL / LOADS);
    } else if (vectors <= shape->one_block) {
        r->grid = 1;
        r->block = round_up(threads, warp, warp, 1024);
    } else {
        shape_blocks(shape, r->compute_units, threads, &r->grid, &r->block);
    }

    p->walk = walk_over(vectors, r->grid, r->block * LOADS, shape->interleave);
#if defined(HAS_CLUSTER_LAUNCH)
    if (free_choice && plan_cluster(r, vectors))
        p->kernel = ONE_CLUSTER;
#endif

    size_t slots = r->grid > 1 ? r->grid : 0;
    r->workspace_bytes = sizeof(workspace_t) + slots * HALVES * sizeof(word_t);
    r->host_bytes = HALVES * sizeof(word_t);
    r->chain = 1 + p->walk.rounds * LOADS + LANES + tree_depth(r->block);
    if (p->kernel == ONE_SMALL_BLOCK)
        r->chain += r->block / warp;
    else if (r->grid > 1) /* blocks beyond the last tile have IDENTITY */
        r->chain += ceil_div(min_size(r->grid, vectors / p->walk.tile + 1), r->block) +
                    tree_depth(r->block);
    r->launches = 1;
}

/* Where launch() leaves the result, if it stays on the device. */
static const value_t *device_result(const struct reduction *r)
{
    if (r->option[RESULT] == HOST)
        return NULL;
    return r->result != NULL ? (const value_t *)r->result : &((workspace_t *)r->workspace)->result;
}

static void launch(const struct reduction *r, const value_t *input)
{
    const struct planned *p = (const struct planned *)r->planned;
    workspace_t *workspace = (workspace_t *)r->workspace;
    value_t *result = (value_t *)device_result(r);
    word_t *report = r->option[RESULT] == HOST ? (word_t *)empty_words(r) : NULL;
    size_t shared_bytes = r->block / r->warp_size * sizeof(value_t);
    bool ready = r->input_ready && r->grid == 1; /* what other blocks write is the workspace */

    if (p->kernel == ONE_SMALL_BLOCK) {
        hipLaunchKernelGGL(reduce_small, dim3(1), dim3(r->block), shared_bytes, r->stream, input,
                           result, report, r->n, r->input_ready);
#if defined(HAS_CLUSTER_LAUNCH)
    } else if (p->kernel == ONE_CLUSTER) {
        hipLaunchKernelGGL(reduce_cluster, dim3(r->grid), dim3(r->block), 0, r->stream, input,
                           result, report, r->n, (unsigned)p->walk.tile, r->input_ready);
#endif
    } else if (streaming_pays(r->n * sizeof(value_t))) {
        hipLaunchKernelGGL(reduce_streaming, dim3(r->grid), dim3(r->block), shared_bytes, r->stream,
                           input, workspace, result, report, r->n, p->walk, ready);
    } else {
        hipLaunchKernelGGL(reduce_single_pass, dim3(r->grid), dim3(r->block), shared_bytes,
                           r->stream, input, workspace, result, report, r->n, p->walk, ready);
    }
    HIP_CHECK_LAUNCH();
}

#define SPIN_LIMIT 1000000 /* polls, about a millisecond */

static value_t finish(const struct reduction *r)
{
    if (r->option[RESULT] == DEVICE) {
        HIP_CHECK(hipMemcpyAsync(r->host, device_result(r), sizeof(value_t), hipMemcpyDeviceToHost,
                                 r->stream));
        HIP_CHECK(hipStreamSynchronize(r->stream));
        return *host_values(r);
    }

    /* The marks arrive before the runtime knows that the kernel is done. A kernel that fails sends
     * none: after a while let the runtime wait, which also reports errors. */
    const volatile word_t *report = (const volatile word_t *)r->host;
    halves_t halves;
    unsigned polls = 0;
    for (unsigned k = 0; k < HALVES; k++) {
        while (report[k] < MARK && polls < SPIN_LIMIT)
            polls++;
        if (polls == SPIN_LIMIT)
            HIP_CHECK(hipStreamSynchronize(r->stream));
        halves.half[k] = (uint32_t)report[k];
    }
    return halves.value;
}

VARIANT = {
    .options = options,
    .plan = plan,
    .launch = launch,
    .finish = finish,
    .device_result = device_result,
    .planned_bytes = sizeof(struct planned),
    .places_result = true,
};
