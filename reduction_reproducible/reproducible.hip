/* Reproducible reduction: the same bits on every machine, with every launch shape.
 *
 * Idea     Floating-point addition is not associative: (a + b) + c and a + (b + c) differ in the last bits, so
 *          a sum depends on the order of the additions. Either fix the order: `tree` is a function of n alone,
 *          and any grid, block and warp evaluates it piece by piece. Or make the order not matter: `binned`
 *          cuts every element into slices that add up exactly.
 * Compare  diff -u ../reduction_single_pass/single_pass.hip reproducible.hip
 * Try      ./reduction_reproducible --grid 7 --block 96
 */
#include <hip/hip_runtime.h>
#include "reduction.h"
#include "prelude.h"

enum { METHOD, FOLDS }; /* indices into r->option[] */
enum { TREE, BINNED };
static const struct variant_option options[] = {
    {"method", "tree|binned", TREE, 0, 0, "fix the order of additions, or make it not matter"},
    {"folds", "2|3", 1, 0, 0, "bins that a binned sum keeps: 2 is faster, 3 more accurate"},
    VARIANT_OPTIONS_END,
};

/* The tree. A unit has `columns` columns; column c of it adds up its elements from the first to the last. Then
 * GROUP neighbouring columns are one value, then the groups of a unit, and then the units, in the same way.
 * GROUP is no warp: a warp of 64 takes two groups at once. */
#define GROUP      32
#define COLUMNS    512 /* of a unit at most */
#define CLUSTER    8
#define GROUPS_MAX (COLUMNS / GROUP)
#define LOADS      8                                  /* rows of vectors in flight */
#define LANES      ((unsigned)(16 / sizeof(value_t))) /* elements of a vector, 16 bytes */
#define HALVES     ((unsigned)(sizeof(value_t) / 4))  /* words per value in a slot */
#define UNITS_MAX  528 /* a little faster than 512 on the 132 SMs of an H200 */
/* rounds up to which the units read side by side; beyond, each reads its own run */
#define SIDE_BY_SIDE 16

/* What the order of the additions depends on, and all of it a function of n. */
struct order {
    unsigned columns; /* of a unit: a multiple of GROUP */
    unsigned units;
    size_t rounds; /* of LOADS rows in each unit */
    bool side_by_side;
    unsigned edge_unit, edge_column; /* where the last n % LANES elements go, less than a vector */
};

static struct order order_for(size_t n)
{
    size_t vectors = ceil_div(n, LANES), last = n / LANES;
    struct order o = {COLUMNS, 1, 1, true, 0, 0};
    size_t units = 1;

    /* Few units are quick to collect; 8 of them fit a cluster on sm_90. */
    if (vectors > (size_t)COLUMNS * LOADS)
        units = vectors <= (size_t)CLUSTER * COLUMNS * LOADS ? CLUSTER : 64;
    if (vectors <= units * COLUMNS * LOADS)
        o.columns = (unsigned)ceil_div(vectors + (vectors == 0), units * GROUP * LOADS) * GROUP;
    size_t round = (size_t)o.columns * LOADS; /* vectors that a unit takes at once */
    o.rounds = ceil_div(vectors + (vectors == 0), round * UNITS_MAX);
    o.units = (unsigned)ceil_div(vectors + (vectors == 0), round * o.rounds);
    o.side_by_side = o.rounds <= SIDE_BY_SIDE;

    o.edge_unit = (unsigned)(o.side_by_side ? last / round % o.units : last / round / o.rounds);
    o.edge_column = (unsigned)(last % round / (GROUP * LOADS) * GROUP + last % GROUP);
    return o;
}

struct planned {
    struct order order;
    bool cluster; /* NVIDIA: reduce_tree_cluster() */
};

typedef union {
    bytes16_t all;
    value_t lane[LANES];
} vector_t;

/* A value sent to another block or to the host, as in single_pass: each 32 bits of it in a word with a mark in the
 * upper half. */
#define MARK ((word_t)1 << 32)

typedef union {
    value_t value;
    uint32_t half[HALVES];
} halves_t;

/* Device memory of one reduction. All zero before a launch, and again after it. */
typedef struct {
    unsigned ticket;
    word_t apart[15]; /* the counter that all blocks update has its own cache line */
    word_t slots[];   /* HALVES for each unit, or BINNED_WORDS for each block */
} workspace_t;

static __device__ void slot_put(word_t *slot, value_t value)
{
    halves_t halves;
    halves.value = value;
    for (unsigned k = 0; k < HALVES; k++)
        word_store(slot + k, MARK | halves.half[k]);
}

