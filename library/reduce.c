/* Calls of the functions of table.c: their checks, and which kernels they start.
 * SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <string.h>

#include "function.h"
#include "handle.h"
#include "rows.h"

#define MOST_ELEMENTS ((size_t)1 << 48)

/* a * b, or MOST_ELEMENTS if that is more. */
static size_t times(size_t a, size_t b) { return a > 0 && b > MOST_ELEMENTS / a ? MOST_ELEMENTS : a * b; }

/* How many elements of an array there are up to the last one of all lines. */
static size_t extent(const struct lr_lines *l, size_t lead, size_t step)
{
    size_t batches = l->batch > 0 ? l->lines / l->batch : 1;
    size_t side = l->batch > 0 ? l->batch : l->lines;

    if (l->lines == 0 || l->length == 0)
        return 0;
    if (l->offsets != NULL)
        return times(l->length - 1, step) + (l->batch > 0 ? times(side - 1, lead) : 0) + 1;
    return times(batches - 1, l->batch_lead) + times(side - 1, lead) + times(l->length - 1, step) + 1;
}

static int check_shape(const struct function *f, const struct lr_lines *l)
{
    if (l->step == 0 || (f->uses_y && l->y_step == 0))
        return LR_SHAPE;
    if (l->offsets != NULL && l->offset_type != LR_INT32 && l->offset_type != LR_INT64)
        return LR_TYPE;
    if (l->batch > 0 && (l->lines % l->batch != 0 || f->uses_y))
        return LR_SHAPE;
    if (l->length_at != NULL && l->offsets != NULL)
        return LR_SHAPE;
    return l->lines >= MOST_ELEMENTS ? LR_TOO_LARGE : LR_OK;
}

/* Starts the kernels for `count` lines from the first one on. */
static void start(struct lr_handle *h, int function, int type, const void *x, const void *y, const struct lr_lines *l,
                  size_t first, size_t count, void *results, int64_t *indices)
{
    const struct function *f = lr_function(function);
    const struct kernels *k = &f->kernels()[type];
    struct call c = {.r = handle_reduction(h, l->length), .x = x, .y = y, .index = indices, .function = function};

    c.r.result = results;
    c.lines = *l;
    c.first = first;
    c.count = count;
    if (k->all != NULL && is_whole_array(l) && (!f->uses_y || l->y_step == 1)) {
        c.r.workspace = h->workspace;
        k->all(&c);
        return;
    }
    c.r.overlap = false;
    c.tickets = (unsigned *)(void *)h->matrix;
    c.partials = h->matrix + KEPT_BYTES(h->compute_units);
    k->lines(&c);
}

int lr_function_reduce(struct lr_handle *h, int function, int type, int place, const void *x, const void *y,
                       const struct lr_lines *l, void *results, int64_t *indices, lr_stream stream)
{
    const struct function *f = lr_function(function);

    if (h == NULL || l == NULL)
        return LR_NULL;
    if (lr_result_type(function, type) < 0)
        return LR_TYPE;
    int shape = check_shape(f, l);
    size_t bytes = f->kernels()[type].result_bytes, size = element_bytes(type);
    size_t offset_bytes = l->offset_type == LR_INT32 ? 4 : 8, alignment = bytes > 8 ? 8 : bytes;
    size_t segments = l->batch > 0 ? l->lines / l->batch : l->lines;
    bool wanted = results != NULL || !f->finds || indices == NULL;
    const struct span spans[] = {READ(x, extent(l, l->lead, l->step), size),
                                 READ(y, f->uses_y ? extent(l, l->y_lead, l->y_step) : 0, size),
                                 READ(l->offsets, l->offsets != NULL && l->lines > 0 ? segments + 1 : 0, offset_bytes),
                                 READ(l->length_at, l->length_at != NULL, sizeof *l->length_at),
                                 {results, wanted ? l->lines : 0, bytes, place == ON_HOST ? 1 : alignment, true},
                                 WRITTEN(indices, indices != NULL ? l->lines : 0, sizeof *indices, place),
                                 {0}};
    if (shape != LR_OK)
        return shape;
    if (indices != NULL && !f->finds)
        return LR_TYPE;
    int status = check_call(h, type, ~0u, spans);
    if (status != LR_OK || l->lines == 0)
        return status;
    status = handle_begin(h, spans, stream);
    if (place == ON_DEVICE) {
        if (status == LR_OK) {
            start(h, function, type, x, y, l, 0, l->lines, results, indices);
            status = handle_end(h);
        }
        return status;
    }
    /* In batches that fit h->host: results, and behind them indices. */
    size_t most = HOST_BYTES / (bytes + sizeof *indices) / 8 * 8;
    int64_t *there = (int64_t *)((char *)h->host + most * bytes);
    int64_t *on_device = (int64_t *)((char *)h->host_on_device + most * bytes);
    for (size_t first = 0; status == LR_OK && first < l->lines; first += most) {
        size_t count = min_size(l->lines - first, most);
        if (first > 0)
            status = handle_begin(h, NULL, stream);
        if (status != LR_OK)
            break;
        start(h, function, type, x, y, l, first, count, results != NULL ? h->host_on_device : NULL,
              indices != NULL ? on_device : NULL);
        status = errors_first() == hipSuccess ? handle_wait(h) : handle_end(h);
        if (status == LR_OK && results != NULL)
            memcpy((char *)results + first * bytes, h->host, count * bytes);
        if (status == LR_OK && indices != NULL)
            memcpy((char *)indices + first * sizeof *indices, there, count * sizeof *indices);
    }
    return status;
}

