/* Softmax of the rows of a matrix: y = exp(x - largest) / sum, where sum adds up the exp(x - largest) of the row.
 *
 * Step     157
 * Idea     The largest element and the sum are one reduction of pairs, and time is what goes through memory: a row that
 *          stays in registers is read once and written once, whoever needs its elements again.
 * Compare  diff -u ../reduction_custom/custom.hip softmax.hip
 * Try      ./reduction_softmax --reread matrix
 *
 * reference.h    the right outputs, and how far from them rounding may lead
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"
#include "prelude.h"

enum { WIDTH, REREAD }; /* indices into r->option[] */
enum { NEVER, ROW, MATRIX };
static const struct variant_option options[] = {
    {"columns", NULL, 1024, 1, 1L << 40, "elements of a row"},
    {"reread", "never|row|matrix", NEVER, 0, 0,
     "read again for the outputs: nothing, if the row fits; the row; all, by a kernel"},
    VARIANT_OPTIONS_END,
};

/* exp() and the outputs of integers are floating-point numbers as wide as they are. */
#if VALUE_TYPE == TYPE_FLOAT || VALUE_TYPE == TYPE_INT
typedef float real_t;
#else
typedef double real_t;
#endif

static __device__ __forceinline__ int min_int(int a, int b)
{
    return a < b ? a : b;
}

/* Elements in the registers of a thread, all loaded at once: MANY, MOST in small blocks, FEW of a row that does not fit. */
#define MANY      16
#define MOST      32
#define FEW       8
#define SIDE      32                           /* threads side by side read 128 bytes or more, */
#define NARROW    8                            /* and of short rows 32 */
#define ALONE     32                           /* elements of a row that a thread has alone */
#define BLOCK_MAX (4096 / (int)sizeof(real_t)) /* a thread has registers for all of MANY, */
#define BLOCK_FEW (BLOCK_MAX * 3 / 8)          /* for all of MOST, and two blocks fit; */
#define BLOCK_LOW (BLOCK_MAX / 4)              /* shared memory for ALONE */

/* A part of a row: its largest element, and the sum of its exp(x - largest). */
struct state {
    value_t largest;
    real_t sum;
};

/* exp(x - largest): at most 1, so nothing overflows. Of equal infinities, too, it is 1. */
static __device__ __forceinline__ real_t weight(value_t x, value_t largest)
{
#if VALUE_TYPE == TYPE_FLOAT || VALUE_TYPE == TYPE_DOUBLE
    return exp(x == largest ? 0 : x - largest);
#else
    return exp(-(real_t)((bits_t)largest - (bits_t)x));
#endif
}

/* The state of two parts together: the sum that belongs to the smaller one is scaled down. */
static __device__ __forceinline__ struct state merge(struct state a, struct state b)
{
    bool swap = a.largest < b.largest;
    struct state high = swap ? b : a, low = swap ? a : b;
    value_t largest = value_extreme(a.largest, b.largest, false); /* NaN if one of them is */

    return {largest, high.sum + low.sum * weight(low.largest, largest)};
}

/* The state of all 2^k lanes together. In registers two trees are cheaper than one of merge(), with an exp() a step. */
static __device__ __forceinline__ struct state reduce_lanes(struct state s, unsigned lanes)
{
    value_t own = s.largest;

    for (unsigned distance = lanes / 2; distance > 0; distance /= 2)
        s.largest = value_extreme(s.largest, __shfl_xor(s.largest, (int)distance), false);
    s.sum *= weight(own, s.largest);
    for (unsigned distance = lanes / 2; distance > 0; distance /= 2)
        s.sum += __shfl_xor(s.sum, (int)distance);
    return s;
}

