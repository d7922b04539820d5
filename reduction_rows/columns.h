/* Columns; part of rows.hip, inside its namespace, and therefore without an include guard.
 *
 * A thread keeps LANES columns and walks down the rows; its neighbours read the vectors beside it. Where the rows lie
 * without a gap, the walk is over lines: as many rows as make whole vectors. 5 columns of floats have lines of 4 rows
 * and 5 vectors, and a thread keeps 4 of their 20 elements.
 * SPDX-License-Identifier: MIT */

#define COLUMNS_BLOCK 512
#define SLAB_WIDTH    32 /* vectors, at least */

/* How the blocks share the lines: a slab is `width` vectors wide, and `parts` blocks take `lines` of `all` lines each.
 */
struct slabs {
    size_t all, lines;
    unsigned count, parts, width, together; /* a block reads `together` lines at once */
    unsigned grid;                          /* blocks side by side */
    unsigned fold; /* rows of a line; 0: not whole vectors, a line is a row */
    unsigned head; /* elements before the first vector */
    bool alone;    /* a thread has all of its columns, and writes them at once */
};

/* What a thread has of its columns. */
typedef union {
    bytes16_t all[LANES * sizeof(value_t) / 16];
    value_t lane[LANES];
} sums_t;

/* Adds the vectors of this thread in `loads` lines, `jump` apart, of the `left` ones from `from` on; past the end the first
 * one is loaded again. loads, a constant: all in flight. Loaded one by one, the lanes behind the last element of the line
 * have that one, too: nobody asks for them. */
static __device__ __forceinline__ void add_batch(sums_t *sums, const element_t *from,
                                                 struct matrix m, size_t first, size_t column,
                                                 unsigned jump, unsigned left, unsigned last,
                                                 unsigned loads, bool wide, bool streaming)
{
    vector_t v[LOADS];
#pragma unroll
    for (unsigned u = 0; u < loads; u++) {
        const element_t *line =
            from + ((first + (u * jump < left ? u * jump : 0)) * m.stride + column);
        if (wide)
            v[u].all = load_16_streaming(line, streaming);
        else
            v[u] = load_elements(line, last);
    }
    loads_first();
#pragma unroll
    for (unsigned u = 0; u < loads; u++)
        if (u * lane_not_kept(jump) < left)
#pragma unroll
            for (unsigned k = 0; k < LANES; k++)
                sums->lane[k] = combine(sums->lane[k], widen(v[u].lane[k]));
}

/* What this thread has of its columns in lines [begin, end): every `together`-th of them. */
static __device__ __forceinline__ sums_t add_lines(const element_t *from, struct matrix m,
                                                   size_t column, size_t begin, size_t end,
                                                   unsigned together, bool wide, bool streaming)
{
    sums_t sums;
#pragma unroll
    for (unsigned k = 0; k < LANES; k++)
        sums.lane[k] = IDENTITY;
    /* The end of the input cuts the last line off before this vector's end, or, loaded one by one, before the end of the
     * line; where a head was left out, two lines may miss their end. */
    for (unsigned k = 0; k < 2; k++)
        if (end > 0 && (end - 1) * m.stride + (wide ? column + LANES : m.columns) > m.n)
            end--;
    unsigned last = (unsigned)min_size(m.columns - 1 - column, LANES - 1);
    unsigned loads = wide || LANES <= 4 ? LOADS : LOADS / 2; /* of 8 elements one by one */
#pragma unroll 1
    for (size_t line = begin; line < end; line += (size_t)loads * together) {
        unsigned jump = lane_not_kept(together), left = (unsigned)min_size(end - line, FAR);
        if (GUARDS_BRANCH || left > 2 * jump)
            add_batch(&sums, from, m, line, column, jump, left, last, loads, wide, streaming);
        else /* few lines are all there is: nothing is loaded in vain */
            add_batch(&sums, from, m, line, column, jump, left, last, 2, wide, streaming);
    }
    return sums;
}

/* The same for what the parts leave, where that is wider than elements: a line of values for each. */
static __device__ __forceinline__ sums_t add_parts(const value_t *from, struct matrix m,
                                                   size_t column, size_t begin, size_t end,
                                                   unsigned together)
{
    sums_t sums;
#pragma unroll
    for (unsigned k = 0; k < LANES; k++)
        sums.lane[k] = IDENTITY;
#pragma unroll 4
    for (size_t line = begin; line < end; line += together) {
        const sums_t *part = (const sums_t *)(from + line * m.stride + column);
#pragma unroll
        for (unsigned k = 0; k < LANES; k++)
            sums.lane[k] = combine(sums.lane[k], part->lane[k]);
    }
    return sums;
}

/* Of the input, or of what the parts leave. */
static __device__ __forceinline__ sums_t add_from(const void *from, const value_t *partials,
                                                  struct matrix m, size_t column, size_t begin,
                                                  size_t end, unsigned together, bool wide,
                                                  bool streaming)
{
    if (ELEMENT_TYPE != VALUE_TYPE && from == partials)
        return add_parts(partials, m, column, begin, end, together);
    return add_lines((const element_t *)from, m, column, begin, end, together, wide, streaming);
}

