/* Softmax of the rows of a matrix: y = exp(x - largest) / sum, where sum adds up the exp(x - largest) of the row.
 *
 * Study    157
 * Idea     The largest element and the sum are one reduction of pairs, and time is what goes through memory: a row that
 *          stays in registers is read once and written once, whoever needs its elements again.
 * Compare  diff -u ../reduction_custom/custom.hip softmax.hip
 * Try      ./reduction_softmax --reread matrix
 *
 * lanes.h        the lanes of a warp together
 * registers.h    elements of a row in the registers of a thread: loaded, and stored as outputs
 * short.h        rows of at most 32 elements
 * reference.h    the right outputs, and how far from them rounding may lead
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"
#include "prelude.h"
#include "widen.h"

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

/* An output is stored as a real_t, but of two-byte elements as such an element. */
#if ELEMENT_TYPE == VALUE_TYPE
typedef real_t output_t;
#else
typedef element_t output_t;
#endif

static __device__ __forceinline__ output_t output_of(real_t y)
{
#if ELEMENT_TYPE == TYPE_HALF
    return __half_as_ushort(__float2half(y));
#elif ELEMENT_TYPE == TYPE_BFLOAT16
    unsigned bits = __float_as_uint(y); /* of a number from 0 to 1, or of any NaN */
    bits = bits < 0x7fc00000 ? bits : 0x7fc00000;
    return (element_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
#else
    return y;
#endif
}

static __device__ __forceinline__ int min_int(int a, int b)
{
    return a < b ? a : b;
}

/* Elements in the registers of a thread, all loaded at once: of short rows MANY or MORE, of longer ones LOTS or MOST, and
 * FEW of a row that does not fit. */
#define MANY       16
#define MORE       32
#define LOTS       40
#define MOST       104
#define FEW        8
#define SIDE       32                           /* threads side by side read 128 bytes or more, */
#define NARROW     8                            /* and of short rows 32 */
#define ALONE      32                           /* elements of a row that a thread has alone */
#define BLOCK_MAX  (4096 / (int)sizeof(real_t)) /* a thread has registers for all of LOTS, */
#define BLOCK_FEW  (BLOCK_MAX * 3 / 4)          /* for all of MORE and addresses, */
#define BLOCK_HALF (BLOCK_MAX / 2)              /* for all of MOST; */
#define BLOCK_LOW  (BLOCK_MAX / 4)              /* shared memory for ALONE */
#define BLOCK_WALK (BLOCK_MAX * 5 / 8)          /* for rows that do not fit */
#define BLOCK_OF(KEPT)                                                                             \
    (KEPT <= MANY || KEPT == LOTS ? BLOCK_MAX : KEPT == MOST ? BLOCK_HALF : BLOCK_FEW)

#include "lanes.h"

/* A part of a row: its largest element, and the sum of its exp(x - largest). */
struct state {
    value_t largest;
    real_t sum;
};

/* exp(x - largest): at most 1, so nothing overflows. Not of equal infinities, and of NaN it is any number. */
static __device__ __forceinline__ real_t weight_of_finite(value_t x, value_t largest)
{
#if VALUE_TYPE == TYPE_FLOAT
    return exp_float_below_0(x - largest);
#elif VALUE_TYPE == TYPE_DOUBLE
    return exp_double_below_0(x - largest);
#elif VALUE_TYPE == TYPE_INT
    return exp_float_below_0(-(real_t)((bits_t)largest - (bits_t)x));
#else
    return exp_double_below_0(-(real_t)((bits_t)largest - (bits_t)x));
#endif
}

/* The same; of equal infinities, too, it is 1. */
static __device__ __forceinline__ real_t weight(value_t x, value_t largest)
{
#if VALUE_TYPE == TYPE_FLOAT
    return exp_float_below_0(x == largest ? 0 : x - largest);
#elif VALUE_TYPE == TYPE_DOUBLE
    return exp_double_below_0(x == largest ? 0 : x - largest);
#else
    return weight_of_finite(x, largest);
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

    s.largest = largest_of_lanes(own, lanes);
    s.sum = sum_of_lanes(s.sum * weight(own, s.largest), lanes);
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

#include "registers.h"

/* A team for each row, all of which is in its registers: `stride` threads share a piece of `kept` times as many elements,
 * so that the compiler knows all offsets where `stride` is a constant. */
static __device__ __forceinline__ void keep_rows(const element_t *input, output_t *outputs,
                                                 struct state *states, size_t n, size_t rows,
                                                 unsigned columns, unsigned team, unsigned stride,
                                                 int kept, bool whole)
{
    HIP_DYNAMIC_SHARED(struct state, shared);
    unsigned teams = blockDim.x / team, member = threadIdx.x % team;
    int first = (int)(member / stride * stride * (unsigned)kept + member % stride);
    unsigned sector = columns + NARROW - 1 <= (unsigned)kept * team ? NARROW : 1;
#if defined(HAS_BOUNDED) && ELEMENT_TYPE == VALUE_TYPE
    /* These have a warp or more for a row. */
    const bool bounded = !whole && (kept >= LOTS || (stride == SIDE && warp_lanes() <= SIDE));
#endif

    for (size_t lowest = (size_t)blockIdx.x * teams; lowest < rows;
         lowest += (size_t)gridDim.x * teams) {
        size_t row = lowest + threadIdx.x / team, begin = min_size(row, rows - 1) * columns;
        /* From the beginning of a sector on: a row that begins inside has nothing for some of the lanes. */
        int before = whole ? 0 : (int)(begin % sector), at = first - before;
        int length = (int)min_size(columns, n - begin), left = length - at;
        real_t w[MOST];
#if defined(HAS_BOUNDED) && ELEMENT_TYPE == VALUE_TYPE && IS_FLOATING(VALUE_TYPE)
        struct state mine;
        if (bounded)
            mine =
                take_bounded(w, input + begin - before, first, before, length, (int)stride, kept);
        else
            mine = take(w, input + begin + at, whole ? 0 : -at, left, (int)stride, kept, whole);
#else
        struct state mine =
            take(w, input + begin + at, whole ? 0 : -at, left, (int)stride, kept, whole);
#endif
        struct state all = reduce_team(mine, team, shared);

        if (row >= rows)
            continue; /* no row is left for this team */
        if (row == 0 && member == 0)
            *states = all; /* nobody reads the others */
        real_t scale = scale_of(mine, all);
#if defined(HAS_BOUNDED) && ELEMENT_TYPE == VALUE_TYPE
        if (bounded) {
            put_bounded(outputs + begin - before, w, first, before, length, (int)stride, kept,
                        scale);
            continue;
        }
#endif
        put(outputs + begin + at, w, whole ? 0 : -at, left, (int)stride, kept, whole, scale);
    }
}

#include "short.h"

/* A kernel for each number of elements of a thread: registers have no numbers at run time. Short rows have some lanes
 * of a warp, longer ones a warp or a block; those that fill their registers need no comparison. */
#define KEEP_ROWS(NAME, STRIDE, KEPT, WHOLE)                                                       \
    __global__ void LAUNCH_BOUNDS(BLOCK_OF(KEPT))                                                  \
        NAME(const element_t *input, output_t *outputs, struct state *states, size_t n,            \
             size_t rows, unsigned columns, unsigned team)                                         \
    {                                                                                              \
        keep_rows(input, outputs, states, n, rows, columns, team, STRIDE, KEPT, WHOLE);            \
    }
#define ALL_SHORT(X) X(6) X(8) X(10) X(12) X(14) X(16) X(18)
#define ALL_KEPT(X)                                                                                \
    X(8) X(10) X(12) X(14) X(16) X(18) X(20) X(22) X(24) X(26) X(28) X(30) X(32) X(40) X(104)
#define KEEP_SHORT(KEPT) KEEP_ROWS(softmax_short_##KEPT, NARROW, KEPT, false)
#define KEEP_LONG(KEPT)  KEEP_ROWS(softmax_kept_##KEPT, SIDE, KEPT, false)
ALL_SHORT(KEEP_SHORT)
ALL_KEPT(KEEP_LONG)
KEEP_ROWS(softmax_short_whole_8, NARROW, 8, true)
KEEP_ROWS(softmax_short_whole_16, NARROW, 16, true)
KEEP_ROWS(softmax_whole_16, SIDE, 16, true)

/* A batch: FEW elements, and no comparisons where all of them are in the row. */
static __device__ __forceinline__ struct state take_batch(real_t *w, const element_t *from,
                                                          int left, int stride)
{
    return left > (FEW - 1) * stride ? take(w, from, 0, left, stride, FEW, true)
                                     : take(w, from, 0, left, stride, FEW, false);
}

/* Any rows, batch after batch. `reduce`: computes the states, `write`: the outputs, for which a row is read again. */
static __device__ __forceinline__ void walk_rows(const element_t *input, output_t *outputs,
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
                s = merge(s, take_batch(w, input + at, (int)min_size(batch, end - at), (int)team));
            s = reduce_team(s, team, shared);
            if (member == 0 && row < rows && (row == 0 || !write))
                states[row] = s;
        } else if (row < rows) {
            s = states[row];
        }
#pragma unroll 1
        for (size_t at = begin + member; write && at < end; at += batch) {
            int left = (int)min_size(batch, end - at);
            struct state mine = take_batch(w, input + at, left, (int)team);
            put(outputs + at, w, 0, left, (int)team, FEW, false, scale_of(mine, s));
        }
    }
}

