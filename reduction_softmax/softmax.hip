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

/* Elements of a row in the registers of a thread, all loaded at once: at most MANY, and FEW of a row that does not fit. */
#define MANY      16
#define FEW       8
#define SIDE      32                           /* threads side by side read 128 bytes or more, */
#define NARROW    8                            /* and of short rows 32 */
#define LANES_MAX 16                           /* elements of a row that has a lane for each */
#define BLOCK_MAX (4096 / (int)sizeof(real_t)) /* a thread has registers for all of MANY */

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

/* Loads `kept` elements, `stride` apart, of the `left` ones from `from` on, and leaves their exp(x - largest of them) in
 * w. Past the end the last one is loaded again, without a branch: all loads are in flight together. `whole`: none is past
 * the end. */
static __device__ __forceinline__ struct state take(real_t *w, const value_t *from, int left,
                                                    int stride, int kept, bool whole)
{
    value_t x[MANY];

#pragma unroll
    for (int u = 0; u < MANY; u++)
        if (u < kept)
            x[u] = from[whole ? u * stride : min_int(u * stride, left - 1)];
    struct state s = {x[0], 0};
#pragma unroll
    for (int u = 1; u < MANY; u++)
        if (u < kept)
            s.largest = value_extreme(s.largest, x[u], false);
#pragma unroll
    for (int u = 0; u < MANY; u++) {
        if (u >= kept)
            break;
        w[u] = weight(x[u], s.largest);
        s.sum += whole || u * stride < left ? w[u] : 0;
    }
    return s;
}

/* The outputs of these elements: exp(x - mine.largest) becomes exp(x - row.largest) / row.sum. */
static __device__ __forceinline__ void put(real_t *outputs, const real_t *w, int left, int stride,
                                           int kept, bool whole, struct state mine,
                                           struct state row)
{
    real_t scale = weight(mine.largest, row.largest) / row.sum;

#pragma unroll
    for (int u = 0; u < MANY; u++)
        if (u < kept && (whole || u * stride < left))
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
    unsigned first = member / stride * stride * (unsigned)kept + member % stride;

    for (size_t lowest = (size_t)blockIdx.x * teams; lowest < rows;
         lowest += (size_t)gridDim.x * teams) {
        size_t row = lowest + threadIdx.x / team, begin = min_size(row, rows - 1) * columns;
        int left = (int)min_size(columns, n - begin) - (int)first;
        real_t w[MANY];
        struct state mine = take(w, input + begin + first, left, (int)stride, kept, whole);
        struct state all = reduce_team(mine, team, shared);

        if (row >= rows)
            continue; /* no row is left for this team */
        if (row == 0 && member == 0)
            *states = all; /* nobody reads the others */
        put(outputs + begin + first, w, left, (int)stride, kept, whole, mine, all);
    }
}

/* The shortest rows: a lane for each element, and MANY rows for each team. */
__global__ void LAUNCH_BOUNDS(BLOCK_MAX)
    softmax_lanes(const value_t *input, real_t *outputs, struct state *states, size_t n,
                  size_t rows, unsigned columns, unsigned team)
{
    unsigned teams = blockDim.x / team, member = threadIdx.x % team;
    int stride = (int)(teams * columns);

    for (size_t lowest = (size_t)blockIdx.x * teams * MANY; lowest < rows;
         lowest += (size_t)gridDim.x * teams * MANY) {
        size_t begin = (lowest + threadIdx.x / team) * columns + member;
        int left = 0; /* elements from here on, if this lane has any */
        if (member < columns && begin < n)
            left = (int)min_size(n - begin, (size_t)(MANY * stride));
        const value_t *from = input + min_size(begin, n - 1);
        value_t x[MANY];

#pragma unroll
        for (int u = 0; u < MANY; u++)
            x[u] = from[u * stride < left ? u * stride : 0];
#pragma unroll
        for (int u = 0; u < MANY; u++) {
            bool mine = u * stride < left;
            struct state all = {mine ? x[u] : LOWEST, mine ? (real_t)1 : (real_t)0};
            all = reduce_lanes(all, team);
            if (begin == 0 && u == 0)
                *states = all;
            if (mine)
                outputs[begin + (size_t)(u * stride)] = weight(x[u], all.largest) / all.sum;
        }
    }
}

/* Others: `kept` elements for each thread, which the compiler has to know: registers have no numbers at run time. */
#define KEEP_ROWS(NAME, STRIDE, KEPT, WHOLE)                                                       \
    __global__ void LAUNCH_BOUNDS(BLOCK_MAX)                                                       \
        NAME(const value_t *input, real_t *outputs, struct state *states, size_t n, size_t rows,   \
             unsigned columns, unsigned team)                                                      \
    {                                                                                              \
        keep_rows(input, outputs, states, n, rows, columns, team, STRIDE, KEPT, WHOLE);            \
    }

