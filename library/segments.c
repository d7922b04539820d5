/* One value for each segment of an array.
 * SPDX-License-Identifier: MIT */
#include "rows.h"

#include <string.h>

#include "handle.h"

/* Threads of a block. Where most segments get a block of their own, but only a few loads for each of its threads, more and
 * smaller blocks finish sooner; where few blocks have much to read, larger ones have more loads in flight. (One H200, cold,
 * 29 November 2026, us: 2,048 segments of 0 to 6,000 floats with 128 threads 15.9, with 256 19.2; 100 of 100,000 with 256
 * threads 32, with 512 19.) */
static unsigned block_for(size_t elements, int type)
{
    size_t bytes = elements * value_bytes(type);

    if (elements * element_bytes(type) >= 192 << 10)
        return 512;
    return bytes >= 8192 && bytes <= 49152 ? 128 : 256;
}

/* place ON_HOST: in batches of as many results as fit h->host, waiting for each batch. */
int lr_segments_reduce(struct lr_handle *h, int function, int type, int place, const void *x, size_t n,
                       const int64_t *offsets, size_t segments, void *results, lr_stream stream)
{
    size_t size = value_bytes(type);
    const struct span spans[] = {READ(x, n, element_bytes(type)),
                                 READ(offsets, segments > 0 ? segments + 1 : 0, sizeof *offsets),
                                 WRITTEN(results, segments, size, place),
                                 {0}};
    int status = segments == SIZE_MAX ? LR_TOO_LARGE : check_call(h, type, TYPES_ALL, spans);

    if (status != LR_OK || segments == 0)
        return status;
    status = handle_begin(h, spans, stream);
    size_t most = place == ON_HOST ? HOST_BYTES / size : segments;
    for (size_t first = 0; status == LR_OK && first < segments; first += most) {
        size_t count = min_size(segments - first, most);
        struct reduction r = handle_reduction(h, n);
        r.block = block_for(n / segments, type);
        r.workspace = h->matrix;
        r.result = place == ON_HOST ? h->host_on_device : results;
        lr_reduce_segments(&r, type, lr_operation_of(function), x, offsets + first, count);
        status = place == ON_HOST && errors_first() == hipSuccess ? handle_wait(h) : handle_end(h);
        if (place == ON_HOST && status == LR_OK)
            memcpy((char *)results + first * size, h->host, count * size);
    }
    return status;
}

#define FUNCTION(name, function)                                                                                       \
    int lr_##name##_segments(lr_handle *h, int type, const void *x, size_t n, const int64_t *offsets, size_t segments, \
                             void *results, lr_stream stream)                                                          \
    {                                                                                                                  \
        return lr_segments_reduce(h, function, type, ON_DEVICE, x, n, offsets, segments, results, stream);             \
    }                                                                                                                  \
    int lr_##name##_segments_value(lr_handle *h, int type, const void *x, size_t n, const int64_t *offsets,            \
                                   size_t segments, void *values, lr_stream stream)                                    \
    {                                                                                                                  \
        return lr_segments_reduce(h, function, type, ON_HOST, x, n, offsets, segments, values, stream);                \
    }

FUNCTION(sum, LR_OP_SUM)
FUNCTION(min, LR_OP_MIN)
FUNCTION(max, LR_OP_MAX)
