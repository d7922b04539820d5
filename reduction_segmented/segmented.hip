/* Segmented reduction: one value for each of many segments of the array.
 *
 * Idea     Who reduces a segment depends on its length: a few lanes, a warp, a block, or several blocks.
 *          So that short segments do not leave lanes without work, and long ones do not leave compute
 *          units without work.
 * Compare  diff -u ../reduction_shfl/shfl.hip segmented.hip
 * Try      ./reduction_segmented --segment 16 --method block
 */
#include <hip/hip_runtime.h>
#include "reduction.h"
#include "prelude.h"

#define VARIANT_PREPARE
#define VARIANT_EXTRAS
#define VARIANT_RELEASE

enum { SEGMENT, RAGGED, OFFSETS, METHOD }; /* indices into r->option[] */
enum { AUTO, THREAD, WARP, BLOCK, FLAGS, LIBRARY, LOOP };
static const struct variant_option options[] = {
    {"segment", NULL, 1024, 1, 1L << 40, "elements of a segment; with --ragged their mean"},
    {"ragged", "", 0, 0, 0, "lengths from 0 to 8 times --segment, many of them short"},
    {"offsets", "<FILE>", 0, 0, 0, "where segments begin, and last where the last one ends"},
    {"method", "auto|thread|warp|block|flags|library|loop", AUTO, 0, 0, "who reduces a segment"},
    VARIANT_OPTIONS_END,
};

#define VECTOR (16 / sizeof(value_t)) /* elements of one load */
#define UNROLL 4                      /* loads of a thread that are on their way at once */
#define BATCH  (UNROLL * VECTOR)      /* elements of those */
#define CHUNKS 16                     /* --method flags: elements of a lane */

/* Loads of a thread that are under way at once, in reduce_range() and in reduce_flags(). */
#if defined(__gfx906__) || defined(__gfx908__) /* 64 registers for a thread of a block of 1024 */
#define LOADS 2
#else
#define LOADS UNROLL
#endif
#if defined(__HIP_PLATFORM_AMD__) /* with more, gfx90a runs out of scalar registers */
#define FLAG_LOADS LOADS
#else
#define FLAG_LOADS CHUNKS
#endif

struct segments {
    const size_t
        *offsets; /* count + 1; NULL: all have `length` elements, the last one the rest of n */
    size_t length, count, n;
};

static __host__ __device__ size_t segment_begin(struct segments s, size_t k)
{
    return s.offsets != NULL ? s.offsets[k] : min_size(k * s.length, s.n);
}

/* ---- a thread, part of a warp, a warp or a block --------------------------------------------- */

/* What one instruction loads. */
struct __attribute__((aligned(16))) vector {
    value_t element[VECTOR];
};

/* Elements at ... at + VECTOR - 1, and IDENTITY for those outside of [begin, end). */
static __device__ __forceinline__ struct vector load_vector(const value_t *input, size_t at,
                                                            size_t begin, size_t end)
{
    if (begin <= at && at + VECTOR <= end)
        return *(const struct vector *)(input + at);
    struct vector v;
#pragma unroll
    for (unsigned e = 0; e < VECTOR; e++)
        v.element[e] = begin <= at + e && at + e < end ? input[at + e] : IDENTITY;
    return v;
}

/* Combines elements [begin, end) with `lanes` threads; each one is left with its share. */
static __device__ __forceinline__ value_t reduce_range(const value_t *input, size_t begin,
                                                       size_t end, unsigned lane, unsigned lanes)
{
    /* Count from the last address before the input that is a multiple of 16: then all multiples of
     * VECTOR are. */
    size_t shift = (uintptr_t)input % 16 / sizeof(value_t);
    size_t stride = (size_t)lanes * VECTOR;
    value_t value = IDENTITY;

    input -= shift;
    begin += shift;
    end += shift;
    for (size_t at = begin - begin % VECTOR + lane * VECTOR; at < end; at += LOADS * stride) {
        struct vector v[LOADS]; /* all loads before the first use */
#pragma unroll
        for (unsigned u = 0; u < LOADS; u++)
            v[u] = load_vector(input, at + u * stride, begin, end);
#pragma unroll
        for (unsigned u = 0; u < LOADS; u++) {
#pragma unroll
            for (unsigned e = 1; e < VECTOR; e++)
                v[u].element[0] = combine(v[u].element[0], v[u].element[e]);
            value = combine(value, v[u].element[0]);
        }
    }
    return value;
}

