/* dot, nrm2, argmin, argmax; of half and bfloat16 all functions of one array.
 * SPDX-License-Identifier: MIT */
#include "states.h"

#include <stdint.h>
#include <string.h>

#include "handle.h"

/* What a call with results on the host gets there. */
struct arrived {
    int64_t index;
    union {
        double d;
        int64_t l;
    } value;
};

int lr_states_reduce(struct lr_handle *h, int function, int type, int place, const void *x,
                     const void *y, size_t n, void *result, int64_t *index, void *stream)
{
    bool finds = function == STATES_ARGMIN || function == STATES_ARGMAX;
    size_t size = element_bytes(type), bytes = value_bytes(type);
    const struct span spans[] = {READ(x, n, size),
                                 READ(y, function == STATES_DOT ? n : 0, size),
                                 finds ? (struct span)WRITTEN(index, 1, sizeof *index, place)
                                       : (struct span)WRITTEN(result, 1, bytes, place),
                                 WRITTEN(result, 1, finds && result != NULL ? bytes : 0, place),
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

int lr_dot(lr_handle *h, int type, const void *x, const void *y, size_t n, void *result,
           lr_stream stream)
{
    return lr_states_reduce(h, STATES_DOT, type, ON_DEVICE, x, y, n, result, NULL, stream);
}

int lr_dot_value(lr_handle *h, int type, const void *x, const void *y, size_t n, void *value,
                 lr_stream stream)
{
    return lr_states_reduce(h, STATES_DOT, type, ON_HOST, x, y, n, value, NULL, stream);
}

int lr_nrm2(lr_handle *h, int type, const void *x, size_t n, void *result, lr_stream stream)
{
    return lr_states_reduce(h, STATES_NRM2, type, ON_DEVICE, x, NULL, n, result, NULL, stream);
}

int lr_nrm2_value(lr_handle *h, int type, const void *x, size_t n, void *value, lr_stream stream)
{
    return lr_states_reduce(h, STATES_NRM2, type, ON_HOST, x, NULL, n, value, NULL, stream);
}

int lr_argmin(lr_handle *h, int type, const void *x, size_t n, void *result, int64_t *index,
              lr_stream stream)
{
    return lr_states_reduce(h, STATES_ARGMIN, type, ON_DEVICE, x, NULL, n, result, index, stream);
}

int lr_argmin_value(lr_handle *h, int type, const void *x, size_t n, void *value, int64_t *index,
                    lr_stream stream)
{
    return lr_states_reduce(h, STATES_ARGMIN, type, ON_HOST, x, NULL, n, value, index, stream);
}

int lr_argmax(lr_handle *h, int type, const void *x, size_t n, void *result, int64_t *index,
              lr_stream stream)
{
    return lr_states_reduce(h, STATES_ARGMAX, type, ON_DEVICE, x, NULL, n, result, index, stream);
}

int lr_argmax_value(lr_handle *h, int type, const void *x, size_t n, void *value, int64_t *index,
                    lr_stream stream)
{
    return lr_states_reduce(h, STATES_ARGMAX, type, ON_HOST, x, NULL, n, value, index, stream);
}
