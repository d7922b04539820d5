/* HIP for the CPU: cooperative groups, as far as a block and the grid are concerned.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_COOPERATIVE_GROUPS_H
#define HIP_CPU_COOPERATIVE_GROUPS_H

#include "hip_runtime.h"

namespace cooperative_groups
{
struct thread_block {
    void sync(HIP_CPU_PLACE) const
    {
        hip_cpu_syncthreads(file, line);
    }
    unsigned size() const
    {
        return blockDim.x * blockDim.y * blockDim.z;
    }
    unsigned thread_rank() const
    {
        return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    }
};

/* All threads of a kernel that hipLaunchCooperativeKernel started. */
struct grid_group {
    void sync(HIP_CPU_PLACE) const
    {
        hip_cpu_barrier(HIP_CPU_SYNC_GRID, 0, file, line);
    }
    unsigned long long size() const
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * thread_block().size();
    }
    unsigned long long thread_rank() const
    {
        unsigned long long block =
            ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
        return block * thread_block().size() + thread_block().thread_rank();
    }
};

static inline thread_block this_thread_block()
{
    return thread_block();
}
static inline grid_group this_grid()
{
    return grid_group();
}
} // namespace cooperative_groups

#endif
