/* Head flags: segments of any lengths, and all lanes always have work.
 *
 * Study    160
 * Idea     A warp reads its part of the array element by element, whatever the segments are. A flag marks
 *          the head of each segment, and a prefix sum that does not pass a flag leaves the result of a
 *          segment at its last element: the segmented scan.
 * Compare  diff -u ../reduction_shfl/shfl.hip head_flags.hip
 * Try      ./reduction_head_flags --ragged --segment 20
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"
#include "prelude.h"

static const struct variant_option options[] = {
    SEGMENT_OPTIONS,
    VARIANT_OPTIONS_END,
};

/* a warp reads a tile of the array in so many chunks: one element for each lane */
#define CHUNKS 16

/* Chunks that a thread loads at once, while it scans those before: a scan of all 16 without a loop would be 60 KB of code,
 * more than the caches for instructions hold. */
#define LOADS (LOADS_GUARDED_MAX < 4 ? LOADS_GUARDED_MAX : 4)

/* Combines one value of every lane of a full warp; lane 0 holds the result. */
static __device__ value_t reduce_warp(value_t value)
{
#if defined(HAS_WAVE_REDUCE)
    return wave_reduce(value, warp_lanes());
#else
    for (unsigned distance = warp_lanes() / 2; distance > 0; distance /= 2)
        value = combine(value, __shfl_down(value, distance));
    return value;
#endif
}

/* The nearest lane at or below this one whose flag is set; 0 if there is none. */
static __device__ unsigned nearest_flag(bool flag, unsigned lane)
{
    unsigned long long flags = __ballot(flag);
    unsigned long long below = flags & (((unsigned long long)2 << lane) - 1);

    return below == 0 ? 0 : 63 - (unsigned)__clzll((long long)below);
}

/* Combines the value of each lane with those of the lanes before it, back to lane `head`. */
static __device__ value_t scan_warp(value_t value, unsigned lane, unsigned head)
{
#pragma unroll
    for (unsigned distance = 1; distance < warp_lanes(); distance *= 2) {
        value_t other = __shfl_up(value, distance);
        if (lane >= head + distance)
            value = combine(other, value);
    }
    return value;
}

