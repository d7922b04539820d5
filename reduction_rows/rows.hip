/* Rows and columns: one value for each row of a matrix, or for each column.
 *
 * Study    155
 * Idea     All threads read neighbouring vectors, whatever the shape; who adds up what follows from that. A few lanes
 *          share a short row, a warp or a block takes a longer one, and several blocks a very long one. A column is
 *          never read alone: threads that keep their columns walk down the rows side by side.
 * Compare  diff -u ../reduction_segmented/segmented.hip rows.hip
 * Try      ./reduction_rows --columns 16 --axis columns
 *
 * pieces.h   a block for a long row, or several
 * tiles.h    rows that are not whole vectors
 * columns.h  the same for columns
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"
#include "prelude.h"
#include "widen.h"

enum { METHOD = MATRIX_OPTION_COUNT }; /* index into r->option[] */
enum { AUTO, LANE_GROUP, BLOCK, THREAD, TILES };
static const struct variant_option options[] = {
    MATRIX_OPTIONS,
    {"method", "auto|lanes|block|thread", AUTO, 0, 0,
     "who takes a row: up to a warp, a block or more, or one thread, to see what that costs"},
    VARIANT_OPTIONS_END,
};

#define LOADS 8                                    /* 16-byte loads in flight per thread */
#define LANES ((unsigned)(16 / sizeof(element_t))) /* elements of a vector */

/* Threads: more have not the registers for 8 vectors on gfx906 and gfx908. Two such blocks fit on a multiprocessor. */
#define BLOCK_MAX 512

/* As they are in memory. */
typedef union {
    bytes16_t all;
    element_t lane[LANES];
} vector_t;

/* Elements before the first vector of an array. */
HOST_DEVICE unsigned elements_before(const element_t *input)
{
    return (unsigned)((16 - (size_t)input % 16) % 16 / sizeof(element_t));
}

static __device__ __forceinline__ value_t add_lanes(const vector_t *v)
{
    value_t value = widen(v->lane[0]);
#pragma unroll
    for (unsigned k = 1; k < LANES; k++)
        value = combine(value, widen(v->lane[k]));
    return value;
}

/* The vector at `from`, a multiple of 16 bytes; without `there` identity. */
static __device__ __forceinline__ vector_t load_vector(const element_t *from, bool there,
                                                       value_t identity, bool streaming)
{
    vector_t v;
#pragma unroll
    for (unsigned k = 0; k < LANES; k++)
        v.lane[k] = narrow(identity);
    v.all = whole_16(v.all);
    if (there)
        v.all = load_16_streaming(from, streaming);
    return v;
}

/* LOADS vectors of this thread, blockDim.x apart, of the `left` ones from `from` on, which the block has in common; in place of
 * others identity, a constant. */
static __device__ __forceinline__ void load_round(vector_t *v, const element_t *from, size_t left,
                                                  value_t identity, bool streaming)
{
#if defined(HAS_BOUNDED)
    (void)streaming;
    bounded_t all = bounded_of(from, min_size(left, LOADS * BLOCK_MAX) * 16);

#pragma unroll
    for (unsigned u = 0; u < LOADS; u++)
        v[u].all = bounded_load_16(all, (int)((threadIdx.x + u * blockDim.x) * 16));
    loads_first();
#pragma unroll
    for (unsigned u = 0; u < LOADS; u++)
#pragma unroll
        for (unsigned k = 0; k < LANES; k++)
            if (identity != 0 && threadIdx.x + u * blockDim.x >= left)
                v[u].lane[k] = narrow(identity);
#else
#pragma unroll
    for (unsigned u = 0; u < LOADS; u++) {
        unsigned at = threadIdx.x + u * blockDim.x;
        v[u] = load_vector(from + (size_t)at * LANES, at < left, identity, streaming);
    }
    loads_first();
#endif
}

