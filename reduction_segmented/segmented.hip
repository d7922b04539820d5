/* Segmented reduction: one value for each of many segments of the array.
 *
 * Study    150
 * Idea     The length of a segment decides who reduces it: a few lanes, a warp, a block, or several blocks.
 *          Short segments then leave no lanes idle, and long ones leave no compute units idle.
 * Compare  diff -u ../reduction_shfl/shfl.hip segmented.hip
 * Try      ./reduction_segmented --segment 16 --method warp
 *
 * pieces.h   several blocks for one segment
 * library.h  the vendor's segmented reduction
 * choose.h   who reduces a segment, and the longest chain that follows
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"
#include "prelude.h"
#include "widen.h"

enum { METHOD = SEGMENT_OPTION_COUNT }; /* index into r->option[] */
enum { AUTO, THREAD, WARP, BLOCK, LIBRARY };
static const struct variant_option options[] = {
    SEGMENT_OPTIONS,
    {"method", "auto|thread|warp|block|library", AUTO, 0, 0, "who reduces a segment"},
    VARIANT_OPTIONS_END,
};

#define VECTOR (16 / sizeof(value_t)) /* elements of one load */
#define UNROLL 4                      /* loads of a thread in flight at once */
#define BATCH  (UNROLL * VECTOR)      /* elements of those */
#define EDGES  (2 * (VECTOR - 1)) /* elements of a segment outside of its whole vectors, at most */

/* Loads of a thread in flight at once in reduce_range(). Where guards are predicates, more cost nothing but registers, and
 * elements of two bytes their conversions. */
#define MORE_LOADS (!GUARDS_BRANCH && sizeof(element_t) >= 4)
#define LOADS      (LOADED_BYTES_MAX < 256 ? 2 : MORE_LOADS ? 2 * UNROLL : UNROLL)

/* What one instruction loads. */
typedef union {
    bytes16_t all;
    value_t element[VECTOR];
} vector_t;

static __device__ __forceinline__ value_t add_elements(vector_t *v)
{
#pragma unroll
    for (unsigned e = 1; e < VECTOR; e++)
        v->element[0] = combine(v->element[0], v->element[e]);
    return v->element[0];
}

/* Combines elements [begin, end) with `lanes` threads; each thread returns its share. The elements before the
 * first whole vector and after the last one are loaded one by one, one for each of the first lanes. rounds, a constant:
 * most lanes load LOADS vectors more than once. */
static __device__ __forceinline__ value_t reduce_range(const element_t *input, size_t begin,
                                                       size_t end, unsigned lane, unsigned lanes,
                                                       bool rounds, bool streaming)
{
    /* Count from the last address before the input that is a multiple of VECTOR_BYTES: then all multiples of
     * VECTOR are. */
    size_t shift = (uintptr_t)input % VECTOR_BYTES / sizeof(element_t);

    input -= shift;
    begin += shift;
    end += shift;
    /* The whole vectors are those from first to last. */
    size_t first = min_size(ceil_div(begin, VECTOR) * VECTOR, end);
    size_t last = first + (end - first) / VECTOR * VECTOR;
    unsigned head = (unsigned)(first - begin), edges = head + (unsigned)(end - last);

    /* This is inlined three times into a loop of reduce_groups(). */
    lane = lane_not_kept(lane);
    lanes = lane_not_kept(lanes);
    size_t stride = (size_t)lanes * VECTOR;

    value_t edge[EDGES]; /* loaded first, and used last */
#pragma unroll
    for (unsigned e = 0; e < EDGES; e++) {
        unsigned k = lane + e * lanes;
        edge[e] = IDENTITY;
        if (k < edges)
            edge[e] = widen(input[k < head ? begin + k : last + k - head]);
    }
    vector_t nothing;
    for (unsigned e = 0; e < VECTOR; e++)
        nothing.element[e] = IDENTITY;

    value_t value = IDENTITY;
    size_t at = first + lane * VECTOR;
    if (GUARDS_BRANCH &&
        rounds) { /* no guards: the first additions need not wait for the last load */
#pragma unroll 1
        for (; at + (LOADS - 1) * stride < last; at += LOADS * stride) {
            vector_t v[LOADS];
#pragma unroll
            for (unsigned u = 0; u < LOADS; u++) {
                v[u].all = load_values(input + at + u * stride, streaming);
            }
            loads_first();
#pragma unroll
            for (unsigned u = 0; u < LOADS; u++)
                value = combine(value, add_elements(&v[u]));
        }
    }
    for (; at < last; at += LOADS * stride) {
        vector_t v[LOADS]; /* all loads before the first use */
#pragma unroll
        for (unsigned u = 0; u < LOADS; u++) {
            v[u] = nothing;
            if (at + u * stride < last)
                v[u].all = load_values(input + at + u * stride, streaming);
        }
        loads_first();
#pragma unroll
        for (unsigned u = 0; u < LOADS; u++) {
            v[u].all = whole_16(v[u].all);
            value = combine(value, add_elements(&v[u]));
        }
    }
#pragma unroll
    for (unsigned e = 1; e < EDGES; e++)
        edge[0] = combine(edge[0], edge[e]);
    return combine(value, edge[0]);
}