/* Combines one value of each of `lanes` lanes in a row; the first of them holds the result. All lanes of
 * the warp take part in every exchange; what came from a lane outside is not used. */
static __device__ value_t reduce_lanes(value_t value, unsigned lane, unsigned lanes)
{
    for (unsigned distance = 1; distance < lanes; distance *= 2) {
        value_t other = __shfl_down(value, distance);
        if (lane + distance < lanes)
            value = combine(value, other);
    }
    return value;
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

    value = reduce_lanes(value, lane, lanes_of_warp());
    if (lane == 0)
        shared[warp] = value;
    __syncthreads();
    if (warp == 0)
        value = reduce_lanes(lane < warps ? shared[lane] : IDENTITY, lane, warps);
    __syncthreads(); /* shared[] may be used again */
    return value;
}

/* Each `group` neighbouring lanes take a segment; then the warp takes those that are longer than
 * group_limit, one after the other; then the block those longer than warp_limit. What is longer than
 * `alone` is left out. group is a power of two, at most the size of a warp and of the block. */
__global__ void reduce_groups(const value_t *input, struct segments s, value_t *results,
                              unsigned group, size_t group_limit, size_t warp_limit, size_t alone)
{
    HIP_DYNAMIC_SHARED(value_t, shared);
    __shared__ unsigned waiting_count; /* of the segments that wait for the whole block */
    unsigned lane = threadIdx.x % (unsigned)warpSize, lanes = lanes_of_warp();
    unsigned member = threadIdx.x % group, groups = blockDim.x / group;
    unsigned warps = (blockDim.x + warp_lanes() - 1) / warp_lanes();
    unsigned *waiting_for_block = (unsigned *)(shared + warps);

    for (size_t first = (size_t)blockIdx.x * groups; first < s.count;
         first += (size_t)gridDim.x * groups) {
        size_t k = first + threadIdx.x / group;
        /* The threads after the last whole group come along, because shuffles want all lanes. */
        bool mine = threadIdx.x / group < groups && k < s.count;
        size_t begin = mine ? segment_begin(s, k) : 0;
        size_t end = mine ? segment_begin(s, k + 1) : 0;
        bool is_long = end - begin > group_limit;

        value_t value = IDENTITY;
        if (!is_long)
            value = reduce_range(input, begin, end, member, group);
        value = reduce_lanes(value, member, group);
        if (mine && member == 0 && !is_long)
            results[k] = value;
        if (group_limit == SIZE_MAX)
            continue; /* none is longer */

        if (threadIdx.x == 0)
            waiting_count = 0;
        __syncthreads();
        unsigned long long waiting = __ballot(is_long && member == 0);
        while (waiting != 0) {
            unsigned source = (unsigned)__ffsll(waiting) - 1;
            size_t segment = first + (threadIdx.x - lane + source) / group;
            size_t from = s.offsets[segment], to = s.offsets[segment + 1];
            waiting &= waiting - 1;
            if (to - from <= warp_limit) {
                value = reduce_range(input, from, to, lane, lanes);
                value = reduce_lanes(value, lane, lanes);
                if (lane == 0)
                    results[segment] = value;
            } else if (lane == 0 && to - from <= alone) {
                waiting_for_block[atomicAdd(&waiting_count, 1u)] = (unsigned)(segment - first);
            }
        }
        __syncthreads();

        for (unsigned i = 0; i < waiting_count; i++) {
            size_t segment = first + waiting_for_block[i];
            value = reduce_range(input, s.offsets[segment], s.offsets[segment + 1], threadIdx.x,
                                 blockDim.x);
            value = reduce_block(value, shared);
            if (threadIdx.x == 0)
                results[segment] = value;
        }
        __syncthreads(); /* all have seen the count */
    }
}

/* ---- one block or several ---------------------------------------------------------------------- */

/* Segments that are too long for one block, in pieces. */
struct piece {
    size_t segment, part, parts; /* number `part` of `parts` */
    size_t first;                /* of the cut segment with the same number: its first piece */
};
struct queue {
    unsigned long long pieces; /* that wait */
    unsigned long long cut;    /* segments that they are of */
    struct piece piece[1];     /* there is room for more in the workspace */
};

/* A lane for each segment looks whether it is longer than `alone`; the whole warp writes down the pieces,
 * since there may be many. Neighbouring segments go to different warps, so that none has all the long
 * ones. */