/* The elements from `from` on, one by one; behind the last one in the matrix that one again. */
static __device__ __forceinline__ vector_t load_elements(const element_t *from, unsigned last)
{
    vector_t v;
#pragma unroll
    for (unsigned k = 0; k < LANES; k++)
        v.lane[k] = from[k < last ? k : last];
    return v;
}

/* How a warp shares its rows: teams of 2^lanes lanes take one each, with 2^parts loads of it at once. */
struct team {
    unsigned lanes, parts;
};

/* Combines what the lanes of each team have of their LOADS / parts rows. A lane does not need all of the results: in
 * each step two lanes exchange half of what they have, and go on with the other half. So 8 rows of 8 lanes take 7
 * shuffles and not 24. Lane `member` of a team ends up with the rows i * *owners + member % *owners of the team's. */
static __device__ __forceinline__ unsigned reduce_team(value_t *s, unsigned member,
                                                       struct team team, unsigned *owners)
{
    unsigned distance = 1, lanes = 1u << team.lanes, parts = 1u << team.parts, left = LOADS;
#pragma unroll
    for (unsigned count = LOADS; count > 1; count /= 2) {
        if (parts > 1) { /* neighbours belong to the same row */
#pragma unroll
            for (unsigned i = 0; i < count / 2; i++)
                s[i] = combine(s[2 * i], s[2 * i + 1]);
            parts /= 2;
            left /= 2;
        } else if (distance < lanes) {
            bool odd = member & distance;
#pragma unroll
            for (unsigned i = 0; i < count / 2; i++) {
                value_t mine = odd ? s[2 * i + 1] : s[2 * i];
                value_t other = odd ? s[2 * i] : s[2 * i + 1];
                s[i] = combine(mine, __shfl_xor(other, (int)distance));
            }
            distance *= 2;
            left /= 2;
        }
    }
    *owners = distance;
    for (; distance < lanes; distance *= 2)
        s[0] = combine(s[0], __shfl_xor(s[0], (int)distance));
    return left;
}

#define FAR ((size_t)1 << 31) /* larger than all distances within a tile */

/* Each warp takes a tile of rows: those of LOADS / parts teams. */
static __device__ __forceinline__ void reduce_short(const element_t *input, value_t *results,
                                                    struct matrix m, struct team team, bool wide,
                                                    bool streaming)
{
    unsigned teams = warp_lanes() >> team.lanes, rows = (LOADS >> team.parts) * teams;
    unsigned warps = blockDim.x / warp_lanes(), step = LANES << team.lanes;
    unsigned jump = teams * (unsigned)m.stride;

    for (size_t tile = (size_t)blockIdx.x * warps + threadIdx.x / warp_lanes();
         tile * rows < m.rows; tile += (size_t)gridDim.x * warps) {
        unsigned lane = lane_not_kept(threadIdx.x % warp_lanes()),
                 member = lane & ((1u << team.lanes) - 1);
        size_t row = tile * rows + (lane >> team.lanes); /* the first of this lane */
        value_t s[LOADS];
#pragma unroll
        for (unsigned u = 0; u < LOADS; u++)
            s[u] = IDENTITY;
#pragma unroll 1
        for (size_t column = member * LANES; column < m.columns + member * LANES;
             column += (size_t)step << team.parts) {
            size_t index = row * m.stride + column;
            /* How far it is to the end of the row and of the input, which a vector must not cross. */
            size_t end = wide ? index + LANES - 1 : index;
            /* Not behind `?`: LLVM 21 would take the comparison for known (docs/amd.md). */
            unsigned near = (unsigned)min_size(m.columns - column, FAR);
            unsigned left = (unsigned)min_size(m.n - end, FAR);
            unsigned room = column < m.columns ? near : 0, ahead = end < m.n ? left : 0;
            vector_t v[LOADS];
            unsigned below = not_kept(jump), beside = not_kept(step);
            unsigned count[LOADS]; /* elements of the row and of the input, from here on */
#pragma unroll
            for (unsigned u = 0; u < LOADS; u++) {
                unsigned right = (u & ((1u << team.parts) - 1)) * beside;
                unsigned offset = (u >> team.parts) * below + right;
                bool there = right < room && offset < ahead;
                count[u] = !there                          ? 0
                           : room - right < ahead - offset ? room - right
                                                           : ahead - offset;
                v[u] = wide ? load_vector(input + index + offset, there, IDENTITY, streaming)
                            : load_elements(input + (there ? index + offset : 0), count[u] - there);
            }
            loads_first();
#pragma unroll
            for (unsigned u = 0; u < LOADS; u++) {
#pragma unroll
                for (unsigned k = 0; k < LANES; k++)
                    if (!wide && k >= count[u])
                        v[u].lane[k] = narrow(IDENTITY);
                s[u] = combine(s[u], add_lanes(&v[u]));
            }
        }
        unsigned owners, kept = reduce_team(s, member, team, &owners);
        size_t left = row < m.rows ? m.rows - row : 0;
#pragma unroll
        for (unsigned i = 0; i < LOADS; i++) {
            unsigned down = (i * owners + member) * teams;
            if (i < kept && member < owners && down < left)
                results[row + down] = canonical(s[i]);
        }
    }
}

