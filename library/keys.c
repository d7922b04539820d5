/* Functions that write more than results of lr_reduce(): segments of keys, softmax of rows.
 * SPDX-License-Identifier: MIT */
#include "keys.h"

#include <stdint.h>

#include "libreduction.h"

int lr_offsets_of_keys(lr_handle *h, int key_type, const void *keys, size_t n, size_t segments, int64_t *offsets,
                       lr_stream stream)
{
    if (segments == SIZE_MAX)
        return LR_TOO_LARGE;
    const struct span spans[] = {
        READ(keys, n, element_bytes(key_type)), WRITTEN(offsets, segments + 1, sizeof *offsets, ON_DEVICE), {0}};
    int status = check_call(h, key_type, 1u << LR_INT32 | 1u << LR_INT64, spans);

    if (status == LR_OK)
        status = handle_begin(h, spans, stream);
    if (status != LR_OK)
        return status;
    lr_find_segments(h->stream, keys, key_type == LR_INT64, n, segments + 1, offsets);
    return handle_end(h);
}

int lr_sum_by_key(lr_handle *h, int type, const void *x, int key_type, const void *keys, size_t n, size_t segments,
                  int64_t *offsets, void *sums, lr_stream stream)
{
    struct lr_lines l = {.lines = segments, .length = n, .step = 1, .offsets = offsets, .offset_type = LR_INT64};
    int result = lr_result_type(LR_OP_SUM, type);
    const struct span spans[] = {READ(x, n, element_bytes(type)),
                                 READ(keys, n, element_bytes(key_type)),
                                 WRITTEN(offsets, segments, sizeof *offsets, ON_DEVICE),
                                 WRITTEN(sums, segments, element_bytes(result), ON_DEVICE),
                                 {0}};
    int status = result < 0 ? LR_TYPE : check_call(h, type, ~0u, spans);

    if (status == LR_OK)
        status = lr_offsets_of_keys(h, key_type, keys, n, segments, offsets, stream);
    return status != LR_OK ? status : lr_reduce(h, LR_OP_SUM, type, x, NULL, &l, sums, NULL, stream);
}

int lr_softmax_rows(lr_handle *h, int type, const void *x, size_t rows, size_t columns, void *y, lr_stream stream)
{
    size_t most = (size_t)1 << 48, n = rows > 0 && columns > most / rows ? most : rows * columns;
    const struct span spans[] = {READ(x, n, element_bytes(type)), WRITTEN(y, n, element_bytes(type), ON_DEVICE), {0}};
    int status = check_call(h, type, TYPES_FLOATING | TYPES_NARROW, spans);

    if (status == LR_OK && columns == 0)
        status = LR_SHAPE;
    if (status == LR_OK && n > 0)
        status = handle_begin(h, spans, stream);
    if (status != LR_OK || n == 0)
        return status;
    struct reduction r = handle_reduction(h, n);
    r.overlap = false;
    r.workspace = h->matrix + KEPT_BYTES(h->compute_units);
    r.result = y;
    r.option[0] = (long)columns; /* the kernels' WIDTH */
    lr_reduce_softmax(&r, type, x);
    return handle_end(h);
}
