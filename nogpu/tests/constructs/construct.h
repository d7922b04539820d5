/* Shared by the programs of this folder: each prints one line about a failure and ends with 1, or prints nothing and ends with
 * 0. They are CUDA (.cu), which nvcc builds as well, or HIP (.hip).
 * SPDX-License-Identifier: MIT */
#ifndef CONSTRUCT_H
#define CONSTRUCT_H

#include <stdio.h>
#include <stdlib.h>

/* On the host. */
#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                             \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)
/* A runtime call that must succeed. */
#define OK(call)                                                                                                       \
    do {                                                                                                               \
        int error_ = (int)(call);                                                                                      \
        if (error_ != 0) {                                                                                             \
            printf("%s:%d: error %d of %s\n", __FILE__, __LINE__, error_, #call);                                      \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)
/* In a kernel: records the first line that fails. */
#define HOLDS(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            atomicCAS(wrong, 0, __LINE__);                                                                             \
    } while (0)

/* Runs kernel<<<grid, block>>>(int *wrong), whose checks must all hold. */
#if defined(__CUDACC__) && !defined(HIP_CPU_CUDA_H) /* NVIDIA's */
#define hipMalloc             cudaMalloc
#define hipFree               cudaFree
#define hipMemset             cudaMemset
#define hipMemcpy             cudaMemcpy
#define hipMemcpyDeviceToHost cudaMemcpyDeviceToHost
#define hipDeviceSynchronize  cudaDeviceSynchronize
#define hipGetLastError       cudaGetLastError
#endif
#define RUN(kernel, grid, block)                                                                                       \
    do {                                                                                                               \
        int *d_wrong, line = 0;                                                                                        \
        OK(hipMalloc(&d_wrong, sizeof line));                                                                          \
        OK(hipMemset(d_wrong, 0, sizeof line));                                                                        \
        kernel<<<grid, block>>>(d_wrong);                                                                              \
        OK(hipGetLastError());                                                                                         \
        OK(hipDeviceSynchronize());                                                                                    \
        OK(hipMemcpy(&line, d_wrong, sizeof line, hipMemcpyDeviceToHost));                                             \
        if (line != 0) {                                                                                               \
            printf("%s:%d: not so in kernel %s\n", __FILE__, line, #kernel);                                           \
            exit(1);                                                                                                   \
        }                                                                                                              \
        OK(hipFree(d_wrong));                                                                                          \
    } while (0)

#endif