#define WALK_ROWS(NAME, REDUCE, WRITE)                                                             \
    __global__ void LAUNCH_BOUNDS(BLOCK_MAX)                                                       \
        NAME(const element_t *input, output_t *outputs, struct state *states, size_t n,            \
             size_t rows, size_t columns, unsigned team)                                           \
    {                                                                                              \
        walk_rows(input, outputs, states, n, rows, columns, team, REDUCE, WRITE);                  \
    }
WALK_ROWS(softmax_reread, true, true) /* a row is read again while the caches may still have it; */
WALK_ROWS(reduce_rows, true, false)   /* or first come the states of all rows, */
WALK_ROWS(write_rows, false, true)    /* and then all outputs */

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
    /* Many rows, or two, or one should be in the registers at a time. */
    size_t lots = (size_t)LOTS * BLOCK_MAX / padded, most = (size_t)MOST * BLOCK_HALF / padded;
    size_t each = padded <= MORE * BLOCK_LOW ? MORE : min_size(most, 2) > lots ? MOST : LOTS;
    /* Short rows that fill their warps have a faster kernel. */
    if (threads > warp && (threads > BLOCK_LOW || p->columns % (MANY * warp) != 0))
        threads = most > 0                      ? ceil_div(padded, each)
                  : p->columns % BLOCK_MAX == 0 ? BLOCK_MAX
                                                : BLOCK_WALK;
    size_t wanted = r->block > 0 ? r->block : threads > warp ? threads : 2 * warp;
    r->block = (unsigned)min_size(ceil_div(wanted, warp) * warp, alone ? BLOCK_LOW : BLOCK_MAX);
    p->team = alone ? 1 : NARROW; /* fewer lanes would read parts of sectors */
    while (!alone && p->team < warp && p->team < threads)
        p->team *= 2;
    if (threads > warp)
        p->team = r->block;
    each = ceil_div(padded, 2 * p->team) * 2;
    if (each > (p->team > BLOCK_FEW ? MANY : MORE))
        each = each <= LOTS || p->team > BLOCK_HALF ? LOTS : MOST;
    p->kept = (int)each;
    r->block = (unsigned)min_size(r->block, BLOCK_OF(each));
    if (p->kept < (p->team < SIDE ? 6 : 8))
        p->kept = p->team < SIDE ? 6 : 8;
    if (alone)
        p->kept = (int)p->columns;
    each = !alone ? 1 : p->columns < MANY ? MANY / p->columns : 1; /* rows of a team */

    size_t blocks = ceil_div(p->rows, (size_t)(r->block / p->team) * each);
    blocks = min_size(blocks, r->grid > 0 ? r->grid : GRID_THREADS_MAX / r->block);
    r->grid = blocks > 0 ? (unsigned)blocks : 1;
    p->shared_bytes = r->block / warp * sizeof(struct state);
    if (alone) /* at most one cell for each row is empty */
        p->shared_bytes = r->block * each * (p->columns + 1) * sizeof(union cell);
    p->outputs = workspace_take(r, r->n * sizeof(output_t));
    p->states =
        workspace_take(r, (r->option[REREAD] == MATRIX ? p->rows : 1) * sizeof(struct state));
    r->host_bytes = sizeof(value_t);
    r->chain = (size_t)p->kept + FEW + ceil_div(p->columns, (size_t)FEW * p->team) +
               tree_depth(p->team) + 2;
    r->launches = r->option[REREAD] == MATRIX ? 2 : 1;
}