static __device__ value_t slot_get(const word_t *slot)
{
    halves_t halves;
    word_t words[HALVES];
    bool there;
    do {
        there = true;
        for (unsigned k = 0; k < HALVES; k++)
            words[k] = word_load(slot + k);
        for (unsigned k = 0; k < HALVES; k++)
            there = there && words[k] >= MARK;
    } while (!there);
    for (unsigned k = 0; k < HALVES; k++)
        halves.half[k] = (uint32_t)words[k];
    return halves.value;
}

/* Combines one value of each of GROUP neighbouring lanes; the first of them holds the result. */
static __device__ __forceinline__ value_t reduce_group(value_t value)
{
    for (unsigned distance = GROUP / 2; distance > 0; distance /= 2)
        value = combine(value, __shfl_down(value, distance));
    return value;
}

/* Combines the values of `count` groups; thread 0 holds the result. Missing groups count as IDENTITY, so a
 * unit with fewer groups has the same tree. */
static __device__ __forceinline__ value_t reduce_groups(const value_t *groups, unsigned count)
{
    value_t value = IDENTITY;
    if (threadIdx.x < warp_lanes()) {
        if (threadIdx.x < count)
            value = groups[threadIdx.x];
        for (unsigned distance = GROUPS_MAX / 2; distance > 0; distance /= 2)
            if (distance < count)
                value = combine(value, __shfl_down(value, distance));
    }
    return value;
}

/* One column of a unit, by one thread. */
static __device__ __forceinline__ value_t reduce_column(const value_t *input, size_t n,
                                                        bool aligned, struct order o, unsigned unit,
                                                        unsigned column)
{
    size_t tile = (size_t)o.columns * LOADS * LANES; /* elements of a round */
    size_t step = o.side_by_side ? o.units * tile : tile;
    size_t first = (size_t)unit * (o.side_by_side ? 1 : o.rounds) * tile +
                   ((size_t)(column / GROUP) * GROUP * LOADS + column % GROUP) * LANES;
    const size_t row = GROUP * LANES;
    size_t edge = n - n % LANES; /* loaded early, and added last */
    bool at_edge = unit == o.edge_unit && column == o.edge_column;
    value_t sums[LANES], rest[LANES];
    vector_t nothing;

#pragma unroll
    for (unsigned k = 0; k < LANES; k++) {
        sums[k] = nothing.lane[k] = IDENTITY;
        rest[k] = at_edge && edge + k < n ? input[edge + k] : IDENTITY;
    }
    nothing.all = whole_16(nothing.all);
#pragma unroll 1
    for (size_t round = 0; round < o.rounds && first < n; round++, first += step) {
        vector_t v[LOADS];
        if (aligned) {
#pragma unroll
            for (unsigned u = 0; u < LOADS; u++) {
                v[u] = nothing;
                if (first + u * row < edge)
                    v[u].all = load_16(input + first + u * row);
            }
        } else {
#pragma unroll
            for (unsigned u = 0; u < LOADS; u++)
#pragma unroll
                for (unsigned k = 0; k < LANES; k++)
                    v[u].lane[k] = first + u * row < edge ? input[first + u * row + k] : IDENTITY;
        }
#pragma unroll
        for (unsigned u = 0; u < LOADS; u++)
#pragma unroll
            for (unsigned k = 0; k < LANES; k++)
                sums[k] = combine(sums[k], v[u].lane[k]);
    }
#pragma unroll
    for (unsigned k = 0; k < LANES; k++)
        sums[k] = combine(sums[k], rest[k]);
    value_t value = sums[0];
#pragma unroll
    for (unsigned k = 1; k < LANES; k++)
        value = combine(value, sums[k]);
    return value;
}

static __device__ void deliver(value_t value, word_t *report)
{
    halves_t halves;
    halves.value = value;
    for (unsigned k = 0; k < HALVES; k++)
        word_report(report + k, MARK | halves.half[k]);
}

