/* softmax of the rows of a matrix: y = exp(x - m) / s, where m is the largest element of the row, so that nothing overflows,
 * and s the sum of the row's exponentials. Two reductions along the rows, whose results stay on the device, and two passes.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <libreduction.h>

#include "memory.h"

KERNEL exponentials(float *y, const float *x, const float *largest, size_t n, size_t columns)
{
    FOR_EACH(i, n)
    y[i] = expf(x[i] - largest[i / columns]);
}

KERNEL divide(float *y, const float *sums, size_t n, size_t columns)
{
    FOR_EACH(i, n)
    y[i] /= sums[i / columns];
}

/* x, y: rows x columns; row_of: one element per row. All on the device. */
static int softmax(lr_handle *handle, const float *x, float *y, float *row_of, size_t rows,
                   size_t columns)
{
    stream_t stream = NULL; /* the default stream */
    int status = lr_max_rows(handle, LR_FLOAT, x, rows, columns, columns, row_of, stream);

    if (status != LR_OK)
        return status;
    START(exponentials, y, x, row_of, rows * columns, columns);
    status = lr_sum_rows(handle, LR_FLOAT, y, rows, columns, columns, row_of, stream);
    if (status != LR_OK)
        return status;
    START(divide, y, row_of, rows * columns, columns);
    return LR_OK;
}

/* The largest error in a row whose elements are c, c + 1/8, c + 2/8 ..., where c is large in some rows. */
static double error_of(const float *y, size_t columns)
{
    double sum = 0, error = 0;

    for (size_t k = 0; k < columns; k++)
        sum += exp((double)k / 8);
    for (size_t k = 0; k < columns; k++)
        error = fmax(error, fabs(y[k] - exp((double)k / 8) / sum));
    return error;
}

int main(void)
{
    size_t rows = 500, columns = 31, n = rows * columns;
    float *x = (float *)shared_memory(n * sizeof *x), *y = (float *)shared_memory(n * sizeof *y);
    float *row_of = (float *)shared_memory(rows * sizeof *row_of);
    lr_handle *handle;
    double error = 0;

    for (size_t i = 0; i < n; i++)
        x[i] = (float)(i % columns) / 8 + (float)(i / columns % 3) * 1000;
    int status = lr_create(&handle, 0);
    if (status == LR_OK)
        status = softmax(handle, x, y, row_of, rows, columns);
    wait_for_device();
    if (status != LR_OK) {
        fprintf(stderr, "softmax: %s\n", lr_text(status));
        return EXIT_FAILURE;
    }
    for (size_t row = 0; row < rows; row++)
        error = fmax(error, error_of(y + row * columns, columns));
    printf("error %.1e\n", error);
    lr_destroy(handle);
    release_memory(row_of);
    release_memory(y);
    release_memory(x);
    return error < 1e-6 ? EXIT_SUCCESS : EXIT_FAILURE;
}
