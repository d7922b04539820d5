/* Pooling in a graph neural network: the nodes of many graphs are rows of one matrix, in the order of their graphs. The mean and
 * the largest of each feature of each graph are one launch each, the places of the graphs are found on the device.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libreduction.h>

#include "memory.h"

enum { GRAPHS = 50, FEATURES = 24 };

int main(void)
{
    size_t nodes = 0, sizes[GRAPHS];
    double error = 0;
    lr_handle *handle;
    struct lr_lines lines;

    for (size_t g = 0; g < GRAPHS; g++)
        nodes += sizes[g] = 1 + g * 7 % 20;
    float *x = (float *)shared_memory(nodes * FEATURES * sizeof *x);
    int32_t *graph_of = (int32_t *)shared_memory(nodes * sizeof *graph_of);
    int64_t *offsets = (int64_t *)shared_memory((GRAPHS + 1) * sizeof *offsets);
    double *means = (double *)shared_memory(sizeof(double) * GRAPHS * FEATURES);
    float *largest = (float *)shared_memory(sizeof(float) * GRAPHS * FEATURES);
    for (size_t g = 0, node = 0; g < GRAPHS; g++)
        for (size_t k = 0; k < sizes[g]; k++, node++) {
            graph_of[node] = (int32_t)g;
            for (size_t f = 0; f < FEATURES; f++)
                x[node * FEATURES + f] = (float)(k + f * g);
        }

    memset(&lines, 0, sizeof lines);
    lines.lines = (size_t)GRAPHS * FEATURES;
    lines.length = nodes;
    lines.lead = 1;
    lines.step = lines.batch = FEATURES;
    lines.offsets = offsets;
    lines.offset_type = LR_INT64;
    int status = lr_create(&handle, 0);
    if (status == LR_OK)
        status = lr_offsets_of_keys(handle, LR_INT32, graph_of, nodes, GRAPHS, offsets, NULL);
    if (status == LR_OK)
        status = lr_reduce(handle, LR_OP_MEAN, LR_FLOAT, x, NULL, &lines, means, NULL, NULL);
    if (status == LR_OK)
        status = lr_reduce(handle, LR_OP_MAX, LR_FLOAT, x, NULL, &lines, largest, NULL, NULL);
    wait_for_device();
    if (status != LR_OK) {
        fprintf(stderr, "pooling: %s\n", lr_text(status));
        return EXIT_FAILURE;
    }
    for (size_t g = 0; g < GRAPHS; g++)
        for (size_t f = 0; f < FEATURES; f++) {
            double last = (double)(sizes[g] - 1), first = (double)(f * g);
            error = fmax(error, fabs(means[g * FEATURES + f] - (first + last / 2)));
            error = fmax(error, fabs(largest[g * FEATURES + f] - (first + last)));
        }
    printf("error %.1e\n", error);
    lr_destroy(handle);
    release_memory(largest);
    release_memory(means);
    release_memory(offsets);
    release_memory(graph_of);
    release_memory(x);
    return error < 1e-9 ? EXIT_SUCCESS : EXIT_FAILURE;
}
