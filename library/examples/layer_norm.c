/* Layer norm of the rows of a matrix: y = (x - mean) / sqrt(variance + epsilon). All moments of all rows are one launch, whose
 * results stay on the device; then there is one pass.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libreduction.h>

#include "memory.h"

#define EPSILON 1e-5

KERNEL normalize(float *y, const float *x, const struct lr_moments_t *of_row, size_t n, size_t columns)
{
    FOR_EACH(i, n)
    {
        const struct lr_moments_t *m = of_row + i / columns;
        y[i] = (float)((x[i] - m->mean) / sqrt(m->variance + EPSILON));
    }
}

static int layer_norm(lr_handle *handle, const float *x, float *y, struct lr_moments_t *of_row, size_t rows,
                      size_t columns)
{
    stream_t stream = NULL; /* the default stream */
    struct lr_lines lines;

    memset(&lines, 0, sizeof lines);
    lines.lines = rows;
    lines.length = lines.lead = columns;
    lines.step = 1;
    int status = lr_reduce(handle, LR_OP_MOMENTS, LR_FLOAT, x, NULL, &lines, of_row, NULL, stream);
    if (status == LR_OK)
        START(normalize, y, x, of_row, rows * columns, columns);
    return status;
}

/* Rows of c, c + 1, c + 2 ..., where c is so large in some of them that sums of squares would lose all digits. */
int main(void)
{
    size_t rows = 500, columns = 31, n = rows * columns;
    float *x = (float *)shared_memory(n * sizeof *x), *y = (float *)shared_memory(n * sizeof *y);
    struct lr_moments_t *of_row = (struct lr_moments_t *)shared_memory(rows * sizeof *of_row);
    double error = 0, variance = (double)(columns * columns - 1) / 12;
    lr_handle *handle;

    for (size_t i = 0; i < n; i++)
        x[i] = (float)(i % columns) + (float)(i / columns % 3) * 0x1p23F;
    int status = lr_create(&handle, 0);
    if (status == LR_OK)
        status = layer_norm(handle, x, y, of_row, rows, columns);
    wait_for_device();
    if (status != LR_OK) {
        fprintf(stderr, "layer norm: %s\n", lr_text(status));
        return EXIT_FAILURE;
    }
    for (size_t i = 0; i < n; i++) {
        double right = ((double)(i % columns) - (double)(columns - 1) / 2) / sqrt(variance + EPSILON);
        if (i / columns % 3 < 2) /* beyond 2^24 x itself is rounded */
            error = fmax(error, fabs(y[i] - right));
    }
    printf("error %.1e\n", error);
    lr_destroy(handle);
    release_memory(of_row);
    release_memory(y);
    release_memory(x);
    return error < 1e-6 ? EXIT_SUCCESS : EXIT_FAILURE;
}
