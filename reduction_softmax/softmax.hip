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
     "what is read again for the outputs: nothing, if the row fits; the row; all, by a kernel"},
    VARIANT_OPTIONS_END,
};

#define KEPT 16 /* elements of a row in the registers of a thread, all loaded at once */

/* exp() and the outputs of integers are floating-point numbers as wide as they are. */
#if VALUE_TYPE == TYPE_FLOAT || VALUE_TYPE == TYPE_INT
typedef float real_t;
#else
typedef double real_t;
#endif

/* A part of a row: its largest element, and the sum of its exp(x - largest). */
struct state {
    value_t largest;
    real_t sum;
};

/* exp(x - largest): at most 1, so nothing overflows. Of equal infinities, too, it is 1. */
static __device__ __forceinline__ real_t weight(value_t x, value_t largest)
{
#if VALUE_TYPE == TYPE_FLOAT || VALUE_TYPE == TYPE_DOUBLE
    real_t below = largest - x;
#else
    real_t below = (real_t)((bits_t)largest - (bits_t)x);
#endif
    return x == largest ? 1 : exp(-below);
}

/* The state of two parts together: the sum that belongs to the smaller one is scaled down. */
static __device__ __forceinline__ struct state merge(struct state a, struct state b)
{
    bool swap = a.largest < b.largest;
    struct state high = swap ? b : a, low = swap ? a : b;
    value_t largest = value_extreme(a.largest, b.largest, false); /* NaN if one of them is */

    return {largest, high.sum + low.sum * weight(low.largest, largest)};
}

/* Merges what the threads of a team have; all of them get the result. A team is 2^k lanes of a warp, or a block of whole
 * warps. */
static __device__ struct state reduce_team(struct state s, unsigned team, struct state *shared)
{
    unsigned size = (unsigned)warpSize, lane = threadIdx.x % size, warps = blockDim.x / size;

    for (unsigned distance = (team < size ? team : size) / 2; distance > 0; distance /= 2)
        s = merge(s, {__shfl_xor(s.largest, (int)distance), __shfl_xor(s.sum, (int)distance)});
    if (team <= size)
        return s;
    if (lane == 0)
        shared[threadIdx.x / size] = s;
    __syncthreads();
    s = {LOWEST, 0};
    if (lane < warps)
        s = shared[lane];
    for (unsigned distance = size / 2; distance > 0; distance /= 2)
        s = merge(s, {__shfl_xor(s.largest, (int)distance), __shfl_xor(s.sum, (int)distance)});
    __syncthreads(); /* shared[] is free for the next row */
    return s;
}

/* KEPT elements of a row, `team` apart; past its end the last one again. Without a branch: all loads are in flight
 * together. */
static __device__ __forceinline__ void load(value_t *x, const value_t *row, size_t count,
                                            size_t first, unsigned team)
{
#pragma unroll
    for (unsigned u = 0; u < KEPT; u++)
        x[u] = row[min_size(first + u * team, count - 1)];
}

/* Loads batch after batch of this thread's elements, and leaves the last one in x. */
static __device__ __forceinline__ struct state add_row(value_t *x, const value_t *row, size_t count,
                                                       unsigned member, unsigned team)
{
    struct state s = {LOWEST, 0};

#pragma unroll 1
    for (size_t first = member; first < count; first += (size_t)KEPT * team) {
        load(x, row, count, first, team);
        struct state batch = {x[0], 0};
#pragma unroll
        for (unsigned u = 1; u < KEPT; u++)
            batch.largest = value_extreme(batch.largest, x[u], false);
#pragma unroll
        for (unsigned u = 0; u < KEPT; u++)
            batch.sum += first + u * team < count ? weight(x[u], batch.largest) : 0;
        s = merge(s, batch);
    }
    return s;
}

/* One team for each row. `kept`: x[] still holds all of the team's elements. */
static __device__ __forceinline__ void write_row(value_t *x, real_t *outputs, const value_t *row,
                                                 size_t count, unsigned member, unsigned team,
                                                 struct state s, bool kept)
{
#pragma unroll 1
    for (size_t first = member; first < count; first += (size_t)KEPT * team) {
        if (!kept)
            load(x, row, count, first, team);
#pragma unroll
        for (unsigned u = 0; u < KEPT; u++)
            if (first + u * team < count)
                outputs[first + u * team] = weight(x[u], s.largest) / s.sum;
    }
}