__global__ void queue_pieces(struct segments s, size_t alone, size_t piece, struct queue *queue)
{
    unsigned size = (unsigned)warpSize, lane = threadIdx.x % size, lanes = lanes_of_warp();
    size_t warps_of_block = (blockDim.x + size - 1) / size, warps = gridDim.x * warps_of_block;
    size_t warp = blockIdx.x * warps_of_block + threadIdx.x / size;

    for (size_t first = warp; first < s.count; first += warps * lanes) {
        size_t k = first + lane * warps;
        size_t length = k < s.count ? segment_begin(s, k + 1) - segment_begin(s, k) : 0;

        unsigned long long waiting = __ballot(length > alone);
        while (waiting != 0) {
            unsigned source = (unsigned)__ffsll(waiting) - 1;
            size_t parts = ceil_div(__shfl(length, (int)source), piece), slot = 0;
            waiting &= waiting - 1;
            if (lane == 0) {
                slot = atomicAdd(&queue->pieces, (unsigned long long)parts);
                queue->piece[atomicAdd(&queue->cut, 1ull)].first = slot;
            }
            slot = __shfl(slot, 0);
            for (size_t part = lane; part < parts; part += lanes) {
                struct piece *p = &queue->piece[slot + part];
                p->segment = first + source * warps;
                p->part = part;
                p->parts = parts;
            }
        }
    }
}

/* One block for each piece of the queue; queue NULL: for each of the `parts` of each segment, and what is
 * longer than `alone` is left out. */
__global__ void reduce_pieces(const value_t *input, struct segments s, value_t *results,
                              value_t *partials, size_t parts, size_t piece,
                              const struct queue *queue, size_t alone)
{
    HIP_DYNAMIC_SHARED(value_t, shared);
    size_t count = queue != NULL ? (size_t)queue->pieces : s.count * parts;

    for (size_t i = blockIdx.x; i < count; i += gridDim.x) {
        struct piece p = {i, 0, parts, 0};
        if (queue != NULL) {
            p = queue->piece[i];
        } else if (parts > 1) {
            p.segment = i / parts;
            p.part = i % parts;
        }
        size_t begin = segment_begin(s, p.segment), end = segment_begin(s, p.segment + 1);
        if (end - begin > alone)
            continue;
        if (p.parts > 1) {
            begin = min_size(begin + p.part * piece, end);
            end = min_size(begin + piece, end);
        }
        value_t value = reduce_range(input, begin, end, threadIdx.x, blockDim.x);
        value = reduce_block(value, shared);
        if (threadIdx.x == 0)
            *(p.parts == 1 ? &results[p.segment] : &partials[i]) = value;
    }
}

/* One block for each segment that was cut; queue NULL: each one into `parts`. */
__global__ void join_pieces(const value_t *partials, struct segments s, value_t *results,
                            size_t parts, const struct queue *queue)
{
    HIP_DYNAMIC_SHARED(value_t, shared);
    size_t count = queue != NULL ? (size_t)queue->cut : s.count;

    for (size_t k = blockIdx.x; k < count; k += gridDim.x) {
        size_t first = queue != NULL ? queue->piece[k].first : k * parts;
        size_t segment = queue != NULL ? queue->piece[first].segment : k;
        size_t pieces = queue != NULL ? queue->piece[first].parts : parts;
        value_t value = reduce_range(partials, first, first + pieces, threadIdx.x, blockDim.x);
        value = reduce_block(value, shared);
        if (threadIdx.x == 0)
            results[segment] = value;
    }
}

/* ---- head flags -------------------------------------------------------------------------------- */

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

/* What a tile leaves behind of segments that do not lie in it as a whole. */
struct edge {
    value_t head; /* of the segment that began before it */
    value_t tail; /* of the segment that begins in it and goes on after it ... */
    size_t open;  /* ... and which one that is, or SIZE_MAX */
};

/* A warp reads its tile element by element, whatever the segments are: lane l has element l, and a flag
 * where a segment begins. Five or six shuffles combine each element with those before it up to the
 * nearest flag, so that the last element of a segment has its result. All lanes always have work. */
__global__ void reduce_flags(const value_t *input, struct segments s, value_t *results,
                             struct edge *edges)
{
    unsigned size = (unsigned)warpSize, lane = threadIdx.x % size;
    size_t tile_size = (size_t)size * CHUNKS, tiles = ceil_div(s.n, tile_size);
    size_t warps = (size_t)gridDim.x * (blockDim.x / size);
    size_t warp = (size_t)blockIdx.x * (blockDim.x / size) + threadIdx.x / size;

