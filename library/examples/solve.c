/* Sums an array of floats on the device into one float on the device: solve() in the form that exercise sites ask for.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include <libreduction.h>

#include "memory.h"

/* input, output: device memory. Returns LR_OK or an error. *output is ready once the stream has finished. */
static int solve(lr_handle *handle, const float *input, float *output, int N)
{
    return lr_sum(handle, LR_FLOAT, input, (size_t)N, output, NULL);
}

int main(void)
{
    static const float examples[][8] = {{1, 2, 3, 4, 5, 6, 7, 8}, {-2.5f, 1.5f, -1, 2}};
    static const int counts[] = {8, 4};
    float *input = (float *)shared_memory(sizeof examples[0]);
    float *output = (float *)shared_memory(sizeof *output);
    lr_handle *handle;
    int status = lr_create(&handle, 0);

    for (int k = 0; status == LR_OK && k < 2; k++) {
        for (int i = 0; i < counts[k]; i++)
            input[i] = examples[k][i];
        status = solve(handle, input, output, counts[k]);
        wait_for_device();
        if (status == LR_OK)
            printf("%g\n", (double)*output);
    }
    if (status != LR_OK)
        fprintf(stderr, "solve: %s\n", lr_text(status));
    lr_destroy(handle);
    release_memory(output);
    release_memory(input);
    return status == LR_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