/* Combines one value of each of `lanes` lanes in a row; the first of them holds the result. All lanes of
 * the warp take part in every exchange; a value from a lane outside is not used. */
static __device__ value_t reduce_lanes(value_t value, unsigned lane, unsigned lanes)
{
    for (unsigned distance = 1; distance < lanes; distance *= 2) {
        value_t other = __shfl_down(value, distance);
        if (lane + distance < lanes)
            value = combine(value, other);
    }
    return value;
}

/* The same for the whole warp, or as many lanes of it as there are. */
static __device__ value_t reduce_warp(value_t value, unsigned lane, unsigned lanes)
{
#if defined(HAS_WAVE_REDUCE)
    if (lanes == warp_lanes())
        return wave_reduce(value, warp_lanes());
#endif
    return reduce_lanes(value, lane, lanes);
}

/* How many lanes the warp of this thread has: the last one of a block may have fewer. */
static __device__ unsigned lanes_of_warp(void)
{
    unsigned size = (unsigned)warpSize, before = threadIdx.x / size * size;

    return blockDim.x - before < size ? blockDim.x - before : size;
}

/* Combines one value of every thread of the block; thread 0 holds the result. */
static __device__ value_t reduce_block(value_t value, value_t *shared)
{
    unsigned size = (unsigned)warpSize;
    unsigned lane = threadIdx.x % size;
    unsigned warp = threadIdx.x / size;
    unsigned warps = (blockDim.x + size - 1) / size;

    value = reduce_warp(value, lane, lanes_of_warp());
    if (lane == 0)
        shared[warp] = value;
    __syncthreads();
    if (warp == 0)
        value = reduce_lanes(lane < warps ? shared[lane] : IDENTITY, lane, warps);
    __syncthreads(); /* shared[] may be used again */
    return value;
}

/* What plan() decides. */
struct planned {
    int method;
    struct segments host;           /* its offsets are on the host */
    unsigned group;                 /* lanes for a segment; 0: all segments go to blocks */
    size_t group_limit, warp_limit; /* the longest segment that a group takes, a warp ... */
    size_t block_limit;             /* ... and a block; longer ones are cut ... */
    size_t piece;                   /* ... into pieces of so many elements */
    size_t parts;                   /* pieces of each segment where all are equally long */
    bool queued;                    /* with offsets: some segments are longer than block_limit */
    size_t pieces;                  /* of all segments, at most */
    unsigned blocks;                /* of a launch, at most */
    /* The workspace: bytes from its start. */
    size_t offsets, results, total, partials, queue, library, library_bytes;
};

#define QUEUE_MAX    1024  /* segments: fewer have more than n / QUEUE_MAX elements */
#define QUEUE_COUNTS 65536 /* a power of two above it */
#define QUEUE_BYTES  (sizeof(struct queue_head) + QUEUE_MAX * sizeof(struct waiting))

#include "pieces.h"

/* Each `group` neighbouring lanes take a segment; then the warp takes those that are longer than
 * group_limit, one after the other; then the block those longer than warp_limit. What is longer than
 * `block_limit` goes to the queue. group is a power of two, at most the size of a warp and of the block. */
__global__ void LAUNCH_BOUNDS(1024)
    reduce_groups(const element_t *input, struct segments s, value_t *results, unsigned group,
                  size_t group_limit, size_t warp_limit, size_t block_limit, value_t *partials,
                  struct queue queue)
{
    HIP_DYNAMIC_SHARED(value_t, shared);
    __shared__ unsigned waiting_count; /* of the segments that wait for the whole block */
    __shared__ word_t launch; /* 0: this block neither queues segments nor waits for some */
    unsigned lane = threadIdx.x % (unsigned)warpSize, lanes = lanes_of_warp();
    unsigned member = threadIdx.x % group, groups = blockDim.x / group;
    unsigned warps = (blockDim.x + warp_lanes() - 1) / warp_lanes();
    unsigned *waiting_for_block = (unsigned *)(shared + warps);
    unsigned closed = 0;
    word_t state = 0;