    for (size_t tile = warp; tile < tiles; tile += warps) {
        size_t start = tile * tile_size, stop = min_size(start + tile_size, s.n);
        size_t i = start + lane;
        size_t k = segment_of(s, min_size(i, s.n - 1));
        size_t begin = segment_begin(s, k), end = segment_begin(s, k + 1);
        value_t carry = IDENTITY;
        struct edge edge = {IDENTITY, IDENTITY, SIZE_MAX};

        for (unsigned chunk = 0; chunk < CHUNKS; chunk += FLAG_LOADS) {
            value_t loaded[FLAG_LOADS];
#pragma unroll
            for (unsigned u = 0; u < FLAG_LOADS; u++)
                loaded[u] = i + u * size < stop ? input[i + u * size] : IDENTITY;
#pragma unroll
            for (unsigned u = 0; u < FLAG_LOADS; u++, i += size) {
                value_t value = loaded[u];
                while (i < stop && end <= i) { /* on to the segment of element i */
                    begin = end;
                    end = segment_begin(s, ++k + 1);
                }
                bool head = i < stop && begin == i;
                unsigned long long flags = __ballot(head);
                unsigned long long below = flags & (((unsigned long long)2 << lane) - 1);
                unsigned run = below == 0 ? 0 : 63 - (unsigned)__clzll((long long)below);

                if (lane == 0 && !head)
                    value = combine(carry, value);
                for (unsigned distance = 1; distance < size; distance *= 2) {
                    value_t other = __shfl_up(value, distance);
                    if (lane >= run + distance)
                        value = combine(other, value);
                }
                carry = __shfl(value, (int)size - 1);

                if (i < stop && i + 1 == end) { /* the last element of a segment */
                    if (begin >= start)
                        results[k] = value;
                    else
                        edge.head = value;
                }
                if (head) /* empty segments before this one */
                    for (size_t e = k; e > 0 && segment_begin(s, e - 1) == i; e--)
                        results[e - 1] = IDENTITY;
                if (i + 1 == s.n) /* and at the end */
                    for (size_t e = k + 1; e < s.count; e++)
                        results[e] = IDENTITY;
            }
        }

        /* The last lane that has elements in this tile knows what goes on after it. */
        unsigned last = (unsigned)((stop - start - 1) % size);
        size_t last_begin = __shfl(begin, (int)last), last_end = __shfl(end, (int)last);
        size_t last_segment = __shfl(k, (int)last);
        if (last_end > stop && last_begin >= start) {
            edge.tail = carry;
            edge.open = last_segment;
        } else if (last_end > stop) {
            edge.head = carry;
        }
        /* Only one lane has seen the end of the segment that began before; the others have IDENTITY. */
        edge.head =
            last_end > stop && last_begin < start ? carry : reduce_lanes(edge.head, lane, size);
        if (lane == 0)
            edges[tile] = edge;
    }
}

/* A warp for each tile: the segment that begins in it and goes on, with what later tiles have of it. */
__global__ void join_tiles(struct segments s, value_t *results, const struct edge *edges)
{
    unsigned size = (unsigned)warpSize, lane = threadIdx.x % size;
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
        value = reduce_lanes(value, lane, size);
        if (lane == 0)
            results[k] = value;
    }
}

/* ---- the library ------------------------------------------------------------------------------- */

#if defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_NVIDIA__)

struct combine_values {
    __host__ __device__ value_t operator()(value_t a, value_t b) const
    {
        return combine(a, b);
    }
};

/* With temporary == NULL: sets *bytes to what the library needs. Else: reduces. */
static hipError_t library_reduce(void *temporary, size_t *bytes, const value_t *input,
                                 struct segments s, value_t *results, hipStream_t stream)
{
    struct segment_iterator begins = {s.offsets, s.length, s.n, 0};
#if defined(__HIP_PLATFORM_AMD__)
    return rocprim::segmented_reduce(temporary, *bytes, input, results, (unsigned)s.count, begins,
                                     begins + 1, combine_values(), IDENTITY, stream);
#elif OPERATION == OP_SUM /* by its own name, in case it is tuned for plus */
    return cub::DeviceSegmentedReduce::Sum(temporary, *bytes, input, results, (int)s.count, begins,
                                           begins + 1, stream);
#else
    return cub::DeviceSegmentedReduce::Reduce(temporary, *bytes, input, results, (int)s.count,
                                              begins, begins + 1, combine_values(), IDENTITY,
                                              stream);
#endif
}

#else /* CPU: memory of the device is memory of the host */

