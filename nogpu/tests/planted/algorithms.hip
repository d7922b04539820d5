/* Kernels other than reductions, each in a right version and one with a fault.
 * SPDX-License-Identifier: MIT */
#include <hipcub/hipcub.hpp>

#include "cases.h"

/* ---- game of life: two boards, one launch per turn ---- */

__global__ void life(const unsigned char *now, unsigned char *next, int width)
{
    int x = (int)(blockIdx.x * blockDim.x + threadIdx.x), y = (int)blockIdx.y, alive = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx != 0 || dy != 0)
                alive += now[(y + dy + width) % width * width + (x + dx + width) % width];
    next[y * width + x] = alive == 3 || (alive == 2 && now[y * width + x]);
}

static bool run_life(int fault)
{
    enum { WIDTH = 32 };
    unsigned char from[WIDTH * WIDTH] = {0}, result[WIDTH * WIDTH];
    from[1 * WIDTH + 2] = from[2 * WIDTH + 3] = from[3 * WIDTH + 1] = 1; /* a glider */
    from[3 * WIDTH + 2] = from[3 * WIDTH + 3] = 1;
    unsigned char *a = device_array(WIDTH * WIDTH, from);
    unsigned char *b = fault ? a : device_array<unsigned char>(WIDTH * WIDTH);
    for (int turn = 0; turn < 4; turn++) {
        hipLaunchKernelGGL(life, dim3(1, WIDTH), dim3(WIDTH), 0, 0, a, b, (int)WIDTH);
        unsigned char *swap = a;
        a = b;
        b = swap;
    }
    fetch(result, a, WIDTH * WIDTH);
    for (int i = 0; i < WIDTH * WIDTH; i++)
        if (result[i] != from[(i / WIDTH + WIDTH - 1) % WIDTH * WIDTH + (i + WIDTH - 1) % WIDTH])
            return false;
    return true;
}

/* ---- a library's temporary storage: reused after only a barrier, and one per warp ---- */

__global__ void storage_again(int *out, int fault)
{
    typedef hipcub::BlockScan<int, 64> block_scan;
    typedef hipcub::BlockReduce<int, 64> block_reduce;
    __shared__ union {
        typename block_scan::TempStorage scan;
        typename block_reduce::TempStorage reduce;
    } storage;
    int before, sum;

    block_scan(storage.scan).ExclusiveSum((int)threadIdx.x, before);
    if (!fault)
        __syncthreads();
    sum = block_reduce(storage.reduce).Sum(before);
    if (threadIdx.x == 0)
        *out = sum;
}

__global__ void storage_of_warps(int *out, int fault)
{
    typedef hipcub::WarpReduce<int, 16> warp_reduce;
    __shared__ typename warp_reduce::TempStorage storage[4];
    int part = (int)threadIdx.x / 16;

    int sum = warp_reduce(storage[fault ? 0 : part]).Sum((int)threadIdx.x);
    if (threadIdx.x % 16 == 0)
        atomicAdd(out, sum);
}

template <void (*kernel)(int *, int), int want> static bool run_storage(int fault)
{
    int *out = device_array<int>(1), result;
    hipLaunchKernelGGL(HIP_KERNEL_NAME(kernel), dim3(1), dim3(64), 0, 0, out, fault);
    fetch(&result, out, 1);
    return fault || result == want;
}

const struct planted_case algorithms[] = {
    {"game of life", "one board", run_life},
    {"a library's storage, reused", "no barrier before it", run_storage<storage_again, 41664>},
    {"a library's storage for warps", "two warps share one", run_storage<storage_of_warps, 2016>},
    {NULL, NULL, NULL},
};
