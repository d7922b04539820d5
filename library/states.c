/* dot, nrm2, argmin, argmax.
 * SPDX-License-Identifier: MIT */
#include "states.h"

#include <stdint.h>
#include <string.h>

#include "handle.h"

/* After the arguments have been checked. */
static int start(struct lr_handle *h, int function, int type, struct states r, lr_stream stream)
{
    int status = handle_begin(h, stream);

    if (status != LR_OK)
        return status;
    r.workspace = h->workspace;
    r.stream = h->stream;
    r.warp_size = h->warp_size;
    r.compute_units = h->compute_units;
    r.overlap = h->overlap;
    r.input_ready = h->input_ready;
    lr_states(function, type)(&r);
    return handle_end(h);
}

/* The same, with results at h->host: waits, and copies them. */
static int start_and_wait(struct lr_handle *h, int function, int type, struct states r,
                          lr_stream stream, void *value, int64_t *index)
{
    struct place {
        int64_t index;
        union {
            double d;
            int64_t l;
        } value;
    } *there = h->host, *on_device = h->host_on_device;

    r.result = &on_device->value;
    r.index = index != NULL ? &on_device->index : NULL;
    int status = start(h, function, type, r, stream);
    if (status != LR_OK)
        return status;
    HIP_CHECK(hipStreamSynchronize(h->stream));
    status = handle_end(h);
    if (status == LR_OK && value != NULL)
        memcpy(value, &there->value, element_bytes(type));
    if (status == LR_OK && index != NULL)
        memcpy(index, &there->index, sizeof *index);
    return status;
}

static int check_dot(lr_handle *h, int type, const void *x, const void *y, size_t n,
                     const void *result, bool on_device)
{
    size_t size = element_bytes(type);

    if (h == NULL)
        return LR_NULL;
    if (size == 0)
        return LR_TYPE;
    int status = check_array(x, n, size);
    if (status == LR_OK)
        status = check_array(y, n, size);
    if (status == LR_OK)
        status = check_result(result, size, on_device ? size : 1, x, n * size);
    return status == LR_OK ? check_result(result, size, 1, y, n * size) : status;
}

int lr_dot(lr_handle *h, int type, const void *x, const void *y, size_t n, void *result,
           lr_stream stream)
{
    int status = check_dot(h, type, x, y, n, result, true);

    return status != LR_OK
               ? status
               : start(h, STATES_DOT, type,
                       (struct states){.x = x, .y = y, .n = n, .result = result}, stream);
}

int lr_dot_value(lr_handle *h, int type, const void *x, const void *y, size_t n, void *value,
                 lr_stream stream)
{
    int status = check_dot(h, type, x, y, n, value, false);

    return status != LR_OK
               ? status
               : start_and_wait(h, STATES_DOT, type, (struct states){.x = x, .y = y, .n = n},
                                stream, value, NULL);
}

static int check_nrm2(lr_handle *h, int type, const void *x, size_t n, const void *result,
                      bool on_device)
{
    if (h == NULL)
        return LR_NULL;
    if (type != LR_FLOAT && type != LR_DOUBLE)
        return LR_TYPE;
    size_t size = element_bytes(type);
    int status = check_array(x, n, size);
    return status == LR_OK ? check_result(result, size, on_device ? size : 1, x, n * size) : status;
}

int lr_nrm2(lr_handle *h, int type, const void *x, size_t n, void *result, lr_stream stream)
{
    int status = check_nrm2(h, type, x, n, result, true);

    return status != LR_OK ? status
                           : start(h, STATES_NRM2, type,
                                   (struct states){.x = x, .n = n, .result = result}, stream);
}

int lr_nrm2_value(lr_handle *h, int type, const void *x, size_t n, void *value, lr_stream stream)
{
    int status = check_nrm2(h, type, x, n, value, false);

    return status != LR_OK ? status
                           : start_and_wait(h, STATES_NRM2, type, (struct states){.x = x, .n = n},
                                            stream, value, NULL);
}

/* result may be NULL. */
static int check_place(lr_handle *h, int type, const void *x, size_t n, const void *result,
                       const int64_t *index, bool on_device)
{
    size_t size = element_bytes(type);

    if (h == NULL)
        return LR_NULL;
    if (size == 0)
        return LR_TYPE;
    int status = check_array(x, n, size);
    if (status == LR_OK)
        status = check_result(index, sizeof *index, on_device ? sizeof *index : 1, x, n * size);
    if (status != LR_OK || result == NULL)
        return status;
    status = check_result(result, size, on_device ? size : 1, x, n * size);
    return status == LR_OK ? check_result(result, size, 1, index, sizeof *index) : status;
}

static int place(lr_handle *h, int function, int type, const void *x, size_t n, void *result,
                 int64_t *index, lr_stream stream)
{
    int status = check_place(h, type, x, n, result, index, true);
    struct states r = {.x = x, .n = n, .result = result, .index = index};

    return status != LR_OK ? status : start(h, function, type, r, stream);
}

static int place_value(lr_handle *h, int function, int type, const void *x, size_t n, void *value,
                       int64_t *index, lr_stream stream)
{
    int status = check_place(h, type, x, n, value, index, false);
    struct states r = {.x = x, .n = n};

    return status != LR_OK ? status : start_and_wait(h, function, type, r, stream, value, index);
}

int lr_argmin(lr_handle *h, int type, const void *x, size_t n, void *result, int64_t *index,
              lr_stream stream)
{
    return place(h, STATES_ARGMIN, type, x, n, result, index, stream);
}

int lr_argmax(lr_handle *h, int type, const void *x, size_t n, void *result, int64_t *index,
              lr_stream stream)
{
    return place(h, STATES_ARGMAX, type, x, n, result, index, stream);
}

int lr_argmin_value(lr_handle *h, int type, const void *x, size_t n, void *value, int64_t *index,
                    lr_stream stream)
{
    return place_value(h, STATES_ARGMIN, type, x, n, value, index, stream);
}

int lr_argmax_value(lr_handle *h, int type, const void *x, size_t n, void *value, int64_t *index,
                    lr_stream stream)
{
    return place_value(h, STATES_ARGMAX, type, x, n, value, index, stream);
}