static hipError_t library_reduce(void *temporary, size_t *bytes, const value_t *input,
                                 struct segments s, value_t *results, hipStream_t stream)
{
    (void)stream;
    if (temporary == NULL) {
        *bytes = 1;
        return hipSuccess;
    }
#ifdef _OPENMP
#pragma omp parallel for schedule(guided)
#endif
    for (size_t k = 0; k < s.count; k++) {
        value_t value = IDENTITY;
        for (size_t i = segment_begin(s, k); i < segment_begin(s, k + 1); i++)
            value = combine(value, input[i]);
        results[k] = value;
    }
    return hipSuccess;
}

#endif

/* ---- what the harness calls -------------------------------------------------------------------- */

#include "segments.h"

#define FINISH_BLOCK 256 /* threads that combine the results of the segments */

struct planned {
    struct host_segments host;
    int method;     /* as it is asked for */
    unsigned group; /* lanes for a segment; 0: blocks */
    size_t group_limit, warp_limit;
    bool queued;         /* there is a queue, for segments longer than alone */
    size_t alone, piece; /* elements: one block takes up to `alone`, or pieces of a longer one */
    size_t parts;        /* pieces of each segment, where no queue counts them */
    unsigned blocks;     /* of a launch, at most */
    /* The workspace: bytes from its start. */
    size_t offsets, results, total, partials, queue, edges, library, library_bytes;
};

/* Takes so many bytes from the workspace. */
static size_t take(size_t *used, size_t bytes)
{
    size_t start = *used;

    *used += ceil_div(bytes, 256) * 256;
    return start;
}

/* Additions on the longest way through reduce_range() by so many threads. */
static size_t chain_of_range(size_t n, size_t lanes)
{
    return BATCH * (ceil_div(n, lanes * BATCH) + 1);
}

/* The same for a segment that blocks reduce, in pieces if it is longer than `alone`. */
static size_t chain_of_blocks(size_t n, size_t alone, size_t piece, size_t block)
{
    if (n <= alone)
        return chain_of_range(n, block) + tree_depth(block);
    return chain_of_range(piece, block) + chain_of_range(ceil_div(n, piece), block) +
           2 * tree_depth(block);
}

/* The same for a segment of n elements. */
static size_t chain_of(const struct reduction *r, size_t n)
{
    const struct planned *p = (const struct planned *)r->planned;
    size_t depth = tree_depth(r->warp_size), last = r->block % r->warp_size;
    size_t tile = (size_t)r->warp_size * CHUNKS;
    size_t chain = n; /* whatever a library does: IDENTITY costs no rounding */

    if (p->method == FLAGS)
        chain = CHUNKS * (depth + 1) + n / (tile * r->warp_size) + 2 + depth;
    else if (p->method != LIBRARY && (p->group == 0 || n > p->warp_limit))
        chain = chain_of_blocks(n, p->alone, p->piece, r->block);
    else if (p->method != LIBRARY) /* a group, or the last warp of a block, which may be small */
        chain = chain_of_range(n, last > 0 && last < p->group ? last : p->group) + depth;
    return min_size(chain, n);
}

/* So many pieces for each block that can be resident; whole batches of all its threads. */
static size_t piece_for(const struct reduction *r, size_t n, unsigned block, unsigned times)
{
    size_t resident = (size_t)r->compute_units * r->threads_per_unit / block, batch = block * BATCH;
    size_t batches = ceil_div(n / (times * (resident > 0 ? resident : 1)), batch);

    return batches > 0 ? batches * batch : batch;
}

/* Who reduces a segment. */
static void choose(struct planned *p, const struct reduction *r, size_t longest)
{
    size_t mean = p->host.s.count > 0 ? ceil_div(r->n, p->host.s.count) : 0;
    /* Ragged: lanes wait for the longest of the warp's segments, so count on longer ones than the mean. */
    size_t likely = p->host.owned != NULL ? 2 * mean : mean, loads = ceil_div(likely, VECTOR);
    size_t long_for_warp = (size_t)r->warp_size * BATCH * 8;
    unsigned lanes = r->block < r->warp_size ? r->block : r->warp_size, most = 1;
    while (most <= lanes / 2)
        most *= 2;

    p->method = r->n > 0 ? (int)r->option[METHOD] : THREAD; /* there are no tiles in nothing */
    bool ragged = p->method == AUTO && p->host.owned != NULL;
    p->group = 1; /* as many lanes as give each one UNROLL loads */
    while (p->group < most && p->group * UNROLL < loads)
        p->group *= 2;
    if (p->method == THREAD)
        p->group = 1;
    else if (p->method == WARP)
        p->group = most;
    else if (p->method != AUTO || likely >= (ragged ? 3 : 1) * long_for_warp)
        p->group = 0;

    p->alone = p->method == BLOCK ? SIZE_MAX : piece_for(r, r->n, r->block, 2);
    p->piece = piece_for(r, r->n, r->block, 8);
    p->warp_limit = ragged ? long_for_warp : SIZE_MAX;
    p->group_limit = p->warp_limit;
    if (ragged && p->group < most)
        p->group_limit = min_size(p->group * BATCH * 4, p->warp_limit);
    if (longest <= p->group_limit)
        p->group_limit = SIZE_MAX; /* nobody waits for longer ones */
    if (ragged && p->group > 0 && p->alone < p->warp_limit)
        p->alone = p->warp_limit; /* a warp takes them: not into the queue as well */
    p->queued = ragged && longest > p->alone;
    p->parts = p->host.owned == NULL && p->host.s.length > p->alone
                   ? ceil_div(p->host.s.length, p->piece)
                   : 1;
}

