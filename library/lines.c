/* lr_reduce(): which function of an array, of rows, columns or segments is the fastest for a call.
 * SPDX-License-Identifier: MIT */
#include <stdbool.h>

#include "function.h"
#include "handle.h"
#include "rows.h"

/* Functions and shapes that have kernels of their own, which are faster. */
static int reduce(struct lr_handle *h, int function, int type, int place, const void *x, const void *y,
                  const struct lr_lines *l, void *results, int64_t *indices, lr_stream stream)
{
    if (function == LR_OP_SUM_BINNED && l != NULL && is_whole_array(l) && indices == NULL && y == NULL && type >= 0 &&
        type <= LR_BFLOAT16)
        return (place == ON_HOST ? lr_sum_binned_value : lr_sum_binned)(h, type, x, l->length, results, stream);
    int op = lr_operation_of(function);

    if (l == NULL || indices != NULL || op < 0 || type < 0 || type > LR_BFLOAT16 || l->batch > 0 ||
        l->length_at != NULL || l->length == 0 || l->lines == 0)
        return lr_function_reduce(h, function, type, place, x, y, l, results, indices, stream);
    if (is_whole_array(l)) {
        static int (*const whole[][2])(lr_handle *, int, const void *, size_t, void *, lr_stream) = {
            [OP_SUM] = {lr_sum, lr_sum_value}, [OP_MIN] = {lr_min, lr_min_value}, [OP_MAX] = {lr_max, lr_max_value}};
        return whole[op][place](h, type, x, l->length, results, stream);
    }
    if (l->offsets != NULL && l->step == 1 && l->offset_type == LR_INT64)
        return lr_segments_reduce(h, function, type, place, x, l->length, l->offsets, l->lines, results, stream);
    if (l->offsets == NULL && l->step == 1 && l->lead >= l->length)
        return lr_matrix_reduce(h, ROWS_OF_MATRIX, function, type, place, x, l->lines, l->length, l->lead, results,
                                stream);
    if (l->offsets == NULL && l->lead == 1 && l->step >= l->lines)
        return lr_matrix_reduce(h, COLUMNS_OF_MATRIX, function, type, place, x, l->length, l->lines, l->step, results,
                                stream);
    return lr_function_reduce(h, function, type, place, x, y, l, results, indices, stream);
}

int lr_reduce(lr_handle *h, int function, int type, const void *x, const void *y, const struct lr_lines *lines,
              void *results, int64_t *indices, lr_stream stream)
{
    return reduce(h, function, type, ON_DEVICE, x, y, lines, results, indices, stream);
}

int lr_reduce_value(lr_handle *h, int function, int type, const void *x, const void *y, const struct lr_lines *lines,
                    void *values, int64_t *indices, lr_stream stream)
{
    return reduce(h, function, type, ON_HOST, x, y, lines, values, indices, stream);
}