/* The state of a team, for all of its threads. A team is 2^k lanes of a warp, or a block of whole warps. */
static __device__ struct state reduce_team(struct state s, unsigned team, struct state *shared)
{
    unsigned size = (unsigned)warpSize, lane = threadIdx.x % size, warps = blockDim.x / size;

    s = reduce_lanes(s, team < size ? team : size);
    if (team <= size)
        return s;
    if (lane == 0)
        shared[threadIdx.x / size] = s;
    __syncthreads();
    s = {LOWEST, 0};
    if (lane < warps)
        s = shared[lane];
    s = reduce_lanes(s, size);
    __syncthreads(); /* shared[] is free for the next row */
    return s;
}

/* Loads `kept` elements, `stride` apart, from `from` on, and leaves their exp(x - largest of them) in w. `left` are in
 * the row, the first `before` are not. In place of others an element of the row is loaded, without a branch: all loads are
 * in flight together. `whole`: all are in the row. */
static __device__ __forceinline__ struct state take(real_t *w, const value_t *from, int before,
                                                    int left, int stride, int kept, bool whole)
{
    value_t x[MOST];

#pragma unroll
    for (int u = 0; u < MOST; u++)
        if (u < kept)
            x[u] = from[whole                  ? u * stride
                        : u == 0 && before > 0 ? before
                                               : min_int(u * stride, left - 1)];
    struct state s = {x[0], 0};
#pragma unroll
    for (int u = 1; u < MOST; u++)
        if (u < kept)
            s.largest = value_extreme(s.largest, x[u], false);
#pragma unroll
    for (int u = 0; u < MOST; u++) {
        if (u < kept) {
            w[u] = weight(x[u], s.largest);
            s.sum += whole || (u * stride < left && (u > 0 || before <= 0)) ? w[u] : 0;
        }
    }
    return s;
}

/* What makes an output of exp(x - mine.largest): it becomes exp(x - row.largest) / row.sum. */
static __device__ __forceinline__ real_t scale_of(struct state mine, struct state row)
{
    return weight(mine.largest, row.largest) / row.sum;
}

/* The outputs of these elements. */
static __device__ __forceinline__ void put(real_t *outputs, const real_t *w, int before, int left,
                                           int stride, int kept, bool whole, real_t scale)
{
#pragma unroll
    for (int u = 0; u < MOST; u++)
        if (u < kept && (whole || (u * stride < left && (u > 0 || before <= 0))))
            outputs[u * stride] = w[u] * scale;
}

/* A team for each row, all of which is in its registers: `stride` threads share a piece of `kept` times as many elements,
 * so that the compiler knows all offsets where `stride` is a constant. */
static __device__ __forceinline__ void keep_rows(const value_t *input, real_t *outputs,
                                                 struct state *states, size_t n, size_t rows,
                                                 unsigned columns, unsigned team, unsigned stride,
                                                 int kept, bool whole)
{
    HIP_DYNAMIC_SHARED(struct state, shared);
    unsigned teams = blockDim.x / team, member = threadIdx.x % team;
    int first = (int)(member / stride * stride * (unsigned)kept + member % stride);
    unsigned sector = columns + NARROW - 1 <= (unsigned)kept * team ? NARROW : 1;

    for (size_t lowest = (size_t)blockIdx.x * teams; lowest < rows;
         lowest += (size_t)gridDim.x * teams) {
        size_t row = lowest + threadIdx.x / team, begin = min_size(row, rows - 1) * columns;
        /* From the beginning of a sector on: a row that begins inside has nothing for some of the lanes. */
        int at = whole ? first : first - (int)(begin % sector);
        int left = (int)min_size(columns, n - begin) - at;
        real_t w[MOST];
        struct state mine =
            take(w, input + begin + at, whole ? 0 : -at, left, (int)stride, kept, whole);
        struct state all = reduce_team(mine, team, shared);

        if (row >= rows)
            continue; /* no row is left for this team */
        if (row == 0 && member == 0)
            *states = all; /* nobody reads the others */
        put(outputs + begin + at, w, whole ? 0 : -at, left, (int)stride, kept, whole,
            scale_of(mine, all));
    }
}

