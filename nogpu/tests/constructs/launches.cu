/* Launches in every form, and queries about kernels and devices.
 * SPDX-License-Identifier: MIT */
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <nv/target>

#include <string.h>

#include "construct.h"

namespace cg = cooperative_groups;

__shared__ int shared_by_file[64];
__constant__ int factor[4];
__device__ int counted;

template <typename T, int N> __global__ void scaled(T *values, T by)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    values[i] = values[i] * by + N;
}

struct shape {
    int rows, columns;
    double weight;
};
__global__ void __launch_bounds__(256, 2) by_struct(shape s, double *out)
{
    out[threadIdx.x] = s.rows * s.columns * s.weight + factor[threadIdx.x % 4];
}

__device__ void fill(int value) { shared_by_file[threadIdx.x] = value; }
__global__ void file_scope(int *wrong)
{
    fill((int)threadIdx.x * 2);
    __syncthreads();
    HOLDS(shared_by_file[63 - threadIdx.x] == 2 * (63 - (int)threadIdx.x));
    atomicAdd(&counted, 1);
}

__global__ void dynamic(int *wrong)
{
    extern __shared__ float late[];
    float *second = late + blockDim.x;
    late[threadIdx.x] = (float)threadIdx.x;
    second[threadIdx.x] = -1;
    __syncthreads();
    HOLDS(late[blockDim.x - 1 - threadIdx.x] == (float)(blockDim.x - 1 - threadIdx.x) && second[0] == -1);
}

__global__ void of_grid(int *sums, int *wrong)
{
    cg::grid_group grid = cg::this_grid();
    HOLDS(grid.is_valid());
    if (threadIdx.x == 0)
        sums[blockIdx.x] = (int)blockIdx.x + 1;
    grid.sync();
    int sum = 0;
    for (unsigned i = 0; i < gridDim.x; i++)
        sum += sums[i];
    HOLDS(sum == (int)(gridDim.x * (gridDim.x + 1) / 2) && grid.size() == gridDim.x * blockDim.x);
    HOLDS(grid.thread_rank() == blockIdx.x * blockDim.x + threadIdx.x);
}

__global__ void places(int *wrong)
{
    HOLDS(blockDim.x == 4 && blockDim.y == 3 && blockDim.z == 2 && gridDim.x == 2 && gridDim.y == 2 && gridDim.z == 2);
    HOLDS(threadIdx.x < 4 && threadIdx.y < 3 && threadIdx.z < 2 && blockIdx.z < 2);
    HOLDS(__syncthreads_count(threadIdx.z) == 12 && __syncthreads_or(threadIdx.x == 3));
    HOLDS(!__syncthreads_and((int)threadIdx.y) && __syncthreads_and(threadIdx.x + 17) &&
          !__syncthreads_or(threadIdx.x > 9));
}

__device__ int architecture(void)
{
#if __CUDA_ARCH__ >= 700
    return __CUDA_ARCH__ / 10;
#else
    return 0;
#endif
}
__global__ void compiled_for(int *wrong) { HOLDS(architecture() >= 70); }

__global__ void says(void)
{
    if (threadIdx.x == 1)
        printf("%s", "");
}

