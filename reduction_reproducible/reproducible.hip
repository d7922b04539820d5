/* Reproducible reduction: the same bits on every machine, with every launch shape.
 *
 * Study    190
 * Idea     Floating-point addition is not associative: (a + b) + c and a + (b + c) differ in the last bits, so
 *          a sum depends on the order of the additions. Either fix the order: `tree` is a function of n alone,
 *          and any grid, block and warp evaluates it piece by piece. Or make the order not matter: `binned`
 *          cuts every element into slices that add up exactly.
 * Compare  diff -u ../reduction_single_pass/single_pass.hip reproducible.hip
 * Try      ./reduction_reproducible --grid 7 --block 96
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"
#include "prelude.h"

enum { METHOD, FOLDS, RESULT }; /* indices into r->option[] */
enum { TREE, BINNED };
enum { DEVICE, HOST };
static const struct variant_option options[] = {
    {"method", "tree|binned", TREE, 0, 0, "fix the order of additions, or make it not matter"},
    {"folds", "2|3", 1, 0, 0, "bins that a binned sum keeps: 2 is faster, 3 more accurate"},
    {"result", "device|host", HOST, 0, 0,
     "where the kernel leaves its words: to be copied, or waited for"},
    VARIANT_OPTIONS_END,
};

#include "tree.h"

struct planned {
    struct order order;
    bool cluster; /* NVIDIA: reduce_tree_cluster() */
};

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
        if (!there)
            poll_pause();
    } while (!there);
    for (unsigned k = 0; k < HALVES; k++)
        halves.half[k] = (uint32_t)words[k];
    return halves.value;
}

/* The tree, by any grid of blocks of whole warps: a block takes units, and its warps the groups of a unit. */
static __device__ __forceinline__ void reduce_units(const element_t *input, workspace_t *workspace,
                                                    value_t *result, word_t *report, size_t n,
                                                    struct order o, bool streaming)
{
    __shared__ value_t groups[2][GROUPS_MAX];
    __shared__ bool last;

    if (blockIdx.x >= o.units && o.units == 1)
        return;

    unsigned ticket = 0; /* taken early: the answer comes while the block reads */
    if (threadIdx.x == 0 && o.units > 1)
        ticket = atomicInc(&workspace->ticket, gridDim.x - 1); /* 0 again after the last block */

    bool aligned = (size_t)input % VECTOR_BYTES == 0;
    unsigned turn = 0; /* the groups of one unit are read while those of the next are written */
    value_t value = IDENTITY;