/* An element of the input, or in the same place an output. */
union cell {
    value_t x;
    real_t y;
};

/* Rows of a tile after which their elements would be in the same banks of shared memory as the first ones: there a cell
 * stays empty. */
static __device__ __forceinline__ int turn_of(int columns)
{
    return SIDE / (columns & -columns);
}

/* The shortest rows: a thread has one alone, or several. They go through shared memory, so that threads side by side read
 * and write what is side by side in memory: SIDE threads have a tile. */
static __device__ __forceinline__ void keep_tile(const value_t *input, real_t *outputs,
                                                 struct state *states, size_t n, size_t rows,
                                                 int columns)
{
    HIP_DYNAMIC_SHARED(union cell, tiles);
    const int each = columns < MANY ? MANY / columns : 1; /* rows for each thread */
    const int many = each * SIDE, turn = turn_of(columns);
    int me = (int)(threadIdx.x % SIDE);
    union cell *tile = tiles + threadIdx.x / SIDE * (unsigned)(many * columns + many / turn);

    for (size_t lowest = (size_t)blockIdx.x * blockDim.x * each; lowest < rows;
         lowest += (size_t)gridDim.x * blockDim.x * each) {
        size_t begin = min_size((lowest + threadIdx.x / SIDE * many) * columns, n);
        int count = (int)min_size((size_t)(many * columns), n - begin); /* elements of the tile */
        const value_t *from = input + begin;
        real_t *to = outputs + begin;
        value_t x[MOST];

#pragma unroll
        for (int u = 0; u < MOST; u++)
            if (u < each * columns)
                x[u] = from[min_int(u * SIDE + me, count - 1)];
#pragma unroll
        for (int u = 0; u < MOST; u++)
            if (u < each * columns && u * SIDE + me < count)
                tile[u * SIDE + u * SIDE / (turn * columns) + me].x = x[u];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < each; k++) {
            int row = k * SIDE + me, left = min_int(columns, count - row * columns);
            union cell *cells = tile + row * columns + row / turn;
            real_t w[MOST];

            if (left <= 0)
                continue;
            struct state s = take(w, &cells->x, 0, left, 1, columns, false);
            if (begin == 0 && row == 0)
                *states = s;
            put(&cells->y, w, 0, left, 1, columns, false, 1 / s.sum);
        }
        __syncthreads();
#pragma unroll
        for (int u = 0; u < MOST; u++)
            if (u < each * columns && u * SIDE + me < count)
                to[u * SIDE + me] = tile[u * SIDE + u * SIDE / (turn * columns) + me].y;
    }
}

/* A kernel for each number of columns, which the compiler has to know: registers have no numbers at run time. */
// clang-format off
#define ALL_ALONE(X)                                                                               \
    X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16)         \
    X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31) X(32)
// clang-format on
#define KEEP_TILE(COLUMNS)                                                                         \
    __global__ void LAUNCH_BOUNDS(2 * BLOCK_LOW)                                                   \
        softmax_alone_##COLUMNS(const value_t *input, real_t *outputs, struct state *states,       \
                                size_t n, size_t rows, unsigned, unsigned)                         \
    {                                                                                              \
        keep_tile(input, outputs, states, n, rows, COLUMNS);                                       \
    }
ALL_ALONE(KEEP_TILE)

/* Others: one for each even number of elements of a thread. */
#define KEEP_ROWS(NAME, STRIDE, KEPT, WHOLE)                                                       \
    __global__ void LAUNCH_BOUNDS(KEPT > MANY ? 2 * BLOCK_FEW : BLOCK_MAX)                         \
        NAME(const value_t *input, real_t *outputs, struct state *states, size_t n, size_t rows,   \
             unsigned columns, unsigned team)                                                      \
    {                                                                                              \
        keep_rows(input, outputs, states, n, rows, columns, team, STRIDE, KEPT, WHOLE);            \
    }

