/* Compensated summation: what an addition loses is kept beside the sum.
 *
 * Study    185
 * Idea     Each addition rounds, and what it rounds off can be computed exactly, by a few more additions. So a sum has
 *          two parts: itself, and what it has lost. Memory hides the additions. The tree combines pairs, too, or it
 *          would throw away what the threads have kept. `pairwise` keeps nothing, and loses little, since no
 *          element takes part in many additions.
 * Compare  diff -u ../reduction_last_block/last_block.hip compensated.hip
 * Try      ./reduction_compensated --type float --pattern mixed --method neumaier
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"
#include "prelude.h"

enum { METHOD }; /* index into r->option[] */
enum { KAHAN, NEUMAIER, PAIRWISE };
static const struct variant_option options[] = {
    {"method", "kahan|neumaier|pairwise", NEUMAIER, 0, 0,
     "a correction for each next element, one for the end, or a tree without any"},
    VARIANT_OPTIONS_END,
};

/* Only the sum of floating-point numbers rounds; everything else is a tree. */
#define ROUNDS (OPERATION == OP_SUM && IS_FLOATING(VALUE_TYPE))

#define LOADS 8                                  /* 16-byte loads in flight per thread */
#define LANES ((unsigned)(16 / sizeof(value_t))) /* elements of a vector */

typedef union {
    bytes16_t all;
    value_t lane[LANES];
} vector_t;

/* Stands for sum + lost. */
struct pair {
    value_t sum, lost;
};

/* The sum, and exactly what it rounds off, whichever number is larger. (O. Moller 1965, D. E. Knuth 1969. There is no
 * product in it that a compiler could fuse with an addition; types.h refuses flags that allow more.) */
static __device__ __forceinline__ struct pair two_sum(value_t a, value_t b)
{
    value_t sum = a + b, of_b = sum - a;
    struct pair p = {sum, (a - (sum - of_b)) + (b - of_b)};
    return p;
}

static __device__ __forceinline__ value_t if_finite(value_t x)
{
    return x - x == 0 ? x : 0;
}

/* What was lost is added to the next element. That is exact only if the element is not larger than the sum. */
static __device__ __forceinline__ struct pair add_kahan(struct pair p, value_t x)
{
    value_t next = x + p.lost, sum = p.sum + next;
    struct pair q = {sum, if_finite(next - (sum - p.sum))};
    return q;
}

/* What was lost is added up on its own. */
static __device__ __forceinline__ struct pair add_neumaier(struct pair p, value_t x)
{
    struct pair q = two_sum(p.sum, x);
    q.lost += p.lost;
    return q;
}

/* Infinities leave no number behind in `lost`. */
static __device__ __forceinline__ value_t value_of(struct pair p)
{
    return ROUNDS ? p.sum + if_finite(p.lost) : p.sum;
}

/* Both sums, with what both have lost, and what is lost here. */
static __device__ __forceinline__ struct pair merge(struct pair a, struct pair b, int method)
{
    if (ROUNDS && method != PAIRWISE) {
        struct pair p = two_sum(a.sum, b.sum);
        p.lost += a.lost + b.lost;
        return p;
    }
    struct pair p = {combine(a.sum, b.sum), 0};
    return p;
}

static __device__ __forceinline__ struct pair reduce_warp(struct pair p, unsigned lane,
                                                          unsigned lanes, int method)
{
    for (unsigned distance = warpSize / 2; distance > 0; distance /= 2) {
        struct pair other = {__shfl_down(p.sum, distance), __shfl_down(p.lost, distance)};
        if (lane + distance < lanes)
            p = merge(p, other, method);
    }
    return p;
}