    next_may_begin();
    earlier_done();
    if (threadIdx.x == 0) {
        launch = 0;
        if (begins_last(queue))
            state = word_load(&queue.head->state);
    }
    __syncthreads();
    size_t first = (size_t)blockIdx.x * groups, step = (size_t)gridDim.x * groups;
    do { /* once at least: blocks for the queue alone close it, too */
        size_t k = first + threadIdx.x / group;
        /* The threads after the last whole group take part, because shuffles need all lanes. */
        bool mine = threadIdx.x / group < groups && k < s.count;
        size_t begin = mine ? segment_begin(s, k) : 0;
        size_t end = mine ? segment_begin(s, k + 1) : 0;
        bool is_long = end - begin > group_limit, too_long = end - begin > block_limit;

        if (group_limit != SIZE_MAX) {
            if (threadIdx.x == 0)
                waiting_count = 0;
            if (too_long && member == 0)
                (void)atomicExch(&launch, queue_add(queue, k, end - begin));
            __syncthreads();
            if (threadIdx.x == 0 && first + step >= s.count) {
                closed = queue_close(queue, launch != 0);
                if (begins_last(queue))
                    launch = launch_of(state);
            }
        }
        value_t value = IDENTITY;
        if (!is_long)
            value = reduce_range(input, begin, end, member, group, false, false);
        value = reduce_lanes(value, member, group);
        if (mine && member == 0 && !is_long)
            results[k] = canonical(value);
        if (group_limit == SIZE_MAX)
            continue; /* none is longer */

        unsigned long long waiting = __ballot(is_long && !too_long && member == 0);
        while (waiting != 0) {
            unsigned source = (unsigned)__ffsll(waiting) - 1;
            size_t segment = first + (threadIdx.x - lane + source) / group;
            size_t from = s.offsets[segment], to = s.offsets[segment + 1];
            waiting &= waiting - 1;
            if (to - from <= warp_limit) {
                value = reduce_range(input, from, to, lane, lanes, false, false);
                value = reduce_warp(value, lane, lanes);
                if (lane == 0)
                    results[segment] = canonical(value);
            } else if (lane == 0) {
                waiting_for_block[atomicAdd(&waiting_count, 1u)] = (unsigned)(segment - first);
            }
        }
        __syncthreads();

        for (unsigned i = 0; i < waiting_count; i++) {
            size_t segment = first + waiting_for_block[i];
            value = reduce_range(input, s.offsets[segment], s.offsets[segment + 1], threadIdx.x,
                                 blockDim.x, false, false);
            value = reduce_block(value, shared);
            if (threadIdx.x == 0)
                results[segment] = canonical(value);
        }
        __syncthreads(); /* all have seen the count */
    } while ((first += step) < s.count);
    if (queue.head == NULL)
        return;
    if (threadIdx.x == 0)
        queue_closed(queue, closed);
    if (launch != 0)
        reduce_queue(input, s, results, partials, queue, &launch, shared);
}

#include "library.h"
#include "choose.h"

#define RESULTS_BLOCK 256 /* threads that combine the results of the segments */

/* The pieces that these are cut into; without segments one, which leaves IDENTITY. */
static size_t parts_of_results(size_t count, size_t piece)
{
    return count == 0 ? 1 : ceil_div(count, piece);
}

static void plan(struct reduction *r)
{
    struct planned *p = (struct planned *)r->planned;

    if (r->block == 0)
        r->block = 256;
    p->method = r->n > 0 ? (int)r->option[METHOD] : AUTO; /* libraries need elements */
    p->host = segments_of(r);
    size_t count = p->host.count, longest = segments_longest(p->host);
    plan_segments(r, p, longest);

    size_t piece = piece_for(r, count, RESULTS_BLOCK, 8);
    size_t last = parts_of_results(count, piece);
    p->offsets = workspace_take(r, segments_bytes(p->host));
    p->results = workspace_take(r, count * sizeof(value_t));
    p->total = workspace_take(r, sizeof(value_t));
    p->partials = workspace_take(r, (p->pieces > last ? p->pieces : last) * sizeof(value_t));
    p->queue = workspace_take(r, QUEUE_BYTES);
    if (p->method == LIBRARY)
        p->library_bytes = library_plan(p->host);
    p->library = workspace_take(r, p->library_bytes);

    r->host_bytes = sizeof(value_t);
    r->chain = longest_chain(r) + chain_of_blocks(count, piece, piece, RESULTS_BLOCK);
    r->launches = (count == 0 ? 0 : p->parts > 1 ? 2 : 1) + (last > 1 ? 2 : 1);
    if (p->method == LIBRARY)
        r->launches = 0; /* the library does not report its own */
}