__global__ void LAUNCH_BOUNDS_RESIDENT(BLOCK_MAX, 2)
    reduce_rows(const element_t *input, value_t *results, struct matrix m, struct team team,
                bool streaming)
{
    reduce_short(input, results, m, team, true, streaming);
}

/* Where rows begin or end within 16 bytes, and tiles are not the way. */
__global__ void LAUNCH_BOUNDS_RESIDENT(BLOCK_MAX, 2)
    reduce_rows_narrow(const element_t *input, value_t *results, struct matrix m, struct team team)
{
    reduce_short(input, results, m, team, false, false);
}

/* What everybody writes first: a thread for each row. Neighbouring threads read elements that are a row apart. */
__global__ void reduce_rows_by_threads(const element_t *input, value_t *results, struct matrix m)
{
    size_t stride = (size_t)gridDim.x * blockDim.x;

    for (size_t row = (size_t)blockIdx.x * blockDim.x + threadIdx.x; row < m.rows; row += stride) {
        size_t begin = row * m.stride, end = min_size(begin + m.columns, m.n);
        value_t value = IDENTITY;
        for (size_t i = begin; i < end; i++)
            value = combine(value, widen(input[i]));
        results[row] = canonical(value);
    }
}

/* Combines one value of every thread of the block; thread 0 holds the result. A block of whole warps. */
static __device__ value_t reduce_block(value_t value, value_t *shared)
{
    unsigned lane = threadIdx.x % warp_lanes(), warp = threadIdx.x / warp_lanes();
    unsigned warps = blockDim.x / warp_lanes();

    for (unsigned distance = warp_lanes() / 2; distance > 0; distance /= 2)
        value = combine(value, __shfl_down(value, distance));
    __syncthreads(); /* shared[] may still be in use */
    if (lane == 0)
        shared[warp] = value;
    __syncthreads();
    if (warp == 0) {
        value = lane < warps ? shared[lane] : IDENTITY;
        for (unsigned distance = warp_lanes() / 2; distance > 0; distance /= 2)
            value = combine(value, __shfl_down(value, distance));
    }
    return value;
}

static unsigned whole_warps(size_t threads, unsigned warp, unsigned most)
{
    size_t rounded = ceil_div(threads, warp) * warp;
    return rounded < warp ? warp : rounded > most ? most : (unsigned)rounded;
}

/* Blocks that are resident at once: with 8 vectors in registers a unit has room for 1024 threads. */
static size_t resident(const struct reduction *r)
{
    return (size_t)r->compute_units * (r->block < 1024 ? 1024 / r->block : 1);
}

#include "pieces.h"
#include "tiles.h"
#include "columns.h"