/* Combines one pair of every thread of the block; thread 0 holds the result. */
static __device__ __forceinline__ struct pair reduce_block(struct pair p, struct pair *shared,
                                                           int method)
{
    unsigned size = (unsigned)warpSize;
    unsigned lane = threadIdx.x % size;
    unsigned warp = threadIdx.x / size;
    unsigned warps = (blockDim.x + size - 1) / size;
    /* The last warp has fewer lanes where the block is not a multiple of the warp. */
    unsigned lanes = warp + 1 < warps ? size : blockDim.x - warp * size;

    p = reduce_warp(p, lane, lanes, method);
    if (lane == 0)
        shared[warp] = p;
    __syncthreads();

    /* A block has at most 1024 threads, so never more warps than a warp has lanes. */
    if (warp == 0) {
        p.sum = lane < warps ? shared[lane].sum : IDENTITY;
        p.lost = lane < warps ? shared[lane].lost : 0;
        p = reduce_warp(p, lane, lanes, method);
    }
    return p;
}

/* Adds one element. */
static __device__ __forceinline__ struct pair add(struct pair p, value_t x, int method)
{
    if (ROUNDS && method != PAIRWISE)
        return method == KAHAN ? add_kahan(p, x) : add_neumaier(p, x);
    p.sum = combine(p.sum, x);
    return p;
}

/* A binary counter of sums: level k has that of 2^k runs, or nothing. A new one is combined with those of its size as
 * long as there is one, so that every element takes part in about log2(n) additions. */
#define LEVELS 6
#define RUN    2 /* tiles that are added one after the other, 16 additions */
struct counter {
    value_t level[LEVELS];
    unsigned tiles;
};

static __device__ __forceinline__ void count_run(struct counter *c, value_t sum)
{
    unsigned runs = c->tiles / RUN;
    bool carry = true;

#pragma unroll
    for (unsigned k = 0; k < LEVELS; k++) {
        if (carry && k < LEVELS - 1 && (runs >> k & 1)) {
            sum = combine(c->level[k], sum);
            c->level[k] = IDENTITY;
        } else if (carry) {
            c->level[k] = combine(c->level[k], sum); /* the last level takes all that come */
            carry = false;
        }
    }
}

/* The sums of all lanes together; they begin anew. */
static __device__ __forceinline__ struct pair take_lanes(struct pair p[LANES], int method)
{
    struct pair all = p[0];

    p[0] = {IDENTITY, 0};
#pragma unroll
    for (unsigned k = 1; k < LANES; k++) {
        all = merge(all, p[k], method);
        p[k] = {IDENTITY, 0};
    }
    return all;
}

/* After a tile: pairwise sums do not grow longer than a run. */
static __device__ __forceinline__ void end_tile(struct pair p[LANES], struct counter *c, int method)
{
    if (ROUNDS && method != PAIRWISE)
        return;
    if (c->tiles % RUN == RUN - 1)
        count_run(c, take_lanes(p, method).sum);
    c->tiles++;
}

/* Loads the vectors 0, apart, 2 apart ... of those from `from` on, of which `left` are left. */
static __device__ __forceinline__ void load_tile(vector_t v[LOADS], const vector_t *from,
                                                 size_t apart, size_t left)
{
    vector_t nothing;

    for (unsigned k = 0; k < LANES; k++)
        nothing.lane[k] = IDENTITY;
    nothing.all = whole_16(nothing.all);
#pragma unroll
    for (unsigned u = 0; u < LOADS; u++) { /* all loads before the first use */
        v[u] = nothing;
        if (u * apart < left)
            v[u].all = load_16(from + u * apart);
    }
    loads_first();
}

/* Each lane has a sum of its own. */
static __device__ __forceinline__ void add_vector(struct pair p[LANES], const vector_t *v,
                                                  int method)
{
#pragma unroll
    for (unsigned k = 0; k < LANES; k++)
        p[k] = add(p[k], v->lane[k], method);
}

/* Adds the vectors of thread `first` of `stride` threads. Elements before the first 16-byte boundary and after the last
 * one are for the first threads. */
