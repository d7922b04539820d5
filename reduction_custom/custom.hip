/* Custom reductions: an operation of your own.
 *
 * Study    170
 * Idea     A reduction is a struct, its value for no element and for one element, and merge(). Write these
 *          for your own operation; the kernels stay as they are.
 * Compare  diff -u ../reduction_two_kernel_calls/two_kernel_calls.hip custom.hip
 * Try      ./reduction_custom --example subtract # exit code 1
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"
#include "prelude.h"
#include "streaming.h"

enum { EXAMPLE }; /* index into r->option[] */
enum { ARGMAX, DOT, LOGSUMEXP, SUBTRACT };
static const struct variant_option options[] = {
    {"example", "argmax|dot|logsumexp|subtract", ARGMAX, 0, 0,
     "the operation, instead of --op; subtract is wrong on purpose"},
    VARIANT_OPTIONS_END,
};

#define NOWHERE SIZE_MAX /* the index of the largest of no elements */
/* Elements that a thread loads before it uses the first. */
#define TILE (VALUE_TYPE == TYPE_LONG ? TILE_LONG : 8)

/* The result for some of the elements; an example uses two of the fields at most. */
struct state {
    size_t index;  /* argmax: where the largest is */
    value_t value; /* argmax, logsumexp: the largest; dot, subtract: the result */
    double sum;    /* logsumexp: of exp(x - largest) */
};

/* ---- argmax: the largest element, and where the first such one is ------------------------------ */

/* NaN comes before all numbers, +0 before -0, and of equal values the first. */
static __host__ __device__ bool is_before(struct state a, struct state b)
{
    if (a.value > b.value || a.value < b.value)
        return a.value > b.value;
#if IS_FLOATING(VALUE_TYPE)
    if (isnan(a.value) || isnan(b.value))
        return isnan(a.value) && (!isnan(b.value) || a.index < b.index);
    if (signbit(a.value) != signbit(b.value)) /* zeros */
        return signbit(b.value);
#endif
    return a.index < b.index;
}

static __device__ struct state merge_argmax(struct state a, struct state b)
{
    return is_before(a, b) ? a : b;
}

/* ---- dot: the sum of x[i] * y[i] --------------------------------------------------------------- */

static __device__ value_t product(value_t a, value_t b)
{
#if IS_FLOATING(VALUE_TYPE)
    return a * b;
#else
    return (value_t)((bits_t)a * (bits_t)b); /* wraps */
#endif
}

static __device__ struct state merge_dot(struct state a, struct state b)
{
    a.value = value_sum(a.value, b.value);
    return a;
}

/* ---- logsumexp: log(exp(x[0]) + exp(x[1]) + ...), where no exp() may overflow ----------------- */

/* Only the smaller one is rescaled, because exp() of a value that is not positive is at most 1. */
static __device__ struct state merge_logsumexp(struct state a, struct state b)
{
    struct state large = a.value > b.value ? a : b, small = a.value > b.value ? b : a;
    bool equal = a.value == b.value; /* also where both are infinite */
    double scale = equal ? 1 : exp_double_below_0((double)small.value - (double)large.value);

    a.value = value_extreme(a.value, b.value, false); /* propagates NaN */
    a.sum = large.sum + small.sum * scale;
    return a;
}

/* ---- subtract: x[0] - x[1] - x[2] ... is no reduction ------------------------------------------ */

/* (a - b) - c is not a - (b - c), and 0 - a is not a. */
static __device__ struct state merge_subtract(struct state a, struct state b)
{
    a.value = value_sum(a.value, product(b.value, (value_t)-1));
    return a;
}

/* ---- one of them ------------------------------------------------------------------------------- */

/* Of no element. */
static __device__ struct state nothing(int example)
{
    bool largest = example == ARGMAX || example == LOGSUMEXP;
    struct state s = {NOWHERE, largest ? LOWEST : (value_t)0, 0};
    return s;
}

/* Of element i. Only the dot product uses y. */
static __device__ struct state of_element(value_t x, value_t y, size_t i, int example)
{
    struct state s = {i, example == DOT ? product(x, y) : x, 1};
    return s;
}

static __device__ struct state merge(struct state a, struct state b, int example)
{
    switch (example) {
    case ARGMAX:
        return merge_argmax(a, b);
    case DOT:
        return merge_dot(a, b);
    case LOGSUMEXP:
        return merge_logsumexp(a, b);
    default:
        return merge_subtract(a, b);
    }
}

/* Combines one struct of every thread of the block into shared[0]. Any block size: where the number of
 * structs is odd, the one in the middle waits for the next step. */
static __device__ void reduce_block(struct state value, struct state *shared, int example)
{
    unsigned tid = threadIdx.x;

    shared[tid] = value;
    __syncthreads();
    for (unsigned count = blockDim.x; count > 1;) {
        unsigned half = (count + 1) / 2;
        if (tid + half < count)
            shared[tid] = merge(shared[tid], shared[tid + half], example);
        __syncthreads();
        count = half;
    }
}

/* One thread's share: every `stride`-th element from number i on. TILE of them are loaded before the first is used. */
static __device__ __forceinline__ struct state reduce_share(const value_t *x, const value_t *y,
                                                            size_t i, size_t stride, size_t n,
                                                            int example, bool streaming)
{
    struct state value = nothing(example);
    for (; i + (TILE - 1) * stride < n; i += TILE * stride) {
        value_t of_x[TILE], of_y[TILE];
#pragma unroll
        for (unsigned u = 0; u < TILE; u++) {
            of_x[u] = load_element(x + i + u * stride, streaming);
            of_y[u] = example == DOT ? load_element(y + i + u * stride, streaming) : 0;
        }
        loads_first();
#pragma unroll
        for (unsigned u = 0; u < TILE; u++)
            value = merge(value, of_element(of_x[u], of_y[u], i + u * stride, example), example);
    }
    for (; i < n; i += stride)
        value = merge(value, of_element(x[i], example == DOT ? y[i] : 0, i, example), example);
    return value;
}