/* Parts of a segment where the host knows its length. */
static size_t parts_of(const struct planned *p, size_t n)
{
    return n > p->alone ? ceil_div(n, p->piece) : 1;
}

static void plan(struct reduction *r)
{
    struct planned *p = (struct planned *)r->planned;

    define_segments(&p->host, r->n, (size_t)r->option[SEGMENT], r->option[RAGGED] != 0,
                    r->text[OFFSETS]);
    size_t count = p->host.s.count, longest = longest_segment(&p->host);

    if (r->block == 0)
        r->block = 256;
    if (r->option[METHOD] == FLAGS) /* whole warps */
        r->block = (unsigned)(ceil_div(r->block, r->warp_size) * r->warp_size);
    choose(p, r, longest);

    size_t tiles = ceil_div(r->n, (size_t)r->warp_size * CHUNKS);
    size_t pieces = p->method == LOOP ? parts_of(p, longest) : count * p->parts;
    size_t blocks = pieces;
    if (p->method == FLAGS)
        blocks = grid_to_fill(r, ceil_div(tiles * r->warp_size, r->block));
    else if (p->method != LOOP && p->group > 0)
        blocks = ceil_div(count, r->block / p->group);
    if (p->queued) /* of segments that are longer than alone */
        pieces = r->n / p->piece + r->n / p->alone + 1;
    p->blocks = r->grid > 0 ? r->grid : (unsigned)(GRID_THREADS_MAX / r->block);
    r->grid = blocks < 1 ? 1 : (unsigned)min_size(blocks, p->blocks);

    size_t piece = piece_for(r, count, FINISH_BLOCK, 8); /* of the results, for finish() */
    size_t last = ceil_div(count, piece);
    size_t used = 0;
    p->offsets = take(&used, p->host.owned != NULL ? (count + 1) * sizeof(size_t) : 0);
    p->results = take(&used, count * sizeof(value_t));
    p->total = take(&used, sizeof(value_t));
    p->partials = take(&used, (pieces > last ? pieces : last) * sizeof(value_t));
    p->queue = take(&used, p->queued ? (pieces + 1) * sizeof(struct piece) : 0);
    p->edges = take(&used, p->method == FLAGS ? tiles * sizeof(struct edge) : 0);
    p->library_bytes = 0;
    if (p->method == LIBRARY) {
        if (count > INT32_MAX)
            fail("--method library: libraries count segments in 32 bits; give a larger --segment",
                 EXIT_USAGE);
        HIP_CHECK(library_reduce(NULL, &p->library_bytes, NULL, p->host.s, NULL, r->stream));
    }
    p->library = take(&used, p->library_bytes);

    r->workspace_bytes = used;
    r->host_bytes = sizeof(value_t);
    r->chain = chain_of(r, longest) + chain_of_blocks(count, piece, piece, FINISH_BLOCK);
    r->launches = p->queued ? 4 : p->method == FLAGS || p->parts > 1 ? 2 : 1;
    if (p->method == LOOP)
        r->launches = (unsigned)(count * (parts_of(p, longest) > 1 ? 2 : 1));
    r->launches += count == 0 ? 0 : last > 1 ? 2 : 1; /* finish() */
}

/* The segments as kernels see them. */
static struct segments device_segments(const struct reduction *r)
{
    const struct planned *p = (const struct planned *)r->planned;
    struct segments s = p->host.s;

    if (s.offsets != NULL)
        s.offsets = (const size_t *)((char *)r->workspace + p->offsets);
    return s;
}

