/* Several blocks for one segment; part of segmented.hip, inside its namespace, and therefore without an
 * include guard.
 *
 * Segments of equal length are all cut into the same number of pieces. Of segments with offsets only some
 * are too long for a block, and only the device knows which: a block that meets one puts it into a queue, and
 * blocks that have nothing else to do take pieces of it.
 * SPDX-License-Identifier: MIT */

/* A segment that waits for blocks. */
struct waiting {
    word_t shown; /* stored last: launch << 32 | pieces; of another launch: not yet */
    size_t segment;
    size_t first;  /* the place of its first piece's result */
    word_t taken;  /* pieces that a block began, */
    unsigned done; /* and that it ended */
};
/* All zero before the first launch. */
struct queue_head {
    word_t
        state; /* the launch that was last << 32 | segments that it queued << 16 | segments queued since */
    unsigned long long pieces; /* of the segments queued since */
    unsigned closed;           /* blocks that will queue no more */
};
struct queue {
    struct queue_head *head; /* NULL: no segment is too long */
    struct waiting *waiting; /* QUEUE_MAX */
    size_t piece;            /* elements */
    unsigned resident;       /* so many blocks surely run at once */
};

/* The number of this launch, from 1 on, of a state that is not final. */
static __device__ word_t launch_of(word_t state)
{
    return (state >> 32) % UINT32_MAX + 1;
}

/* The blocks that begin last: nobody waits for their places on a compute unit, so they may wait for what others queue. */
static __device__ bool begins_last(struct queue queue)
{
    return queue.head != NULL && blockIdx.x + queue.resident >= gridDim.x;
}

/* For one thread; returns the number of the launch. */
static __device__ word_t queue_add(struct queue queue, size_t segment, size_t length)
{
    unsigned parts = (unsigned)ceil_div(length, queue.piece);
    word_t state = atomicAdd(&queue.head->state, 1ull);
    struct waiting *w = &queue.waiting[state % QUEUE_COUNTS];

    w->segment = segment;
    w->first = (size_t)atomicAdd(&queue.head->pieces, (unsigned long long)parts);
    w->done = 0;
    word_store(&w->taken, 0);
    __threadfence();
    word_store(&w->shown, launch_of(state) << 32 | parts);
    stores_arrive(); /* before a barrier, behind which the block closes the queue */
    return launch_of(state);
}

/* For one thread, when its block adds no more. The result is for queue_closed(): it arrives while the block reads. */
static __device__ __forceinline__ unsigned queue_close(struct queue queue, bool added)
{
    if (queue.head == NULL)
        return 0;
    if (added)
        __threadfence();
    return atomicInc(&queue.head->closed, gridDim.x - 1);
}

/* The thread that closed last makes the number of segments final, and the queue empty for the next launch. */
static __device__ void queue_closed(struct queue queue, unsigned before)
{
    if (queue.head == NULL || before != gridDim.x - 1)
        return;
    __threadfence();
    word_t state = word_load(&queue.head->state);
    (void)atomicExch(&queue.head->pieces, 0ull);
    __threadfence();
    word_store(&queue.head->state, launch_of(state) << 32 | state % QUEUE_COUNTS * QUEUE_COUNTS);
}

/* Takes pieces of one segment until there are no more; the block that ends the last one of all combines their results. While
 * one thread makes a result visible, the others load the next piece. What lasts longer than a piece is in shared memory: in
 * registers it would leave fewer for loads. */
static __device__ void reduce_waiting(const element_t *input, struct segments s, value_t *results,
                                      value_t *partials, size_t piece, struct waiting *w,
                                      value_t *shared)
{
    __shared__ struct {
        size_t begin, end;
        unsigned parts, part[2]; /* in turns: others may still look at the last one */
        bool last;
    } of;
    unsigned next = 0, before = ~0u;
    value_t value;

    if (threadIdx.x == 0) {
        of.begin = segment_begin(s, w->segment);
        of.end = segment_begin(s, w->segment + 1);
        of.parts = (unsigned)ceil_div(of.end - of.begin, piece);
        of.part[0] = (unsigned)atomicAdd(&w->taken, 1ull);
    }
    __syncthreads();
    for (unsigned turn = 0; of.part[turn] < of.parts; turn = 1 - turn) {
        unsigned part = of.part[turn];
        if (threadIdx.x == 0) /* it arrives while the block reads */
            next = (unsigned)atomicAdd(&w->taken, 1ull);
        size_t from = of.begin + part * piece;
        value = reduce_range(input, from, min_size(from + piece, of.end), threadIdx.x, blockDim.x,
                             true, false);
        if (threadIdx.x == 0)
            of.part[1 - turn] = next;
        value = reduce_block(value, shared);
        if (threadIdx.x == 0) {
            partials[w->first + part] = canonical(value);
            __threadfence();
            before = atomicAdd(&w->done, 1u);
        }
    }
    /* The piece that was done last was its block's last one, too: all had been taken. */
    if (threadIdx.x == 0) {
        of.last = before == of.parts - 1;
        __threadfence();
    }
    __syncthreads();
    if (!of.last)
        return;
    value = IDENTITY;
    for (size_t k = threadIdx.x; k < of.parts; k += blockDim.x)
        value = combine(value, partials[w->first + k]);
    value = reduce_block(value, shared);
    if (threadIdx.x == 0)
        results[w->segment] = canonical(value);
}

