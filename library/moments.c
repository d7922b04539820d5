/* Count, mean, variance, minimum and maximum.
 * SPDX-License-Identifier: MIT */
#include "moments.h"

#include <string.h>

#include "handle.h"

static int start(struct lr_handle *h, int type, const void *x, size_t n, struct lr_moments *result,
                 lr_stream stream)
{
    int status = handle_begin(h, stream);
    struct reduction r = {.n = n,
                          .arch = h->arch,
                          .block = MOMENTS_BLOCK,
                          .warp_size = h->warp_size,
                          .compute_units = h->compute_units,
                          .threads_per_unit = h->threads_per_unit,
                          .workspace = h->moments,
                          .stream = h->stream,
                          .result = result};

    if (status != LR_OK)
        return status;
    lr_reduce_moments(&r, type, x);
    return handle_end(h);
}

static int check(struct lr_handle *h, int type, const void *x, size_t n, const void *result,
                 size_t alignment)
{
    size_t size = element_bytes(type);

    if (h == NULL)
        return LR_NULL;
    if (size == 0)
        return LR_TYPE;
    int status = check_array(x, n, size);
    return status == LR_OK ? check_result(result, sizeof(struct lr_moments), alignment, x, n * size)
                           : status;
}

int lr_moments(lr_handle *h, int type, const void *x, size_t n, struct lr_moments *result,
               lr_stream stream)
{
    int status = check(h, type, x, n, result, sizeof(double));

    return status == LR_OK ? start(h, type, x, n, result, stream) : status;
}

int lr_moments_value(lr_handle *h, int type, const void *x, size_t n, struct lr_moments *value,
                     lr_stream stream)
{
    int status = check(h, type, x, n, value, 1);

    if (status == LR_OK)
        status = start(h, type, x, n, h->host_on_device, stream);
    if (status != LR_OK)
        return status;
    HIP_CHECK(hipStreamSynchronize(h->stream));
    status = handle_end(h);
    if (status == LR_OK)
        memcpy(value, h->host, sizeof *value);
    return status;
}
