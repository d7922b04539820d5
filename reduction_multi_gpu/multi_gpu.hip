/* Reduction over many GPUs: what of it runs on a GPU that single_pass and reproducible do not have.
 *
 * Study    200
 * Idea     Each rank has a GPU and reduces its share of the array; then one value of each rank is left, and few
 *          values are the host's business. For the canonical tree a rank's share is a range of its units: their
 *          values go to the host, one by one, and the host does the top of the tree.
 * Compare  diff -u ../reduction_reproducible/reproducible.hip multi_gpu.hip
 * Try      ./reduction_multi_gpu --gpus 3 --share
 *
 * The program around it is in C: main.c begins, measure/rank.c is what a rank does, measure/runs.c what is timed,
 * combine/ puts the values together. It uses single_pass, reproducible and prim by their tables alone.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"
#include "prelude.h"

static const struct variant_option options[] = {
    {"method", "plain|tree|binned", METHOD_PLAIN, 0, 0,
     "by single_pass, or with the same bits for any number of ranks:\n"
     "by reproducible's tree or bins"},
    {"folds", "2|3", 1, 0, 0, "bins that a binned sum keeps"},
    {"combine", "auto|mpi|rccl|direct", COMBINE_AUTO, 0, 0,
     "the values: MPI_Allreduce on the hosts, RCCL or NCCL on the devices,\n"
     "or every GPU writes to memory that all ranks of a host read.\n"
     "auto: direct where all ranks are on one host, else mpi"},
    {"ranks", "auto|mpi|threads", RANKS_AUTO, 0, 0,
     "processes that mpirun or srun started, or threads of this one.\n"
     "auto: what the environment shows"},
    {"gpus", NULL, 0, 0, 1024, "threads: how many devices, from --device on; 0: all"},
    {"share", "", 0, 0, 0, "let several ranks use one device"},
    {"peer", "", 0, 0, 0, "in turn with it: the vendor's reduction, RCCL or NCCL, and a copy"},
    VARIANT_OPTIONS_END,
};

#include "../reduction_reproducible/tree.h"
#include "../reduction_reproducible/binned_kernel.h"

struct planned {
    struct order order; /* of this rank's units */
    size_t n;           /* elements in them */
};

/* This rank's units of the tree, by any grid of blocks of whole warps. The value of each goes to the host. */
__global__ void LAUNCH_BOUNDS(COLUMNS)
    reduce_units(const value_t *input, word_t *report, size_t n, struct order o)
{
    __shared__ value_t groups[2][GROUPS_MAX];

    bool aligned = (size_t)input % 16 == 0;
    unsigned turn = 0; /* the groups of one unit are read while those of the next are written */

    for (unsigned unit = blockIdx.x; unit < o.units; unit += gridDim.x, turn ^= 1) {
        value_t value = IDENTITY;
        for (unsigned first = 0; first < o.columns; first += blockDim.x) {
            unsigned column = first + threadIdx.x;
            value = IDENTITY;
            if (column < o.columns)
                value = reduce_column(input, n, aligned, o, unit, column, false);
            value = reduce_group(value); /* by whole warps */
            if (o.columns > GROUP && threadIdx.x % GROUP == 0 && column < o.columns)
                groups[turn][column / GROUP] = value;
        }
        if (o.columns > GROUP) {
            __syncthreads();
            value = reduce_groups(groups[turn], o.columns / GROUP);
        }
        if (threadIdx.x == 0)
            deliver(value, NULL, report + (size_t)unit * HALVES);
    }
}

/* ---- What RCCL or NCCL brought together of all ranks, on every device: to one value, by one block. */

/* Values: for an operation that the library does not have. */
__global__ void combine_values(const value_t *values, value_t *result, unsigned count)
{
    value_t value = values[0];
    for (unsigned k = 1; k < count; k++)
        value = combine(value, values[k]);
    *result = value;
}

static __device__ value_t value_in(const word_t *words)
{
    halves_t halves;
    for (unsigned k = 0; k < HALVES; k++)
        halves.half[k] = (uint32_t)words[k];
    return halves.value;
}

/* All units of the tree: its top, as the last block of reduce_tree() does it. */
__global__ void LAUNCH_BOUNDS(COLUMNS)
    combine_units(const word_t *words, value_t *result, unsigned units)
{
    __shared__ value_t groups[GROUPS_MAX];
    value_t value = IDENTITY;

    for (unsigned unit = threadIdx.x; unit < units; unit += COLUMNS)
        value = combine(value, value_in(words + (size_t)unit * HALVES));
    value = reduce_group(value);
    if (threadIdx.x % GROUP == 0)
        groups[threadIdx.x / GROUP] = value;
    __syncthreads();
    value = reduce_groups(groups, units < COLUMNS ? ceil_div(units, GROUP) : GROUPS_MAX);
    if (threadIdx.x == 0)
        *result = units > 1 ? value : value_in(words);
}