static void release(struct reduction *r)
{
    segments_free(&((struct planned *)r->planned)->host);
}

/* The segments with offsets on the device. */
static struct segments device_segments(const struct reduction *r)
{
    const struct planned *p = (const struct planned *)r->planned;
    struct segments s = p->host;

    if (s.offsets != NULL)
        s.offsets = (const size_t *)((char *)r->workspace + p->offsets);
    return s;
}

static void launch_groups(const struct reduction *r, const element_t *input, struct segments s,
                          value_t *results)
{
    const struct planned *p = (const struct planned *)r->planned;
    /* For the values of the warps, and the number of each group. */
    size_t shared_bytes =
        ceil_div(r->block, r->warp_size) * sizeof(value_t) + r->block / p->group * sizeof(unsigned);

    hipLaunchKernelGGL(reduce_groups, dim3(r->grid), dim3(r->block), shared_bytes, r->stream, input,
                       s, results, p->group, p->group_limit, p->warp_limit, p->block_limit,
                       (value_t *)((char *)r->workspace + p->partials),
                       queue_of(r, p->block_limit));
    HIP_CHECK_LAUNCH();
}

/* s: as planned, with its offsets on the device. */
static void launch_segments(const struct reduction *r, const element_t *input, struct segments s,
                            value_t *results)
{
    const struct planned *p = (const struct planned *)r->planned;

    if (p->method == LIBRARY)
        launch_library(r, input, s, results);
    else if (p->group > 0)
        launch_groups(r, input, s, results);
    else
        launch_parts(r, input, s, results, p->parts, p->piece, r->block,
                     s.offsets != NULL ? p->block_limit : SIZE_MAX);
}

/* The results of the segments are an array, too: it is reduced as one segment. (Elements are values here: those of two
 * bytes are for the library, whose segments have no total.) */
static void launch(const struct reduction *r, const element_t *input)
{
    const struct planned *p = (const struct planned *)r->planned;
    value_t *results = (value_t *)((char *)r->workspace + p->results);
    value_t *total = (value_t *)((char *)r->workspace + p->total);
    size_t count = p->host.count, piece = piece_for(r, count, RESULTS_BLOCK, 8);
    struct segments all = {NULL, count, 1, count};

    if (count > 0)
        launch_segments(r, input, device_segments(r), results);
    launch_parts(r, (const element_t *)results, all, total, parts_of_results(count, piece), piece,
                 RESULTS_BLOCK, SIZE_MAX);
}

/* Where launch() leaves the result of all segments. */
static const value_t *device_result(const struct reduction *r)
{
    const struct planned *p = (const struct planned *)r->planned;

    return (const value_t *)((char *)r->workspace + p->total);
}

static value_t finish(const struct reduction *r)
{
    value_t *result = host_values(r);

    HIP_CHECK(hipMemcpyAsync(result, device_result(r), sizeof(value_t), hipMemcpyDeviceToHost,
                             r->stream));
    HIP_CHECK(hipStreamSynchronize(r->stream));
    return *result;
}

static void prepare(const struct reduction *r, const struct input_view *, struct reference *)
{
    const struct planned *p = (const struct planned *)r->planned;

    segments_upload(p->host, (char *)r->workspace + p->offsets);
    HIP_CHECK(hipMemset((char *)r->workspace + p->queue, 0, QUEUE_BYTES));
}

/* Every segment is verified. */
static size_t extras(const struct reduction *r, const struct input_view *in, struct extra *out)
{
    const struct planned *p = (const struct planned *)r->planned;

    return segments_check(r, p->host, in, OPERATION, (char *)r->workspace + p->results, chain_of,
                          out);
}

VARIANT = {
    .options = options,
    .plan = plan,
    .launch = launch,
    .finish = finish,
    .device_result = device_result,
    .prepare = prepare,
    .extras = extras,
    .release = release,
    .planned_bytes = sizeof(struct planned),
};
