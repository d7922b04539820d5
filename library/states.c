/* dot, nrm2, argmin, argmax, moments; for half and bfloat16, all functions of one array.
 * SPDX-License-Identifier: MIT */
#include "states.h"

#include <stdint.h>
#include <string.h>

#include "handle.h"

/* Where the kernel writes if the results are wanted on the host. */
struct arrived {
    int64_t index;
    union {
        double d;
        int64_t l;
        struct lr_moments_t moments;
    } value;
};

int lr_states_reduce(struct lr_handle *h, int function, int type, int place, const void *x,
                     const void *y, size_t n, void *result, int64_t *index, void *stream)
{
    bool finds = function == STATES_ARGMIN || function == STATES_ARGMAX;
    bool moments = function == STATES_MOMENTS;
    size_t size = element_bytes(type);
    size_t bytes = moments ? sizeof(struct lr_moments_t) : value_bytes(type);
    size_t alignment = place == ON_HOST ? 1 : moments ? sizeof(double) : bytes;
    const struct span value = {result, 1, bytes, alignment, true};
    const struct span spans[] = {READ(x, n, size),
                                 READ(y, function == STATES_DOT ? n : 0, size),
                                 finds ? (struct span)WRITTEN(index, 1, sizeof *index, place)
                                       : value,
                                 finds && result != NULL ? value : (struct span){0},
                                 {0}};
    unsigned types = TYPES_NARROW | (function == STATES_NRM2 ? TYPES_FLOATING : TYPES_WIDE);
    int status = check_call(h, type, types, spans);

    if (status == LR_OK)
        status = handle_begin(h, stream);
    if (status != LR_OK)
        return status;
    struct arrived *there = h->host, *on_device = h->host_on_device;
    struct states r = {.r = handle_reduction(h, n), .x = x, .y = y};
    r.r.workspace = h->workspace;
    r.r.result = place == ON_HOST ? &on_device->value : result;
    r.index = place == ON_HOST ? &on_device->index : index;
    lr_states(function, type)(&r);
    if (place == ON_DEVICE || errors_first() != hipSuccess)
        return handle_end(h);
    status = handle_wait(h);
    if (status == LR_OK && result != NULL)
        memcpy(result, &there->value, bytes);
    if (status == LR_OK && finds)
        memcpy(index, &there->index, sizeof *index);
    return status;
}

#define BOTH(FUNCTION, name, function)                                                             \
    FUNCTION(lr_##name, function, ON_DEVICE) FUNCTION(lr_##name##_value, function, ON_HOST)

#define PRODUCT(name, function, place)                                                             \
    int name(lr_handle *h, int type, const void *x, const void *y, size_t n, void *result,         \
             lr_stream stream)                                                                     \
    {                                                                                              \
        return lr_states_reduce(h, function, type, place, x, y, n, result, NULL, stream);          \
    }
#define NORM(name, function, place)                                                                \
    int name(lr_handle *h, int type, const void *x, size_t n, void *result, lr_stream stream)      \
    {                                                                                              \
        return lr_states_reduce(h, function, type, place, x, NULL, n, result, NULL, stream);       \
    }
#define EXTREME(name, function, place)                                                             \
    int name(lr_handle *h, int type, const void *x, size_t n, void *result, int64_t *index,        \
             lr_stream stream)                                                                     \
    {                                                                                              \
        return lr_states_reduce(h, function, type, place, x, NULL, n, result, index, stream);      \
    }
#define MOMENTS(name, function, place)                                                             \
    int name(lr_handle *h, int type, const void *x, size_t n, struct lr_moments_t *result,         \
             lr_stream stream)                                                                     \
    {                                                                                              \
        return lr_states_reduce(h, function, type, place, x, NULL, n, result, NULL, stream);       \
    }

BOTH(PRODUCT, dot, STATES_DOT)
BOTH(NORM, nrm2, STATES_NRM2)
BOTH(EXTREME, argmin, STATES_ARGMIN)
BOTH(EXTREME, argmax, STATES_ARGMAX)
BOTH(MOMENTS, moments, STATES_MOMENTS)