/* Short rows have some lanes of a warp, ... */
KEEP_ROWS(softmax_short_6, NARROW, 6, false)
KEEP_ROWS(softmax_short_8, NARROW, 8, false)
KEEP_ROWS(softmax_short_10, NARROW, 10, false)
KEEP_ROWS(softmax_short_12, NARROW, 12, false)
KEEP_ROWS(softmax_short_14, NARROW, 14, false)
KEEP_ROWS(softmax_short_16, NARROW, 16, false)
KEEP_ROWS(softmax_short_18, NARROW, 18, false)

/* ... longer ones a warp, or a block. */
KEEP_ROWS(softmax_kept_8, SIDE, 8, false)
KEEP_ROWS(softmax_kept_10, SIDE, 10, false)
KEEP_ROWS(softmax_kept_12, SIDE, 12, false)
KEEP_ROWS(softmax_kept_14, SIDE, 14, false)
KEEP_ROWS(softmax_kept_16, SIDE, 16, false)
KEEP_ROWS(softmax_kept_18, SIDE, 18, false)
KEEP_ROWS(softmax_kept_20, SIDE, 20, false)
KEEP_ROWS(softmax_kept_22, SIDE, 22, false)
KEEP_ROWS(softmax_kept_24, SIDE, 24, false)
KEEP_ROWS(softmax_kept_26, SIDE, 26, false)
KEEP_ROWS(softmax_kept_28, SIDE, 28, false)
KEEP_ROWS(softmax_kept_30, SIDE, 30, false)
KEEP_ROWS(softmax_kept_32, SIDE, 32, false)

/* Those that fill their registers need no comparison. */
KEEP_ROWS(softmax_short_whole_8, NARROW, 8, true)
KEEP_ROWS(softmax_short_whole_16, NARROW, 16, true)
KEEP_ROWS(softmax_whole_16, SIDE, 16, true)

/* Any rows, batch after batch. `reduce`: computes the states, `write`: the outputs, for which a row is read again. */
static __device__ __forceinline__ void walk_rows(const value_t *input, real_t *outputs,
                                                 struct state *states, size_t n, size_t rows,
                                                 size_t columns, unsigned team, bool reduce,
                                                 bool write)
{
    HIP_DYNAMIC_SHARED(struct state, shared);
    unsigned teams = blockDim.x / team, member = threadIdx.x % team;
    size_t batch = (size_t)FEW * team;

    for (size_t lowest = (size_t)blockIdx.x * teams; lowest < rows;
         lowest += (size_t)gridDim.x * teams) {
        size_t row = lowest + threadIdx.x / team, begin = row * columns;
        size_t end = row < rows ? min_size(begin + columns, n) : begin;
        struct state s = {LOWEST, 0};
        real_t w[FEW];

        if (reduce) {
#pragma unroll 1
            for (size_t at = begin + member; at < end; at += batch)
                s = merge(s, take(w, input + at, 0, (int)min_size(batch, end - at), (int)team, FEW,
                                  false));
            s = reduce_team(s, team, shared);
            if (member == 0 && row < rows && (row == 0 || !write))
                states[row] = s;
        } else if (row < rows) {
            s = states[row];
        }
#pragma unroll 1
        for (size_t at = begin + member; write && at < end; at += batch) {
            int left = (int)min_size(batch, end - at);
            struct state mine = take(w, input + at, 0, left, (int)team, FEW, false);
            put(outputs + at, w, 0, left, (int)team, FEW, false, scale_of(mine, s));
        }
    }
}

/* Each row is read again while the caches may still have it. */
__global__ void LAUNCH_BOUNDS(BLOCK_MAX)
    softmax_reread(const value_t *input, real_t *outputs, struct state *states, size_t n,
                   size_t rows, size_t columns, unsigned team)
{
    walk_rows(input, outputs, states, n, rows, columns, team, true, true);
}

