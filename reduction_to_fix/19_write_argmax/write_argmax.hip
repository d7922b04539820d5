/* Exercise 19: a blank page. Write argmax.
 *
 * Task     Where is the largest element? A reduction over pairs: a value, and where it is. Of equal values the
 *          first one counts, however the elements are spread over threads and blocks.
 * Test     elements that are all equal, all negative, all LOWEST; --op min asks for the smallest; no elements at all
 * Leave    plan(), launch() and finish() as they are
 * Try      make EX=19 && make EX=19 check   (in reduction_to_fix)
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"

static const struct variant_option options[] = {VARIANT_OPTIONS_END};

#define NOWHERE SIZE_MAX /* the index of none of the elements */

struct place {
    value_t value;
    size_t index;
};

/* Whether value a is in front of value b: larger, or for --op min smaller. */
static __host__ __device__ bool is_beyond(value_t a, value_t b)
{
    return OPERATION == OP_MIN ? a < b : a > b;
}

/* The place of the best of the block's elements in places[blockIdx.x]; of none {any value, NOWHERE}. `shared` has room
 * for one place of each thread. */
__global__ void find_best(const value_t *input, struct place *places, size_t n)
{
    HIP_DYNAMIC_SHARED(struct place, shared);

    (void)input;
    (void)places;
    (void)n;
    (void)shared;
}

static void plan(struct reduction *r)
{
    if (r->block == 0)
        r->block = 256;
    if (r->grid == 0) /* as many blocks as can be resident at once, if there is work for them */
        r->grid = grid_to_fill(r, ceil_div(r->n, r->block));

    r->workspace_bytes = r->grid * sizeof(struct place);
    r->host_bytes = r->grid * sizeof(struct place);
    r->launches = 1;
}

static void launch(const struct reduction *r, const value_t *input)
{
    hipLaunchKernelGGL(find_best, dim3(r->grid), dim3(r->block), r->block * sizeof(struct place),
                       r->stream, input, (struct place *)r->workspace, r->n);
    HIP_CHECK_LAUNCH();
}

/* The index, as a value_t; -1 where there are no elements. */
static value_t finish(const struct reduction *r)
{
    const struct place *places = (const struct place *)r->host;
    struct place best = {0, NOWHERE};

    HIP_CHECK(hipMemcpyAsync(r->host, r->workspace, r->grid * sizeof(struct place),
                             hipMemcpyDeviceToHost, r->stream));
    HIP_CHECK(hipStreamSynchronize(r->stream));
    for (unsigned block = 0; block < r->grid; block++) {
        struct place p = places[block];
        bool first = p.value == best.value && p.index < best.index;
        if (p.index != NOWHERE &&
            (best.index == NOWHERE || is_beyond(p.value, best.value) || first))
            best = p;
    }
    return best.index == NOWHERE ? (value_t)-1 : (value_t)best.index;
}

/* What the program compares with. */
static void prepare(const struct reduction *, const struct input_view *in,
                    struct reference *expected)
{
    size_t at = 0;

    if (in == NULL)
        return;
    for (size_t i = 1; i < in->n; i++)
        if (is_beyond(input_at(in, i), input_at(in, at)))
            at = i;
    value_t index = in->n > 0 ? (value_t)at : (value_t)-1;
    *expected = reference_of_array(in->type, OP_MAX, &index, 1, NULL);
}

VARIANT = {
    .options = options,
    .plan = plan,
    .launch = launch,
    .finish = finish,
    .prepare = prepare,
};