/* The pack is deduced from the call, although the other template arguments are explicit. */
template <typename T, typename... rest> __global__ void sum_of(T *sum, rest... values)
{
    *sum = (T)(0 + ... + values);
#if __CUDA_ARCH__ >= 900 || defined(HIP_CPU_CUDA_H)
    cudaGridDependencySynchronize();
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/* The host destroys its copies of parameters; a reference is the address of managed memory. */
int destroyed;
struct lock {
    int *word;
    ~lock() { destroyed++; }
};
__global__ void locked(struct lock lock, int *count)
{
    if (threadIdx.x == 0)
        atomicAdd(count, atomicAdd(lock.word, 0) + 1);
    lock.word = NULL;
}
__global__ void by_reference(int &value) { value += 5; }

/* Code for the host or the device. */
__global__ void target(int *wrong)
{
    int here = 0, newest = 0;
    NV_IF_ELSE_TARGET(NV_IS_DEVICE, (here = 1;), (here = 2;))
    NV_DISPATCH_TARGET(NV_IS_HOST, (newest = 1;), NV_PROVIDES_SM_70, (newest = 70;))
    HOLDS(here == 1 && newest == 70);
}

/* Kernels that macros write. Those that leave early have arrived at the barrier. */
#define LEAVES                                                                                                         \
    if (threadIdx.x > 20)                                                                                              \
        return;
#define BODY(op)                                                                                                       \
    {                                                                                                                  \
        LEAVES                                                                                                         \
        __syncthreads();                                                                                               \
        x[threadIdx.x] op 2;                                                                                           \
    }
#define KERNEL __global__ void
__global__ void more(int *x) BODY(+=) __global__ void fewer(int *x) BODY(-=) KERNEL twice(int *x) BODY(*=) KERNEL
    once(int *x)
{
    if (threadIdx.x > 0)
        return;
    __syncthreads();
    x[0] += 1;
}
#define SQUARE                                                                                                         \
    {                                                                                                                  \
        x[threadIdx.x] *= x[threadIdx.x];                                                                              \
    }
__global__ void square(int *x) SQUARE static void by_macros(int *x)
{
    more<<<1, 64>>>(x);
    twice<<<1, 64>>>(x);
    once<<<1, 64>>>(x);
    square<<<1, 32>>>(x);
    fewer<<<1, 64>>>(x);
    OK(cudaDeviceSynchronize());
}

int main(void)
{
    int host[64], *values, values_by[4] = {10, 20, 30, 40};
    double *doubles, one;
    dim3 blockDim(32), gridDim(2); /* names that kernels have, too */

    for (int i = 0; i < 64; i++)
        host[i] = i;
    OK(cudaMalloc((void **)&values, sizeof host));
    OK(cudaMalloc(&doubles, 64 * sizeof *doubles));
    OK(cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice));
    scaled<int, 7><<<gridDim, blockDim>>>(values, 3);
    int by = 1;
    void *arguments[] = {&values, &by};
    OK(cudaLaunchKernel((const void *)scaled<int, 1>, gridDim, blockDim, arguments, 0, 0));
    OK(cudaLaunchKernel(scaled<int, 0>, gridDim, blockDim, arguments));
    OK(cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost));
    EXPECT(host[0] == 8 && host[63] == 197);
    scaled<int, 0><<<1, dim3(1, 1, 65)>>>(values, 1);
    EXPECT(cudaGetLastError() != cudaSuccess);
    const void *kernels[] = {(const void *)scaled<int, 2>, reinterpret_cast<const void *>(&scaled<int, 4>)};
    by = 1;
    for (const void *kernel : kernels)
        OK(cudaLaunchKernel(kernel, gridDim, blockDim, arguments, 0, 0));
    OK(cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost));
    EXPECT(host[0] == 14 && host[63] == 203);

    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute[1];
    config.gridDim = gridDim, config.blockDim = blockDim;
    OK(cudaLaunchKernelEx(&config, scaled<int, 2>, values, 1));
    attribute[0].id = cudaLaunchAttributeCooperative;
    attribute[0].val.cooperative = 1;
    config.attrs = attribute, config.numAttrs = 1;
    OK(cudaLaunchKernelExC(&config, (const void *)scaled<int, 4>, arguments));
    OK(cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost));
    EXPECT(host[0] == 20 && host[63] == 209);
    EXPECT(strcmp(cudaGetErrorName(cudaErrorMemoryAllocation), "cudaErrorMemoryAllocation") == 0);
    EXPECT(strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);

    OK(cudaMemcpyToSymbol(factor, values_by, sizeof values_by));
    by_struct<<<1, 64>>>({2, 3, 0.5}, doubles);
    OK(cudaMemcpy(&one, doubles + 5, sizeof one, cudaMemcpyDeviceToHost));
    EXPECT(one == 23);

    RUN(compiled_for, 1, 1);
    RUN(file_scope, 3, 64);
    OK(cudaMemcpyFromSymbol(&by, counted, sizeof by));
    EXPECT(by == 192);
    RUN(places, dim3(2, 2, 2), dim3(4, 3, 2));

    LAUNCHED(dynamic<<<2, 96, 2 * 96 * sizeof(float)>>>(wrong));
    int blocks = 0, resident = 0, device = 0, most = 0, *none = NULL;
    OK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    EXPECT(most >= 96 << 10);
    LAUNCHED(dynamic<<<2, 96, 48 << 10>>>(wrong));
    dynamic<<<2, 96, (48 << 10) + 4>>>(none);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    OK(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 96 << 10));
    LAUNCHED(dynamic<<<2, 96, 96 << 10>>>(wrong));
    cudaDeviceProp p;
    OK(cudaGetDevice(&device));
    OK(cudaGetDeviceProperties(&p, device));
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, of_grid, 64, 0));
    EXPECT(resident >= 1 && p.multiProcessorCount >= 1 && p.cooperativeLaunch);
    blocks = resident * p.multiProcessorCount < 4 ? resident * p.multiProcessorCount : 4;
    LAUNCHED(void *of[] = {&values, &wrong};
             OK(cudaLaunchCooperativeKernel((void *)of_grid, dim3((unsigned)blocks), dim3(64), of, 0, 0)));

    says<<<1, 32>>>();
    OK(cudaDeviceSynchronize());
    EXPECT(p.warpSize == 32 && p.maxThreadsPerBlock >= 1024 && p.major >= 8 && p.name[0]);
    int grid = 0, block = 0, warp = 0;
    OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, by_struct, 0, 0));
    EXPECT(grid >= 1 && block >= 32);
    OK(cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device));
    EXPECT(warp == 32);
    cudaFuncAttributes a;
    OK(cudaFuncGetAttributes(&a, by_struct));
    EXPECT(a.maxThreadsPerBlock >= 256);
    int *managed, on_host = 0;
    RUN(target, 1, 32);
    NV_IF_TARGET(NV_IS_HOST, (on_host = 1;))
    EXPECT(on_host == 1);
    OK(cudaMallocManaged((void **)&managed, 4 * sizeof *managed));
    memset(managed, 0, 4 * sizeof *managed);
    {
        struct lock lock = {managed};
        locked<<<4, 32>>>(lock, managed + 1);
        OK(cudaDeviceSynchronize());
        EXPECT(managed[1] == 4 && lock.word == managed && destroyed == 1);
    }
    by_reference<<<1, 1>>>(managed[1]);
    OK(cudaDeviceSynchronize());
    EXPECT(managed[1] == 9);
    sum_of<int><<<1, 1>>>(managed, 1, 2u, 3.5);
    OK(cudaDeviceSynchronize());
    EXPECT(managed[0] == 6);
    OK(cudaFree(managed));
    OK(cudaMallocManaged((void **)&managed, 64 * sizeof *managed));
    memset(managed, 0, 64 * sizeof *managed);
    by_macros(managed);
    EXPECT(managed[0] == 23 && managed[20] == 14 && managed[21] == 0);
    OK(cudaFree(managed));
    scaled<int, 0><<<1, 2048>>>(values, 1);
    EXPECT(cudaGetLastError() != cudaSuccess); /* which one depends on the version of CUDA */
    EXPECT(cudaGetLastError() == cudaSuccess);
    by_struct<<<1, 512>>>({2, 3, 0.5}, doubles); /* beyond its __launch_bounds__ */
    EXPECT(cudaGetLastError() != cudaSuccess && cudaGetLastError() == cudaSuccess);
    OK(cudaFree(values));
}
