/* k-means of sorted numbers, say the grey levels of an image: the nearest centre of each is an argmin of a row of distances,
 * and what belongs to a centre a segment of equal keys, because the numbers are sorted. Nothing waits until the end.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libreduction.h>

#include "memory.h"

enum { CENTRES = 4, ROUNDS = 20 };

KERNEL distances(double *d, const double *x, const double *centre, size_t n)
{
    FOR_EACH(i, n * CENTRES)
    d[i] = fabs(x[i / CENTRES] - centre[i % CENTRES]);
}

KERNEL means(double *centre, const double *sums, const int64_t *offsets)
{
    FOR_EACH(k, CENTRES)
    if (offsets[k + 1] > offsets[k])
        centre[k] = sums[k] / (double)(offsets[k + 1] - offsets[k]);
}

int main(void)
{
    size_t n = 8000;
    double *x = (double *)shared_memory(n * sizeof *x);
    double *d = (double *)shared_memory(n * CENTRES * sizeof *d);
    double *centre = (double *)shared_memory(sizeof *centre * 2 * CENTRES), *sums = centre + CENTRES;
    int64_t *nearest = (int64_t *)shared_memory(n * sizeof *nearest);
    int64_t *offsets = (int64_t *)shared_memory((CENTRES + 1) * sizeof *offsets);
    stream_t stream = NULL; /* the default stream */
    struct lr_lines rows;
    lr_handle *handle;
    double error = 0;

    memset(&rows, 0, sizeof rows);
    rows.lines = n;
    rows.length = rows.lead = CENTRES;
    rows.step = 1;
    for (size_t i = 0; i < n; i++) { /* around 0, 100, 200 and 300 */
        size_t group = i / (n / CENTRES), member = i % (n / CENTRES);
        x[i] = (double)group * 100 + (double)member / 100;
    }
    for (size_t k = 0; k < CENTRES; k++)
        centre[k] = (double)k * 90 + 30;
    int status = lr_create(&handle, 0);
    for (int round = 0; round < ROUNDS && status == LR_OK; round++) {
        START(distances, d, x, centre, n);
        status = lr_reduce(handle, LR_OP_ARGMIN, LR_DOUBLE, d, NULL, &rows, NULL, nearest, stream);
        if (status == LR_OK)
            status = lr_sum_by_key(handle, LR_DOUBLE, x, LR_INT64, nearest, n, CENTRES, offsets, sums, stream);
        if (status == LR_OK)
            START(means, centre, sums, offsets);
    }
    wait_for_device();
    if (status != LR_OK) {
        fprintf(stderr, "k-means: %s\n", lr_text(status));
        return EXIT_FAILURE;
    }
    for (size_t k = 0; k < CENTRES; k++)
        error = fmax(error, fabs(centre[k] - ((double)k * 100 + 9.995)));
    printf("centres %.3f %.3f %.3f %.3f\n", centre[0], centre[1], centre[2], centre[3]);
    lr_destroy(handle);
    release_memory(offsets);
    release_memory(nearest);
    release_memory(centre);
    release_memory(d);
    release_memory(x);
    return error < 1e-9 ? EXIT_SUCCESS : EXIT_FAILURE;
}