/* What a block does when its own segments are done: all pieces of those that it queued are taken before it ends. Blocks that
 * begin last also wait for others, but not for ever, since that is only a matter of speed. *launch: its number, in
 * shared memory. */
static __device__ void reduce_queue(const element_t *input, struct segments s, value_t *results,
                                    value_t *partials, struct queue queue, const word_t *launch,
                                    value_t *shared)
{
    __shared__ word_t state;
    __shared__ unsigned chosen[2]; /* in turns: others may still look at the last one */
    unsigned polls = begins_last(queue) ? POLLS_FOR_WORK : 0;

    for (unsigned turn = 0;; turn = 1 - turn) {
        if (threadIdx.x == 0) {
            state = word_load(&queue.head->state);
            chosen[turn] = QUEUE_MAX;
        }
        __syncthreads();
        bool final = state >> 32 == *launch;
        unsigned count = (unsigned)((final ? state / QUEUE_COUNTS : state) % QUEUE_COUNTS);
        for (unsigned k = threadIdx.x; k < count; k += blockDim.x) {
            const struct waiting *w = &queue.waiting[(blockIdx.x + k) % count];
            word_t shown = word_load(&w->shown);
            if (shown >> 32 == *launch && word_load(&w->taken) < (uint32_t)shown)
                (void)atomicMin(&chosen[turn], k);
        }
        __syncthreads();
        if (chosen[turn] < QUEUE_MAX) {
            __threadfence();
            reduce_waiting(input, s, results, partials, queue.piece,
                           &queue.waiting[(blockIdx.x + chosen[turn]) % count], shared);
        } else if (final || polls == 0) {
            return;
        } else {
            polls--;
            poll_pause();
        }
    }
}

/* A block for each of the `parts` of each segment; those longer than block_limit go to the queue. */
static __device__ __forceinline__ void reduce_each(const element_t *input, struct segments s,
                                                   value_t *results, value_t *partials,
                                                   size_t parts, size_t piece, struct queue queue,
                                                   size_t block_limit, bool streaming)
{
    HIP_DYNAMIC_SHARED(value_t, shared);
    __shared__ word_t launch;
    size_t count = s.count * parts;
    unsigned closed = 0;
    word_t state = 0;
    bool added = false;

    next_may_begin();
    earlier_done();
    if (threadIdx.x == 0 && begins_last(queue))
        state = word_load(&queue.head->state);
    if (threadIdx.x == 0 && blockIdx.x >= count) {
        launch = launch_of(state);
        closed = queue_close(queue, false);
    }

    for (size_t i = blockIdx.x; i < count; i += gridDim.x) {
        size_t segment = i / parts, part = i % parts;
        size_t begin = segment_begin(s, segment), end = segment_begin(s, segment + 1);
        bool too_long = end - begin > block_limit;
        if (threadIdx.x == 0) {
            if (too_long)
                launch = queue_add(queue, segment, end - begin);
            else if (begins_last(queue))
                launch = launch_of(state);
            if (i + gridDim.x >= count)
                closed = queue_close(queue, added || too_long);
        }
        added = added || too_long;
        if (too_long)
            continue;
        if (parts > 1) {
            begin = min_size(begin + part * piece, end);
            end = min_size(begin + piece, end);
        }
        value_t value = reduce_range(input, begin, end, threadIdx.x, blockDim.x, true, streaming);
        value = reduce_block(value, shared);
        if (threadIdx.x == 0)
            *(parts == 1 ? &results[segment] : &partials[i]) = canonical(value);
    }
    if (threadIdx.x == 0)
        queue_closed(queue, closed);
    if (added || begins_last(queue))
        reduce_queue(input, s, results, partials, queue, &launch, shared);
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

/* The kernels leave registers for blocks of 1024, and every GPU has room for 16 blocks on a compute unit. */
static unsigned surely_resident(const struct reduction *r)
{
    return r->compute_units * (1024 / (r->block < 64 ? 64 : r->block));
}

/* None where no segment can be longer than block_limit. */
static struct queue queue_of(const struct reduction *r, size_t block_limit)
{
    const struct planned *p = (const struct planned *)r->planned;
    struct queue_head *head = (struct queue_head *)((char *)r->workspace + p->queue);
    struct queue queue = {p->queued && block_limit < SIZE_MAX ? head : NULL,
                          (struct waiting *)(head + 1), p->piece, surely_resident(r)};
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
    struct queue queue = queue_of(r, block_limit);
    unsigned grid = queue.head != NULL ? r->grid : (unsigned)min_size(s.count * parts, p->blocks);

    if (streaming_pays(s.n * sizeof(element_t)))
        hipLaunchKernelGGL(reduce_pieces_streaming, dim3(grid), dim3(block), shared_bytes,
                           r->stream, input, s, results, partials, parts, piece, queue,
                           block_limit);
    else
        hipLaunchKernelGGL(reduce_pieces, dim3(grid), dim3(block), shared_bytes, r->stream, input,
                           s, results, partials, parts, piece, queue, block_limit);
    HIP_CHECK_LAUNCH();
    if (parts == 1)
        return;
    grid = (unsigned)min_size(s.count, p->blocks);
    hipLaunchKernelGGL(join_pieces, dim3(grid), dim3(block), shared_bytes, r->stream, partials, s,
                       results, parts);
    HIP_CHECK_LAUNCH();
}