static __device__ __forceinline__ struct pair add_vectors(const value_t *input, size_t n,
                                                          size_t first, size_t stride, int method)
{
    size_t head = min_size((16 - (size_t)input % 16) % 16 / sizeof(value_t), n);
    size_t vectors = (n - head) / LANES, edges = n - vectors * LANES;
    const vector_t *body = (const vector_t *)(input + head);
    size_t apart = stride, i = first;
    if (stride % warpSize == 0) { /* all that a warp loads at once lies side by side */
        apart = warpSize;
        i = first / warpSize * warpSize * LOADS + first % warpSize;
    }

    struct pair p[LANES];
    struct counter c = {{}, 0};
    vector_t v[LOADS];
#pragma unroll
    for (unsigned k = 0; k < LEVELS; k++)
        c.level[k] = IDENTITY;
#pragma unroll
    for (unsigned k = 0; k < LANES; k++)
        p[k] = {IDENTITY, 0};
    for (size_t e = first; e < edges; e += stride)
        p[0] = add(p[0], input[e < head ? e : n - edges + e], method);

    load_tile(v, body + i, apart, i < vectors ? vectors - i : 0);
    /* As soon as a vector is added, the one in its place in the next tile is on its way. */
    for (i += LOADS * stride; i + (LOADS - 1) * apart < vectors; i += LOADS * stride) {
#pragma unroll
        for (unsigned u = 0; u < LOADS; u++) {
            add_vector(p, &v[u], method);
            v[u].all = load_16(body + i + u * apart);
        }
        end_tile(p, &c, method);
    }
#pragma unroll
    for (unsigned u = 0; u < LOADS; u++)
        add_vector(p, &v[u], method);
    if (i < vectors) {
        end_tile(p, &c, method);
        load_tile(v, body + i, apart, vectors - i);
#pragma unroll
        for (unsigned u = 0; u < LOADS; u++)
            add_vector(p, &v[u], method);
    }

    struct pair all = take_lanes(p, method);
#pragma unroll
    for (unsigned k = 0; k < LEVELS; k++)
        if (!ROUNDS || method == PAIRWISE)
            all.sum = combine(c.level[k], all.sum);
    return all;
}

/* As in last_block; the partials are pairs, and what is left of them is a value. */
static __device__ __forceinline__ void reduce_input(const value_t *input, struct pair *partials,
                                                    value_t *result, unsigned *ticket, size_t n,
                                                    struct pair *shared, int method)
{
    __shared__ bool last;

    size_t stride = (size_t)gridDim.x * blockDim.x;
    size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    struct pair p = add_vectors(input, n, first, stride, method);

    p = reduce_block(p, shared, method);
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = p;
        __threadfence(); /* a block that sees the ticket taken sees the partial */
        last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
        __threadfence(); /* and what is read below is not older than the ticket */
    }
    __syncthreads();
    if (!last)
        return;

    p = {IDENTITY, 0};
    for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x)
        p = ROUNDS ? merge(p, partials[b], method) : add(p, partials[b].sum, method);
    p = reduce_block(p, shared, method);
    if (threadIdx.x == 0)
        *result = value_of(p);
}

#if ROUNDS
__global__ void LAUNCH_BOUNDS(1024) reduce_kahan(const value_t *input, struct pair *partials,
                                                 value_t *result, unsigned *ticket, size_t n)
{
    extern __shared__ struct pair shared[];
    reduce_input(input, partials, result, ticket, n, shared, KAHAN);
}

__global__ void LAUNCH_BOUNDS(1024) reduce_neumaier(const value_t *input, struct pair *partials,
                                                    value_t *result, unsigned *ticket, size_t n)
{
    extern __shared__ struct pair shared[];
    reduce_input(input, partials, result, ticket, n, shared, NEUMAIER);
}
#endif

__global__ void LAUNCH_BOUNDS(1024) reduce_pairwise(const value_t *input, struct pair *partials,
                                                    value_t *result, unsigned *ticket, size_t n)
{
    extern __shared__ struct pair shared[];
    reduce_input(input, partials, result, ticket, n, shared, PAIRWISE);
}

static bool is_pairwise(const struct reduction *r)
{
    return !ROUNDS || r->option[METHOD] == PAIRWISE;
}