/* The segment of element i < n: the last one that begins at or before it. */
static __device__ size_t segment_of(struct segments s, size_t i)
{
    if (s.offsets == NULL)
        return i / s.length;
    size_t low = 0, high = s.count; /* begin(low) <= i < begin(high) */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (s.offsets[middle] <= i)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The parts of a tile that belong to segments which extend beyond it. */
struct edge {
    value_t head; /* of the segment that began before it */
    value_t tail; /* of the segment that begins in it and continues after it ... */
    size_t open;  /* ... and which one that is, or SIZE_MAX */
};

/* Where element i of the array lies in the tile that begins at `start`: -1 before it, FAR after it. The minimum is taken
 * before the comparison: LLVM 21 takes one behind `?` for both cases, and the comparison for known (docs/amd.md). */
#define FAR INT32_MAX
static __device__ int in_tile(size_t i, size_t start)
{
    int ahead = (int)min_size(i - start, FAR);
    return i < start ? -1 : ahead;
}

/* LOADS chunks from element `i` of this lane on; `count` elements are there. A full tile needs no guards, and then the
 * first scan need not wait for the last load. */
static __device__ __forceinline__ void load_chunks(value_t *loaded, const value_t *tile, int i,
                                                   int count, bool full)
{
    if (full) {
#pragma unroll
        for (int u = 0; u < LOADS; u++)
            loaded[u] = tile[i + u * (int)warp_lanes()];
    } else {
#pragma unroll
        for (int u = 0; u < LOADS; u++)
            loaded[u] =
                i + u * (int)warp_lanes() < count ? tile[i + u * (int)warp_lanes()] : IDENTITY;
    }
}

/* A warp for each tile. All warps are full. */
__global__ void LAUNCH_BOUNDS(1024)
    reduce_tiles(const value_t *input, struct segments s, value_t *results, struct edge *edges)
{
    unsigned size = warp_lanes(), lane = threadIdx.x % size;
    size_t tile_size = (size_t)size * CHUNKS, tiles = ceil_div(s.n, tile_size);
    size_t warps = (size_t)gridDim.x * (blockDim.x / size);
    size_t warp = (size_t)blockIdx.x * (blockDim.x / size) + threadIdx.x / size;

    for (size_t tile = warp; tile < tiles; tile += warps) {
        size_t start = tile * tile_size;
        int count = (int)min_size(tile_size, s.n - start); /* elements that are there */
        bool full = count == (int)tile_size;
        size_t k = segment_of(s, min_size(start + lane, s.n - 1));
        int begin = in_tile(segment_begin(s, k), start),
            end = in_tile(segment_begin(s, k + 1), start);
        value_t carry = IDENTITY; /* from the last lane of the chunk before */
        struct edge edge = {IDENTITY, IDENTITY, SIZE_MAX};

        value_t now[LOADS], next[LOADS];
        load_chunks(next, input + start, (int)lane, count, full);
        int i = (int)lane; /* the lane's element */
#pragma unroll 1
        for (unsigned chunk = 0; chunk < CHUNKS; chunk += LOADS) {
#pragma unroll
            for (int u = 0; u < LOADS; u++)
                now[u] = next[u];
            if (chunk + LOADS < CHUNKS)
                load_chunks(next, input + start, i + LOADS * (int)size, count, full);
#pragma unroll
            for (int u = 0; u < LOADS; u++, i += (int)size) {
                value_t value = now[u];
                while (i < count && end <= i) { /* on to the segment of element i */
                    begin = end;
                    end = in_tile(segment_begin(s, ++k + 1), start);
                }
                warp_together();
                bool head = i < count && begin == i;
                if (lane == 0 && !head)
                    value = combine(carry, value);
                value = scan_warp(value, lane, nearest_flag(head, lane));
                carry = __shfl(value, (int)size - 1);

                if (i < count && i + 1 == end) { /* the last element of a segment */
                    if (begin >= 0)
                        results[k] = value;
                    else
                        edge.head = value;
                }
            }
        }

        /* The lane of the tile's last element knows which segment continues after the tile. */
        warp_together();
        int last = (count - 1) % (int)size;
        int last_begin = __shfl(begin, last), last_end = __shfl(end, last);
        size_t last_segment = __shfl(k, last);
        if (last_end > count && last_begin >= 0) {
            edge.tail = carry;
            edge.open = last_segment;
        } else if (last_end > count) {
            edge.head = carry; /* one segment from before the tile to after it */
        }
        /* Else one lane at most has seen the end of the segment that began before. */
        if (!(last_end > count && last_begin < 0))
            edge.head = reduce_warp(edge.head);
        if (lane == 0)
            edges[tile] = edge;
    }
}

/* A warp for each tile: combines the segment that begins in it and continues with its parts in later
 * tiles. Also writes the results of empty segments, which have no last element. */
__global__ void join_tiles(struct segments s, value_t *results, const struct edge *edges)
{
    unsigned size = warp_lanes(), lane = threadIdx.x % size;
    size_t tile_size = (size_t)size * CHUNKS, tiles = ceil_div(s.n, tile_size);
    size_t warps = (size_t)gridDim.x * (blockDim.x / size);
    size_t warp = (size_t)blockIdx.x * (blockDim.x / size) + threadIdx.x / size;

    for (size_t tile = warp; tile < tiles; tile += warps) {
        size_t k = edges[tile].open;
        if (k == SIZE_MAX)
            continue;
        size_t last = (segment_begin(s, k + 1) - 1) / tile_size;
        value_t value = lane == 0 ? edges[tile].tail : IDENTITY;
        for (size_t next = tile + 1 + lane; next <= last; next += size)
            value = combine(value, edges[next].head);
        value = reduce_warp(value);
        if (lane == 0)
            results[k] = value;
    }
    if (s.offsets != NULL)
        for (size_t k = warp * size + lane; k < s.count; k += warps * size)
            if (s.offsets[k] == s.offsets[k + 1])
                results[k] = IDENTITY;
}

/* Combines one value of every thread of the block; thread 0 holds the result. A block of whole warps. */
static __device__ value_t reduce_block(value_t value, value_t *shared)
{
    unsigned size = warp_lanes();
    unsigned lane = threadIdx.x % size;
    unsigned warp = threadIdx.x / size;
    unsigned warps = blockDim.x / size;

    value = reduce_warp(value);
    if (lane == 0)
        shared[warp] = value;
    __syncthreads();

    /* A block has at most 1024 threads, so never more warps than a warp has lanes. */
    if (warp == 0)
        value = reduce_warp(lane < warps ? shared[lane] : IDENTITY);
    return value;
}

/* The results of all segments to one, as in the other variants. */
__global__ void reduce_blocks(const value_t *input, value_t *partials, size_t n)
{
    extern __shared__ value_t shared[];

    size_t stride = (size_t)gridDim.x * blockDim.x;
    value_t value = IDENTITY;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        value = combine(value, input[i]);

    value = reduce_block(value, shared);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = value;
}

/* What plan() decides. */
struct planned {
    struct segments host;              /* its offsets are on the host */
    size_t tiles;                      /* a warp for each */
    unsigned results_grid;             /* blocks that combine the results of the segments */
    size_t offsets, results, partials; /* where in the workspace, in bytes */
};

/* Additions on the longest way from an element of a segment of n elements to its result. */
static size_t chain_of(const struct reduction *r, size_t n)
{
    size_t depth = tree_depth(r->warp_size), tile_size = (size_t)r->warp_size * CHUNKS;
    size_t chunks = min_size(ceil_div(n, r->warp_size) + 1, CHUNKS);

    return min_size(n, chunks * (depth + 1) + n / tile_size / r->warp_size + 2 + depth);
}

static void plan(struct reduction *r)
{
    struct planned *p = (struct planned *)r->planned;

    if (r->block == 0)
        r->block = 256;
    r->block = (unsigned)(ceil_div(r->block, r->warp_size) * r->warp_size); /* whole warps */
    p->host = segments_of(r);
    p->tiles = ceil_div(r->n, (size_t)r->warp_size * CHUNKS);
    if (r->grid == 0) /* as many blocks as can be resident at once, if there is work for them */
        r->grid = grid_to_fill(r, ceil_div(p->tiles * r->warp_size, r->block));
    p->results_grid = grid_to_fill(r, ceil_div(p->host.count, r->block));

    p->offsets = ceil_div(p->tiles * sizeof(struct edge), 256) * 256;
    p->results = p->offsets + segments_bytes(p->host);
    p->partials = p->results + p->host.count * sizeof(value_t);
    r->workspace_bytes = p->partials + (p->results_grid + 1) * sizeof(value_t);
    r->host_bytes = sizeof(value_t);
    r->chain = chain_of(r, segments_longest(p->host)) +
               ceil_div(p->host.count, (size_t)p->results_grid * r->block) + tree_depth(r->block) +
               ceil_div(p->results_grid, r->block) + tree_depth(r->block);
    r->launches = 4;
}

static void release(struct reduction *r)
{
    segments_free(&((struct planned *)r->planned)->host);
}

static void launch(const struct reduction *r, const value_t *input)
{
    const struct planned *p = (const struct planned *)r->planned;
    struct edge *edges = (struct edge *)r->workspace;
    value_t *results = (value_t *)((char *)r->workspace + p->results);
    value_t *partials = (value_t *)((char *)r->workspace + p->partials);
    size_t shared_bytes = r->block / r->warp_size * sizeof(value_t);
    struct segments s = p->host;

    if (s.offsets != NULL)
        s.offsets = (const size_t *)((char *)r->workspace + p->offsets);
    reduce_tiles<<<r->grid, r->block, 0, r->stream>>>(input, s, results, edges);
    HIP_CHECK_LAUNCH();
    join_tiles<<<r->grid, r->block, 0, r->stream>>>(s, results, edges);
    HIP_CHECK_LAUNCH();
    reduce_blocks<<<p->results_grid, r->block, shared_bytes, r->stream>>>(results, partials,
                                                                          p->host.count);
    HIP_CHECK_LAUNCH();
    reduce_blocks<<<1, r->block, shared_bytes, r->stream>>>(partials, partials + p->results_grid,
                                                            p->results_grid);
    HIP_CHECK_LAUNCH();
}

/* Where launch() leaves the result of all segments. */
static const value_t *device_result(const struct reduction *r)
{
    const struct planned *p = (const struct planned *)r->planned;

    return (const value_t *)((char *)r->workspace + p->partials) + p->results_grid;
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
