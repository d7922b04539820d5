/* Several blocks for one segment; part of segmented.hip, inside its namespace, and therefore without an
 * include guard.
 *
 * Segments of equal length are all cut into the same number of pieces. Of segments with offsets only some
 * are too long for a block, and only the device knows which: their pieces wait in a queue.
 * SPDX-License-Identifier: MIT */

/* A piece of a segment that is too long for one block. */
struct piece {
    size_t segment, part, parts; /* number `part` of `parts` */
    size_t first;                /* the place in the queue of the segment's first piece */
    unsigned ticket;             /* of a first piece: how many of the segment are done */
};
struct queue_head {
    unsigned long long pieces; /* how many wait; 0 between launches */
    unsigned ticket;           /* blocks that are done */
};
struct queue {
    struct queue_head *head;
    struct piece *piece;
};

/* The lanes of a warp write the pieces of a segment, since there may be many. */
static __device__ void queue_pieces(struct queue queue, size_t segment, size_t length, size_t piece,
                                    unsigned lane, unsigned lanes)
{
    size_t parts = ceil_div(length, piece), slot = 0;

    if (lane == 0)
        slot = atomicAdd(&queue.head->pieces, (unsigned long long)parts);
    slot = __shfl(slot, 0);
    for (size_t part = lane; part < parts; part += lanes) {
        struct piece p = {segment, part, parts, slot, 0};
        queue.piece[slot + part] = p;
    }
}

#include "reduction_rows/last.h"

/* The pieces in the queue, a block for each. The block that is the last of a segment joins what its pieces leave. */
__global__ void LAUNCH_BOUNDS(1024)
    reduce_queue(const element_t *input, struct segments s, value_t *results, value_t *partials,
                 size_t piece, struct queue queue)
{
    HIP_DYNAMIC_SHARED(value_t, shared);

    next_may_begin();
    earlier_done();
    size_t count = (size_t)queue.head->pieces;

    for (size_t i = blockIdx.x; i < count; i += gridDim.x) {
        const struct piece *p = &queue.piece[i]; /* not its ticket, which other blocks update */
        size_t segment = p->segment, parts = p->parts, first = p->first;
        size_t begin = segment_begin(s, segment) + p->part * piece;
        size_t end = min_size(begin + piece, segment_begin(s, segment + 1));
        value_t value = reduce_range(input, begin, end, threadIdx.x, blockDim.x, true, false);
        value = reduce_block(value, shared);
        if (threadIdx.x == 0)
            partials[i] = canonical(value);
        if (!is_last(&queue.piece[first].ticket, (unsigned)parts))
            continue;
        value = IDENTITY;
        for (size_t k = threadIdx.x; k < parts; k += blockDim.x)
            value = combine(value, partials[first + k]);
        value = reduce_block(value, shared);
        if (threadIdx.x == 0)
            results[segment] = canonical(value);
    }
    if (count > 0 && is_last(&queue.head->ticket, gridDim.x) && threadIdx.x == 0)
        queue.head->pieces = 0;
}

/* A block for each of the `parts` of each segment; those longer than block_limit go to the queue. */
static __device__ __forceinline__ void reduce_each(const element_t *input, struct segments s,
                                                   value_t *results, value_t *partials,
                                                   size_t parts, size_t piece, struct queue queue,
                                                   size_t block_limit, bool streaming)
{
    HIP_DYNAMIC_SHARED(value_t, shared);
    size_t count = s.count * parts;

    next_may_begin();
    earlier_done();

    for (size_t i = blockIdx.x; i < count; i += gridDim.x) {
        size_t segment = i / parts, part = i % parts;
        size_t begin = segment_begin(s, segment), end = segment_begin(s, segment + 1);
        if (end - begin > block_limit) {
            if (threadIdx.x < (unsigned)warpSize)
                queue_pieces(queue, segment, end - begin, piece, threadIdx.x, lanes_of_warp());
            continue;
        }
        if (parts > 1) {
            begin = min_size(begin + part * piece, end);
            end = min_size(begin + piece, end);
        }
        value_t value = reduce_range(input, begin, end, threadIdx.x, blockDim.x, true, streaming);
        value = reduce_block(value, shared);
        if (threadIdx.x == 0)
            *(parts == 1 ? &results[segment] : &partials[i]) = canonical(value);
    }
}

