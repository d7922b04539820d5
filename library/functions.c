/* Functions of a whole array, each computed by one variant's kernels.
 * SPDX-License-Identifier: MIT */
#include "functions.h"
#include "function.h"

#include <stdint.h>
#include <string.h>

/* The variants, compiled for the library. magnitudes is single_pass with a different combine(). */
const struct variant *lr_single_pass(void);
const struct variant *lr_magnitudes(void);
const struct variant *lr_reproducible(void);

/* A row for each: its variant, operation and types; and the function that has narrow and complex elements, or NONE. */
enum { NONE = -1 };
static const struct {
    const struct variant *(*variant)(void);
    int op;
    unsigned types;
    int others;
} rows[] = {
    [FUNCTION_SUM] = {lr_single_pass, OP_SUM, TYPES_WIDE, LR_OP_SUM},
    [FUNCTION_MIN] = {lr_single_pass, OP_MIN, TYPES_WIDE, LR_OP_MIN},
    [FUNCTION_MAX] = {lr_single_pass, OP_MAX, TYPES_WIDE, LR_OP_MAX},
    [FUNCTION_ASUM] = {lr_magnitudes, OP_SUM, TYPES_FLOATING, LR_OP_ASUM},
    [FUNCTION_TREE] = {lr_reproducible, OP_SUM, TYPES_ALL, NONE},
    [FUNCTION_BINNED] = {lr_reproducible, OP_SUM, TYPES_FLOATING | TYPES_NARROW, NONE},
};
_Static_assert(sizeof rows / sizeof *rows == FUNCTION_COUNT, "a function of handle.h has no row here");

static const struct variant_entry *entry_of(int function, int type)
{
    return &rows[function].variant()->entry[type][rows[function].op];
}

static bool has_type(int function, int type) { return rows[function].types >> type & 1; }

static void plan(struct lr_handle *h, int function, int type, int place, size_t n)
{
    struct reduction *r = &h->plan[function][type][place];
    const struct variant *v = rows[function].variant();
    void *planned = r->planned;

    *r = handle_reduction(h, n);
    r->planned = planned;
    r->overlap = r->overlap && place == ON_DEVICE; /* if the host waits, no later launch can overlap */
    r->workspace = h->workspace;
    r->host = h->host;
    r->host_on_device = h->host_on_device;
    variant_options_default(v, r);
    bool known = variant_option_set(v, r, "result", place == ON_HOST ? "host" : "device");
    if (function == FUNCTION_BINNED)
        known = known && variant_option_set(v, r, "method", "binned");
    HIP_CHECK(known ? hipSuccess : hipErrorUnknown);
    entry_of(function, type)->plan(r);
    if (r->workspace_bytes > h->workspace_bytes || r->host_bytes > HOST_BYTES)
        HIP_CHECK(hipErrorOutOfMemory);
    if (errors_first() != hipSuccess)
        r->n = SIZE_MAX; /* no array has so many elements: the next call plans again */
}

void functions_plan(struct lr_handle *h)
{
    for (int function = 0; function < FUNCTION_COUNT; function++)
        for (int type = 0; type < TYPE_ALL; type++)
            for (int place = 0; place < PLACE_COUNT && has_type(function, type); place++)
                plan(h, function, type, place, 0);
}

void functions_release(struct lr_handle *h)
{
    for (int function = 0; function < FUNCTION_COUNT; function++)
        for (int type = 0; type < TYPE_ALL; type++)
            for (int place = 0; place < PLACE_COUNT && has_type(function, type); place++)
                entry_of(function, type)->release(&h->plan[function][type][place]);
}

/* place: ON_DEVICE: the kernel writes the value to result; ON_HOST: waits, and stores it to result. */
static int reduce(struct lr_handle *h, int function, int type, int place, const void *x, size_t n, void *result,
                  lr_stream stream)
{
    if (rows[function].others != NONE && (type == LR_HALF || type == LR_BFLOAT16 || type >= LR_COMPLEX_FLOAT))
        return lr_narrow_reduce(h, rows[function].others, type, place, x, n, result, stream);
    size_t size = value_bytes(type);
    const struct span spans[] = {READ(x, n, element_bytes(type)), WRITTEN(result, 1, size, place), {0}};
    int status = check_call(h, type, rows[function].types, spans);

    if (status == LR_OK)
        status = handle_begin(h, spans, stream);
    if (status != LR_OK)
        return status;

    const struct variant_entry *e = entry_of(function, type);
    struct reduction *r = &h->plan[function][type][place];
    if (r->n != n)
        plan(h, function, type, place, n);
    r->stream = h->stream;
    r->result = place == ON_HOST ? NULL : result;
    r->input_ready = h->input_ready;
    if (errors_first() == hipSuccess)
        e->launch(r, x);
    if (place == ON_HOST && errors_first() == hipSuccess) {
        union {
            double d;
            int64_t l;
        } value; /* aligned; *result may not be */
        e->finish(r, &value);
        if (errors_first() == hipSuccess)
            memcpy(result, &value, size);
    }
    return handle_end(h);
}

#define FUNCTION(name, function)                                                                                       \
    int lr_##name(lr_handle *h, int type, const void *x, size_t n, void *result, lr_stream stream)                     \
    {                                                                                                                  \
        return reduce(h, function, type, ON_DEVICE, x, n, result, stream);                                             \
    }                                                                                                                  \
    int lr_##name##_value(lr_handle *h, int type, const void *x, size_t n, void *value, lr_stream stream)              \
    {                                                                                                                  \
        return reduce(h, function, type, ON_HOST, x, n, value, stream);                                                \
    }

FUNCTION(sum, FUNCTION_SUM)
FUNCTION(min, FUNCTION_MIN)
FUNCTION(max, FUNCTION_MAX)
FUNCTION(asum, FUNCTION_ASUM)
FUNCTION(sum_tree, FUNCTION_TREE)
FUNCTION(sum_binned, FUNCTION_BINNED)