/* The first kernel. In each case the compiler knows the example. */
static __device__ __forceinline__ void reduce_examples(const value_t *x, const value_t *y,
                                                       struct state *partials, size_t n,
                                                       int example, bool streaming)
{
    extern __shared__ struct state shared[];

    size_t stride = (size_t)gridDim.x * blockDim.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    struct state value;
    switch (example) {
    case ARGMAX:
        value = reduce_share(x, y, i, stride, n, ARGMAX, streaming);
        break;
    case DOT:
        value = reduce_share(x, y, i, stride, n, DOT, streaming);
        break;
    case LOGSUMEXP:
        value = reduce_share(x, y, i, stride, n, LOGSUMEXP, streaming);
        break;
    default:
        value = reduce_share(x, y, i, stride, n, SUBTRACT, streaming);
    }

    reduce_block(value, shared, example);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = shared[0];
}

__global__ void reduce_blocks(const value_t *x, const value_t *y, struct state *partials, size_t n,
                              int example)
{
    reduce_examples(x, y, partials, n, example, false);
}

#if defined(HAS_STREAMING)
__global__ void reduce_blocks_streaming(const value_t *x, const value_t *y, struct state *partials,
                                        size_t n, int example)
{
    reduce_examples(x, y, partials, n, example, true);
}
#else
#define reduce_blocks_streaming reduce_blocks
#endif

/* The second kernel: its input consists of structs. */
__global__ void reduce_partials(const struct state *partials, struct state *result, size_t count,
                                int example)
{
    extern __shared__ struct state shared[];

    struct state value = nothing(example);
    for (size_t i = threadIdx.x; i < count; i += blockDim.x)
        value = merge(value, partials[i], example);

    reduce_block(value, shared, example);
    if (threadIdx.x == 0)
        *result = shared[0];
}

/* The dot product is that of the first half of the input with the second; of an odd number of elements
 * the last one is left out. */
static size_t element_count(const struct reduction *r)
{
    return r->option[EXAMPLE] == DOT ? r->n / 2 : r->n;
}

static void plan(struct reduction *r)
{
    size_t count = element_count(r);

    if (r->block == 0)
        r->block = 256;
    if (r->grid == 0) /* as many blocks as can be resident at once, if there is work for them */
        r->grid = grid_to_fill(r, ceil_div(count, r->block));

    r->workspace_bytes = (r->grid + 1) * sizeof(struct state);
    r->host_bytes = sizeof(struct state);
    r->chain = ceil_div(count, (size_t)r->grid * r->block) + tree_depth(r->block) +
               ceil_div(busy_blocks(r), r->block) + tree_depth(r->block) +
               (r->option[EXAMPLE] == DOT);
    r->launches = 2;
}

static void launch(const struct reduction *r, const value_t *input)
{
    struct state *partials = (struct state *)r->workspace;
    struct state *result = partials + r->grid;
    size_t shared_bytes = r->block * sizeof(struct state);
    int example = (int)r->option[EXAMPLE];

    if (streaming_pays(r->n * sizeof(value_t)))
        reduce_blocks_streaming<<<r->grid, r->block, shared_bytes, r->stream>>>(
            input, input + r->n / 2, partials, element_count(r), example);
    else
        reduce_blocks<<<r->grid, r->block, shared_bytes, r->stream>>>(
            input, input + r->n / 2, partials, element_count(r), example);
    HIP_CHECK_LAUNCH();
    reduce_partials<<<1, r->block, shared_bytes, r->stream>>>(partials, result, r->grid, example);
    HIP_CHECK_LAUNCH();
}

/* Where launch() leaves the struct, and the value in it. */
static const struct state *device_state(const struct reduction *r)
{
    return (const struct state *)r->workspace + r->grid;
}

static const value_t *device_result(const struct reduction *r)
{
    return &device_state(r)->value;
}

/* The value; the rest of the struct is for extras(). */
static value_t finish(const struct reduction *r)
{
    struct state *result = (struct state *)r->host;

    HIP_CHECK(hipMemcpyAsync(result, device_state(r), sizeof(struct state), hipMemcpyDeviceToHost,
                             r->stream));
    HIP_CHECK(hipStreamSynchronize(r->stream));
    return result->value;
}

#include "reference.h"

static void prepare(const struct reduction *r, const struct input_view *in,
                    struct reference *expected)
{
    switch (r->option[EXAMPLE]) {
    case DOT:
        *expected = true_dot(in);
        break;
    case SUBTRACT:
        *expected = true_difference(in);
        break;
    default:
        *expected = reference_of_input(in, OP_MAX, 0, in->n);
    }
}

static size_t extras(const struct reduction *r, const struct input_view *in, struct extra *out)
{
    const struct state *s = (const struct state *)r->host;

    if (r->option[EXAMPLE] == ARGMAX) {
        double index = s->index == NOWHERE ? -1 : (double)s->index;
        out[0] = extra_check("index", index, true_index(in), 0);
        return 1;
    }
    if (r->option[EXAMPLE] == LOGSUMEXP) {
        double largest = in->n == 0 ? -INFINITY : (double)s->value;
        out[0] = check_logsumexp(largest + log(s->sum), in, r->chain);
        return 1;
    }
    return 0;
}

VARIANT = {
    .options = options,
    .plan = plan,
    .launch = launch,
    .finish = finish,
    .device_result = device_result,
    .prepare = prepare,
    .extras = extras,
    .own_operation = true,
};
