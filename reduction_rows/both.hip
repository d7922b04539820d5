/* The sums of all rows and of all columns of a matrix, with one read. A whole program: ./both [ROWS COLUMNS]
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <hip/hip_runtime.h>

#define CHECK(call) check((call), "both.hip: " #call)
static void check(hipError_t error, const char *what)
{
    if (error != hipSuccess) {
        fprintf(stderr, "%s: %s\n", what, hipGetErrorString(error));
        exit(3);
    }
}

#define TILE 32 /* lanes that share 32 rows; a wavefront of 64 has two such groups */

/* A lane has a column of the tile, so its additions are those of the column. The rows lie across the lanes. */
__global__ void add_both(const float *input, float *rows, float *columns, unsigned height,
                         unsigned width)
{
    unsigned lane = threadIdx.x % TILE, column = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned first = blockIdx.y * TILE;
    float s[TILE], sum = 0;

#pragma unroll
    for (unsigned u = 0; u < TILE; u++) {
        bool there = column < width && first + u < height;
        s[u] = there ? input[(size_t)(first + u) * width + column] : 0;
        sum += s[u];
    }
    if (column < width)
        atomicAdd(&columns[column], sum);

        /* Lanes exchange half of what they have: 31 shuffles for 32 rows. Then lane l has row l. */
#pragma unroll
    for (unsigned distance = 1; distance < TILE; distance *= 2)
#pragma unroll
        for (unsigned i = 0; i < TILE / 2 / distance; i++) {
            bool odd = lane & distance;
            float mine = odd ? s[2 * i + 1] : s[2 * i];
            float other = odd ? s[2 * i] : s[2 * i + 1];
            s[i] = mine + __shfl_xor(other, (int)distance);
        }
    if (first + lane < height)
        atomicAdd(&rows[first + lane], s[0]);
}

int main(int argc, char **argv)
{
    unsigned height = argc > 2 ? (unsigned)atoi(argv[1]) : 100;
    unsigned width = argc > 2 ? (unsigned)atoi(argv[2]) : 300, wrong = 0;
    size_t n = (size_t)height * width, sums = (size_t)height + width;
    float *numbers = (float *)malloc(n * sizeof(float)), *input, *output;
    float *expected = (float *)calloc(sums, sizeof(float)),
          *result = (float *)malloc(sums * sizeof(float));

    for (size_t i = 0; i < n; i++) { /* small whole numbers: no order of additions rounds */
        numbers[i] = (float)(i * 7 % 13);
        expected[i / width] += numbers[i];
        expected[height + i % width] += numbers[i];
    }
    CHECK(hipMalloc((void **)&input, n * sizeof(float)));
    CHECK(hipMalloc((void **)&output, sums * sizeof(float)));
    CHECK(hipMemcpy(input, numbers, n * sizeof(float), hipMemcpyHostToDevice));
    CHECK(hipMemset(output, 0, sums * sizeof(float)));
    add_both<<<dim3((width + 127) / 128, (height + TILE - 1) / TILE), 128>>>(
        input, output, output + height, height, width);
    CHECK(hipGetLastError());
    CHECK(hipMemcpy(result, output, sums * sizeof(float), hipMemcpyDeviceToHost));
    for (size_t k = 0; k < sums; k++)
        wrong += result[k] != expected[k];
    printf("%u rows and %u columns: %u sums are wrong\n", height, width, wrong);
    CHECK(hipFree(output));
    CHECK(hipFree(input));
    free(result);
    free(expected);
    free(numbers);
    return wrong > 0;
}