/* Combines what the threads have of the same columns: the first `width` places of tile[] hold the results. */
static __device__ void reduce_lines(sums_t *tile, sums_t sums, unsigned line, struct slabs slabs)
{
    __syncthreads(); /* tile[] may still be in use */
    tile[threadIdx.x] = sums;
    __syncthreads();
#pragma unroll 1
    for (unsigned count = slabs.together; count > 1;) {
        unsigned half = (count + 1) / 2;
        if (line + half < count) {
            sums_t other = tile[threadIdx.x + half * slabs.width];
            for (unsigned k = 0; k < LANES; k++)
                sums.lane[k] = combine(sums.lane[k], other.lane[k]);
            tile[threadIdx.x] = sums;
        }
        __syncthreads();
        count = half;
    }
}

/* The elements of a column before the first vector and after the last one. */
static __device__ value_t add_edges(const element_t *input, struct matrix m, size_t column,
                                    size_t head, size_t tail)
{
    value_t value = IDENTITY;
#pragma unroll 1
    for (size_t i = column; i < head; i += m.stride)
        value = combine(value, widen(input[i]));
#pragma unroll 1
    for (size_t i = m.rows * m.stride + column; i >= tail + m.stride; i -= m.stride)
        if (i - m.stride < m.n)
            value = combine(value, widen(input[i - m.stride]));
    return value;
}

/* Writes the results of a slab that begins at `first` of a line, where each column is `fold` times. */
static __device__ void write_columns(const element_t *input, value_t *results,
                                     const value_t *values, size_t first, struct matrix m,
                                     struct slabs slabs, bool wide)
{
    size_t tail = slabs.head + (m.n - slabs.head) / LANES * LANES;
    if (!wide) /* all rows, or all but one that the end of the input cuts off */
        tail = (m.rows - 1) * m.stride + m.columns > m.n ? (m.rows - 1) * m.stride : m.n;

#pragma unroll 1
    for (unsigned k = threadIdx.x; k < slabs.width * LANES && first + k < m.columns;
         k += blockDim.x) {
        value_t value = values[k];
#pragma unroll 1
        for (unsigned f = 1; f < slabs.fold; f++)
            value = combine(value, values[k + f * m.columns]);
        size_t column = first + k + slabs.head;
        while (column >= m.columns)
            column -= m.columns;
        if (slabs.head > 0 || tail < m.n)
            value = combine(value, add_edges(input, m, column, slabs.head, tail));
        results[column] = canonical(value);
    }
}

/* The matrix as lines of whole vectors, where it is one. */
HOST_DEVICE struct matrix lines_of(struct matrix m, struct slabs slabs)
{
    if (slabs.fold > 0) {
        m.n -= slabs.head;
        m.columns = m.stride = m.columns * slabs.fold;
    }
    return m;
}

/* Block (slab, part) of the grid; the last one of a slab combines what the parts leave. */
static __device__ __forceinline__ void reduce_slabs(const element_t *input, value_t *results,
                                                    value_t *partials, unsigned *tickets,
                                                    struct matrix m, struct slabs slabs, bool wide,
                                                    bool streaming)
{
    HIP_DYNAMIC_SHARED(sums_t, tile);
    unsigned line = threadIdx.x / slabs.width, place = threadIdx.x % slabs.width;
    size_t width = (size_t)slabs.width * LANES;

#pragma unroll 1
    for (unsigned slab = blockIdx.x; slab < slabs.count; slab += gridDim.x) {
        size_t column = slab * width + place * LANES;
        struct matrix now = lines_of(m, slabs);
        bool mine = line < slabs.together && column < now.columns;
        size_t begin = (size_t)blockIdx.y * slabs.lines,
               end = min_size(begin + slabs.lines, slabs.all);
        const void *from = input + slabs.head;

#pragma unroll 1
        for (;;) { /* once for the lines, and by the last block once for what the parts leave */
            begin = mine ? begin + line : end;
            if (GUARDS_BRANCH) { /* there a value between the two calls costs scalar registers */
                reduce_lines(tile,
                             add_from(from, partials, now, column, begin, end, slabs.together, wide,
                                      streaming),
                             line, slabs);
            } else {
                sums_t sums = add_from(from, partials, now, column, begin, end, slabs.together,
                                       wide, streaming);
                if (slabs.alone) {
                    for (unsigned k = 0; k < LANES; k++)
                        sums.lane[k] = canonical(sums.lane[k]);
                    if (mine)
                        *(sums_t *)(results + column) = sums;
                    break;
                }
                reduce_lines(tile, sums, line, slabs);
            }
            if (gridDim.y == 1 || from == partials) {
                write_columns(input, results, tile->lane, slab * width, m, slabs, wide);
                break;
            }
            /* That is a matrix, too: with a row for each part. */
            now.columns = now.stride = slabs.count * width;
            now.n = now.stride * gridDim.y;
            if (line == 0 && mine)
                *(sums_t *)(partials + blockIdx.y * now.stride + column) = tile[place];
            if (!is_last(tickets + slab, gridDim.y))
                break;
            from = partials;
            begin = 0;
            end = gridDim.y;
        }
    }
}