__global__ void LAUNCH_BOUNDS(1024)
    reduce_pieces(const element_t *input, struct segments s, value_t *results, value_t *partials,
                  size_t parts, size_t piece, struct queue queue, size_t block_limit)
{
    reduce_each(input, s, results, partials, parts, piece, queue, block_limit, false);
}

/* Not the kernel for groups of lanes: some of them come back to a line that they have loaded in part. */
#if defined(HAS_STREAMING)
__global__ void LAUNCH_BOUNDS(1024)
    reduce_pieces_streaming(const element_t *input, struct segments s, value_t *results,
                            value_t *partials, size_t parts, size_t piece, struct queue queue,
                            size_t block_limit)
{
    reduce_each(input, s, results, partials, parts, piece, queue, block_limit, true);
}
#else
#define reduce_pieces_streaming reduce_pieces
#endif

/* One block for each segment, which was cut into `parts`. */
__global__ void LAUNCH_BOUNDS(1024)
    join_pieces(const value_t *partials, struct segments s, value_t *results, size_t parts)
{
    HIP_DYNAMIC_SHARED(value_t, shared);

    next_may_begin();
    earlier_done();
    for (size_t k = blockIdx.x; k < s.count; k += gridDim.x) {
        value_t value = IDENTITY;
        for (size_t i = threadIdx.x; i < parts; i += blockDim.x)
            value = combine(value, partials[k * parts + i]);
        value = reduce_block(value, shared);
        if (threadIdx.x == 0)
            results[k] = canonical(value);
    }
}

static struct queue queue_of(const struct reduction *r)
{
    const struct planned *p = (const struct planned *)r->planned;
    struct queue queue = {(struct queue_head *)((char *)r->workspace + p->head),
                          (struct piece *)((char *)r->workspace + p->queue)};
    return queue;
}

/* The length of a piece, so that each resident block gets about `times` pieces of n elements; whole
 * batches of all its threads. */
static size_t piece_for(const struct reduction *r, size_t n, unsigned block, unsigned times)
{
    size_t resident = (size_t)r->compute_units * r->threads_per_unit / block, batch = block * BATCH;
    size_t batches = ceil_div(n / (times * (resident > 0 ? resident : 1)), batch);

    return batches > 0 ? batches * batch : batch;
}

/* Blocks reduce each segment in so many parts, of so many elements if there is more than one. Segments
 * longer than block_limit are left to the queue. */
static void launch_parts(const struct reduction *r, const element_t *input, struct segments s,
                         value_t *results, size_t parts, size_t piece, unsigned block,
                         size_t block_limit)
{
    const struct planned *p = (const struct planned *)r->planned;
    value_t *partials = (value_t *)((char *)r->workspace + p->partials);
    size_t shared_bytes = ceil_div(block, r->warp_size) * sizeof(value_t);
    unsigned grid = (unsigned)min_size(s.count * parts, p->blocks);

    if (streaming_pays(s.n * sizeof(element_t)))
        hipLaunchKernelGGL(reduce_pieces_streaming, dim3(grid), dim3(block), shared_bytes,
                           r->stream, input, s, results, partials, parts, piece, queue_of(r),
                           block_limit);
    else
        hipLaunchKernelGGL(reduce_pieces, dim3(grid), dim3(block), shared_bytes, r->stream, input,
                           s, results, partials, parts, piece, queue_of(r), block_limit);
    HIP_CHECK_LAUNCH();
    if (parts == 1)
        return;
    grid = (unsigned)min_size(s.count, p->blocks);
    hipLaunchKernelGGL(join_pieces, dim3(grid), dim3(block), shared_bytes, r->stream, partials, s,
                       results, parts);
    HIP_CHECK_LAUNCH();
}

/* Reduces the segments longer than block_limit. Only the device knows how many pieces wait: as many blocks as can be resident
 * share them. */
static void launch_queue(const struct reduction *r, const element_t *input, struct segments s,
                         value_t *results)
{
    const struct planned *p = (const struct planned *)r->planned;
    value_t *partials = (value_t *)((char *)r->workspace + p->partials);
    size_t shared_bytes = ceil_div(r->block, r->warp_size) * sizeof(value_t);
    unsigned grid = (unsigned)min_size(grid_to_fill(r, UINT32_MAX), p->blocks);

    hipLaunchKernelGGL(reduce_queue, dim3(grid), dim3(r->block), shared_bytes, r->stream, input, s,
                       results, partials, p->piece, queue_of(r));
    HIP_CHECK_LAUNCH();
}