/* Short rows have some lanes of a warp, ... */
KEEP_ROWS(softmax_short_4, NARROW, 4, false)
KEEP_ROWS(softmax_short_6, NARROW, 6, false)
KEEP_ROWS(softmax_short_8, NARROW, 8, false)
KEEP_ROWS(softmax_short_10, NARROW, 10, false)
KEEP_ROWS(softmax_short_12, NARROW, 12, false)
KEEP_ROWS(softmax_short_14, NARROW, 14, false)
KEEP_ROWS(softmax_short_16, NARROW, 16, false)

/* ... longer ones a warp, or a block. */
KEEP_ROWS(softmax_kept_8, SIDE, 8, false)
KEEP_ROWS(softmax_kept_10, SIDE, 10, false)
KEEP_ROWS(softmax_kept_12, SIDE, 12, false)
KEEP_ROWS(softmax_kept_14, SIDE, 14, false)
KEEP_ROWS(softmax_kept_16, SIDE, 16, false)

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
                s = merge(
                    s, take(w, input + at, (int)min_size(batch, end - at), (int)team, FEW, false));
            s = reduce_team(s, team, shared);
            if (member == 0 && row < rows && (row == 0 || !write))
                states[row] = s;
        } else if (row < rows) {
            s = states[row];
        }
#pragma unroll 1
        for (size_t at = begin + member; write && at < end; at += batch) {
            int left = (int)min_size(batch, end - at);
            struct state mine = take(w, input + at, left, (int)team, FEW, false);
            put(outputs + at, w, left, (int)team, FEW, false, mine, s);
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
    size_t outputs, states; /* in the workspace: bytes from its start */
};

static void plan(struct reduction *r)
{
    struct planned *p = (struct planned *)r->planned;
    unsigned warp = r->warp_size;

    p->columns = min_size((size_t)r->option[WIDTH], r->n > 0 ? r->n : 1);
    p->rows = ceil_div(r->n > 0 ? r->n : 1, p->columns);
    bool lanes = p->columns <= LANES_MAX;
    size_t threads = lanes ? p->columns : ceil_div(p->columns, MANY);
    size_t wanted = r->block > 0 ? r->block : threads > warp ? threads : 2 * warp;
    r->block = (unsigned)min_size(ceil_div(wanted, warp) * warp, BLOCK_MAX);
    p->team = 1;
    /* Fewer than 8 lanes would read parts of sectors. */
    while (p->team < warp && (p->team < threads || (p->team < 8 && p->team < p->columns)))
        p->team *= 2;
    if (threads > warp)
        p->team = r->block;
    p->kept = (int)min_size(ceil_div(p->columns, 2 * p->team) * 2, MANY);
    p->kept = p->kept < 4 ? 4 : p->kept;

    size_t blocks = ceil_div(p->rows, (size_t)(r->block / p->team) * (lanes ? MANY : 1));
    blocks = min_size(blocks, r->grid > 0 ? r->grid : GRID_THREADS_MAX / r->block);
    r->grid = blocks > 0 ? (unsigned)blocks : 1;
    p->outputs = workspace_take(r, r->n * sizeof(real_t));
    p->states =
        workspace_take(r, (r->option[REREAD] == MATRIX ? p->rows : 1) * sizeof(struct state));
    r->host_bytes = sizeof(value_t);
    r->chain = MANY + ceil_div(p->columns, (size_t)FEW * p->team) + tree_depth(p->team) + 2;
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
static kernel_t kernel_of(const struct planned *p, size_t n)
{
    static const kernel_t of_lanes[] = {softmax_short_4,  softmax_short_6,  softmax_short_8,
                                        softmax_short_10, softmax_short_12, softmax_short_14,
                                        softmax_short_16},
                          of_warps[] = {softmax_kept_8,  softmax_kept_8,  softmax_kept_8,
                                        softmax_kept_10, softmax_kept_12, softmax_kept_14,
                                        softmax_kept_16};
    bool whole = p->columns == (size_t)p->kept * p->team && n % p->columns == 0;

    if (p->columns <= LANES_MAX)
        return softmax_lanes;
    if (p->team >= SIDE)
        return whole && p->kept == 16 ? softmax_whole_16 : of_warps[p->kept / 2 - 2];
    return whole && p->kept == 8    ? softmax_short_whole_8
           : whole && p->kept == 16 ? softmax_short_whole_16
                                    : of_lanes[p->kept / 2 - 2];
}

static void launch(const struct reduction *r, const value_t *input)
{
    const struct planned *p = (const struct planned *)r->planned;
    size_t shared_bytes = r->block / r->warp_size * sizeof(struct state);
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