/* The tree, by any grid of blocks of whole warps: a block takes units, and its warps the groups of a unit. */
__global__ void LAUNCH_BOUNDS(COLUMNS) reduce_tree(const value_t *input, workspace_t *workspace,
                                                   word_t *report, size_t n, struct order o)
{
    __shared__ value_t groups[2][GROUPS_MAX];
    __shared__ bool last;

    if (blockIdx.x >= o.units && o.units == 1)
        return;

    bool aligned = (size_t)input % 16 == 0;
    unsigned turn = 0; /* the groups of one unit are read while those of the next are written */
    value_t value = IDENTITY;

    for (unsigned unit = blockIdx.x; unit < o.units; unit += gridDim.x, turn ^= 1) {
        for (unsigned first = 0; first < o.columns; first += blockDim.x) {
            unsigned column = first + threadIdx.x;
            value = IDENTITY;
            if (column < o.columns)
                value = reduce_column(input, n, aligned, o, unit, column);
            value = reduce_group(value); /* by whole warps */
            if (o.columns > GROUP && threadIdx.x % GROUP == 0 && column < o.columns)
                groups[turn][column / GROUP] = value;
        }
        if (o.columns > GROUP) {
            __syncthreads();
            value = reduce_groups(groups[turn], o.columns / GROUP);
        }
        if (threadIdx.x == 0 && o.units > 1)
            slot_put(workspace->slots + (size_t)unit * HALVES, value);
    }
    if (o.units > 1) {
        if (threadIdx.x == 0) /* wraps to 0 at the last block */
            last = atomicInc(&workspace->ticket, gridDim.x - 1) == gridDim.x - 1;
        __syncthreads();
        if (!last)
            return;

        unsigned columns = o.units < COLUMNS ? (o.units + GROUP - 1) / GROUP * GROUP : COLUMNS;
        for (unsigned first = 0; first < columns; first += blockDim.x) {
            unsigned column = first + threadIdx.x;
            value = IDENTITY;
#pragma unroll 1
            for (unsigned unit = column; unit < o.units && column < columns; unit += COLUMNS)
                value = combine(value, slot_get(workspace->slots + (size_t)unit * HALVES));
            value = reduce_group(value);
            if (threadIdx.x % GROUP == 0 && column < columns)
                groups[turn][column / GROUP] = value;
        }
        __syncthreads();
        value = reduce_groups(groups[turn], columns / GROUP);
        /* empty slots for the next launch */
#pragma unroll 1
        for (unsigned w = threadIdx.x; w < o.units * HALVES; w += blockDim.x)
            word_store(workspace->slots + w, 0);
    }
    if (threadIdx.x == 0)
        deliver(value, report);
}

#if defined(__HIP_PLATFORM_NVIDIA__)
#include "nvidia_cluster.h"
#endif

#if OPERATION == OP_SUM && (VALUE_TYPE == TYPE_FLOAT || VALUE_TYPE == TYPE_DOUBLE)
#include "binned_kernel.h"
#else /* exact in any order */
enum {
    HAS_BINNED = false,
    LEAST = 0,
    DIGITS = 0,
    BINNED_LOADS = 1,
    BINNED_BLOCK = 1,
    BINNED_PER_UNIT = 1
};
static void launch_bins(const struct reduction *, const value_t *, word_t *)
{
}
#endif

static unsigned round_up(size_t count, unsigned to, unsigned least, unsigned most)
{
    size_t rounded = ceil_div(count, to) * to;
    return rounded < least ? least : rounded > most ? most : (unsigned)rounded;
}

static bool is_binned(const struct reduction *r)
{
    return HAS_BINNED && r->option[METHOD] == BINNED;
}

static unsigned folds_of(const struct reduction *r)
{
    return r->option[FOLDS] == 0 ? 2 : 3;
}

static void plan(struct reduction *r)
{
    struct planned *p = (struct planned *)r->planned;
    struct order *o = &p->order;
    unsigned most = is_binned(r) ? (unsigned)BINNED_BLOCK : COLUMNS;
    size_t depth = tree_depth(COLUMNS);

    *o = order_for(r->n);
    r->launches = 1;
    if (is_binned(r)) { /* order does not matter: as many blocks as can be resident and have work */
        size_t vectors = ceil_div(r->n, LANES);
        size_t fill = r->grid != 0 ? r->grid : r->compute_units * BINNED_PER_UNIT;
        size_t rounds = ceil_div(vectors, fill * most * BINNED_LOADS);
        if (r->block == 0) /* the same work for every block in every round */
            r->block = round_up(ceil_div(vectors, fill * BINNED_LOADS * (rounds > 0 ? rounds : 1)),
                                r->warp_size, r->warp_size, most);
        else
            r->block = round_up(r->block, r->warp_size, r->warp_size, most);
        if (r->grid == 0)
            r->grid = round_up(ceil_div(vectors, r->block * BINNED_LOADS), 1, 1, (unsigned)fill);
        r->workspace_bytes =
            sizeof(workspace_t) + r->grid * BINNED_WORDS(folds_of(r)) * sizeof(word_t);
        r->host_bytes = BINNED_WORDS(folds_of(r)) * sizeof(word_t);
        /* Each element loses at most half a grid of the last bin, which is 2^(-WIDTH (folds - 1)) of the largest
         * value. As a chain: that loss in unit roundoffs, plus the final rounding. */
        r->chain = 2 + (size_t)ldexp((double)r->n, DIGITS - BIN_WIDTH * ((int)folds_of(r) - 1));
        return;
    }
#if defined(__HIP_PLATFORM_NVIDIA__)
    p->cluster =
        o->units == CLUSTER && o->rounds == 1 && r->grid == 0 && r->block == 0 && has_clusters();
#endif
    r->block = round_up(r->block != 0 ? r->block : o->columns, r->warp_size, r->warp_size, most);
    if (r->grid == 0)
        r->grid = o->units;
    r->workspace_bytes = sizeof(workspace_t) + (size_t)o->units * HALVES * sizeof(word_t);
    r->host_bytes = HALVES * sizeof(word_t);
    r->chain = o->rounds * LOADS + LANES + depth + ceil_div(o->units, COLUMNS) + depth;
}