    for (unsigned unit = blockIdx.x; unit < o.units; unit += gridDim.x, turn ^= 1) {
        for (unsigned first = 0; first < o.columns; first += blockDim.x) {
            unsigned column = first + threadIdx.x;
            value = IDENTITY;
            if (column < o.columns)
                value = reduce_column(input, n, aligned, o, unit, column, streaming);
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
        if (threadIdx.x == 0)
            last = ticket == gridDim.x - 1;
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
        deliver(value, result, report);
}

/* Of two blocks on a compute unit, one reads while the other adds. */
__global__ void LAUNCH_BOUNDS_RESIDENT(COLUMNS, 2)
    reduce_tree(const element_t *input, workspace_t *workspace, value_t *result, word_t *report,
                size_t n, struct order o)
{
    reduce_units(input, workspace, result, report, n, o, false);
}

#if defined(HAS_STREAMING)
__global__ void LAUNCH_BOUNDS_RESIDENT(COLUMNS, 2)
    reduce_tree_streaming(const element_t *input, workspace_t *workspace, value_t *result,
                          word_t *report, size_t n, struct order o)
{
    reduce_units(input, workspace, result, report, n, o, true);
}
#else
#define reduce_tree_streaming reduce_tree
#endif

/* A tree of one unit, by one block with a thread for each column. Without what the others need, less code has to come
 * from memory before the first load. */
__global__ void LAUNCH_BOUNDS(COLUMNS) reduce_tree_small(const element_t *input, value_t *result,
                                                         word_t *report, size_t n, struct order o)
{
    __shared__ value_t groups[GROUPS_MAX];

    o.rounds = 1;
    o.edge_unit = 0;
    value_t value = reduce_group(reduce_column(input, n, true, o, 0, threadIdx.x, false));
    if (o.columns > GROUP) {
        if (threadIdx.x % GROUP == 0)
            groups[threadIdx.x / GROUP] = value;
        __syncthreads();
        value = reduce_groups(groups, o.columns / GROUP);
    }
    if (threadIdx.x == 0)
        deliver(value, result, report);
}

#if defined(HAS_CLUSTER_LAUNCH)
#include "nvidia_cluster.h"
#endif

#include "binned_kernel.h"

/* The bins in report as a value on the device. */
__global__ void value_of_bins(const word_t *report, value_t *result, unsigned folds)
{
    uint32_t words[BINNED_WORDS(FOLDS_MAX)] = {0};

    for (unsigned k = 0; k < BINNED_WORDS(folds); k++)
        words[k] = (uint32_t)report[k];
    struct binned total = binned_unpack(words, folds);
    *result = canonical((value_t)binned_value(&total, folds, LEAST));
}

static bool is_binned(const struct reduction *r)
{
    return HAS_BINS && r->option[METHOD] == BINNED;
}

/* Where the kernel leaves its words. */
static word_t *report_of(const struct reduction *r)
{
    return r->option[RESULT] == HOST ? (word_t *)r->host : ((workspace_t *)r->workspace)->result;
}

/* Where launch() leaves the result, if it stays on the device; of bins finish() makes a value, unless there is a place
 * for it. */
static const value_t *device_result(const struct reduction *r)
{
    if (r->option[RESULT] == HOST || (is_binned(r) && r->result == NULL))
        return NULL;
    return (const value_t *)(r->result != NULL ? r->result : ((workspace_t *)r->workspace)->result);
}

static void plan(struct reduction *r)
{
    struct planned *p = (struct planned *)r->planned;
    struct order *o = &p->order;
    size_t depth = tree_depth(COLUMNS);

    r->launches = 1;
    if (is_binned(r)) {
        plan_bins(r);
        return;
    }
    *o = order_for(r->n, LANES);
#if defined(HAS_CLUSTER_LAUNCH)
    p->cluster =
        o->units == CLUSTER && o->rounds == 1 && r->grid == 0 && r->block == 0 && has_clusters();
#endif
    r->block = round_up(r->block != 0 ? r->block : o->columns, r->warp_size, r->warp_size, COLUMNS);
    if (r->grid == 0)
        r->grid = o->units;
    r->host_bytes = HALVES * sizeof(word_t);
    r->workspace_bytes = sizeof(workspace_t) + (size_t)o->units * r->host_bytes;
    r->chain = o->rounds * LOADS + LANES + depth + ceil_div(o->units, COLUMNS) + depth;
}

static void launch(const struct reduction *r, const element_t *input)
{
    const struct planned *p = (const struct planned *)r->planned;
    value_t *result = (value_t *)device_result(r);
    word_t *report = r->option[RESULT] == HOST ? (word_t *)empty_words(r) : report_of(r);

    if (is_binned(r))
        launch_bins(r, input, report);
#if defined(HAS_CLUSTER_LAUNCH)
    else if (p->cluster)
        hipLaunchKernelGGL(reduce_tree_cluster, dim3(r->grid), dim3(r->block), 0, r->stream, input,
                           result, report, r->n, p->order);
#endif
    else if (p->order.units == 1 && r->grid == 1 && r->block == p->order.columns &&
             (size_t)input % VECTOR_BYTES == 0)
        hipLaunchKernelGGL(reduce_tree_small, dim3(1), dim3(r->block), 0, r->stream, input, result,
                           report, r->n, p->order);
    else if (streaming_pays(r->n * sizeof(element_t)))
        hipLaunchKernelGGL(reduce_tree_streaming, dim3(r->grid), dim3(r->block), 0, r->stream,
                           input, (workspace_t *)r->workspace, result, report, r->n, p->order);
    else
        hipLaunchKernelGGL(reduce_tree, dim3(r->grid), dim3(r->block), 0, r->stream, input,
                           (workspace_t *)r->workspace, result, report, r->n, p->order);
    HIP_CHECK_LAUNCH();
    if (is_binned(r) && result != NULL) {
        hipLaunchKernelGGL(value_of_bins, dim3(1), dim3(1), 0, r->stream, (const word_t *)report,
                           result, folds_of(r));
        HIP_CHECK_LAUNCH();
    }
}

#define SPIN_LIMIT 1000000 /* polls, about a millisecond */

/* The marks arrive before the runtime knows that the kernel has ended. A kernel that fails sends none: after a
 * while the runtime waits instead, which also reports errors. */
static void receive(const struct reduction *r, uint32_t *words, size_t count)
{
    const volatile word_t *report = (const volatile word_t *)r->host;
    unsigned polls = 0;

    for (size_t k = 0; k < count; k++) {
        while (report[k] < MARK && polls < SPIN_LIMIT)
            polls++;
        if (polls == SPIN_LIMIT)
            HIP_CHECK(hipStreamSynchronize(r->stream));
        words[k] = (uint32_t)report[k];
    }
}

static value_t finish(const struct reduction *r)
{
    halves_t halves;

    if (r->option[RESULT] == DEVICE) {
        const value_t *value = is_binned(r) ? NULL : device_result(r);
        const void *from = value != NULL ? (const void *)value : report_of(r);
        size_t bytes = value != NULL ? sizeof(value_t) : r->host_bytes;
        HIP_CHECK(hipMemcpyAsync(r->host, from, bytes, hipMemcpyDeviceToHost, r->stream));
        HIP_CHECK(hipStreamSynchronize(r->stream));
        if (value != NULL)
            return *host_values(r);
    }
    if (is_binned(r)) {
        unsigned folds = folds_of(r);
        uint32_t words[BINNED_WORDS(FOLDS_MAX)];
        receive(r, words, BINNED_WORDS(folds));
        struct binned total = binned_unpack(words, folds);
        return canonical((value_t)binned_value(&total, folds, LEAST));
    }
    receive(r, halves.half, HALVES);
    return halves.value;
}

/* The largest magnitude of an element. */
static double largest_of(const struct input_view *in)
{
    return fmax(fabs(scalar_to_double(reference_of_input(in, OP_MIN, 0, in->n).value)),
                fabs(scalar_to_double(reference_of_input(in, OP_MAX, 0, in->n).value)));
}

static void prepare(const struct reduction *r, const struct input_view *in,
                    struct reference *expected)
{
    if (!is_binned(r))
        return;
    bool rounds = bins_round(r);
    bound_bins(expected, rounds, rounds ? ldexp(largest_of(in), -expected->exponent) : 0);
}

/* The bound again, with the largest element of this input. */
static size_t extras(const struct reduction *r, const struct input_view *in,
                     struct extra out[EXTRAS_MAX])
{
    if (!is_binned(r))
        return 0;
    double largest = largest_of(in);
    struct reference sum = reference_of_input(in, OP_SUM, 0, in->n);
    double reference = scalar_to_double(sum.value);
    double last_place = fmax(fabs(reference) * ldexp(1, 1 - DIGITS), ldexp(1, LEAST));
    double bound =
        in->n * ldexp(in->n > 0 ? largest : 0, -BIN_WIDTH * ((int)folds_of(r) - 1)) + last_place;
    /* inf and NaN are right or wrong */
    out[0] = extra_check("binned_sum", (double)finish(r), reference, isfinite(bound) ? bound : 0);
    return 1;
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