__global__ void LAUNCH_BOUNDS_RESIDENT(BLOCK_MAX, 2)
    reduce_columns(const element_t *input, value_t *results, value_t *partials, unsigned *tickets,
                   struct matrix m, struct slabs slabs, bool streaming)
{
    reduce_slabs(input, results, partials, tickets, m, slabs, true, streaming);
}

__global__ void LAUNCH_BOUNDS_RESIDENT(BLOCK_MAX, 2)
    reduce_columns_narrow(const element_t *input, value_t *results, value_t *partials,
                          unsigned *tickets, struct matrix m, struct slabs slabs)
{
    reduce_slabs(input, results, partials, tickets, m, slabs, false, false);
}

/* Chooses the slabs, the block, the grid and the chain. */
static void plan_columns(struct reduction *r, const struct matrix *m, struct slabs *slabs)
{
    bool asked = r->block > 0;
    unsigned most = asked ? whole_warps(r->block, r->warp_size, BLOCK_MAX) : COLUMNS_BLOCK;
    size_t vectors = ceil_div(m->columns, LANES), edges = 0;

    if (m->stride == m->columns) {
        slabs->fold = 1;
        while (m->columns * slabs->fold % LANES != 0)
            slabs->fold *= 2;
        if (slabs->fold > 1 && m->columns * slabs->fold / LANES > most)
            slabs->fold = 0; /* too long a line for one block */
        else
            vectors = m->columns * slabs->fold / LANES;
        edges = 2 * ceil_div(LANES - 1, m->columns);
    }
    slabs->all = slabs->fold > 1 ? ceil_div(m->rows, slabs->fold) : m->rows;
    /* Narrow slabs need fewer parts, so the last block of each has little to combine. But every thread needs LOADS
     * lines. */
    size_t most_lines = slabs->all > LOADS ? slabs->all / LOADS : 1;
    size_t width = min_size(most, ceil_div(ceil_div(most, most_lines), SLAB_WIDTH) * SLAB_WIDTH);
    slabs->width = (unsigned)min_size(vectors, slabs->fold > 1 ? most : width);
    slabs->count = (unsigned)ceil_div(vectors, slabs->width);
    r->block = most;
    slabs->together = (unsigned)min_size(most / slabs->width, slabs->all);
    if (!asked)
        r->block = whole_warps((size_t)slabs->width * slabs->together, r->warp_size, BLOCK_MAX);

    size_t parts = min_size(resident(r), r->grid > 0 ? r->grid : SIZE_MAX) / slabs->count;
    parts = min_size(parts > 0 ? parts : 1, ceil_div(slabs->all, (size_t)LOADS * slabs->together));
    slabs->lines = ceil_div(slabs->all, parts);
    slabs->parts = (unsigned)ceil_div(slabs->all, slabs->lines);

    size_t depth = tree_depth(slabs->together);
    r->chain = ceil_div(slabs->lines, slabs->together) + depth + slabs->fold + edges;
    if (slabs->parts > 1)
        r->chain += ceil_div(slabs->parts, slabs->together) + depth;
    size_t most_blocks = r->grid > 0 ? r->grid : GRID_THREADS_MAX / r->block;
    slabs->grid = (unsigned)min_size(slabs->count, most_blocks / slabs->parts);
    r->grid = slabs->grid * slabs->parts;
}

static void launch_columns(const struct reduction *r, const struct matrix *m, struct slabs slabs,
                           const element_t *input, value_t *results, value_t *partials,
                           unsigned *tickets)
{
    unsigned head = elements_before(input);
    bool wide = slabs.fold > 0 || (head == 0 && m->columns % LANES == 0 && m->stride % LANES == 0);

    slabs.head = slabs.fold > 0 ? (unsigned)min_size(head, m->n) : 0;
    slabs.alone = slabs.parts == 1 && slabs.together == 1 && head == 0 && m->columns % LANES == 0 &&
                  m->stride % LANES == 0 && m->n == (m->rows - 1) * m->stride + m->columns &&
                  (size_t)results % 16 == 0;
    if (wide)
        hipLaunchKernelGGL(reduce_columns, dim3(slabs.grid, slabs.parts), dim3(r->block),
                           r->block * sizeof(sums_t), r->stream, input, results, partials, tickets,
                           *m, slabs, streaming_pays(m->n * sizeof(element_t)));
    else
        hipLaunchKernelGGL(reduce_columns_narrow, dim3(slabs.grid, slabs.parts), dim3(r->block),
                           r->block * sizeof(sums_t), r->stream, input, results, partials, tickets,
                           *m, slabs);
}