static void launch(const struct reduction *r, const value_t *input)
{
    const struct planned *p = (const struct planned *)r->planned;
    word_t *report = (word_t *)r->host;

    for (size_t k = 0; k < r->host_bytes / sizeof(word_t); k++)
        ((volatile word_t *)report)[k] = 0;
    if (is_binned(r))
        launch_bins(r, input, report);
#if defined(__HIP_PLATFORM_NVIDIA__)
    else if (p->cluster)
        hipLaunchKernelGGL(reduce_tree_cluster, dim3(r->grid), dim3(r->block), 0, r->stream, input,
                           report, r->n, p->order);
#endif
    else
        hipLaunchKernelGGL(reduce_tree, dim3(r->grid), dim3(r->block), 0, r->stream, input,
                           (workspace_t *)r->workspace, report, r->n, p->order);
    HIP_CHECK_LAUNCH();
}

#define PATIENCE 1000000 /* polls, about a millisecond */

/* The marks arrive before the runtime knows that the kernel has ended. A kernel that fails sends none: after a
 * while the runtime waits instead, which also reports errors. */
static void receive(const struct reduction *r, uint32_t *words, size_t count)
{
    const volatile word_t *report = (const volatile word_t *)r->host;
    unsigned looks = 0;

    for (size_t k = 0; k < count; k++) {
        while (report[k] < MARK && looks < PATIENCE)
            looks++;
        if (looks == PATIENCE)
            HIP_CHECK(hipStreamSynchronize(r->stream));
        words[k] = (uint32_t)report[k];
    }
}

static value_t finish(const struct reduction *r)
{
    halves_t halves;

    if (is_binned(r)) {
        unsigned folds = folds_of(r);
        uint32_t words[BINNED_WORDS(FOLDS_MAX)];
        receive(r, words, BINNED_WORDS(folds));
        struct binned total = binned_unpack(words, folds);
        return (value_t)binned_value(&total, folds, LEAST);
    }
    receive(r, halves.half, HALVES);
    return halves.value;
}

#define VARIANT_PREPARE
/* Two folds of doubles hold 79 bits, and the largest element may use only the upper 39: then a sum that another
 * order computes exactly is rounded. The bound of a binned sum is the worst case for every pattern. */
static void prepare(const struct reduction *r, const struct input_view *in,
                    struct reference *expected)
{
    (void)in;
    if (!is_binned(r))
        return;
    expected->kind = -1;
    if (folds_of(r) == 2 && VALUE_TYPE == TYPE_DOUBLE)
        expected->exact = false;
}

#define VARIANT_EXTRAS
/* The bound again, with the largest element of this input. */
static size_t extras(const struct reduction *r, const struct input_view *in,
                     struct extra out[EXTRAS_MAX])
{
    if (!is_binned(r))
        return 0;
    double largest = fmax(fabs(scalar_to_double(input_reference(in, OP_MIN, 0, in->n).value)),
                          fabs(scalar_to_double(input_reference(in, OP_MAX, 0, in->n).value)));
    struct reference sum = input_reference(in, OP_SUM, 0, in->n);
    double reference = scalar_to_double(sum.value);
    double last_place = fmax(fabs(reference) * ldexp(1, 1 - DIGITS), ldexp(1, LEAST));
    double bound =
        in->n * ldexp(in->n > 0 ? largest : 0, -BIN_WIDTH * ((int)folds_of(r) - 1)) + last_place;
    /* inf and NaN are right or wrong */
    out[0] = extra_check("binned_sum", (double)finish(r), reference, isfinite(bound) ? bound : 0);
    return 1;
}
