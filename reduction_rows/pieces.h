/* Rows that a block takes, or several blocks; part of rows.hip, inside its namespace, and therefore without an include
 * guard.
 * SPDX-License-Identifier: MIT */

/* Combines this thread's part of elements [begin, end). Those outside of the whole vectors are one for each of the
 * first threads, loaded before the vectors are used. */
static __device__ __forceinline__ value_t add_range(const element_t *input, size_t begin,
                                                    size_t end, bool streaming)
{
    size_t length = end - begin;
    unsigned head = elements_before(input + begin);
    head = head < length ? head : (unsigned)length;
    size_t vectors = (length - head) / LANES;
    unsigned edges = head + (unsigned)((length - head) % LANES);
    const element_t *from = input + begin + head;
    unsigned step = LOADS * blockDim.x;

    value_t value = IDENTITY, sums[LOADS];
    if (threadIdx.x < edges)
        value = widen(input[threadIdx.x < head ? begin + threadIdx.x : end - edges + threadIdx.x]);
#pragma unroll
    for (unsigned u = 0; u < LOADS; u++)
        sums[u] = IDENTITY;
    for (size_t left = vectors; left > threadIdx.x; left = left > step ? left - step : 0) {
        vector_t v[LOADS];
        load_round(v, from, left, IDENTITY, streaming);
        from += (size_t)step * LANES;
#pragma unroll
        for (unsigned u = 0; u < LOADS; u++)
            sums[u] = combine(sums[u], add_lanes(&v[u]));
    }
#pragma unroll
    for (unsigned gap = LOADS / 2; gap > 0; gap /= 2)
#pragma unroll
        for (unsigned u = 0; u < gap; u++)
            sums[u] = combine(sums[u], sums[u + gap]);
    return combine(value, sums[0]);
}

#include "last.h"

/* Pieces of rows: each row has `count` of `length` elements, the last one fewer. */
struct pieces {
    size_t length;
    unsigned count;
};

/* A block for each piece; the last block of a row combines its pieces, in order. */
__global__ void LAUNCH_BOUNDS_RESIDENT(BLOCK_MAX, 2)
    reduce_long(const element_t *input, value_t *results, value_t *partials, unsigned *tickets,
                struct matrix m, struct pieces pieces, bool streaming)
{
    HIP_DYNAMIC_SHARED(value_t, shared);

    for (size_t i = blockIdx.x; i < m.rows * pieces.count; i += gridDim.x) {
        size_t row = pieces.count > 1 ? i / pieces.count : i, piece = i - row * pieces.count;
        size_t begin = row * m.stride, end = min_size(begin + m.columns, m.n);
        begin = min_size(begin + piece * pieces.length, end);
        end = min_size(begin + pieces.length, end);

        value_t value = reduce_block(add_range(input, begin, end, streaming), shared);
        if (pieces.count > 1) {
            if (threadIdx.x == 0)
                partials[i] = value;
            if (!is_last(tickets + row, pieces.count))
                continue;
            value = IDENTITY;
            for (unsigned k = threadIdx.x; k < pieces.count; k += blockDim.x)
                value = combine(value, partials[row * pieces.count + k]);
            value = reduce_block(value, shared);
        }
        if (threadIdx.x == 0)
            results[row] = canonical(value);
    }
}

/* The pieces, the longest path to a row's result, and the block. Returns how many blocks there are to run. */
static size_t plan_pieces(struct reduction *r, const struct matrix *m, struct pieces *pieces)
{
    size_t threads = ceil_div(ceil_div(m->columns, LANES), LOADS);
    r->block = r->block > 0 ? whole_warps(r->block, r->warp_size, BLOCK_MAX)
                            : whole_warps(threads, r->warp_size, 512);
    /* Few rows are cut into as many pieces as blocks are resident; somewhat more rows into more pieces, so that
     * the last ones do not run nearly alone. */
    size_t slots = resident(r), wanted = 1;
    size_t batch = (size_t)r->block * LOADS * LANES;
    if (m->rows <= slots)
        wanted = slots / m->rows;
    else if (m->rows < 4 * slots)
        wanted = ceil_div(4 * slots, m->rows);
    size_t least = m->rows <= slots ? batch : 2 * batch; /* worth a ticket */
    pieces->count = (unsigned)min_size(wanted, ceil_div(m->columns, least));
    pieces->length = ceil_div(ceil_div(m->columns, pieces->count), LANES) * LANES;
    if (m->rows > slots && pieces->count > 1) { /* a batch and a third takes as long as two */
        pieces->length = ceil_div(pieces->length, batch) * batch;
        pieces->count = (unsigned)ceil_div(m->columns, pieces->length);
    }
    r->chain = LANES + ceil_div(ceil_div(pieces->length, LANES), (size_t)r->block * LOADS) +
               tree_depth(LOADS) + tree_depth(r->block);
    if (pieces->count > 1)
        r->chain += ceil_div(pieces->count, r->block) + tree_depth(r->block);
    return m->rows * pieces->count;
}
