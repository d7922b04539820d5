/* One value for each row or column of a matrix.
 * SPDX-License-Identifier: MIT */
#include "rows.h"

#include <stdint.h>
#include <string.h>

#include "function.h"
#include "handle.h"
#include "layout/matrix.h"

/* The number of elements from the first to the last one of m, or an error if its shape is wrong. */
static int count_elements(struct matrix *m)
{
    m->n = 0;
    if (m->columns == 0 || m->stride < m->columns)
        return LR_SHAPE;
    if (m->rows == 0)
        return LR_OK;
    if (m->stride > (size_t)1 << 40 || m->rows - 1 > (SIZE_MAX - m->columns) / m->stride)
        return LR_TOO_LARGE;
    m->n = (m->rows - 1) * m->stride + m->columns;
    return LR_OK;
}

static void start(struct lr_handle *h, int axis, int op, int type, const void *x, struct matrix m, void *results)
{
    (void)count_elements(&m);
    struct reduction r = handle_reduction(h, m.n);
    r.workspace = h->matrix;
    r.result = results;
    r.option[AXIS] = axis;
    r.option[WIDTH] = (long)m.columns;
    r.option[PADDING] = (long)(m.stride - m.columns);
    lr_reduce_matrix(&r, type, op, x);
}

/* Whether the columns are better any lines: where a row is no whole vectors, reduction_rows walks over several rows at once, and
 * of more than 64 vectors the last block has too much to merge; of more than 512 it does not do so. */
static bool are_lines(int axis, int type, struct matrix m)
{
    size_t lanes = 16 / element_bytes(type), line = m.columns;

    if (axis == ROWS || m.stride != m.columns || line % lanes == 0 || line >= 512 * lanes)
        return false;
    while (line % lanes != 0)
        line *= 2;
    return line > 64 * lanes && line <= 512 * lanes;
}

int lr_operation_of(int function)
{
    return function == LR_OP_SUM ? OP_SUM : function == LR_OP_MIN ? OP_MIN : function == LR_OP_MAX ? OP_MAX : -1;
}

/* place ON_HOST: in batches of as many results as fit h->host, waiting for each batch. */
static int reduce(struct lr_handle *h, int axis, int function, int type, int place, const void *x, struct matrix m,
                  void *results, lr_stream stream)
{
    size_t size = value_bytes(type), count = axis == ROWS ? m.rows : m.columns;
    int shape = count_elements(&m);
    const struct span spans[] = {
        READ(x, m.n, element_bytes(type)), WRITTEN(results, m.rows > 0 ? count : 0, size, place), {0}};
    int status = check_call(h, type, TYPES_ALL, spans);

    if (shape != LR_OK || (m.rows == 0 && axis == COLUMNS))
        return shape != LR_OK ? shape : LR_SHAPE;
    if (status != LR_OK || m.rows == 0)
        return status;
    if (are_lines(axis, type, m)) {
        const struct lr_lines l = {.lines = m.columns, .length = m.rows, .lead = 1, .step = m.stride};
        return lr_function_reduce(h, function, type, place, x, NULL, &l, results, NULL, stream);
    }
    status = handle_begin(h, spans, stream);
    size_t most = place == ON_HOST ? HOST_BYTES / size : count;
    for (size_t first = 0; status == LR_OK && first < count; first += most) {
        size_t now = min_size(count - first, most);
        struct matrix part = m;
        *(axis == ROWS ? &part.rows : &part.columns) = now;
        const char *from = (const char *)x + first * (axis == ROWS ? m.stride : 1) * element_bytes(type);
        start(h, axis, lr_operation_of(function), type, from, part, place == ON_HOST ? h->host_on_device : results);
        status = place == ON_HOST && errors_first() == hipSuccess ? handle_wait(h) : handle_end(h);
        if (place == ON_HOST && status == LR_OK)
            memcpy((char *)results + first * size, h->host, now * size);
    }
    return status;
}

int lr_matrix_reduce(struct lr_handle *h, int axis, int function, int type, int place, const void *x, size_t rows,
                     size_t columns, size_t stride, void *results, lr_stream stream)
{
    struct matrix m = {0, rows, columns, stride};

    return reduce(h, axis == ROWS_OF_MATRIX ? ROWS : COLUMNS, function, type, place, x, m, results, stream);
}

#define ALONG(name, function, along, axis)                                                                             \
    int lr_##name##_##along(lr_handle *h, int type, const void *x, size_t rows, size_t columns, size_t stride,         \
                            void *results, lr_stream stream)                                                           \
    {                                                                                                                  \
        struct matrix m = {0, rows, columns, stride};                                                                  \
        return reduce(h, axis, function, type, ON_DEVICE, x, m, results, stream);                                      \
    }                                                                                                                  \
    int lr_##name##_##along##_value(lr_handle *h, int type, const void *x, size_t rows, size_t columns, size_t stride, \
                                    void *values, lr_stream stream)                                                    \
    {                                                                                                                  \
        struct matrix m = {0, rows, columns, stride};                                                                  \
        return reduce(h, axis, function, type, ON_HOST, x, m, values, stream);                                         \
    }

ALONG(sum, LR_OP_SUM, rows, ROWS)
ALONG(min, LR_OP_MIN, rows, ROWS)
ALONG(max, LR_OP_MAX, rows, ROWS)
ALONG(sum, LR_OP_SUM, columns, COLUMNS)
ALONG(min, LR_OP_MIN, columns, COLUMNS)
ALONG(max, LR_OP_MAX, columns, COLUMNS)