static __device__ __forceinline__ value_t add_bins(const word_t *words, unsigned ranks,
                                                   unsigned folds)
{
    struct binned sum = {(int)folds - 1, 0, {0, 0, 0}, {0, 0, 0}};

    for (unsigned rank = 0; rank < ranks; rank++) {
        uint32_t bins[BINNED_WORDS(FOLDS_MAX)];
        for (unsigned k = 0; k < BINNED_WORDS(folds); k++)
            bins[k] = (uint32_t)words[rank * BINNED_WORDS(folds) + k];
        struct binned other = binned_unpack(bins, folds);
        binned_add(&sum, &other, folds);
    }
    return (value_t)binned_value(&sum, folds, LEAST);
}

/* The bins of all ranks. The constants keep them in registers. */
__global__ void combine_bins(const word_t *words, value_t *result, unsigned ranks, unsigned folds)
{
    *result = folds == 2 ? add_bins(words, ranks, 2) : add_bins(words, ranks, 3);
}

static void combine_on_device(int payload, const void *from, void *to, unsigned count,
                              unsigned folds, hipStream_t stream)
{
    const word_t *words = (const word_t *)from;
    value_t *result = (value_t *)to;

    if (payload == PAYLOAD_VALUE)
        combine_values<<<1, 1, 0, stream>>>((const value_t *)from, result, count);
    else if (payload == PAYLOAD_UNITS)
        combine_units<<<1, COLUMNS, 0, stream>>>(words, result, count);
    else
        combine_bins<<<1, 1, 0, stream>>>(words, result, count, folds);
    HIP_CHECK_LAUNCH();
}

/* Of a tree: r->n is the whole array. */
static void plan_units(struct reduction *r, unsigned first, unsigned units)
{
    struct planned *p = (struct planned *)r->planned;

    p->order = order_for(r->n, LANES);
    p->n = order_part(&p->order, r->n, LANES, first, units);
    r->block =
        round_up(r->block != 0 ? r->block : p->order.columns, r->warp_size, r->warp_size, COLUMNS);
    if (r->grid == 0)
        r->grid = p->order.units;
    r->host_bytes = (size_t)p->order.units * HALVES * sizeof(word_t);
    r->launches = p->order.units > 0;
}

/* r->n is the rank's share; plan_units() is for a tree. */
static void plan(struct reduction *r)
{
    if (r->option[METHOD] == METHOD_BINNED)
        plan_bins(r);
}

static void launch(const struct reduction *r, const value_t *input)
{
    const struct planned *p = (const struct planned *)r->planned;

    /* With RCCL r->host is on the device. */
    word_t *report = (word_t *)(r->option[COMBINE] == COMBINE_RCCL ? r->host : empty_words(r));
    if (r->option[METHOD] == METHOD_BINNED)
        launch_bins(r, input, report);
    else if (p->order.units > 0)
        reduce_units<<<r->grid, r->block, 0, r->stream>>>(input, report, p->n, p->order);
    HIP_CHECK_LAUNCH();
}

/* values[0] becomes what reduce_group() and reduce_groups() make of `count` lanes, a power of two. */
static void combine_lanes(value_t *values, unsigned count, unsigned there)
{
    for (unsigned distance = count / 2; distance > 0; distance /= 2)
        for (unsigned k = 0; k < distance && distance < there; k++)
            values[k] = combine(values[k], values[k + distance]);
}

/* The top of the tree, as the last block of reduce_tree() does it. */
static value_t reduce_root(const value_t *units, unsigned count)
{
    value_t groups[GROUPS_MAX];
    unsigned columns = count < COLUMNS ? (count + GROUP - 1) / GROUP * GROUP : COLUMNS;

    if (count == 1)
        return units[0];
    for (unsigned g = 0; g < GROUPS_MAX; g++) {
        value_t lanes[GROUP];
        for (unsigned k = 0; k < GROUP; k++) {
            lanes[k] = IDENTITY;
            for (unsigned unit = g * GROUP + k; unit < count && g * GROUP < columns;
                 unit += COLUMNS)
                lanes[k] = combine(lanes[k], units[unit]);
        }
        combine_lanes(lanes, GROUP, GROUP);
        groups[g] = lanes[0];
    }
    combine_lanes(groups, GROUPS_MAX, columns / GROUP);
    return groups[0];
}

static void combine_on_host(int payload, const void *from, void *to, unsigned count)
{
    const value_t *values = (const value_t *)from;

    *(value_t *)to =
        payload == PAYLOAD_UNITS ? reduce_root(values, count) : combine_pairwise(values, count);
}

__attribute__((constructor)) static void add_combination(void)
{
    combinations[VALUE_TYPE][OPERATION].plan_units = plan_units;
    combinations[VALUE_TYPE][OPERATION].on_device = combine_on_device;
    combinations[VALUE_TYPE][OPERATION].on_host = combine_on_host;
}

/* Of a share no rank knows the largest element: none exceeds the sum of all magnitudes. */
static void prepare(const struct reduction *r, const struct input_view *,
                    struct reference *expected)
{
    if (HAS_BINS && r->option[METHOD] == METHOD_BINNED)
        bound_bins(expected, bins_round(r), expected->magnitude);
}

VARIANT = {
    .options = options,
    .plan = plan,
    .launch = launch,
    .finish = NULL, /* a rank's words become a value together with those of the others */
    .prepare = prepare,
    .planned_bytes = sizeof(struct planned),
};
