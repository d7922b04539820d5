/* Count, mean, variance, minimum and maximum.
 * SPDX-License-Identifier: MIT */
#include "moments.h"

#include <string.h>

#include "handle.h"

static int reduce(struct lr_handle *h, int type, int place, const void *x, size_t n,
                  struct lr_moments *result, lr_stream stream)
{
    const struct span spans[] = {
        READ(x, n, element_bytes(type)),
        {result, 1, sizeof *result, place == ON_HOST ? 1 : sizeof(double), true},
        {0}};
    int status = check_call(h, type, TYPES_WIDE, spans);

    if (status == LR_OK)
        status = handle_begin(h, stream);
    if (status != LR_OK)
        return status;
    struct reduction r = handle_reduction(h, n);
    r.block = MOMENTS_BLOCK;
    r.workspace = h->moments;
    r.result = place == ON_HOST ? h->host_on_device : result;
    lr_reduce_moments(&r, type, x);
    if (place == ON_DEVICE || errors_first() != hipSuccess)
        return handle_end(h);
    status = handle_wait(h);
    if (status == LR_OK)
        memcpy(result, h->host, sizeof *result);
    return status;
}

int lr_moments(lr_handle *h, int type, const void *x, size_t n, struct lr_moments *result,
               lr_stream stream)
{
    return reduce(h, type, ON_DEVICE, x, n, result, stream);
}

int lr_moments_value(lr_handle *h, int type, const void *x, size_t n, struct lr_moments *value,
                     lr_stream stream)
{
    return reduce(h, type, ON_HOST, x, n, value, stream);
}