static output_t *outputs_of(const struct reduction *r)
{
    if (r->result != NULL)
        return (output_t *)r->result;
    return (output_t *)((char *)r->workspace + ((const struct planned *)r->planned)->outputs);
}

static struct state *states_of(const struct reduction *r)
{
    return (struct state *)((char *)r->workspace + ((const struct planned *)r->planned)->states);
}

/* The kernel for rows that fit. */
typedef void (*kernel_t)(const element_t *input, output_t *outputs, struct state *states, size_t n,
                         size_t rows, unsigned columns, unsigned team);
#define ALONE_ENTRY(COLUMNS) softmax_alone_##COLUMNS,
#define SHORT_ENTRY(KEPT)    softmax_short_##KEPT,
#define KEPT_ENTRY(KEPT)     softmax_kept_##KEPT,
static kernel_t kernel_of(const struct planned *p, size_t n)
{
    static const kernel_t alone[] = {ALL_ALONE(ALONE_ENTRY)}, of_lanes[] = {ALL_SHORT(SHORT_ENTRY)},
                          of_warps[] = {ALL_KEPT(KEPT_ENTRY)};
    bool whole = p->columns == (size_t)p->kept * p->team && n % p->columns == 0;

    if (p->team == 1)
        return alone[p->columns - 1];
    if (p->team >= SIDE)
        return whole && p->kept == 16
                   ? softmax_whole_16
                   : of_warps[p->kept <= MORE ? p->kept / 2 - 4 : MORE / 2 - 3 + (p->kept == MOST)];
    return whole && p->kept == 8    ? softmax_short_whole_8
           : whole && p->kept == 16 ? softmax_short_whole_16
                                    : of_lanes[p->kept / 2 - 3];
}

#define START(KERNEL, COLUMNS)                                                                     \
    hipLaunchKernelGGL(KERNEL, dim3(r->grid), dim3(r->block), p->shared_bytes, r->stream, input,   \
                       outputs_of(r), states_of(r), r->n, p->rows, COLUMNS, p->team);              \
    HIP_CHECK_LAUNCH()

static void launch(const struct reduction *r, const element_t *input)
{
    const struct planned *p = (const struct planned *)r->planned;
    bool fits = r->n > 0 && p->columns <= (size_t)p->kept * p->team;

    if (r->option[REREAD] == MATRIX) {
        START(reduce_rows, p->columns);
        START(write_rows, p->columns);
    } else if (fits && r->option[REREAD] == NEVER) {
        START(kernel_of(p, r->n), (unsigned)p->columns);
    } else {
        START(softmax_reread, p->columns);
    }
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
