/* A program of this folder shows one rule of device code: it prints bits, and everywhere the same ones.
 * SPDX-License-Identifier: MIT */
#ifndef RULE_H
#define RULE_H

#include <stdio.h>
#include <string.h>

#include <cuda_fp16.h>
#include <cuda_runtime.h>

/* Results of one kernel of one thread, in the order in which it gives them. */
struct results {
    int count;
    unsigned long long bits[256];
};
template <typename T> __device__ void give(struct results *r, T value)
{
    unsigned long long bits = 0;
    memcpy(&bits, &value, sizeof value);
    r->bits[r->count++] = bits;
}
/* All NaNs are one: processors differ in its sign and payload. */
__device__ inline void give(struct results *r, float value)
{
    give(r, value != value ? 0x7fffffffu : __float_as_uint(value));
}
__device__ inline void give(struct results *r, double value)
{
    give(r, value != value ? 0x7fffffffffffffffull : (unsigned long long)__double_as_longlong(value));
}

/* Runs kernel<<<1, 1>>>(results, values), and prints the results in rows. Values come from memory, so that no compiler
 * computes with them. */
template <typename T, int N>
static int show(const char *name, void (*kernel)(struct results *, const T *), const T (&values)[N])
{
    struct results *d_results, results;
    T *d_values;

    if (cudaMalloc(&d_results, sizeof results) != cudaSuccess || cudaMalloc(&d_values, sizeof values) != cudaSuccess ||
        cudaMemset(d_results, 0, sizeof results) != cudaSuccess ||
        cudaMemcpy(d_values, values, sizeof values, cudaMemcpyHostToDevice) != cudaSuccess)
        return 3;
    kernel<<<1, 1>>>(d_results, d_values);
    if (cudaMemcpy(&results, d_results, sizeof results, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 3;
    printf("%s", name);
    for (int i = 0; i < results.count; i++)
        printf("%s%llx", i % 8 ? " " : "\n  ", results.bits[i]);
    printf("\n");
    cudaFree(d_results);
    cudaFree(d_values);
    return 0;
}

#endif