/* First the states of all rows ... */
__global__ void LAUNCH_BOUNDS(BLOCK_MAX)
    reduce_rows(const value_t *input, struct state *states, size_t n, size_t rows, size_t columns,
                unsigned team)
{
    walk_rows(input, NULL, states, n, rows, columns, team, true, false);
}

/* ... and then all outputs. */
__global__ void LAUNCH_BOUNDS(BLOCK_MAX)
    write_rows(const value_t *input, real_t *outputs, struct state *states, size_t n, size_t rows,
               size_t columns, unsigned team)
{
    walk_rows(input, outputs, states, n, rows, columns, team, false, true);
}

/* What plan() decides. */
struct planned {
    size_t columns, rows;
    unsigned team;          /* threads for a row */
    int kept;               /* elements for each of them */
    size_t shared_bytes;    /* for each block */
    size_t outputs, states; /* in the workspace: bytes from its start */
};

static void plan(struct reduction *r)
{
    struct planned *p = (struct planned *)r->planned;
    unsigned warp = r->warp_size;

    p->columns = min_size((size_t)r->option[WIDTH], r->n > 0 ? r->n : 1);
    p->rows = ceil_div(r->n > 0 ? r->n : 1, p->columns);
    bool alone = p->columns <= ALONE && r->option[REREAD] == NEVER;
    /* Rows that do not begin with a sector need a part of one more. */
    size_t padded = p->columns + (p->columns % NARROW == 0 ? 0 : NARROW - 1);
    size_t threads = ceil_div(p->columns, MANY);
    /* Fewer threads and more elements for each, but where warps are filled, with a faster kernel. */
    if (threads > warp && p->columns % (MANY * warp) != 0 && p->columns <= MOST * BLOCK_FEW)
        threads = ceil_div(p->columns, MOST);
    size_t wanted = r->block > 0 ? r->block : threads > warp ? threads : 2 * warp;
    r->block = (unsigned)min_size(ceil_div(wanted, warp) * warp, alone ? BLOCK_LOW : BLOCK_MAX);
    p->team = alone ? 1 : NARROW; /* fewer lanes would read parts of sectors */
    while (!alone && p->team < warp && p->team < threads)
        p->team *= 2;
    if (threads > warp)
        p->team = r->block;
    p->kept = (int)min_size(ceil_div(padded, 2 * p->team) * 2, p->team > BLOCK_FEW ? MANY : MOST);
    if (p->kept > MANY)
        r->block = (unsigned)min_size(r->block, BLOCK_FEW);
    if (p->kept < 6)
        p->kept = 6;
    if (alone)
        p->kept = (int)p->columns;
    size_t each = !alone ? 1 : p->columns < MANY ? MANY / p->columns : 1; /* rows of a team */

    size_t blocks = ceil_div(p->rows, (size_t)(r->block / p->team) * each);
    blocks = min_size(blocks, r->grid > 0 ? r->grid : GRID_THREADS_MAX / r->block);
    r->grid = blocks > 0 ? (unsigned)blocks : 1;
    p->shared_bytes = r->block / warp * sizeof(struct state);
    if (alone) /* at most one cell for each row is empty */
        p->shared_bytes = r->block * each * (p->columns + 1) * sizeof(union cell);
    p->outputs = workspace_take(r, r->n * sizeof(real_t));
    p->states =
        workspace_take(r, (r->option[REREAD] == MATRIX ? p->rows : 1) * sizeof(struct state));
    r->host_bytes = sizeof(value_t);
    r->chain = (size_t)p->kept + FEW + ceil_div(p->columns, (size_t)FEW * p->team) +
               tree_depth(p->team) + 2;
    r->launches = r->option[REREAD] == MATRIX ? 2 : 1;
}

static real_t *outputs_of(const struct reduction *r)
{
    return (real_t *)((char *)r->workspace + ((const struct planned *)r->planned)->outputs);
}

static struct state *states_of(const struct reduction *r)
{
    return (struct state *)((char *)r->workspace + ((const struct planned *)r->planned)->states);
}

