/* Several blocks for one segment; part of segmented.hip, inside its namespace, and therefore without an
 * include guard.
 *
 * Segments of equal length are all cut into the same number of pieces. Of segments with offsets only some
 * are too long for a block, and only the device knows which: their pieces wait in a queue.
 * SPDX-License-Identifier: MIT */

/* A piece of a segment that is too long for one block. */
struct piece {
    size_t segment, part, parts; /* number `part` of `parts` */
    size_t first; /* piece[k].first: where the pieces of the k-th cut segment begin */
};
struct queue {
    unsigned long long pieces; /* how many wait */
    unsigned long long cut;    /* how many segments they belong to */
    struct piece piece[1];     /* there is room for more in the workspace */
};

/* A lane for each segment checks whether it is longer than block_limit; the whole warp writes its
 * pieces, since there may be many. Neighbouring segments go to different warps, so that none gets all
 * the long ones. */
__global__ void queue_pieces(struct segments s, size_t block_limit, size_t piece,
                             struct queue *queue)
{
    unsigned size = (unsigned)warpSize, lane = threadIdx.x % size, lanes = lanes_of_warp();
    size_t warps_of_block = (blockDim.x + size - 1) / size, warps = gridDim.x * warps_of_block;
    size_t warp = blockIdx.x * warps_of_block + threadIdx.x / size;

    for (size_t first = warp; first < s.count; first += warps * lanes) {
        size_t k = first + lane * warps;
        size_t length = k < s.count ? segment_begin(s, k + 1) - segment_begin(s, k) : 0;

        unsigned long long waiting = __ballot(length > block_limit);
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

/* One block for each piece in the queue; queue NULL: for each of the `parts` of each segment, without
 * segments longer than block_limit. */
static __device__ __forceinline__ void reduce_each(const element_t *input, struct segments s,
                                                   value_t *results, value_t *partials,
                                                   size_t parts, size_t piece,
                                                   const struct queue *queue, size_t block_limit,
                                                   bool streaming)
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
        if (end - begin > block_limit)
            continue;
        if (p.parts > 1) {
            begin = min_size(begin + p.part * piece, end);
            end = min_size(begin + piece, end);
        }
        value_t value = reduce_range(input, begin, end, threadIdx.x, blockDim.x, true, streaming);
        value = reduce_block(value, shared);
        if (threadIdx.x == 0)
            *(p.parts == 1 ? &results[p.segment] : &partials[i]) = canonical(value);
    }
}

__global__ void LAUNCH_BOUNDS(1024)
    reduce_pieces(const element_t *input, struct segments s, value_t *results, value_t *partials,
                  size_t parts, size_t piece, const struct queue *queue, size_t block_limit)
{
    reduce_each(input, s, results, partials, parts, piece, queue, block_limit, false);
}

/* Not the kernel for groups of lanes: some of them come back to a line that they have loaded in part. */
#if defined(HAS_STREAMING)
__global__ void LAUNCH_BOUNDS(1024)
    reduce_pieces_streaming(const element_t *input, struct segments s, value_t *results,
                            value_t *partials, size_t parts, size_t piece,
                            const struct queue *queue, size_t block_limit)
{
    reduce_each(input, s, results, partials, parts, piece, queue, block_limit, true);
}
#else
#define reduce_pieces_streaming reduce_pieces
#endif

/* One block for each segment that was cut; queue NULL: every segment was cut into `parts`. */
__global__ void LAUNCH_BOUNDS(1024)
    join_pieces(const value_t *partials, struct segments s, value_t *results, size_t parts,
                const struct queue *queue)
{
    HIP_DYNAMIC_SHARED(value_t, shared);
    size_t count = queue != NULL ? (size_t)queue->cut : s.count;

    for (size_t k = blockIdx.x; k < count; k += gridDim.x) {
        size_t first = queue != NULL ? queue->piece[k].first : k * parts;
        size_t segment = queue != NULL ? queue->piece[first].segment : k;
        size_t pieces = queue != NULL ? queue->piece[first].parts : parts;
        value_t value = IDENTITY;
        for (size_t i = threadIdx.x; i < pieces; i += blockDim.x)
            value = combine(value, partials[first + i]);
        value = reduce_block(value, shared);
        if (threadIdx.x == 0)
            results[segment] = canonical(value);
    }
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
 * longer than block_limit are left to launch_queue(). */
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
                           r->stream, input, s, results, partials, parts, piece,
                           (const struct queue *)NULL, block_limit);
    else
        hipLaunchKernelGGL(reduce_pieces, dim3(grid), dim3(block), shared_bytes, r->stream, input,
                           s, results, partials, parts, piece, (const struct queue *)NULL,
                           block_limit);
    HIP_CHECK_LAUNCH();
    if (parts == 1)
        return;
    grid = (unsigned)min_size(s.count, p->blocks);
    hipLaunchKernelGGL(join_pieces, dim3(grid), dim3(block), shared_bytes, r->stream, partials, s,
                       results, parts, (const struct queue *)NULL);
    HIP_CHECK_LAUNCH();
}

/* Reduces the segments longer than block_limit. */
static void launch_queue(const struct reduction *r, const element_t *input, struct segments s,
                         value_t *results)
{
    const struct planned *p = (const struct planned *)r->planned;
    value_t *partials = (value_t *)((char *)r->workspace + p->partials);
    struct queue *queue = (struct queue *)((char *)r->workspace + p->queue);
    size_t shared_bytes = ceil_div(r->block, r->warp_size) * sizeof(value_t);
    /* Only the device knows how many pieces wait: as many blocks as can be resident share them. */
    unsigned grid = (unsigned)min_size(grid_to_fill(r, UINT32_MAX), p->blocks);

    hipError_t error = hipMemsetAsync(queue, 0, 2 * sizeof queue->pieces, r->stream); /* and cut */
    HIP_CHECK(error);
    if (error != hipSuccess) /* a library is still here: the queue is not one */
        return;
    hipLaunchKernelGGL(queue_pieces, dim3(grid), dim3(r->block), 0, r->stream, s, p->block_limit,
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