/* Blocks reduce each segment in so many parts, of so many elements if there is more than one. Of segments
 * with offsets those longer than `alone` are left out. */
static void launch_parts(const struct reduction *r, const value_t *input, struct segments s,
                         value_t *results, size_t parts, size_t piece, unsigned block)
{
    const struct planned *p = (const struct planned *)r->planned;
    value_t *partials = (value_t *)((char *)r->workspace + p->partials);
    size_t alone = s.offsets != NULL ? p->alone : SIZE_MAX;
    size_t shared_bytes = ceil_div(block, r->warp_size) * sizeof(value_t);
    unsigned grid = (unsigned)min_size(s.count * parts, p->blocks);

    hipLaunchKernelGGL(reduce_pieces, dim3(grid), dim3(block), shared_bytes, r->stream, input, s,
                       results, partials, parts, piece, (const struct queue *)NULL, alone);
    HIP_CHECK_LAUNCH();
    if (parts == 1)
        return;
    grid = (unsigned)min_size(s.count, p->blocks);
    hipLaunchKernelGGL(join_pieces, dim3(grid), dim3(block), shared_bytes, r->stream, partials, s,
                       results, parts, (const struct queue *)NULL);
    HIP_CHECK_LAUNCH();
}

static void launch_groups(const struct reduction *r, const value_t *input, struct segments s,
                          value_t *results)
{
    const struct planned *p = (const struct planned *)r->planned;
    /* For the values of the warps, and the number of each group. */
    size_t shared_bytes =
        ceil_div(r->block, r->warp_size) * sizeof(value_t) + r->block / p->group * sizeof(unsigned);

    hipLaunchKernelGGL(reduce_groups, dim3(r->grid), dim3(r->block), shared_bytes, r->stream, input,
                       s, results, p->group, p->group_limit, p->warp_limit, p->alone);
    HIP_CHECK_LAUNCH();
}

/* The segments that are too long for one block. */
static void launch_queue(const struct reduction *r, const value_t *input, struct segments s,
                         value_t *results)
{
    const struct planned *p = (const struct planned *)r->planned;
    value_t *partials = (value_t *)((char *)r->workspace + p->partials);
    struct queue *queue = (struct queue *)((char *)r->workspace + p->queue);
    size_t shared_bytes = ceil_div(r->block, r->warp_size) * sizeof(value_t);
    /* Only the device knows how much waits: as many blocks as can be resident share it. */
    unsigned grid = (unsigned)min_size(grid_to_fill(r, UINT32_MAX), p->blocks);

    HIP_CHECK(hipMemsetAsync(queue, 0, 2 * sizeof queue->pieces, r->stream)); /* and cut */
    hipLaunchKernelGGL(queue_pieces, dim3(grid), dim3(r->block), 0, r->stream, s, p->alone,
                       p->piece, queue);
    HIP_CHECK_LAUNCH();
    hipLaunchKernelGGL(reduce_pieces, dim3(grid), dim3(r->block), shared_bytes, r->stream, input, s,
                       results, partials, (size_t)1, p->piece, (const struct queue *)queue,
                       SIZE_MAX);
    HIP_CHECK_LAUNCH();
    hipLaunchKernelGGL(join_pieces, dim3(grid), dim3(r->block), shared_bytes, r->stream, partials,
                       s, results, (size_t)1, (const struct queue *)queue);
    HIP_CHECK_LAUNCH();
}

static void launch(const struct reduction *r, const value_t *input)
{
    const struct planned *p = (const struct planned *)r->planned;
    value_t *results = (value_t *)((char *)r->workspace + p->results);
    struct edge *edges = (struct edge *)((char *)r->workspace + p->edges);
    struct segments s = device_segments(r);

    if (s.count == 0)
        return;
    if (p->method == LIBRARY) {
        size_t bytes = p->library_bytes; /* the library may write to it */
        HIP_CHECK(library_reduce((char *)r->workspace + p->library, &bytes, input, s, results,
                                 r->stream));
    } else if (p->method == FLAGS) {
        hipLaunchKernelGGL(reduce_flags, dim3(r->grid), dim3(r->block), 0, r->stream, input, s,
                           results, edges);
        HIP_CHECK_LAUNCH();
        hipLaunchKernelGGL(join_tiles, dim3(r->grid), dim3(r->block), 0, r->stream, s, results,
                           edges);
        HIP_CHECK_LAUNCH();
    } else if (p->method == LOOP) {
        for (size_t k = 0; k < s.count; k++) {
            size_t begin = segment_begin(p->host.s, k), n = segment_begin(p->host.s, k + 1) - begin;
            struct segments one = {NULL, n > 0 ? n : 1, 1, n};
            launch_parts(r, input + begin, one, results + k, parts_of(p, n), p->piece, r->block);
        }
    } else if (p->group > 0) {
        launch_groups(r, input, s, results);
    } else {
        launch_parts(r, input, s, results, p->parts, p->piece, r->block);
    }
    if (p->queued)
        launch_queue(r, input, s, results);
}