/* All rows, a team for each; `reduce`: computes the states, `write`: the outputs. */
static __device__ __forceinline__ void walk_rows(const value_t *input, real_t *outputs,
                                                 struct state *states, size_t n, size_t columns,
                                                 unsigned team, bool reduce, bool write, bool keep)
{
    HIP_DYNAMIC_SHARED(struct state, shared);
    unsigned teams = blockDim.x / team, member = threadIdx.x % team;
    size_t rows = ceil_div(n > 0 ? n : 1, columns);

    for (size_t first = (size_t)blockIdx.x * teams; first < rows;
         first += (size_t)gridDim.x * teams) {
        size_t row = first + threadIdx.x / team, begin = row * columns;
        size_t count = row < rows ? min_size(columns, n - begin) : 0;
        struct state s = {LOWEST, 0};
        value_t x[KEPT];

        if (reduce) {
            s = reduce_team(add_row(x, input + begin, count, member, team), team, shared);
            if (member == 0 && row < rows)
                states[row] = s;
        } else if (row < rows) {
            s = states[row];
        }
        if (write)
            write_row(x, outputs + begin, input + begin, count, member, team, s, keep);
    }
}

/* Each row fits into the registers of its team. */
__global__ void LAUNCH_BOUNDS(1024)
    softmax_kept(const value_t *input, real_t *outputs, struct state *states, size_t n,
                 size_t columns, unsigned team)
{
    walk_rows(input, outputs, states, n, columns, team, true, true, true);
}

/* Each row is read again while the caches may still have it. */
__global__ void LAUNCH_BOUNDS(1024)
    softmax_reread(const value_t *input, real_t *outputs, struct state *states, size_t n,
                   size_t columns, unsigned team)
{
    walk_rows(input, outputs, states, n, columns, team, true, true, false);
}

/* First the states of all rows ... */
__global__ void LAUNCH_BOUNDS(1024)
    reduce_rows(const value_t *input, struct state *states, size_t n, size_t columns, unsigned team)
{
    walk_rows(input, NULL, states, n, columns, team, true, false, false);
}

/* ... and then all outputs. */
__global__ void LAUNCH_BOUNDS(1024)
    write_rows(const value_t *input, real_t *outputs, struct state *states, size_t n,
               size_t columns, unsigned team)
{
    walk_rows(input, outputs, states, n, columns, team, false, true, false);
}

/* What plan() decides. */
struct planned {
    size_t columns, rows;
    unsigned team;
    size_t outputs, states; /* in the workspace: bytes from its start */
};

static void plan(struct reduction *r)
{
    struct planned *p = (struct planned *)r->planned;
    unsigned warp = r->warp_size;

    p->columns = min_size((size_t)r->option[WIDTH], r->n > 0 ? r->n : 1);
    p->rows = ceil_div(r->n > 0 ? r->n : 1, p->columns);
    size_t threads = ceil_div(p->columns, KEPT);
    size_t wanted = r->block > 0 ? r->block : threads > warp ? min_size(threads, 1024) : 128;
    r->block = (unsigned)(ceil_div(wanted, warp) * warp);
    p->team = 1;
    /* Fewer than 8 lanes would read parts of sectors. */
    while (p->team < warp && (p->team < threads || (p->team < 8 && p->team < p->columns)))
        p->team *= 2;
    if (threads > warp)
        p->team = r->block;

    size_t blocks = ceil_div(p->rows, r->block / p->team);
    blocks = min_size(blocks, r->grid > 0 ? r->grid : GRID_THREADS_MAX / r->block);
    r->grid = blocks > 0 ? (unsigned)blocks : 1;
    p->outputs = workspace_take(r, r->n * sizeof(real_t));
    p->states = workspace_take(r, p->rows * sizeof(struct state));
    r->host_bytes = sizeof(value_t);
    r->chain = KEPT + ceil_div(p->columns, (size_t)KEPT * p->team) + tree_depth(p->team) + 1;
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

static void launch(const struct reduction *r, const value_t *input)
{
    const struct planned *p = (const struct planned *)r->planned;
    size_t shared_bytes = r->block / r->warp_size * sizeof(struct state);
    bool fits = p->columns <= (size_t)KEPT * p->team;

    if (r->option[REREAD] == MATRIX) {
        hipLaunchKernelGGL(reduce_rows, dim3(r->grid), dim3(r->block), shared_bytes, r->stream,
                           input, states_of(r), r->n, p->columns, p->team);
        HIP_CHECK_LAUNCH();
        hipLaunchKernelGGL(write_rows, dim3(r->grid), dim3(r->block), shared_bytes, r->stream,
                           input, outputs_of(r), states_of(r), r->n, p->columns, p->team);
    } else {
        hipLaunchKernelGGL(fits && r->option[REREAD] == NEVER ? softmax_kept : softmax_reread,
                           dim3(r->grid), dim3(r->block), shared_bytes, r->stream, input,
                           outputs_of(r), states_of(r), r->n, p->columns, p->team);
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
