/* A program of this folder shows one rule of device code: everywhere the same bits; it says nothing if they are.
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

/* Whether words have this hash; else prints them, 1. To see those of right ones, give another hash. */
static int differs(const char *name, const void *words, size_t bytes, unsigned want)
{
    const unsigned *word = (const unsigned *)words;
    unsigned hash = 2166136261u;

    for (size_t i = 0; i < bytes / 4; i++)
        hash = (hash ^ word[i]) * 16777619u;
    if (hash == want)
        return 0;
    printf("%s: %08x", name, hash);
    for (size_t i = 0; i < bytes / 4; i++)
        printf("%s%x", i % 16 ? " " : "\n  ", word[i]);
    printf("\n");
    return 1;
}

/* Runs kernel<<<1, 1>>>(results, values), whose results have this hash. Values come from memory, so that no compiler computes
 * with them. */
#define HAVE(kernel, values, want) have(#kernel, kernel, values, want)
template <typename T, int N>
static int have(const char *name, void (*kernel)(struct results *, const T *), const T (&values)[N], unsigned want)
{
    struct results *r;
    T *managed;

    if (cudaMallocManaged(&r, sizeof *r) != cudaSuccess || cudaMallocManaged(&managed, sizeof values) != cudaSuccess)
        return 3;
    r->count = 0;
    memcpy(managed, values, sizeof values);
    kernel<<<1, 1>>>(r, managed);
    return cudaDeviceSynchronize() != cudaSuccess ? 3 : differs(name, r->bits, (size_t)r->count * 8, want);
}

#endif
