/* One value for each row or column of a matrix.
 * SPDX-License-Identifier: MIT */
#include "rows.h"

#include <stdint.h>

#include "handle.h"
#include "layout/matrix.h"

/* What common/layout/matrix.c has for programs: the library has checked that the last row is whole. */
struct matrix matrix_of(const struct reduction *r)
{
    size_t columns = (size_t)r->option[WIDTH], stride = columns + (size_t)r->option[PADDING];

    return (struct matrix){r->n, ceil_div(r->n, stride), columns, stride};
}

static int check_matrix(const void *x, size_t rows, size_t columns, size_t stride, size_t size,
                        size_t *n)
{
    *n = 0;
    if (columns == 0 || stride < columns)
        return LR_SHAPE;
    if (rows == 0)
        return LR_OK;
    if (stride > (size_t)1 << 40 || rows - 1 > (SIZE_MAX - columns) / stride)
        return LR_TOO_LARGE;
    *n = (rows - 1) * stride + columns;
    return check_array(x, *n, size);
}

static int reduce(struct lr_handle *h, int axis, int op, int type, const void *x, size_t rows,
                  size_t columns, size_t stride, void *results, lr_stream stream)
{
    size_t size = element_bytes(type), n, count = axis == ROWS ? rows : columns;

    if (h == NULL)
        return LR_NULL;
    if (size == 0)
        return LR_TYPE;
    int status = check_matrix(x, rows, columns, stride, size, &n);
    if (status != LR_OK)
        return status;
    if (rows == 0)
        return axis == ROWS ? LR_OK : LR_SHAPE;
    status = check_result(results, count * size, size, x, n * size);
    if (status == LR_OK)
        status = handle_begin(h, stream);
    if (status != LR_OK)
        return status;
    struct reduction r = {.n = n,
                          .arch = h->arch,
                          .warp_size = h->warp_size,
                          .compute_units = h->compute_units,
                          .threads_per_unit = h->threads_per_unit,
                          .workspace = h->matrix,
                          .stream = h->stream,
                          .result = results};
    r.option[AXIS] = axis;
    r.option[WIDTH] = (long)columns;
    r.option[PADDING] = (long)(stride - columns);
    lr_reduce_matrix(&r, type, op, x);
    return handle_end(h);
}

#define FUNCTION(name, op)                                                                         \
    int lr_##name##_rows(lr_handle *h, int type, const void *x, size_t rows, size_t columns,       \
                         size_t stride, void *results, lr_stream stream)                           \
    {                                                                                              \
        return reduce(h, ROWS, op, type, x, rows, columns, stride, results, stream);               \
    }                                                                                              \
    int lr_##name##_columns(lr_handle *h, int type, const void *x, size_t rows, size_t columns,    \
                            size_t stride, void *results, lr_stream stream)                        \
    {                                                                                              \
        return reduce(h, COLUMNS, op, type, x, rows, columns, stride, results, stream);            \
    }

FUNCTION(sum, OP_SUM)
FUNCTION(min, OP_MIN)
FUNCTION(max, OP_MAX)