/* ---- functions of the header, for an array as a whole ---- */

static int whole(struct lr_handle *h, int function, int type, int place, const void *x, const void *y, size_t n,
                 void *result, int64_t *index, lr_stream stream)
{
    const struct lr_lines l = {.lines = 1, .length = n, .step = 1, .y_step = 1};

    if (h == NULL || (lr_finds(function) && index == NULL))
        return h != NULL && lr_result_type(function, type) < 0 ? LR_TYPE : LR_NULL;
    return type > LR_BFLOAT16 && type < LR_COMPLEX_FLOAT
               ? LR_TYPE
               : lr_function_reduce(h, function, type, place, x, y, &l, result, index, stream);
}

/* half and bfloat16, which single_pass does not take. */
int lr_narrow_reduce(struct lr_handle *h, int function, int type, int place, const void *x, size_t n, void *result,
                     lr_stream stream)
{
    return whole(h, function, type, place, x, NULL, n, result, NULL, stream);
}

static int dots(struct lr_handle *h, int type, int place, const void *x, size_t vectors, size_t lead, const void *y,
                size_t n, void *results, lr_stream stream)
{
    const struct lr_lines l = {.lines = vectors, .length = n, .lead = lead, .step = 1, .y_lead = 0, .y_step = 1};

    return type > LR_BFLOAT16 && type < LR_COMPLEX_FLOAT
               ? LR_TYPE
               : lr_function_reduce(h, LR_OP_DOT, type, place, x, y, &l, results, NULL, stream);
}

int lr_dots(lr_handle *h, int type, const void *x, size_t vectors, size_t lead, const void *y, size_t n, void *results,
            lr_stream stream)
{
    return dots(h, type, ON_DEVICE, x, vectors, lead, y, n, results, stream);
}

int lr_dots_value(lr_handle *h, int type, const void *x, size_t vectors, size_t lead, const void *y, size_t n,
                  void *values, lr_stream stream)
{
    return dots(h, type, ON_HOST, x, vectors, lead, y, n, values, stream);
}

#define BOTH(FUNCTION, name, function)                                                                                 \
    FUNCTION(lr_##name, function, ON_DEVICE) FUNCTION(lr_##name##_value, function, ON_HOST)

#define PRODUCT(name, function, place)                                                                                 \
    int name(lr_handle *h, int type, const void *x, const void *y, size_t n, void *result, lr_stream stream)           \
    {                                                                                                                  \
        return whole(h, function, type, place, x, y, n, result, NULL, stream);                                         \
    }
#define NORM(name, function, place)                                                                                    \
    int name(lr_handle *h, int type, const void *x, size_t n, void *result, lr_stream stream)                          \
    {                                                                                                                  \
        return whole(h, function, type, place, x, NULL, n, result, NULL, stream);                                      \
    }
#define EXTREME(name, function, place)                                                                                 \
    int name(lr_handle *h, int type, const void *x, size_t n, void *result, int64_t *index, lr_stream stream)          \
    {                                                                                                                  \
        return whole(h, function, type, place, x, NULL, n, result, index, stream);                                     \
    }
#define MOMENTS(name, function, place)                                                                                 \
    int name(lr_handle *h, int type, const void *x, size_t n, struct lr_moments_t *result, lr_stream stream)           \
    {                                                                                                                  \
        return whole(h, function, type, place, x, NULL, n, result, NULL, stream);                                      \
    }

BOTH(PRODUCT, dot, LR_OP_DOT)
BOTH(NORM, nrm2, LR_OP_NRM2)
BOTH(EXTREME, argmin, LR_OP_ARGMIN)
BOTH(EXTREME, argmax, LR_OP_ARGMAX)
BOTH(MOMENTS, moments, LR_OP_MOMENTS)
