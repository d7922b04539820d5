/* The kernels of the playground's orders: one block, -DT=float or double.
 *   counts ORDER BLOCK PADDED ELEMENTS
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <hip/hip_runtime.h>

#define PAD(e) (padded ? (e) + (e) / 32 : (e))
enum { INTERLEAVED, STRIDED, SEQUENTIAL, DOWN, XOR, UP };
static const char *const orders[] = {"interleaved", "strided", "sequential", "down", "xor", "up"};

static __device__ T reduce_warp(T value, unsigned lane, unsigned lanes, int order)
{
    if (order == UP) {
        for (unsigned distance = 1; distance < (unsigned)warpSize; distance *= 2) {
            T other = __shfl_up(value, distance);
            if (lane >= distance)
                value += other;
        }
    } else {
        for (unsigned distance = warpSize / 2; distance > 0; distance /= 2) {
            T other = order == XOR ? __shfl_xor(value, (int)distance) : __shfl_down(value, distance);
            if (order == XOR ? (lane ^ distance) < lanes : lane + distance < lanes)
                value += other;
        }
    }
    return value;
}

__global__ void reduce(const T *input, T *output, int order, unsigned padded, unsigned elements)
{
    HIP_DYNAMIC_SHARED(T, shared);
    unsigned tid = threadIdx.x, lane = tid % warpSize, warp = tid / warpSize;
    unsigned warps = (blockDim.x + warpSize - 1) / warpSize;
    unsigned lanes = warp + 1 < warps ? warpSize : blockDim.x - warp * warpSize;
    T value = 0;

    for (unsigned k = 0; k < elements; k++)
        value += input[k * blockDim.x + tid];
    if (order >= DOWN) {
        value = reduce_warp(value, lane, lanes, order);
        if (lane == (order == UP ? lanes - 1 : 0))
            shared[warp] = value;
        __syncthreads();
        if (warp == 0) {
            value = 0;
            if (lane < warps)
                value = shared[lane];
            value = reduce_warp(value, lane, lanes, DOWN);
        }
        if (tid == 0)
            *output = value;
        return;
    }
    shared[PAD(tid)] = value;
    __syncthreads();
    if (order == SEQUENTIAL)
        for (unsigned count = blockDim.x; count > 1;) {
            unsigned half = (count + 1) / 2;
            if (tid + half < count)
                shared[PAD(tid)] = shared[PAD(tid)] + shared[PAD(tid + half)];
            __syncthreads();
            count = half;
        }
    else
        for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
            unsigned i = order == STRIDED ? 2 * stride * tid : tid;
            if (i % (2 * stride) == 0 && i + stride < blockDim.x)
                shared[PAD(i)] = shared[PAD(i)] + shared[PAD(i + stride)];
            __syncthreads();
        }
    if (tid == 0)
        *output = shared[0];
}

int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    int order = 0;
    while (order <= UP && strcmp(argv[1], orders[order]) != 0)
        order++;
    unsigned block = (unsigned)atoi(argv[2]), padded = (unsigned)atoi(argv[3]), elements = (unsigned)atoi(argv[4]);
    T *input, *output, sum = 0, *numbers = (T *)calloc(block * elements, sizeof(T));
    if (order > UP || !numbers || hipMalloc((void **)&input, block * elements * sizeof(T)) != hipSuccess ||
        hipMalloc((void **)&output, sizeof(T)) != hipSuccess)
        return 3;
    static const char digits[] = "3141592653589793238462643383279502884197169399375105820974944592";
    for (unsigned i = 0; i < block * elements; i++)
        numbers[i] = (T)(digits[i % 64] - '0');
    if (hipMemcpy(input, numbers, block * elements * sizeof(T), hipMemcpyHostToDevice) != hipSuccess)
        return 3;
    hipLaunchKernelGGL(reduce, dim3(1), dim3(block), (block + block / 32 + 1) * sizeof(T), 0, input, output, order,
                       padded, elements);
    if (hipMemcpy(&sum, output, sizeof sum, hipMemcpyDeviceToHost) != hipSuccess)
        return 3;
    printf("sum %g\n", (double)sum);
    return 0;
}
