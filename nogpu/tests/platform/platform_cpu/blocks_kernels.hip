/* Blocks and grids: indices, atomics, cooperative launches.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h>

#include "parts.h"

__global__ void indices(int *seen, int *wrong)
{
    size_t block = ((size_t)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    size_t thread = ((size_t)threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;

    if (threadIdx.x >= blockDim.x || threadIdx.y >= blockDim.y || threadIdx.z >= blockDim.z ||
        blockIdx.x >= gridDim.x || blockIdx.y >= gridDim.y || blockIdx.z >= gridDim.z)
        atomicAdd(wrong, 1);
    else
        atomicAdd(&seen[block * blockDim.x * blockDim.y * blockDim.z + thread], 1);
}

hipError_t run_indices(dim3 grid, dim3 block, int *seen, int *wrong)
{
    hipLaunchKernelGGL(indices, grid, block, 0, 0, seen, wrong);
    return hipGetLastError();
}

/* first[t] = byte t of shared memory, which has not been written */
__global__ void fresh_shared(unsigned char *first)
{
    HIP_DYNAMIC_SHARED(unsigned char, shared);
    first[threadIdx.x] = shared[threadIdx.x];
}

hipError_t run_shared_bytes(unsigned block, size_t bytes, unsigned char *first)
{
    hipLaunchKernelGGL(fresh_shared, dim3(1), dim3(block), bytes, 0, first);
    return hipGetLastError();
}

/* All threads at once: `old` counts the values that the first atomic returns. */
__global__ void contended(int rounds, int *whole, double *real, int *old)
{
    cooperative_groups::this_grid().sync(); /* by now all workers are awake */
    for (int i = 0; i < rounds; i++) {
        atomicAdd(&old[atomicAdd(whole, 1)], 1);
        atomicAdd(real, 1.0);
    }
}

__global__ void cooperative(int rounds, unsigned *slots, unsigned *wrong)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    cooperative_groups::thread_block block = cooperative_groups::this_thread_block();

    for (int round = 1; round <= rounds; round++) {
        if (block.thread_rank() == 0)
            slots[blockIdx.x] = (unsigned)round * (blockIdx.x + 1);
        block.sync();
        grid.sync();
        unsigned sum = 0, want = 0;
        for (unsigned b = 0; b < gridDim.x; b++) {
            sum += slots[b];
            want += (unsigned)round * (b + 1);
        }
        if (sum != want)
            atomicAdd(wrong, 1u);
        grid.sync();
    }
    if (grid.size() != (unsigned long long)gridDim.x * blockDim.x ||
        grid.thread_rank() != (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x)
        atomicAdd(wrong, 1u);
}

TESTS(every_index_once, 6)
{
    static const dim3 shapes[][2] = {
        {{1, 1, 1}, {1, 1, 1}},   {{1000, 1, 1}, {1, 1, 1}}, {{7, 5, 3}, {4, 3, 2}},
        {{3, 1, 4}, {1, 32, 32}}, {{2, 3, 1}, {1, 1, 1024}}, {{129, 2, 1}, {100, 1, 1}},
    };
    dim3 grid = shapes[_i][0], block = shapes[_i][1];
    size_t count = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    int *seen = device_alloc<int>(count), *wrong = device_alloc<int>(1);

    OK(run_indices(grid, block, seen, wrong));
    ck_assert_int_eq(*wrong, 0);
    for (size_t i = 0; i < count; i++)
        MUST(seen[i] == 1);
}

TEST(contended_atomics)
{
    int rounds = 100000, *whole = device_alloc<int>(1);
    int *old = device_alloc<int>((size_t)workers * 4 * (size_t)rounds);
    double *real = device_alloc<double>(1);

    void *arguments[] = {&rounds, &whole, &real, &old};
    OK(hipLaunchCooperativeKernel(contended, dim3((unsigned)workers), dim3(4), arguments, 0, 0));
    ALL(*whole == workers * 4 * rounds, *real == workers * 4.0 * rounds);
    for (int i = 0; i < *whole; i++)
        MUST(old[i] == 1); /* every old value of the counter exactly once */
}

TEST(cooperative_launch)
{
    unsigned *slots = device_alloc<unsigned>((size_t)workers * 32);
    unsigned *wrong = device_alloc<unsigned>(1);
    int blocks = 0, rounds = 20;
    void *arguments[] = {&rounds, &slots, &wrong};

    for (unsigned block = 1; block <= 1024; block *= 32) {
        OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, slots, (int)block, 0));
        ck_assert_int_eq(blocks, block == 1024 ? 2 : 32);
        for (unsigned grid = 1; grid <= (unsigned)(blocks * workers); grid *= 2)
            OK(hipLaunchCooperativeKernel(cooperative, dim3(grid), dim3(block), arguments, 0, 0));
        ck_assert_int_eq(hipLaunchCooperativeKernel(cooperative, dim3((unsigned)(blocks * workers) + 1), dim3(block),
                                                    arguments, 0, 0),
                         hipErrorCooperativeLaunchTooLarge);
        ck_assert_int_eq(hipGetLastError(), hipErrorCooperativeLaunchTooLarge);
    }
    ck_assert_uint_eq(*wrong, 0);
    OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, slots, 256, (size_t)32 << 10));
    ck_assert_int_eq(blocks, 2);
    OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, slots, 256, (size_t)65 << 10));
    ck_assert_int_eq(blocks, 0);
}