/* What plan() decides. */
struct planned {
    struct matrix m;
    int axis, method; /* method: LANE_GROUP, BLOCK, THREAD or TILES */
    struct team team;
    struct tiles tiles;
    struct pieces pieces;
    struct slabs slabs;                /* of the columns */
    size_t results, partials, tickets; /* in the workspace: bytes from its start */
};

/* Additions on the longest path to a row's result, and the launch. */
static void plan_rows(struct reduction *r, struct planned *p)
{
    size_t vectors = ceil_div(p->m.columns, LANES), blocks;
    unsigned warp = r->warp_size;
    /* One batch of a warp; where elements are loaded one by one, blocks are faster before that. */
    bool whole = p->m.columns % LANES == 0 && p->m.stride % LANES == 0;
    size_t batch = (size_t)warp * LOADS,
           most = whole ? batch * LANES : batch * 12 / sizeof(value_t);

    bool chosen = p->method == AUTO;
    bool lanes = p->method == LANE_GROUP || (chosen && p->m.columns <= most);
    /* Empty rows, and those that are too far apart for 32-bit offsets, go to blocks. */
    lanes = lanes && p->m.n > 0 && p->m.stride < FAR / ((size_t)warp * LOADS);
    p->method = p->method == THREAD ? THREAD : lanes ? LANE_GROUP : BLOCK;
    if (lanes)
        r->block = r->block > 0 ? whole_warps(r->block, warp, BLOCK_MAX) : 128;
    if (lanes && chosen && plan_tiles(r, &p->m, &p->tiles))
        p->method = TILES;
    if (p->method == TILES) {
        blocks = ceil_div(p->m.rows, p->tiles.rows);
        r->chain = ceil_div(p->m.columns, (size_t)1 << p->tiles.lanes) + p->tiles.lanes;
    } else if (p->method == THREAD) {
        r->block = r->block > 0 ? r->block : 256;
        r->chain = p->m.columns;
        blocks = ceil_div(p->m.rows, r->block);
    } else if (lanes) {
        while (1u << p->team.lanes < warp && 1u << p->team.lanes < vectors)
            p->team.lanes++;
        while (1u << p->team.parts < LOADS && 1u << (p->team.lanes + p->team.parts) < vectors)
            p->team.parts++;
        size_t rows = (warp >> p->team.lanes) * (LOADS >> p->team.parts);
        blocks = ceil_div(ceil_div(p->m.rows, rows), r->block / warp);
        r->chain = LANES - 1 + ceil_div(vectors, (size_t)1 << (p->team.lanes + p->team.parts)) +
                   p->team.parts + p->team.lanes;
    } else {
        blocks = plan_pieces(r, &p->m, &p->pieces);
    }
    blocks = min_size(blocks, r->grid > 0 ? r->grid : GRID_THREADS_MAX / r->block);
    r->grid = blocks > 0 ? (unsigned)blocks : 1;
}

static void plan(struct reduction *r)
{
    struct planned *p = (struct planned *)r->planned;

    p->m = matrix_of(r);
    p->axis = (int)r->option[AXIS];
    p->method = (int)r->option[METHOD];
    if (r->result == NULL)
        p->results =
            workspace_take(r, (p->axis == ROWS ? p->m.rows : p->m.columns) * sizeof(value_t));
    size_t partials, tickets;
    if (p->axis == ROWS) {
        plan_rows(r, p);
        partials = p->m.rows * p->pieces.count;
        tickets = p->m.rows;
    } else {
        plan_columns(r, &p->m, &p->slabs);
        partials = (size_t)p->slabs.parts * p->slabs.count * p->slabs.width * LANES;
        tickets = p->slabs.count;
    }
    if (p->pieces.count > 1 || p->slabs.parts > 1) {
        p->partials = workspace_take(r, partials * sizeof(value_t));
        p->tickets = workspace_take(r, tickets * sizeof(unsigned));
    }
    r->host_bytes = sizeof(value_t);
    r->launches = 1;
}

