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
#define RUN(kernel, grid, block) LAUNCHED(kernel<<<grid, block>>>(wrong))
/* The same for a whole launch, which passes `wrong` on. */
#define LAUNCHED(...)                                                                                                  \
    do {                                                                                                               \
        int *wrong, line = 0;                                                                                          \
        OK(hipMalloc(&wrong, sizeof line));                                                                            \
        OK(hipMemset(wrong, 0, sizeof line));                                                                          \
        __VA_ARGS__;                                                                                                   \
        OK(hipGetLastError());                                                                                         \
        OK(hipDeviceSynchronize());                                                                                    \
        OK(hipMemcpy(&line, wrong, sizeof line, hipMemcpyDeviceToHost));                                               \
        if (line != 0) {                                                                                               \
            printf("%s:%d: not so in %s\n", __FILE__, line, #__VA_ARGS__);                                             \
            exit(1);                                                                                                   \
        }                                                                                                              \
        OK(hipFree(wrong));                                                                                            \
    } while (0)

/* A call of CUB, with `temporary` storage of so many `bytes`: asks for it, calls with it, and with no bytes of it. */
#define CALL(...) CALL_AND(true, __VA_ARGS__)
#define CALL_AND(refused, ...)                                                                                         \
    do {                                                                                                               \
        void *temporary = NULL;                                                                                        \
        size_t bytes = 0;                                                                                              \
        OK(__VA_ARGS__);                                                                                               \
        EXPECT(bytes > 0);                                                                                             \
        OK(cudaMalloc(&temporary, bytes));                                                                             \
        OK(__VA_ARGS__);                                                                                               \
        OK(cudaDeviceSynchronize());                                                                                   \
        bytes = 0;                                                                                                     \
        EXPECT((__VA_ARGS__) == (refused ? cudaErrorInvalidValue : cudaSuccess));                                      \
        OK(cudaFree(temporary));                                                                                       \
    } while (0)

#endif
