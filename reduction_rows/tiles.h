/* Rows that are not whole vectors; part of rows.hip, inside its namespace, and therefore without an include guard.
 *
 * A block reads several rows as if they were one array, in vectors of 16 bytes wherever a row begins, into shared memory.
 * From there a few threads take each row.
 * SPDX-License-Identifier: MIT */

#define TILE_THREADS 256 /* whose vectors fit the shared memory that every device has */
#define TILE_ROW     2048 /* bytes of values; longer rows lose more than the loads at their ends cost */

/* A tile is so many rows, each of which 2^lanes threads add up. */
struct tiles {
    unsigned rows, lanes;
};

/* Reads count elements: LOADS vectors of each thread in flight, and the elements before the first vector and after
 * the last one by a thread each. */
static __device__ __forceinline__ void read_tile(element_t *to, const element_t *from,
                                                 unsigned count, unsigned head, bool streaming)
{
    head = head < count ? head : count;
    unsigned vectors = (count - head) / LANES, edges = head + (count - head) % LANES;
    unsigned edge = threadIdx.x < head ? threadIdx.x : count - edges + threadIdx.x;
    element_t element = threadIdx.x < edges ? from[edge] : 0;
    vector_t v[LOADS];

    load_round(v, from + head, vectors, 0, streaming);
#pragma unroll
    for (unsigned u = 0; u < LOADS; u++)
        if (threadIdx.x + u * blockDim.x < vectors)
            ((vector_t *)(to + head))[threadIdx.x + u * blockDim.x] = v[u];
    if (threadIdx.x < edges)
        to[edge] = element;
}

__global__ void LAUNCH_BOUNDS_RESIDENT(BLOCK_MAX, 2)
    reduce_tiles(const element_t *input, value_t *results, struct matrix m, struct tiles tiles,
                 bool streaming)
{
    HIP_DYNAMIC_SHARED(vector_t, staged);
    unsigned head = elements_before(input);
    /* Vectors begin where they do in the input. */
    element_t *here = (element_t *)staged + (LANES - head) % LANES;
    unsigned member = threadIdx.x & ((1u << tiles.lanes) - 1);

    for (size_t first = (size_t)blockIdx.x * tiles.rows; first < m.rows;
         first += (size_t)gridDim.x * tiles.rows) {
        unsigned stride = (unsigned)m.stride, rows = tiles.rows;
        unsigned count = (unsigned)min_size((size_t)rows * stride, m.n - first * stride);

        read_tile(here, input + first * stride, count, head, streaming);
        __syncthreads();
        for (unsigned row = threadIdx.x >> tiles.lanes; row < rows;
             row += blockDim.x >> tiles.lanes) {
            unsigned begin = row * stride, end = begin + (unsigned)m.columns;
            value_t value = IDENTITY;
            for (unsigned k = begin + member; k < (end < count ? end : count);
                 k += 1u << tiles.lanes)
                value = combine(value, widen(here[k]));
            for (unsigned distance = 1; distance < 1u << tiles.lanes; distance *= 2)
                value = combine(value, __shfl_xor(value, (int)distance));
            if (member == 0 && first + row < m.rows)
                results[first + row] = canonical(value);
        }
        __syncthreads(); /* all are read */
    }
}

/* Whether tiles are the way, and how: all threads take part, and all tiles begin at the same place within a vector. */
static bool plan_tiles(const struct reduction *r, const struct matrix *m, struct tiles *tiles)
{
    bool whole = m->columns % LANES == 0 && m->stride % LANES == 0;
    size_t most = min_size(r->block, TILE_THREADS) * LOADS * LANES / m->stride;

    tiles->lanes = 0;
    while (1u << tiles->lanes < r->warp_size && most << tiles->lanes < r->block)
        tiles->lanes++;
    size_t team = r->block >> tiles->lanes;
    /* With few rows smaller tiles: enough of them for all compute units. */
    size_t share = ceil_div(ceil_div(m->rows, (size_t)4 * r->compute_units), team);
    tiles->rows = (unsigned)(min_size(most / team, share) * team);
    return !whole && m->columns <= TILE_ROW / sizeof(value_t) && m->n > 0 &&
           m->stride <= 2 * m->columns && tiles->rows > 0 && tiles->rows * m->stride % LANES == 0;
}