/* Where launch() leaves the result of each row or column. */
static value_t *results_of(const struct reduction *r)
{
    const struct planned *p = (const struct planned *)r->planned;

    return r->result != NULL ? (value_t *)r->result
                             : (value_t *)((char *)r->workspace + p->results);
}

/* All vectors of the rows begin at multiples of 16 bytes, and none is cut. */
static bool rows_are_whole(const element_t *input, const struct matrix *m)
{
    bool last_is = m->n % LANES == 0 || (m->rows - 1) * m->stride + m->columns <= m->n;

    return (size_t)input % 16 == 0 && m->stride % LANES == 0 && m->columns % LANES == 0 && last_is;
}

static void launch(const struct reduction *r, const element_t *input)
{
    const struct planned *p = (const struct planned *)r->planned;
    value_t *results = results_of(r), *partials = (value_t *)((char *)r->workspace + p->partials);
    unsigned *tickets = (unsigned *)((char *)r->workspace + p->tickets);
    bool streaming = streaming_pays(p->m.n * sizeof(element_t));

    if (p->axis == COLUMNS) {
        launch_columns(r, &p->m, p->slabs, input, results, partials, tickets);
    } else if (p->method == BLOCK) {
        size_t shared_bytes = r->block / r->warp_size * sizeof(value_t);
        hipLaunchKernelGGL(reduce_long, dim3(r->grid), dim3(r->block), shared_bytes, r->stream,
                           input, results, partials, tickets, p->m, p->pieces, streaming);
    } else if (p->method == THREAD) {
        hipLaunchKernelGGL(reduce_rows_by_threads, dim3(r->grid), dim3(r->block), 0, r->stream,
                           input, results, p->m);
    } else if (p->method == TILES) {
        size_t bytes = (p->tiles.rows * p->m.stride + 2 * LANES) * sizeof(element_t) / 16 * 16;
        hipLaunchKernelGGL(reduce_tiles, dim3(r->grid), dim3(r->block), bytes, r->stream, input,
                           results, p->m, p->tiles, streaming);
    } else if (rows_are_whole(input, &p->m)) {
        hipLaunchKernelGGL(reduce_rows, dim3(r->grid), dim3(r->block), 0, r->stream, input, results,
                           p->m, p->team, streaming);
    } else {
        hipLaunchKernelGGL(reduce_rows_narrow, dim3(r->grid), dim3(r->block), 0, r->stream, input,
                           results, p->m, p->team);
    }
    HIP_CHECK_LAUNCH();
}

/* The results of all; that of the first one is the program's. */
static const value_t *device_result(const struct reduction *r)
{
    return results_of(r);
}

static value_t finish(const struct reduction *r)
{
    value_t *result = host_values(r);

    HIP_CHECK(hipMemcpyAsync(result, device_result(r), sizeof(value_t), hipMemcpyDeviceToHost,
                             r->stream));
    HIP_CHECK(hipStreamSynchronize(r->stream));
    return *result;
}

static void prepare(const struct reduction *r, const struct input_view *in,
                    struct reference *expected)
{
    const struct planned *p = (const struct planned *)r->planned;

    if (in != NULL)
        *expected = matrix_reference(&p->m, p->axis, in, OPERATION, 0);
}

/* Every row or column is verified. */
static size_t extras(const struct reduction *r, const struct input_view *in, struct extra *out)
{
    const struct planned *p = (const struct planned *)r->planned;

    return matrix_check(&p->m, p->axis, in, OPERATION, device_result(r), r->chain, out);
}

VARIANT = {
    .options = options,
    .plan = plan,
    .launch = launch,
    .finish = finish,
    .device_result = device_result,
    .prepare = prepare,
    .extras = extras,
    .planned_bytes = sizeof(struct planned),
    .places_result = true,
};