/* Additions on the longest path through one thread's elements. */
static size_t chain_of_thread(const struct reduction *r, size_t threads)
{
    size_t edges = ceil_div(2 * (LANES - 1), threads), round = threads * LOADS;
    size_t apart = threads % r->warp_size == 0 ? r->warp_size : threads;
    size_t vectors =
        r->n / LANES / round * LOADS + min_size(ceil_div(r->n / LANES % round, apart), LOADS);
    size_t tiles = ceil_div(vectors, LOADS), top = (size_t)RUN << (LEVELS - 1);

    if (!is_pairwise(r))
        return vectors + edges + tree_depth(LANES);
    size_t levels = min_size(tree_depth(tiles / RUN + 1), LEVELS);
    return min_size(vectors, RUN * LOADS) + edges + tree_depth(LANES) + 2 * levels + tiles / top;
}

static void plan(struct reduction *r)
{
    if (r->block == 0)
        r->block = 512;
    if (r->grid ==
        0) /* half as many blocks as can be resident at once: a thread has 128 bytes in flight */
        r->grid = (unsigned)ceil_div(grid_to_fill(r, ceil_div(r->n, (size_t)r->block * LANES)), 2);

    r->workspace_bytes = r->grid * sizeof(struct pair) + sizeof(value_t) + sizeof(unsigned);
    r->host_bytes = sizeof(value_t);
    /* Blocks without a vector or an edge leave IDENTITY. */
    size_t busy = min_size(r->grid, ceil_div(r->n / LANES + 2 * LANES, r->block));
    r->chain = chain_of_thread(r, (size_t)r->grid * r->block) + tree_depth(r->block) +
               ceil_div(busy, r->block) + tree_depth(r->block);
    r->launches = 1;
}

/* Where launch() leaves the result. */
static const value_t *device_result(const struct reduction *r)
{
    return (const value_t *)((const struct pair *)r->workspace + r->grid);
}

static void launch(const struct reduction *r, const value_t *input)
{
    struct pair *partials = (struct pair *)r->workspace;
    value_t *result = (value_t *)(partials + r->grid);
    unsigned *ticket = (unsigned *)(result + 1);
    size_t shared_bytes = ceil_div(r->block, r->warp_size) * sizeof(struct pair);

    if (is_pairwise(r))
        reduce_pairwise<<<r->grid, r->block, shared_bytes, r->stream>>>(input, partials, result,
                                                                        ticket, r->n);
#if ROUNDS
    else if (r->option[METHOD] == KAHAN)
        reduce_kahan<<<r->grid, r->block, shared_bytes, r->stream>>>(input, partials, result,
                                                                     ticket, r->n);
    else
        reduce_neumaier<<<r->grid, r->block, shared_bytes, r->stream>>>(input, partials, result,
                                                                        ticket, r->n);
#endif
    HIP_CHECK_LAUNCH();
}

static value_t finish(const struct reduction *r)
{
    value_t *result = host_values(r);

    HIP_CHECK(hipMemcpyAsync(result, device_result(r), sizeof(value_t), hipMemcpyDeviceToHost,
                             r->stream));
    HIP_CHECK(hipStreamSynchronize(r->stream));
    return *result;
}

/* A bound of its own, in place of chain x u x sum |x|; README.md says where it comes from. */
static void prepare(const struct reduction *r, const struct input_view *in,
                    struct reference *expected)
{
    double u = sizeof(value_t) == 4 ? 0x1p-24 : 0x1p-53, k = (double)r->chain + 8;

    if (in == NULL || is_pairwise(r))
        return;
    expected->of_sum = u; /* of |sum| */
    expected->of_magnitude =
        2 * k * k * u * u + (r->option[METHOD] == KAHAN ? 2 * u : 0); /* of sum |x| */
}

VARIANT = {
    .options = options,
    .plan = plan,
    .launch = launch,
    .finish = finish,
    .device_result = device_result,
    .prepare = prepare,
};