/* The kernel for rows that fit. */
typedef void (*kernel_t)(const value_t *input, real_t *outputs, struct state *states, size_t n,
                         size_t rows, unsigned columns, unsigned team);
#define ALONE_ENTRY(COLUMNS) softmax_alone_##COLUMNS,
static kernel_t kernel_of(const struct planned *p, size_t n)
{
    static const kernel_t of_lanes[] = {softmax_short_6,  softmax_short_8,  softmax_short_10,
                                        softmax_short_12, softmax_short_14, softmax_short_16,
                                        softmax_short_18},
                          of_warps[] = {softmax_kept_8,  softmax_kept_8,  softmax_kept_10,
                                        softmax_kept_12, softmax_kept_14, softmax_kept_16,
                                        softmax_kept_18, softmax_kept_20, softmax_kept_22,
                                        softmax_kept_24, softmax_kept_26, softmax_kept_28,
                                        softmax_kept_30, softmax_kept_32},
                          alone[] = {ALL_ALONE(ALONE_ENTRY)};
    bool whole = p->columns == (size_t)p->kept * p->team && n % p->columns == 0;

    if (p->team == 1)
        return alone[p->columns - 1];
    if (p->team >= SIDE)
        return whole && p->kept == 16 ? softmax_whole_16 : of_warps[p->kept / 2 - 3];
    return whole && p->kept == 8    ? softmax_short_whole_8
           : whole && p->kept == 16 ? softmax_short_whole_16
                                    : of_lanes[p->kept / 2 - 3];
}

static void launch(const struct reduction *r, const value_t *input)
{
    const struct planned *p = (const struct planned *)r->planned;
    size_t shared_bytes = p->shared_bytes;
    bool fits = r->n > 0 && p->columns <= (size_t)p->kept * p->team;

    if (r->option[REREAD] == MATRIX) {
        hipLaunchKernelGGL(reduce_rows, dim3(r->grid), dim3(r->block), shared_bytes, r->stream,
                           input, states_of(r), r->n, p->rows, p->columns, p->team);
        HIP_CHECK_LAUNCH();
        hipLaunchKernelGGL(write_rows, dim3(r->grid), dim3(r->block), shared_bytes, r->stream,
                           input, outputs_of(r), states_of(r), r->n, p->rows, p->columns, p->team);
    } else if (fits && r->option[REREAD] == NEVER) {
        hipLaunchKernelGGL(kernel_of(p, r->n), dim3(r->grid), dim3(r->block), shared_bytes,
                           r->stream, input, outputs_of(r), states_of(r), r->n, p->rows,
                           (unsigned)p->columns, p->team);
    } else {
        hipLaunchKernelGGL(softmax_reread, dim3(r->grid), dim3(r->block), shared_bytes, r->stream,
                           input, outputs_of(r), states_of(r), r->n, p->rows, p->columns, p->team);
    }
    HIP_CHECK_LAUNCH();
}

/* The largest element of the first row. */
static const value_t *device_result(const struct reduction *r)
{
    return &states_of(r)->largest;
}

static value_t finish(const struct reduction *r)
{
    value_t *result = host_values(r);

    HIP_CHECK(hipMemcpyAsync(result, device_result(r), sizeof(value_t), hipMemcpyDeviceToHost,
                             r->stream));
    HIP_CHECK(hipStreamSynchronize(r->stream));
    return *result;
}

#include "reference.h"

static void prepare(const struct reduction *r, const struct input_view *in,
                    struct reference *expected)
{
    const struct planned *p = (const struct planned *)r->planned;

    if (in != NULL)
        *expected = reference_of_input(in, OP_MAX, 0, min_size(p->columns, r->n));
}

/* Every output is verified. */
static size_t extras(const struct reduction *r, const struct input_view *in, struct extra *out)
{
    return check_outputs(r, in, out);
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
    .own_operation = true,
};
