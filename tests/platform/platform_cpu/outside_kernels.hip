/* Kernels of outside.c: each is wrong.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h>

#include "kernels.h"

__global__ void read_at(const double *in, long index, double *out)
{
    if (blockIdx.x == 1 && threadIdx.x == 2)
        out[0] = in[index];
}

hipError_t run_read(const double *in, long index, double *out)
{
    hipLaunchKernelGGL(read_at, dim3(2), dim3(4), 0, 0, in, index, out);
    return hipGetLastError();
}

__global__ void write_at(double *out, long index)
{
    out[index] = 1;
}

hipError_t run_write(double *out, long index)
{
    hipLaunchKernelGGL(write_at, dim3(1), dim3(1), 0, 0, out, index);
    return hipGetLastError();
}

static __attribute__((noinline)) __device__ int descend(unsigned depth, int *out)
{
    volatile int room[512];
    room[depth % 512] = (int)depth;
    if (depth > 0)
        descend(depth - 1, out);
    return out[0] += room[depth % 512];
}

__global__ void deep(unsigned depth, int *out)
{
    descend(depth, out);
}

hipError_t run_overflow(unsigned depth, int *out)
{
    hipLaunchKernelGGL(deep, dim3(1), dim3(1), 0, 0, depth, out);
    return hipGetLastError();
}

__global__ void divide(int divisor, int *out)
{
    out[0] = 100 / divisor;
}

hipError_t run_divide(int divisor, int *out)
{
    hipLaunchKernelGGL(divide, dim3(1), dim3(1), 0, 0, divisor, out);
    return hipGetLastError();
}

__global__ void read_shared(size_t index, int *out)
{
    HIP_DYNAMIC_SHARED(int, shared);
    out[0] = shared[index];
}

hipError_t run_shared_read(size_t bytes, size_t index, int *out)
{
    hipLaunchKernelGGL(read_shared, dim3(1), dim3(1), bytes, 0, index, out);
    return hipGetLastError();
}

__global__ void barrier_without(unsigned returned, int *out)
{
    if (threadIdx.x < returned)
        return;
    __syncthreads();
    atomicAdd(out, 1);
}

hipError_t run_barrier_without(unsigned block, unsigned returned, int *out)
{
    hipLaunchKernelGGL(barrier_without, dim3(2), dim3(block), 0, 0, returned, out);
    return hipGetLastError();
}

__global__ void barriers_apart(int *out)
{
    if (threadIdx.x % 2 == 0) {
        __syncthreads();
        atomicAdd(out, 1);
    } else {
        __syncthreads();
        atomicAdd(out, 2);
    }
}

hipError_t run_barriers_apart(unsigned block, int *out)
{
    hipLaunchKernelGGL(barriers_apart, dim3(1), dim3(block), 0, 0, out);
    return hipGetLastError();
}

/* Lanes of one warp at different places. */
__global__ void diverged(int how, int *out)
{
    int even = threadIdx.x % 2 == 0, value = 1;

    if (how == DIVERGED_BRANCHES) {
        if (even)
            value = __shfl_down(value, 2);
        else
            value = __shfl_xor(value, 2);
    } else if (how == DIVERGED_LOOP) {
        for (unsigned i = 0; i < threadIdx.x % 4; i++)
            value += __any(1);
        value += __all(1);
    } else if (how == DIVERGED_LINE) {
        value = (int)(even ? __ballot(1) : (unsigned long long)__any(1));
    } else {
        if (threadIdx.x < 8)
            __syncwarp();
        __syncthreads();
    }
    atomicAdd(out, value);
}

hipError_t run_diverged(int how, unsigned block, int *out)
{
    hipLaunchKernelGGL(diverged, dim3(1), dim3(block), 0, 0, how, out);
    return hipGetLastError();
}

__global__ void grid_barrier_without(void)
{
    if (blockIdx.x > 0)
        cooperative_groups::this_grid().sync();
}

hipError_t run_grid_barrier_without(unsigned grid)
{
    return hipLaunchCooperativeKernel(grid_barrier_without, dim3(grid), dim3(8), nullptr, 0, 0);
}

hipError_t run_grid_barrier_plain(void)
{
    hipLaunchKernelGGL(grid_barrier_without, dim3(2), dim3(8), 0, 0);
    return hipGetLastError();
}

__global__ void bad_width(int width, int *out)
{
    out[threadIdx.x] = __shfl((int)threadIdx.x, 0, width);
}

hipError_t run_bad_width(int width, int *out)
{
    hipLaunchKernelGGL(bad_width, dim3(1), dim3(32), 0, 0, width, out);
    return hipGetLastError();
}
