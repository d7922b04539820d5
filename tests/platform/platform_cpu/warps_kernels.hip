/* Kernels of warps.c: warp operations.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>

#include "kernels.h"

template <typename T> static __device__ T shuffle(int kind, T value, int operand, int width)
{
    if (width == 0) {
        switch (kind) {
        case SHUFFLE_IDX:
            return __shfl(value, operand);
        case SHUFFLE_UP:
            return __shfl_up(value, (unsigned)operand);
        case SHUFFLE_DOWN:
            return __shfl_down(value, (unsigned)operand);
        default:
            return __shfl_xor(value, operand);
        }
    }
    switch (kind) {
    case SHUFFLE_IDX:
        return __shfl(value, operand, width);
    case SHUFFLE_UP:
        return __shfl_up(value, (unsigned)operand, width);
    case SHUFFLE_DOWN:
        return __shfl_down(value, (unsigned)operand, width);
    default:
        return __shfl_xor(value, operand, width);
    }
}

template <typename T>
__global__ void shuffle_kernel(int kind, int who, int operand, int width, const T *in, T *out)
{
    unsigned lane = threadIdx.x % (unsigned)warpSize;
    T value = in[threadIdx.x];

    if (who == WHO_RETURNED && lane % 3 == 2)
        return;
    out[threadIdx.x] = shuffle(kind, value, operand, width);
}

template <typename T>
static void launch_shuffle(int kind, int who, unsigned block, int operand, int width,
                           const void *in, void *out)
{
    hipLaunchKernelGGL(shuffle_kernel<T>, dim3(1), dim3(block), 0, 0, kind, who, operand, width,
                       (const T *)in, (T *)out);
}

hipError_t run_shuffle(int type, int kind, int who, unsigned block, int operand, int width,
                       const void *in, void *out)
{
    static void (*const launches[])(int, int, unsigned, int, int, const void *, void *) = {
        launch_shuffle<int>,       launch_shuffle<unsigned>,
        launch_shuffle<long>,      launch_shuffle<unsigned long>,
        launch_shuffle<long long>, launch_shuffle<unsigned long long>,
        launch_shuffle<float>,     launch_shuffle<double>,
    };
    launches[type](kind, who, block, operand, width, in, out);
    return hipGetLastError();
}

__global__ void votes(int who, const int *predicate, unsigned long long *out)
{
    unsigned lane = threadIdx.x % (unsigned)warpSize;
    int mine = predicate[threadIdx.x];
    unsigned long long *result = out + 4 * threadIdx.x;

    if (who == WHO_RETURNED && lane % 3 == 2)
        return;
    result[0] = (unsigned long long)__any(mine);
    result[1] = (unsigned long long)__all(mine);
    result[2] = __ballot(mine);
    result[3] = __activemask();
}

hipError_t run_votes(int who, unsigned block, const int *predicate, unsigned long long *out)
{
    hipLaunchKernelGGL(votes, dim3(1), dim3(block), 0, 0, who, predicate, out);
    return hipGetLastError();
}

/* Who is here, in two branches: the one question that not all lanes have to ask. */
__global__ void active_masks(unsigned long long *out)
{
    if (threadIdx.x % 3 == 0)
        out[threadIdx.x] = __activemask();
    else
        out[threadIdx.x] = __activemask();
    __any(1);
}

hipError_t run_active_masks(unsigned block, unsigned long long *out)
{
    hipLaunchKernelGGL(active_masks, dim3(1), dim3(block), 0, 0, out);
    return hipGetLastError();
}

__global__ void threaded_branches(const double *in, double *out)
{
    unsigned lane = threadIdx.x % (unsigned)warpSize;
    double value = in[threadIdx.x], other;

    if (lane < 16)
        value += 1;
    other = __shfl_down(value, 1);
    if (lane < 16)
        value = other * 2;
    out[2 * threadIdx.x] = value;

    value = 0;
    if (threadIdx.x < 40)
        value = in[threadIdx.x];
    value += __shfl_xor(value, 1);
    if (threadIdx.x < 40)
        value = -value;
    out[2 * threadIdx.x + 1] = value;
}

hipError_t run_threaded_branches(unsigned block, const double *in, double *out)
{
    hipLaunchKernelGGL(threaded_branches, dim3(1), dim3(block), 0, 0, in, out);
    return hipGetLastError();
}

static __device__ int section_sum(int value, int width)
{
    for (int distance = width / 2; distance > 0; distance /= 2)
        value += __shfl_xor(value, distance, width);
    return value;
}

__global__ void halves(const int *in, int *out)
{
    int value = in[threadIdx.x], half = warpSize / 2;

    if ((int)threadIdx.x % warpSize < half)
        value = section_sum(value, half);
    else
        value = -section_sum(2 * value, half);
    out[threadIdx.x] = value;
}

hipError_t run_halves(unsigned block, const int *in, int *out)
{
    hipLaunchKernelGGL(halves, dim3(1), dim3(block), 0, 0, in, out);
    return hipGetLastError();
}

__global__ void lanes(unsigned *lane)
{
    lane[(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x] = __lane_id();
}

hipError_t run_lanes(dim3 block, unsigned *lane)
{
    hipLaunchKernelGGL(lanes, dim3(1), block, 0, 0, lane);
    return hipGetLastError();
}