/* The results of the segments are an array, too. */
static value_t finish(const struct reduction *r)
{
    const struct planned *p = (const struct planned *)r->planned;
    value_t *results = (value_t *)((char *)r->workspace + p->results);
    value_t *total = (value_t *)((char *)r->workspace + p->total);
    value_t *result = (value_t *)r->host;
    struct segments all = {NULL, p->host.s.count, 1, p->host.s.count};

    if (p->host.s.count == 0)
        return IDENTITY;
    size_t piece = piece_for(r, p->host.s.count, FINISH_BLOCK, 8);
    launch_parts(r, results, all, total, ceil_div(p->host.s.count, piece), piece, FINISH_BLOCK);
    HIP_CHECK(hipMemcpyAsync(result, total, sizeof(value_t), hipMemcpyDeviceToHost, r->stream));
    HIP_CHECK(hipStreamSynchronize(r->stream));
    return *result;
}

static void release(struct reduction *r)
{
    free(((struct planned *)r->planned)->host.owned);
}

/* ---- every segment is verified ----------------------------------------------------------------- */

static void prepare(const struct reduction *r, const struct input_view *, struct reference *)
{
    const struct planned *p = (const struct planned *)r->planned;

    if (p->host.owned != NULL)
        HIP_CHECK(hipMemcpy((char *)r->workspace + p->offsets, p->host.owned,
                            (p->host.s.count + 1) * sizeof(size_t), hipMemcpyHostToDevice));
}

#define PARTS_MAX 4096

struct check {
    const struct reduction *r;
    const struct input_view *in;
    const value_t *results;
    size_t parts, wrong[PARTS_MAX];
    double worst[PARTS_MAX]; /* error / bound */
};

static void check_part(void *context, size_t part)
{
    struct check *c = (struct check *)context;
    const struct planned *p = (const struct planned *)c->r->planned;
    size_t count = p->host.s.count;

    for (size_t k = count * part / c->parts; k < count * (part + 1) / c->parts; k++) {
        size_t begin = segment_begin(p->host.s, k), n = segment_begin(p->host.s, k + 1) - begin;
        struct reference reference = input_reference(c->in, OPERATION, begin, n);
        struct scalar value;
        value.type = VALUE_TYPE;
        memcpy(&value.as, &c->results[k], sizeof(value_t));
        struct verdict v = verify_check(value, &reference, chain_of(c->r, n));
        c->wrong[part] += !v.ok;
        if (v.error > 0 && !(v.error <= c->worst[part] * v.bound))
            c->worst[part] = v.error / v.bound;
    }
}

static size_t extras(const struct reduction *r, const struct input_view *in, struct extra *out)
{
    const struct planned *p = (const struct planned *)r->planned;
    struct check *c = (struct check *)calloc(1, sizeof *c);
    value_t *results = (value_t *)malloc((p->host.s.count + 1) * sizeof(value_t));
    size_t wrong = 0;
    double worst = 0;

    if (c == NULL || results == NULL)
        fail("no memory is left to verify so many segments; give a larger --segment", EXIT_DEVICE);
    HIP_CHECK(hipMemcpy(results, (char *)r->workspace + p->results,
                        p->host.s.count * sizeof(value_t), hipMemcpyDeviceToHost));
    c->r = r;
    c->in = in;
    c->results = results;
    c->parts = min_size(p->host.s.count, PARTS_MAX);
    if (c->parts < 64) { /* few and long: all cores work on each */
        for (size_t part = 0; part < c->parts; part++)
            check_part(c, part);
    } else {
        extra_parallel(c->parts, check_part, c);
    }
    for (size_t part = 0; part < c->parts; part++) {
        wrong += c->wrong[part];
        worst = c->worst[part] > worst ? c->worst[part] : worst;
    }
    free(results);
    free(c);
    out[0] = extra_check("segments", (double)p->host.s.count, (double)p->host.s.count, 0);
    out[1] = extra_check("segments_wrong", (double)wrong, 0, 0);
    out[2] = extra_check("segments_worst", worst, 0, 1); /* the largest error / its bound */
    return 3;
}
